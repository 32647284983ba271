// WebSub, section 5.3: subscribing and unsubscribing need the confirmation of the callback.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ATOM, FEED, TOPICS } from '../support/hub.ts';
import { LocalHub } from '../support/local-hub.ts';
import { until } from '../support/patience.ts';
import { confirm, type Received, status, Subscriber } from '../support/subscriber.ts';
import { Certificate } from '../support/tls.ts';

let hub: LocalHub;
let subscriber: Subscriber;
beforeAll(async () => {
  hub = await LocalHub.open({ HUB_LEASE_MIN_SECONDS: '60' });
});
beforeEach(async () => {
  subscriber = await hub.subscriber();
});
afterEach(() => hub.reset());
afterAll(() => hub.close());

const challengeOf = ({ parameters }: Received) => parameters.get('hub.challenge') as string;

describe('the challenge', () => {
  test('I1 I2 I3 I4 K4: is a GET with mode, topic, challenge and lease', async () => {
    for (const [index, topic] of TOPICS.entries()) {
      const callback = subscriber.url(`/${index}`);
      const lease = { 'hub.lease_seconds': '100' };
      await hub.subscribe(callback, { 'hub.topic': topic, ...lease });
      await hub.request('unsubscribe', callback, { 'hub.topic': topic, ...lease });
      expect(await hub.stored(callback)).toBeUndefined();
      const [first, second] = subscriber.asked.slice(-2) as [Received, Received];
      expect(first.target).toBe(
        `/${index}?hub.mode=subscribe&hub.topic=${encodeURIComponent(topic)}` +
          `&hub.challenge=${challengeOf(first)}&hub.lease_seconds=100`,
      );
      expect(second.target).toBe(
        `/${index}?hub.mode=unsubscribe&hub.topic=${encodeURIComponent(topic)}` +
          `&hub.challenge=${challengeOf(second)}&hub.lease_seconds=864000`,
      );
      expect(first.headers['user-agent']).toMatch(
        /^public-reviews\/\S+ \(WebSub hub; \+https:\/\/reviews\.example\)$/,
      );
    }
  });

  test('I3 X4: is random, in allowed characters, and never repeated', async () => {
    for (let round = 0; round < 5; round++) await hub.subscribe(subscriber.url());
    const challenges = subscriber.asked.map(challengeOf);
    expect(new Set(challenges).size).toBe(5);
    // 22 characters of base64url are 132 bits.
    for (const each of challenges) expect(each).toMatch(/^[A-Za-z0-9_-]{22,64}$/);
  });

  test('I2: repeats the topic as spelled in the request', async () => {
    const spelled = ATOM.replace('.xml', '%2Exml');
    await hub.subscribe(subscriber.url(), { 'hub.topic': spelled });
    expect(subscriber.asked[0]?.target).toContain(
      '&hub.topic=https%3A%2F%2Freviews.example%2Ffeed%252Exml&',
    );
  });

  test('echoes hub.verify_token if the request has one', async () => {
    await hub.subscribe(subscriber.url(), { 'hub.verify_token': 'a b&c' });
    expect(subscriber.asked[0]?.target).toMatch(/&hub\.verify_token=a%20b%26c$/);
  });
});

test('S14: any query of the callback stays byte for byte', async () => {
  const starts = {
    '/c?z=1&a=%20b&hub.mode=q': '/c?z=1&a=%20b&hub.mode=q&hub.mode=subscribe&',
    '/c?a=b+c%2Bd&a=e&=&;': '/c?a=b+c%2Bd&a=e&=&;&hub.mode=subscribe&',
    '/c?hub.challenge=x': '/c?hub.challenge=x&hub.mode=subscribe&',
    '/c?': '/c?hub.mode=subscribe&',
    '/c?x=1&': '/c?x=1&hub.mode=subscribe&',
    '/c?a?b': '/c?a?b&hub.mode=subscribe&',
    '/c': '/c?hub.mode=subscribe&',
    '': '/?hub.mode=subscribe&',
    '?k=1': '/?k=1&hub.mode=subscribe&',
  };
  await Promise.all(
    Object.keys(starts).map((target) => hub.request('subscribe', subscriber.url(target))),
  );
  const appended = /hub\.topic=[^&]+&hub\.challenge=[^&]+&hub\.lease_seconds=864000$/;
  const came = subscriber.asked.map(({ target }) => target);
  for (const each of came) expect(each).toMatch(appended);
  expect(came.map((each) => each.replace(appended, '')).toSorted()).toEqual(
    Object.values(starts).toSorted(),
  );
});

test('I8 X2: the path of the callback is sent unchanged, over TLS', async () => {
  const target = '/Path/%7Euser/..//./x;y=1/%e4?Q=%41';
  await hub.subscribe(subscriber.url(target));
  expect(subscriber.asked[0]?.target.startsWith(`${target}&hub.mode=`)).toBe(true);
  expect(subscriber.asked[0]?.headers.host).toBe(`127.0.0.1:${subscriber.port}`);
});

