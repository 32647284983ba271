// WebSub, sections 5.1 and 5.1.2: which requests the hub accepts, and its responses.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ATOM, ORIGIN, TOPICS } from '../support/hub.ts';
import { LocalHub } from '../support/local-hub.ts';
import { hang, type Subscriber } from '../support/subscriber.ts';

let hub: LocalHub;
let subscriber: Subscriber;
beforeAll(async () => {
  hub = await LocalHub.open({ HUB_LEASE_MIN_SECONDS: '60' });
});
afterEach(() => hub.reset());
afterAll(() => hub.close());

/** Fields of an acceptable request, with these changes. */
async function fields(values: Record<string, string | string[]> = {}) {
  subscriber = await hub.subscriber();
  const callback = subscriber.url();
  return { 'hub.mode': 'subscribe', 'hub.topic': ATOM, 'hub.callback': callback, ...values };
}

async function expectAccepted(values: Record<string, string | string[]> = {}): Promise<void> {
  const response = await hub.ask(await fields(values));
  expect([response.status, await response.text()], JSON.stringify(values)).toEqual([
    202,
    'Accepted: the callback will be asked to confirm.\n',
  ]);
}

/** Expects a refusal with a line of text, and nothing stored. */
async function expectRefused(
  values: Record<string, string | string[]>,
  reason: string | RegExp,
): Promise<void> {
  const response = await hub.ask(await fields(values));
  const text = await response.text();
  expect([response.status, response.headers.get('content-type')], text).toEqual([
    400,
    'text/plain; charset=utf-8',
  ]);
  expect(text).toMatch(reason);
  expect(text).toMatch(/^[^\n]+\n$/);
  expect(await hub.intents()).toEqual([]);
}

test('S1 S2 R1 K7: three fields, with or without a secret, are accepted with 202, without an API key', async () => {
  await expectAccepted();
  await subscriber.waitFor('GET', 1);
  await expectAccepted({ 'hub.mode': 'unsubscribe' });
  await subscriber.waitFor('GET', 1);
  await expectAccepted({ 'hub.secret': 'correct horse' });
  await subscriber.waitFor('GET', 1);
});

test('K6: an Authorization header is ignored', async () => {
  const response = await hub.ask(await fields(), { Authorization: 'Bearer nonsense' });
  expect(response.status).toBe(202);
});

