// Running the server: an empty store, restarts, copies, signals.

import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import performance from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fingerprint } from '../support/fingerprint.ts';
import { writeLargeReviews } from '../support/generate.ts';
import { Database } from '../../src/store/database.ts';
import { claimPublishing, releasePublishing } from '../../src/store/snapshots/snapshots.ts';
import { loadState } from '../../src/store/state.ts';
import { until } from '../support/patience.ts';
import { finish, Workplace } from '../support/process.ts';
import type { RunningServer } from '../support/running-server.ts';
import { record } from '../support/store.ts';

const ORIGIN = { BASE_URL: 'https://reviews.example' };
const ISO_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open();
});
afterEach(() => place.close());

async function importReviews(...records: Record<string, unknown>[]): Promise<void> {
  const file = await place.write('reviews.json', records);
  const { stderr } = await place.importHere(file);
  expect(stderr).toMatch(/^(?:created a new store: .*\n)?$/);
}

describe('without reviews every endpoint has its usual shape', () => {
  test('with nulls where there is nothing to average', async () => {
    const server = await place.serveHere(ORIGIN);
    expect(await server.json('/reviews.json')).toEqual({
      version: 1,
      updated_at: ISO_TIME,
      business: {
        id: 'business',
        name: 'Unnamed business',
        legal_name: null,
        description: null,
        vertical: 'general',
        url: null,
        telephone: null,
        email: null,
        address: null,
        geo: null,
        hours: [],
        service_areas: [],
        services: [],
        technicians: [],
        same_as: [],
        logo_url: null,
      },
      aggregate_rating: {
        rating_value: null,
        review_count: 0,
        best_rating: 5,
        worst_rating: 1,
        distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
        by_source: {},
      },
      reviews: [],
    });
    expect(await server.json('/insights.json')).toEqual({
      version: expect.any(Number),
      generated_at: ISO_TIME,
      model: expect.stringMatching(/\S/),
      review_count: 0,
      date_range: { earliest: null, latest: null },
      overall_sentiment: {
        score: null,
        positive_pct: null,
        neutral_pct: null,
        negative_pct: null,
      },
      aspects: expect.any(Array),
      selection: {
        praised: [],
        criticized: [],
        strengths: [],
        weak_spots: [],
        complaints: [],
        low_topics: [],
        people: [],
      },
      entities: { technicians: [], services: [], problems: [], service_areas: [] },
      topics: [],
      temporal: { monthly: [], trend: 'stable', comparison: null, episodes: [], changes: [] },
      prices: { mentions: [], medians: [] },
      per_review: {},
      faq: [],
      summary: 'This business has no verified reviews yet.',
      summary_sentences: [{ text: expect.any(String), review_ids: [] }],
      pull_quote: null,
      pull_quote_review_id: null,
    });
    expect(await server.json('/api/feed.json')).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      feed_url: 'https://reviews.example/api/feed.json',
      items: [],
    });
    const atom = await server.get('/feed.xml');
    expect(atom.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    expect(await atom.text()).not.toContain('<entry');
    expect(await server.json('/api/reviews/search')).toEqual({
      matched: 0,
      returned: 0,
      filters: { limit: 20 },
      next_cursor: null,
      reviews: [],
    });
    expect(await server.json('/api/reviews/since/2024-01-01')).toEqual({
      since: '2024-01-01',
      matched: 0,
      returned: 0,
      reviews: [],
    });
    const unknown = await server.get('/api/reviews/01HY2K3M4N5P6Q7R8S9T0VWXYZ');
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ type: expect.any(String), status: 404 });
    expect(await server.json('/readyz')).toMatchObject({ status: 'ready' });
    expect(await server.json('/healthz')).toEqual({ status: 'ok' });
    expect((await server.get('/metrics')).status).toBe(200);
  });
});

