// What operators see of the hub, and what is never shown: secrets, and the queries of callbacks.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { removeSubscription } from '../../src/store/hub/subscriptions.ts';
import { ATOM, FEED, HubProcess, type Logged, REVIEWS } from '../support/hub.ts';
import { until } from '../support/patience.ts';
import { confirm, hang, status, type Subscriber } from '../support/subscriber.ts';

const SECRET = 'correct-horse';
const KEY = 'capability';
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

let hub: HubProcess;
let subscriber: Subscriber;
beforeAll(async () => {
  hub = await HubProcess.open({ HUB_RETRY_DELAYS_SECONDS: '600,1', HUB_TIMEOUT_SECONDS: '60' });
});
beforeEach(async () => {
  subscriber = await hub.subscriber();
});
afterEach(() => hub.reset());
afterAll(() => hub.close());

/** The columns of each line of `subscriptions list`. */
async function list(): Promise<string[][]> {
  const { code, stdout, stderr } = await hub.workplace.run('subscriptions', 'list');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
}

const acknowledged = async (callback: string) => (await hub.stored(callback))?.acknowledged_at;

test('subscriptions list shows all subscriptions, without secrets and queries', async () => {
  expect(await list()).toEqual([['there are no subscriptions']]);
  const [good, bad, slow] = ['good', 'bad', 'slow'].map((name) =>
    subscriber.url(`/${name}?k=${KEY}`),
  ) as [string, string, string];
  const secret = { 'hub.secret': SECRET };
  await hub.subscribe(good, secret);
  await hub.subscribe(bad, { ...secret, 'hub.topic': FEED });
  subscriber.onPost = ({ target }, response) =>
    response.writeHead(target.startsWith('/good') ? 200 : 500).end();
  await hub.change();
  await until(async () => (await acknowledged(good)) !== null);
  await until(async () => (await hub.stored(bad))?.failures === 1);
  subscriber.onGet = hang;
  const pending = { 'hub.mode': 'subscribe', 'hub.topic': REVIEWS, 'hub.callback': slow };
  await hub.ask({ ...pending, ...secret });
  const at = new Date((await acknowledged(good)) as number).toISOString();
  expect(await list()).toEqual([
    [
      'ID',
      'STATE',
      'TOPIC',
      'CALLBACK',
      'LEASE LEFT',
      'ACKNOWLEDGED',
      'PENDING',
      'FAILURES',
      'LAST ERROR',
    ],
    [
      expect.stringMatching(ULID),
      'active',
      '/api/feed.json',
      `${subscriber.url('/bad')}?...`,
      '9 days 23 hours',
      '-',
      expect.stringMatching(/^retry in \d+ minutes?/),
      '1',
      'answered 500',
    ],
    [
      expect.stringMatching(ULID),
      'active',
      '/feed.xml',
      `${subscriber.url('/good')}?...`,
      '9 days 23 hours',
      at,
      '-',
      '0',
      '-',
    ],
    ['-', 'pending', '/reviews.json', `${subscriber.url('/slow')}?...`, '-', '-', '-', '-', '-'],
  ]);
});

test('V3 V4: subscriptions remove ends one, and its subscriber is notified of the reason', async () => {
  await hub.subscribe(subscriber.url('/ended?k=1'));
  await hub.subscribe(subscriber.url('/kept'));
  const id = (await hub.stored(subscriber.url('/ended?k=1')))?.id as string;
  expect(await hub.workplace.run('subscriptions', 'remove', id)).toEqual({
    code: 0,
    stdout: `removed ${id}\n`,
    stderr: '',
  });
  const [, , denial] = await subscriber.waitFor('GET', 3);
  expect(denial?.target).toBe(
    '/ended?k=1&hub.mode=denied&hub.topic=https%3A%2F%2Freviews.example%2Ffeed.xml' +
      '&hub.reason=the%20operator%20of%20the%20hub%20has%20ended%20the%20subscription',
  );
  await hub.change();
  await subscriber.waitFor('POST', 1);
  expect(subscriber.delivered.map(({ target }) => target)).toEqual(['/kept']);
  expect(await hub.workplace.run('subscriptions', 'remove', id)).toEqual({
    code: 2,
    stdout: '',
    stderr: `expected the ID of a subscription, as "subscriptions list" shows it, got "${id}"\n`,
  });
});

