// WebSub, section 7: what is delivered, to whom, and with which signature.

import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rawGet } from '../support/fingerprint.ts';
import { ATOM, FEED, ORIGIN, REVIEWS } from '../support/hub.ts';
import { LocalHub } from '../support/local-hub.ts';
import { until } from '../support/patience.ts';
import { confirm, hang, type Received, status, type Subscriber } from '../support/subscriber.ts';

let hub: LocalHub;
let subscriber: Subscriber;
beforeAll(async () => {
  hub = await LocalHub.open({ HUB_RETRY_DELAYS_SECONDS: '0,0' });
});
beforeEach(async () => {
  subscriber = await hub.subscriber();
});
afterEach(() => hub.reset());
afterAll(() => hub.close());

/** The deliveries that a callback of the subscriber received. */
const deliveredTo = (target: string) =>
  subscriber.delivered.filter((received) => received.target === target);

const signatureOf = (secret: string, { body }: Received) =>
  `sha256=${createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex')}`;

const acknowledged = (target: string) =>
  until(async () => {
    const row = await hub.stored(subscriber.url(target));
    return row !== undefined && row.acknowledged_snapshot === row.pending_snapshot;
  });

describe('a delivery', () => {
  test.each([
    [REVIEWS, 'application/json; charset=utf-8'],
    [FEED, 'application/json; charset=utf-8'],
    [ATOM, 'application/atom+xml; charset=utf-8'],
  ])('C1 C2 C3 C4 K5 S15: of %s is a POST of what GET answers', async (topic, contentType) => {
    await hub.subscribe(subscriber.url('/c?z=1&hub.mode=%20q'), { 'hub.topic': topic });
    await hub.change({ text: 'Größer & besser <b>日</b>.' });
    const [delivery] = (await subscriber.waitFor('POST', 1)) as [Received];
    const { body, headers } = await rawGet(topic.replace(ORIGIN, hub.server.url));
    expect(delivery.body.equals(body)).toBe(true);
    expect(delivery.body.toString()).toContain('Größer');
    expect(delivery.headers['content-type']).toBe(contentType);
    expect(headers['content-type']).toBe(contentType);
    expect(delivery.target).toBe('/c?z=1&hub.mode=%20q');
    expect(delivery.headers['link']).toBe(
      `<${topic}>; rel="self", <${ORIGIN}/api/websub/hub>; rel="hub"`,
    );
    const names = delivery.rawHeaders.filter((_, index) => index % 2 === 0);
    expect(names.map((name) => name.toLowerCase()).toSorted()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'link',
      'user-agent',
    ]);
  });

  test('A1 A2 A3: is signed with SHA-256 over its bytes if there is a secret, and only then', async () => {
    const secret = 'пароль é %41';
    await hub.subscribe(subscriber.url('/secret'), { 'hub.secret': secret });
    await hub.subscribe(subscriber.url('/open'));
    await hub.change();
    const all = await subscriber.waitFor('POST', 2);
    const signatures = new Map(all.map((each) => [each.target, each.headers['x-hub-signature']]));
    const [signed] = deliveredTo('/secret') as [Received];
    expect(signatures.get('/secret')).toBe(signatureOf(secret, signed));
    expect(signatures.get('/open')).toBeUndefined();
  });

  test('A3: has the same bytes and signature when it is retried', async () => {
    await hub.subscribe(subscriber.url('/again'), { 'hub.secret': 'é' });
    subscriber.onPost = (_received, response) =>
      response.writeHead(subscriber.delivered.length > 1 ? 200 : 500).end();
    await hub.change();
    const [first, second] = (await subscriber.waitFor('POST', 2)) as [Received, Received];
    expect(second.body.equals(first.body)).toBe(true);
    expect(first.headers['x-hub-signature']).toBe(signatureOf('é', first));
    expect(second.headers['x-hub-signature']).toBe(signatureOf('é', first));
  });

  test('C5: is acknowledged by any 2xx, whatever the body', async () => {
    const codes = [200, 201, 202, 203, 204, 226, 299];
    subscriber.onPost = ({ target }, response) =>
      response.writeHead(Number(target.slice(1))).end(target === '/204' ? '' : 'error');
    await Promise.all(codes.map((code) => hub.subscribe(subscriber.url(`/${code}`))));
    await hub.change();
    await Promise.all(codes.map((code) => acknowledged(`/${code}`)));
    expect(subscriber.delivered).toHaveLength(7);
  });

  test('C5: is acknowledged by the status alone: an endless body is not read', async () => {
    let [written, isOver] = [0, false];
    subscriber.onPost = (_received, response) => {
      const more = () => {
        if (isOver) return;
        written += 65_536;
        response.write(Buffer.alloc(65_536), more);
      };
      response.on('close', () => (isOver = true)).writeHead(200);
      more();
    };
    await hub.subscribe(subscriber.url('/endless'));
    await hub.change();
    await acknowledged('/endless');
    await until(() => isOver);
    // The buffers of both sockets; the hub itself reads a few kilobytes.
    expect(written).toBeLessThan(32_000_000);
  });
});