describe('the documents are byte-identical', () => {
  const records = Array.from({ length: 60 }, (_, number) =>
    record({
      source_id: `n${number}`,
      date: `2024-0${1 + (number % 6)}-11`,
      rating: 1 + (number % 5),
    }),
  );

  test('after a restart, after a kill, and on a copy of the database', async () => {
    await importReviews(...records);
    const first = await place.serveHere(ORIGIN);
    const before = await fingerprint(first.url);
    await first.close();
    const second = await place.serve(ORIGIN);
    expect(await fingerprint(second.url)).toEqual(before);
    await second.kill();
    const third = await place.serveHere(ORIGIN);
    expect(await fingerprint(third.url)).toEqual(before);
    await third.close();
    const copy = await place.database.copy();
    const fourth = await place.serveHere({ ...ORIGIN, DATABASE_URL: copy.url });
    expect(await fingerprint(fourth.url)).toEqual(before);
    await fourth.close();
    await copy.remove();
  });

  test('on two servers of one store', async () => {
    const [first, second] = [await place.serveHere(ORIGIN), await place.serveHere(ORIGIN)];
    await importReviews(...records);
    for (const server of [first, second]) {
      await server.until('/reviews.json', ({ reviews }) => reviews.length === 60);
    }
    expect(await fingerprint(second.url)).toEqual(await fingerprint(first.url));
  });
});

test('a server keeps its snapshot if the store has an older one, and reports it', async () => {
  const server = await place.serveHere(ORIGIN);
  const first = (await server.json('/readyz')).snapshot as number;
  await importReviews(record({ text: 'Newer.' }));
  await server.until('/readyz', ({ snapshot }) => snapshot === first + 1);
  // As after restoring a backup.
  await place.look((database) =>
    database.write((transaction) =>
      transaction.updateTable('state').set({ snapshot_number: first }).execute(),
    ),
  );
  const { snapshot, store } = await server.until('/readyz', (body) => body.store.detail);
  expect(snapshot).toBe(first + 1);
  expect(store).toEqual({
    status: 'ok',
    detail:
      `the store has snapshot ${first}, which is older than what is served, ${first + 1}: ` +
      'after a restore, start all servers again',
  });
  expect((await server.json('/reviews.json')).reviews).toHaveLength(1);
});

test('two servers that start concurrently for different origins both become ready', async () => {
  const database = await Database.open(place.databaseUrl);
  // Both record their origin and wait while another process publishes.
  await claimPublishing(database, 'another', Date.now(), Date.now() + 60_000);
  const starting: Promise<RunningServer>[] = [];
  for (const origin of ['https://one.example', 'https://two.example']) {
    starting.push(place.serveHere({ BASE_URL: origin }));
    await until(async () => (await loadState(database.read)).origin === origin);
  }
  await releasePublishing(database, 'another');
  for (const server of await Promise.all(starting)) {
    expect((await server.get('/readyz')).status).toBe(200);
    await server.until('/api/feed.json', (feed) => feed.feed_url.startsWith('https://two.example'));
  }
  await database.close();
});

test('what wakes the process up a hundred times a second begins with the first request for metrics, and never with METRICS=off', async () => {
  const measure = vi.spyOn(performance, 'monitorEventLoopDelay');
  try {
    await place.serveHere({ ...ORIGIN, METRICS: 'off' });
    expect(measure).not.toHaveBeenCalled();
    const server = await place.serveHere({ ...ORIGIN, METRICS: 'on' });
    expect(measure).not.toHaveBeenCalled();
    await server.get('/metrics');
    expect(measure).toHaveBeenCalledOnce();
  } finally {
    measure.mockRestore();
  }
});