test('every verification and delivery is logged and counted in the metrics', async () => {
  const count = async (metric: string) => {
    const text = await (await hub.server.get('/metrics')).text();
    const line = text.split('\n').find((each) => each.startsWith(`public_reviews_hub_${metric} `));
    return Number(line?.split(' ')[1] ?? 0);
  };
  const metrics = [
    'verifications_total{mode="subscribe",outcome="confirmed"}',
    'verifications_total{mode="subscribe",outcome="unconfirmed"}',
    'verifications_total{mode="unsubscribe",outcome="confirmed"}',
    'deliveries_total{topic="/feed.xml",outcome="acknowledged"}',
    'deliveries_total{topic="/feed.xml",outcome="not_acknowledged"}',
    'deliveries_total{topic="/feed.xml",outcome="gone"}',
    'delivery_seconds_count',
  ];
  const before = await Promise.all(metrics.map(count));
  const url = (name: string) => subscriber.url(`/${name}?k=${KEY}`);
  for (const name of ['200', '500', '410']) await hub.subscribe(url(name));
  subscriber.onGet = status(404);
  await hub.request('subscribe', url('nobody'), { 'hub.topic': FEED });
  subscriber.onGet = confirm;
  await hub.request('unsubscribe', url('nobody'), { 'hub.topic': FEED });
  subscriber.onPost = ({ target }, response) =>
    response.writeHead(Number(target.slice(1, 4))).end();
  await hub.change();
  const ofThis = (message: string) => () =>
    hub.logged(message).filter(({ callback }) => String(callback).startsWith(subscriber.origin));
  const [verifications, deliveries] = [ofThis('verification'), ofThis('delivery')];
  await until(() => deliveries().length === 3);
  const shown = (name: string) => `${subscriber.url(`/${name}`)}?...`;
  const said = ({ mode, topic, callback, try: number, outcome, reason }: Logged) =>
    [mode ?? number, topic, callback, outcome, reason].flatMap((each) => each ?? []);
  expect(verifications().map(said)).toEqual([
    ['subscribe', ATOM, shown('200'), 'confirmed'],
    ['subscribe', ATOM, shown('500'), 'confirmed'],
    ['subscribe', ATOM, shown('410'), 'confirmed'],
    ['subscribe', FEED, shown('nobody'), 'unconfirmed', 'answered 404'],
    ['unsubscribe', FEED, shown('nobody'), 'confirmed'],
  ]);
  const byOutcome = (line: Logged, other: Logged) =>
    String(line['outcome']).localeCompare(String(other['outcome']));
  expect(deliveries().toSorted(byOutcome).map(said)).toEqual([
    [1, '/feed.xml', shown('200'), 'acknowledged'],
    [1, '/feed.xml', shown('410'), 'gone', 'answered 410'],
    [1, '/feed.xml', shown('500'), 'not_acknowledged', 'answered 500'],
  ]);
  for (const line of [...verifications(), ...deliveries()]) {
    expect(line).toMatchObject({ level: 'info', time: expect.any(String), ms: expect.any(Number) });
  }
  const after = await Promise.all(metrics.map(count));
  expect(after.map((value, index) => value - (before[index] as number))).toEqual([
    3, 1, 1, 1, 1, 1, 3,
  ]);
  // The gauges are counted in the store, and the counts are cached.
  await until(async () => (await count('subscriptions{topic="/feed.xml"}')) === 2);
  await until(async () => (await count('pending_deliveries{topic="/feed.xml"}')) === 1);
});

test('secrets and queries of callbacks are in no log line, metric or error', async () => {
  const callback = subscriber.url(`/c?k=${KEY}`);
  const secret = { 'hub.secret': SECRET, 'hub.verify_token': `${SECRET}-token` };
  subscriber.onPost = status(500);
  await hub.subscribe(callback, secret);
  await hub.change();
  await until(async () => (await hub.stored(callback))?.failures === 1);
  const { id } = (await hub.stored(callback)) as { id: string };
  await removeSubscription(hub.database, id, 'because', Date.now());
  await until(() =>
    hub.logged('denial').some(({ callback: logged }) => String(logged).endsWith('/c?...')),
  );
  const fields = { 'hub.mode': 'x', 'hub.topic': ATOM, 'hub.callback': callback };
  const errors = await Promise.all(
    [
      { ...fields, 'hub.secret': SECRET },
      { ...fields, 'hub.secret': SECRET.repeat(20) },
      { ...fields, 'hub.secret': [SECRET, SECRET] },
      { ...fields, 'hub.verify_token': [SECRET, SECRET] },
    ].map(async (each) => (await hub.ask(each)).text()),
  );
  const metrics = await (await hub.server.get('/metrics')).text();
  expect(hub.server.log).toContain('/c?...');
  for (const text of [...errors, metrics, hub.server.log]) {
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(KEY);
  }
});