describe('a renewal', () => {
  test('S9: leaves one subscription, and one delivery for each change', async () => {
    for (let time = 0; time < 3; time++) await hub.subscribe(subscriber.url('/c?a=1'));
    // Another spelling of the same URL.
    await hub.subscribe(subscriber.url('/%63?a=1'));
    await hub.change({ text: 'First.' });
    await subscriber.waitFor('POST', 1);
    await hub.change({ text: 'Second.' });
    const all = await subscriber.waitFor('POST', 2);
    expect(all).toHaveLength(2);
    expect(all.map(({ target }) => target)).toEqual(['/%63?a=1', '/%63?a=1']);
    expect(all[1]?.body.toString()).toContain('Second.');
  });

  test('S10: overrides secret and lease, but only once it is verified', async () => {
    const callback = subscriber.url('/renewed');
    const signed = async (count: number) => {
      await hub.change();
      const delivery = (await subscriber.waitFor('POST', count)).at(-1) as Received;
      await acknowledged('/renewed');
      return [delivery.headers['x-hub-signature'], (await hub.stored(callback))?.lease_seconds];
    };
    const last = () => subscriber.delivered.at(-1) as Received;
    await hub.subscribe(callback, { 'hub.secret': 'old', 'hub.lease_seconds': '100' });
    expect(await signed(1)).toEqual([signatureOf('old', last()), 100]);
    let answer = () => {};
    subscriber.onGet = (received, response) => (answer = () => confirm(received, response));
    const fields = { 'hub.mode': 'subscribe', 'hub.topic': ATOM, 'hub.callback': callback };
    await hub.ask({ ...fields, 'hub.secret': 'new', 'hub.lease_seconds': '200' });
    await subscriber.waitFor('GET', 2);
    expect(await signed(2)).toEqual([signatureOf('old', last()), 100]);
    answer();
    await hub.settled(callback);
    expect(await signed(3)).toEqual([signatureOf('new', last()), 200]);
    subscriber.onGet = confirm;
    await hub.subscribe(callback);
    expect(await signed(4)).toEqual([undefined, 864_000]);
  });

  test('S11: that is not confirmed changes nothing', async () => {
    const callback = subscriber.url('/kept');
    await hub.subscribe(callback, { 'hub.secret': 'old', 'hub.lease_seconds': '100' });
    const before = await hub.stored(callback);
    subscriber.onGet = status(404);
    await hub.request('subscribe', callback, { 'hub.secret': 'new', 'hub.lease_seconds': '9' });
    await hub.request('unsubscribe', callback);
    expect(await hub.stored(callback)).toEqual(before);
    await hub.change();
    const [delivery] = (await subscriber.waitFor('POST', 1)) as [Received];
    expect(delivery.headers['x-hub-signature']).toBe(signatureOf('old', delivery));
  });
});

describe('I10: of two concurrent requests, the later confirmed one applies', () => {
  test.each([
    ['subscribe', 'unsubscribe'],
    ['unsubscribe', 'subscribe'],
  ])('%s, then %s, confirmed in the other order', async (earlier, later) => {
    const callback = subscriber.url('/raced');
    await hub.subscribe(callback);
    const held: (() => void)[] = [];
    subscriber.onGet = (received, response) => {
      if (received.parameters.get('hub.mode') === later) confirm(received, response);
      else held.push(() => confirm(received, response));
    };
    const fields = { 'hub.topic': ATOM, 'hub.callback': callback };
    await hub.ask({ ...fields, 'hub.mode': earlier, 'hub.secret': 'early' });
    await until(() => held.length === 1);
    await hub.ask({ ...fields, 'hub.mode': later, 'hub.secret': 'late' });
    // The later one takes effect and supersedes the earlier one, which is still in flight.
    await hub.settled(callback);
    const after = await hub.stored(callback);
    expect(after?.secret).toBe(later === 'subscribe' ? 'late' : undefined);
    for (const answer of held) answer();
    await until(() => hub.logged('verification').at(-1)?.['mode'] === earlier);
    // Another verification is recorded after the superseded one.
    subscriber.onGet = confirm;
    await hub.subscribe(subscriber.url('/other'));
    expect(await hub.stored(callback)).toEqual(after);
  });
});