describe('the origin', () => {
  test('that serve recorded is in the feeds after an import without BASE_URL', async () => {
    const server = await place.serveHere(ORIGIN);
    await importReviews(record());
    const feed = await server.until('/api/feed.json', ({ items }) => items.length === 1);
    expect(feed.feed_url).toBe('https://reviews.example/api/feed.json');
    expect(feed.hubs).toEqual([{ type: 'WebSub', url: 'https://reviews.example/api/websub/hub' }]);
    expect(feed.items[0].url).toMatch(/^https:\/\/reviews\.example\/reviews\/[0-9A-Z]{26}$/);
    const atom = await (await server.get('/feed.xml')).text();
    expect(atom).toContain('href="https://reviews.example/feed.xml"');
    expect(atom).not.toContain('localhost');
    expect((await server.get('/feed.xml')).headers.get('link')).toBe(
      '<https://reviews.example/feed.xml>; rel="self", ' +
        '<https://reviews.example/api/websub/hub>; rel="hub"',
    );
  });

  test('has the bound port if BASE_URL is not set', async () => {
    const server = await place.serveHere();
    const { port } = new URL(server.url);
    const feed = await server.json('/api/feed.json');
    expect(feed.feed_url).toBe(`http://localhost:${port}/api/feed.json`);
  });

  test('that was recorded stays without BASE_URL, in links and in the name of the log', async () => {
    await importReviews(record());
    await (await place.serveHere(ORIGIN)).close();
    // Such as a trial beside the unit, or in a folder with a restored copy.
    const trial = await place.serveHere();
    expect((await trial.json('/api/feed.json')).feed_url).toBe(
      'https://reviews.example/api/feed.json',
    );
    expect(await (await trial.get('/log/key')).text()).toMatch(/^reviews\.example\/log\+/);
    await trial.close();
    const { stdout } = await place.run('status');
    expect(stdout).toContain('https://reviews.example');
  });

  test('of this machine gives way to a BASE_URL, also of an import', async () => {
    await (await place.serveHere()).close();
    const file = await place.write('a.json', [record({ source_id: 'a' })]);
    await place.importHere(file, {}, ORIGIN);
    const server = await place.serveHere();
    expect((await server.json('/api/feed.json')).feed_url).toBe(
      'https://reviews.example/api/feed.json',
    );
  });

  test('is part of the feeds, but not of the datasets', async () => {
    await importReviews(record());
    const first = await place.serveHere(ORIGIN);
    const before = await fingerprint(first.url);
    await first.close();
    const second = await place.serveHere({ BASE_URL: 'https://elsewhere.example' });
    const after = await fingerprint(second.url);
    const changed = Object.keys(before).filter((name) => after[name] !== before[name]);
    expect(new Set(changed.map((name) => name.split(' ')[0]))).toEqual(
      new Set(['/api/feed.json', '/feed.xml']),
    );
  });
});

describe('a start that fails', () => {
  test.each([
    [{ PORT: 'http' }, 'PORT: expected an integer from 0 to 65535, got "http"\n'],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL: expected .*sqlite:.*, got "mysql:\/\/x"\n$/],
    [{ HOST: '192.0.2.1' }, 'HOST: expected an address of this machine, got "192.0.2.1"\n'],
  ])(
    'because of %j exits with 2 and one message that names the variable',
    async (environment, message) => {
      const ended = await finish(place.start(['serve'], environment));
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toMatch(message);
      expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
    },
  );

  test('because the port is in use exits with 2 and says what to do', async () => {
    const { port } = new URL((await place.serveHere()).url);
    const ended = await finish(place.start(['serve'], { PORT: port }));
    expect(ended).toEqual({
      code: 2,
      stdout: '',
      stderr:
        `PORT: expected a port that is free, got ${port}, which another program has; ` +
        'is this one running already, in another window or as a service? Else choose another: PORT=8081, or "port": 8081 in public-reviews.config.json; 0 is any\n',
    });
  });
});

test('SIGTERM ends the server with 0, and a request in progress gets its whole answer', async () => {
  const file = join(place.folder, 'many.ndjson');
  await writeLargeReviews(file, 300);
  // For the origin of the server, which has to publish nothing then.
  await place.importHere(file, {}, ORIGIN);
  const server = await place.serve(ORIGIN);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${server.url}/reviews.json`, resolve).on('error', reject);
  });
  let received = 0;
  await new Promise<void>((resolve) => {
    response.on('data', (chunk: Buffer) => {
      received += chunk.length;
      response.pause();
      resolve();
    });
  });
  const ended = server.stop();
  await until(() => isRefused(Number(new URL(server.url).port)));
  expect(received).toBeLessThan(1_000_000);
  await new Promise<void>((resolve, reject) => {
    response.on('data', () => response.resume());
    response.on('end', resolve);
    response.on('error', reject);
    response.resume();
  });
  expect(received).toBe(Number(response.headers['content-length']));
  expect(received).toBeGreaterThan(12_000_000);
  expect(await ended).toBe(0);
});

function isRefused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, 'localhost');
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}