/** Responds to the challenge with the status in the callback's path. */
const confirmWith: typeof confirm = ({ parameters, target }, response) => {
  const [, code] = /^\/(\d+)/.exec(target) as unknown as [string, string];
  response.writeHead(Number(code), { Location: '/200' }).end(parameters.get('hub.challenge'));
};

test('I5 V2: any 2xx with the challenge confirms', async () => {
  subscriber.onGet = confirmWith;
  await Promise.all(
    [200, 201, 202, 203, 226, 299].map((code) => hub.subscribe(subscriber.url(`/${code}`))),
  );
});

/** Requests a subscription that must not be confirmed. */
async function expectUnconfirmed(callback: string): Promise<void> {
  await hub.request('subscribe', callback);
  expect(await hub.stored(callback)).toBeUndefined();
}

test('I5: any other status fails, even with the challenge, and no redirect is followed', async () => {
  subscriber.onGet = confirmWith;
  const codes = [301, 302, 303, 307, 308, 304, 400, 404, 410, 500, 503];
  await Promise.all(codes.map((code) => expectUnconfirmed(subscriber.url(`/${code}`))));
  const came = subscriber.received.map(({ target }) => target.split('?')[0]);
  expect(came.toSorted()).toEqual(codes.map((code) => `/${code}`).toSorted());
});

/** Responses that are not the challenge, by path. */
const WRONG: Record<string, (challenge: string) => string> = {
  '/line-break-behind': (challenge) => `${challenge}\n`,
  '/in-quotes': (challenge) => `"${challenge}"`,
  '/in-html': (challenge) => `<html>${challenge}</html>`,
  '/nothing': () => '',
  '/its-beginning': (challenge) => challenge.slice(0, -1),
  '/without-a-character': (challenge) => challenge.slice(1),
  '/twice': (challenge) => challenge + challenge,
  '/ten-megabytes': (challenge) => challenge + 'x'.repeat(10_000_000),
};

test('I6: a body that is not exactly the challenge fails', async () => {
  subscriber.onGet = (received, response) => {
    const bodyOf = WRONG[received.target.split('?')[0] as string] as (text: string) => string;
    response.end(bodyOf(challengeOf(received)));
  };
  await Promise.all(Object.keys(WRONG).map((path) => expectUnconfirmed(subscriber.url(path))));
  expect(subscriber.asked).toHaveLength(8);
});

test('I6: an endless body fails, and is not read further', async () => {
  let isOver = false;
  subscriber.onGet = (received, response) => {
    response.on('close', () => (isOver = true));
    const more = () => void (isOver || response.write(Buffer.alloc(65_536), more));
    response.write(challengeOf(received), more);
  };
  await expectUnconfirmed(subscriber.url());
  await until(() => isOver);
});

describe('I7: it fails', () => {
  test('with a 204, which has no body', async () => {
    subscriber.onGet = status(204);
    await expectUnconfirmed(subscriber.url());
  });

  test('if the certificate has an unknown authority, or another name', async () => {
    const unknown = await Certificate.create();
    const impostor = await Subscriber.open(unknown);
    await expectUnconfirmed(impostor.url());
    // The trusted certificate does not have this address.
    const unnamed = await hub.subscriber({ address: '127.0.0.99' });
    await expectUnconfirmed(unnamed.url());
    expect([impostor.asked, unnamed.asked]).toEqual([[], []]);
    await impostor.close();
    await unknown.close();
  });

  test('if the port is closed, or the name cannot be resolved', async () => {
    const callback = subscriber.url();
    await subscriber.close();
    await expectUnconfirmed(callback);
    // A label this long fails without a DNS query.
    await expectUnconfirmed(`https://${'a'.repeat(64)}.example/`);
  });
});

test('I9: unsubscribing is confirmed like subscribing, and otherwise changes nothing', async () => {
  const callback = subscriber.url();
  await hub.subscribe(callback);
  const before = await hub.stored(callback);
  for (const refuse of [status(404), status(200, 'no'), status(302)]) {
    subscriber.onGet = refuse;
    await hub.request('unsubscribe', callback);
    expect(await hub.stored(callback)).toEqual(before);
  }
  subscriber.onGet = confirm;
  await hub.request('unsubscribe', callback, { 'hub.topic': FEED });
  expect(await hub.stored(callback)).toEqual(before);
  await hub.request('unsubscribe', callback);
  expect(await hub.stored(callback)).toBeUndefined();
});

test('I9: unsubscribing an unknown callback is accepted and verified too', async () => {
  await hub.request('unsubscribe', subscriber.url('/unknown'));
  expect(subscriber.asked[0]?.parameters.get('hub.mode')).toBe('unsubscribe');
});

test('I4: the lease starts with the challenge, not with the response to it', async () => {
  subscriber.onGet = (received, response) =>
    void setTimeout(() => confirm(received, response), 300);
  await hub.subscribe(subscriber.url(), { 'hub.lease_seconds': '60' });
  const row = await hub.stored(subscriber.url());
  expect(row?.expires_at).toBeLessThanOrEqual((subscriber.asked[0]?.at ?? 0) + 60_000);
});