describe('C11: a change', () => {
  test('that leaves the bytes of a topic the same delivers nothing to its subscribers', async () => {
    for (const topic of [REVIEWS, FEED, ATOM]) {
      await hub.subscribe(subscriber.url(new URL(topic).pathname), { 'hub.topic': topic });
    }
    // The same review again, then an edit of a review that is too old for the feeds.
    await hub.merge({ source_id: 'old-0', date: '1950-01-01' });
    await hub.merge({ source_id: 'old-0', date: '1950-01-01', text: 'Only in all reviews.' });
    await subscriber.waitFor('POST', 1);
    await hub.change({ text: 'In every topic.' });
    await until(() => subscriber.delivered.length >= 4);
    expect(deliveredTo('/reviews.json').map(({ body }) => body.includes('In every'))).toEqual([
      false,
      true,
    ]);
    for (const path of ['/feed.xml', '/api/feed.json']) {
      expect(deliveredTo(path).map(({ body }) => body.includes('In every'))).toEqual([true]);
    }
  });

  test('during a delivery waits for its end, and only the newest content follows', async () => {
    await hub.subscribe(subscriber.url('/slow'));
    let answer = () => {};
    subscriber.onPost = (_received, response) => (answer = () => response.end());
    await hub.change({ text: 'The first.' });
    await subscriber.waitFor('POST', 1);
    await hub.change({ text: 'The second.' });
    await hub.change({ text: 'The third.' });
    // Another subscriber has received both changes, so the hub had time to send both to this one.
    const quick = await hub.subscriber();
    await hub.subscribe(quick.url());
    await hub.change({ text: 'The fourth.' });
    await quick.waitFor('POST', 1);
    expect(subscriber.delivered).toHaveLength(1);
    subscriber.onPost = status(200);
    answer();
    const [, second] = await subscriber.waitFor('POST', 2);
    expect(second?.body.toString()).toContain('The fourth.');
    await acknowledged('/slow');
    expect(subscriber.delivered).toHaveLength(2);
  });
});

test('C12: nothing is delivered before a verification, nor after unsubscribing', async () => {
  const witness = await hub.subscriber();
  await hub.subscribe(witness.url());
  await hub.subscribe(subscriber.url('/left'));
  await hub.request('unsubscribe', subscriber.url('/left'));
  subscriber.onGet = hang;
  const fields = { 'hub.mode': 'subscribe', 'hub.topic': ATOM };
  await hub.ask({ ...fields, 'hub.callback': subscriber.url('/pending') });
  await until(() => subscriber.asked.some(({ target }) => target.startsWith('/pending')));
  for (const count of [1, 2]) {
    await hub.change();
    await witness.waitFor('POST', count);
  }
  expect(subscriber.delivered).toEqual([]);
});

test('C10: an acknowledgement resets the count of failures, and so does a new subscription', async () => {
  const callback = subscriber.url('/shaky');
  const failures = async () => (await hub.stored(callback))?.failures;
  await hub.subscribe(callback);
  const codes = [500, 500, 200, 404, 404, 200, 500, 500, 500, 500, 500, 200];
  subscriber.onPost = (received, response) =>
    response.writeHead(codes[subscriber.delivered.indexOf(received)] ?? 599).end();
  for (const count of [3, 6]) {
    await hub.change();
    await subscriber.waitFor('POST', count);
    await until(async () => (await failures()) === 0);
  }
  await hub.change();
  await until(async () => (await failures()) === undefined);
  expect(subscriber.delivered).toHaveLength(9);
  await hub.subscribe(callback);
  expect(await failures()).toBe(0);
  await hub.change();
  await subscriber.waitFor('POST', 12);
  await until(async () => (await failures()) === 0);
});

test('a subscription starts with the next change, not with the current content', async () => {
  await hub.change({ text: 'Before.' });
  await hub.subscribe(subscriber.url());
  await hub.change({ text: 'After.' });
  const [first] = await subscriber.waitFor('POST', 1);
  expect(first?.body.toString()).toContain('After.');
  await acknowledged('/callback');
  expect(subscriber.delivered).toHaveLength(1);
});

test('deliveries in flight when a server is killed are repeated when their claims have expired', async () => {
  const callback = subscriber.url('/claimed');
  await hub.subscribe(callback);
  await hub.database.write((transaction) =>
    transaction
      .updateTable('subscriptions')
      // Within the longest claim of a request with HUB_TIMEOUT_SECONDS=600; longer ones are void.
      .set({ claimed_by: 'killed', claimed_until: Date.now() + 600_000 })
      .execute(),
  );
  const witness = await hub.subscriber();
  await hub.subscribe(witness.url());
  await hub.change();
  await witness.waitFor('POST', 1);
  expect(subscriber.delivered).toEqual([]);
  hub.moveClock(600);
  await subscriber.waitFor('POST', 1);
  await acknowledged('/claimed');
});