describe('S3: a form', () => {
  test.each([
    ['application/x-www-form-urlencoded', 202],
    ['application/x-www-form-urlencoded; charset=UTF-8', 202],
    ['Application/X-WWW-Form-URLencoded;charset=utf-8', 202],
    ['application/x-www-form-urlencoded; charset=iso-8859-1', 415],
    ['application/json', 415],
    ['multipart/form-data; boundary=x', 415],
    ['text/plain', 415],
  ])('of the type %s is answered %i', async (type, expected) => {
    const body = new URLSearchParams(await fields()).toString();
    const url = `${hub.server.url}/api/websub/hub`;
    const response = await fetch(url, { method: 'POST', body, headers: { 'Content-Type': type } });
    expect(response.status).toBe(expected);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  test('is read as UTF-8', async () => {
    const values = await fields();
    await hub.request('subscribe', subscriber.url('/grüße/日'), {
      'hub.topic': values['hub.topic'],
    });
    expect(subscriber.asked[0]?.target).toMatch(/^\/gr%C3%BC%C3%9Fe\/%E6%97%A5\?hub\.mode=/);
  });
});

describe('S4 R3 R4: an error is a line of text', () => {
  test.each([
    [{ 'hub.mode': 'Subscribe' }, 'hub.mode: expected subscribe or unsubscribe, got "Subscribe"'],
    [{ 'hub.mode': '' }, 'hub.mode: expected subscribe or unsubscribe, got nothing'],
    [{ 'hub.topic': '' }, /^hub\.topic: expected https:\/\/reviews\.example\/.*got nothing/],
    [{ 'hub.callback': '' }, /^hub\.callback: expected a URL .*got nothing/],
    [{ 'hub.mode': ['subscribe', 'unsubscribe'] }, 'hub.mode: expected it once, got it 2 times'],
    [{ 'hub.topic': [ATOM, ATOM] }, 'hub.topic: expected it once, got it 2 times'],
    [{ 'hub.callback': ['https://a.example/', 'https://b.example/'] }, /^hub\.callback: .*once/],
    [{ 'hub.secret': ['a', 'b'] }, 'hub.secret: expected it once, got it 2 times'],
    [{ 'hub.mode': 'x', 'hub.lease_seconds': 'y' }, /hub\.mode: .*; hub\.lease_seconds: /],
  ])('%j', async (values, reason) => {
    await expectRefused(values, reason);
  });
});

test('P8: hub.mode=publish is refused, and causes no delivery', async () => {
  await expectAccepted();
  await hub.settled(subscriber.url());
  const active = subscriber;
  await expectRefused({ 'hub.mode': 'publish', 'hub.url': ATOM }, /^hub\.mode: /);
  await hub.change({ text: 'What really changed.' });
  const [delivery] = await active.waitFor('POST', 1);
  expect(delivery?.body.toString()).toContain('What really changed.');
});

describe('S5 L2 L3 X3: a requested lease', () => {
  test.each(['0', '-1', '1.5', 'abc', '1e3', ' 60', '0x60', '1' + '0'.repeat(30)])(
    'of %s is refused',
    async (requested) => {
      await expectRefused(
        { 'hub.lease_seconds': requested },
        /^hub\.lease_seconds: expected a positive/,
      );
    },
  );

  test.each([
    ['', '864000'],
    ['5', '60'],
    ['60', '60'],
    ['86401', '86401'],
    ['99999999', '2592000'],
  ])('of "%s" results in %s, which is announced', async (requested, leaseSeconds) => {
    await expectAccepted({ 'hub.lease_seconds': requested });
    const [challenge] = await subscriber.waitFor('GET', 1);
    expect(challenge?.parameters.get('hub.lease_seconds')).toBe(leaseSeconds);
  });
});

test('S6: a lease is ignored when unsubscribing, even if invalid', async () => {
  await expectAccepted({ 'hub.mode': 'unsubscribe', 'hub.lease_seconds': 'abc' });
});

test('S7: a secret has fewer than 200 bytes, not characters', async () => {
  await expectAccepted({ 'hub.secret': 'a'.repeat(199) });
  await expectAccepted({ 'hub.secret': 'é'.repeat(99) });
  await hub.settled(subscriber.url());
  await hub.reset();
  const reason = 'hub.secret: expected fewer than 200 bytes, got 200';
  await expectRefused({ 'hub.secret': 'a'.repeat(200) }, reason);
  await expectRefused({ 'hub.secret': 'é'.repeat(100) }, reason);
});

test('S8: unknown fields are ignored', async () => {
  await expectAccepted({ foo: 'bar', 'hub.foo': 'hub.bar', 'hub.verify': ['sync', 'async'] });
});

describe('S12 K2: a topic', () => {
  test.each(TOPICS)('%s is accepted', async (topic) => {
    await expectAccepted({ 'hub.topic': topic });
  });

  test.each([
    `${ORIGIN}/insights.json`,
    `${ORIGIN}/api/reviews/search`,
    `${ORIGIN}/feed.xml/`,
    `${ORIGIN}/feed.xml?page=2`,
    `${ORIGIN}/Feed.xml`,
    'http://reviews.example/feed.xml',
    'https://elsewhere.example/feed.xml',
    '/feed.xml',
    'https://www.youtube.com/xml/feeds/videos.xml?channel_id=1',
  ])('%s is refused', async (topic) => {
    await expectRefused(
      { 'hub.topic': topic },
      /^hub\.topic: expected https:\/\/reviews\.example\//,
    );
  });
});

test('S13: a topic with needlessly encoded characters is the same topic', async () => {
  for (const spelled of [
    `${ORIGIN}/feed%2Exml`,
    `${ORIGIN}/%66eed.xml`,
    'HTTPS://Reviews.Example/feed.xml',
  ]) {
    await expectAccepted({ 'hub.topic': spelled });
    const [challenge] = await subscriber.waitFor('GET', 1);
    expect(challenge?.parameters.get('hub.topic')).toBe(spelled);
  }
});

describe('R5 K1 X1: a callback is refused that', () => {
  test.each([
    ['is not HTTPS', 'http://subscriber.example/cb'],
    ['has a user name', 'https://user:password@subscriber.example/cb'],
    ['has a fragment', 'https://subscriber.example/cb#part'],
    ['is our own', `${ORIGIN}/api/websub/hub`],
    ['is at a private address', 'https://10.0.0.1/cb'],
    ['is longer than 2048 characters', `https://subscriber.example/${'a'.repeat(2048)}`],
  ])('%s', async (_what, callback) => {
    await expectRefused({ 'hub.callback': callback }, /^hub\.callback: expected /);
  });
});

test('R6: the response is immediate and the same, whatever the callback does', async () => {
  const slow = await hub.subscriber();
  slow.onGet = hang;
  const dead = await hub.subscriber();
  const deadUrl = dead.url();
  await dead.close();
  const refusing = await hub.subscriber();
  refusing.onGet = (_received, response) => response.writeHead(404).end();
  const fine = await hub.subscriber();
  const answers: [number, string, string[]][] = [];
  for (const callback of [
    fine.url(),
    slow.url(),
    deadUrl,
    refusing.url(),
    // A label this long fails without a DNS query.
    `https://${'a'.repeat(64)}.example/`,
  ]) {
    const response = await hub.ask({ ...(await fields()), 'hub.callback': callback });
    const headers = [...response.headers].filter(([name]) => name !== 'date');
    answers.push([response.status, await response.text(), headers.flat()]);
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  await slow.waitFor('GET', 1);
  // All responses came while this request still waited for its verification.
  expect((await hub.intents()).map(({ callback }) => callback)).toContain(slow.url());
});
