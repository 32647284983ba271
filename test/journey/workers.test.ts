// Several workers on one port act as one server: the same answers, shared limits, and no outage when one of
// them ends.

import { join } from 'node:path';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeLargeReviews } from '../support/generate.ts';
import { until } from '../support/patience.ts';
import { type Server, Workplace } from '../support/process.ts';
import { INITIALIZE } from '../support/rpc.ts';
import { merge, record } from '../support/store.ts';
import { askFresh, askOften, isAlive, LOGGED, TWO, workersOf } from '../support/workers.ts';

const ORIGIN = 'https://reviews.example';
/** The pause of readers between two reads. */
const READ_EVERY_MS = 20;

let place: Workplace;
let server: Server;
beforeAll(async () => {
  place = await Workplace.open();
  await place.publishFor(ORIGIN);
  const settings = { ...LOGGED, BASE_URL: ORIGIN, RATE_LIMIT_PER_MINUTE: '0' };
  server = await place.serve(settings, ...TWO);
});
afterAll(() => place.close());

/** The number of reviews added so far. */
let added = 0;

/** Waits until both workers serve all added reviews. */
async function served(): Promise<void> {
  const path = '/api/reviews/search?limit=1';
  await until(async () => {
    const answers = await askOften(server, path, {}, 12);
    return answers.every(({ text }) => JSON.parse(text).matched === added);
  });
}

/** One more review. */
function another(): Record<string, unknown> {
  added += 1;
  return record({ source_id: `${added}` });
}

/** Imports one more review, and publishes it. */
async function importAnother(): Promise<void> {
  await place.importHere(await place.write('another.json', [another()]));
}

/** Merges one more review, and leaves it to the server to publish it. */
async function mergeAnother(): Promise<void> {
  await place.look((database) => merge(database, [another()]));
}

test('the server is ready when both workers are, and both report it', async () => {
  expect(workersOf(server)).toHaveLength(2);
  for (const { status, text } of await askOften(server, '/readyz')) {
    expect([status, JSON.parse(text).status]).toEqual([200, 'ready']);
  }
});

test('an import reaches both workers, with the same bytes and ETags', async () => {
  await importAnother();
  await served();
  for (const path of ['/reviews.json', '/insights.json', '/feed.xml', '/api/feed.json']) {
    const answers = await askOften(server, path, { headers: { 'Accept-Encoding': 'br' } });
    const different = new Set(answers.map(({ headers, text }) => `${headers.etag} ${text}`));
    expect([path, different.size]).toEqual([path, 1]);
  }
});

test('merged but unpublished reviews are published by one of the workers', async () => {
  await mergeAnother();
  await served();
  // By only one: a second publish would have made another snapshot.
  const [first] = await askOften(server, '/readyz', {}, 1);
  const { snapshot } = JSON.parse(first!.text);
  for (const { text } of await askOften(server, '/readyz')) {
    expect(JSON.parse(text).snapshot).toBe(snapshot);
  }
});

test('a session started on one worker is valid on both', async () => {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  const begun = await askFresh(server, '/mcp', {
    method: 'POST',
    headers,
    body: JSON.stringify(INITIALIZE),
  });
  const session = { ...headers, 'Mcp-Session-Id': String(begun.headers['mcp-session-id']) };
  const list = {
    method: 'POST',
    headers: session,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  };
  const known = await askOften(server, '/mcp', list);
  expect(new Set(known.map(({ status }) => status))).toEqual(new Set([200]));
});

test('clients that listen for a resource are notified of its change, on either worker', async () => {
  const stop = new AbortController();
  const heard = Array.from({ length: 10 }, () => '');
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: {
      notifications: { resourceSubscriptions: ['reviews://business'] },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
  const listen = async (listener: number) => {
    // An open answer occupies its connection, so each listener has its own.
    const answer = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      signal: stop.signal,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'subscriptions/listen',
      },
      body: JSON.stringify(body),
    });
    for await (const chunk of answer.body!) heard[listener] += Buffer.from(chunk).toString();
  };
  const listening = heard.map((_, listener) => listen(listener).catch(() => undefined));
  await until(() => heard.every((text) => text.includes('acknowledged')));
  await importAnother();
  await until(() => heard.every((text) => text.includes('resources/updated')));
  stop.abort();
  await Promise.all(listening);
});

test('/metrics is the same on both workers: the sum of both', async () => {
  const countOf = (text: string) =>
    Number(/^http_requests_total\{route="\/feed.xml",status="200"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  const before = countOf((await askFresh(server, '/metrics')).text);
  await askOften(server, '/feed.xml');
  const after = await askOften(server, '/metrics');
  expect(new Set(after.map(({ text }) => countOf(text) - before))).toEqual(new Set([30]));
  for (const { text, headers } of after) {
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text.match(/^http_requests_total\{route="\/feed.xml"/gm)).toHaveLength(1);
    expect(text).toContain(`\npublic_reviews_published_reviews ${added}\n`);
    // The dispatcher runs in one worker and is counted once.
    expect(text).toMatch(/^# TYPE public_reviews_hub_deliveries_total counter$/m);
  }
});

describe.each([
  ['the lead', 0],
  ['the other', 1],
])('when %s worker is killed', (_, position) => {
  test('it is replaced, and only the reads that it was answering fail', async () => {
    const before = workersOf(server);
    const [killed, living] = [before[position]!, before[1 - position]!];
    const requests = () =>
      askFresh(server, '/metrics').then(({ text }) =>
        [...text.matchAll(/^http_requests_total\{route="\/feed.xml".*\} (\d+)$/gm)].reduce(
          (sum, [, count]) => sum + Number(count),
          0,
        ),
      );
    const countedBefore = await requests();
    const failures: { readonly at: number; readonly error: unknown }[] = [];
    const reading = new AbortController();
    const read = async () => {
      while (!reading.signal.aborted) {
        const at = performance.now();
        const answer = await askFresh(server, '/feed.xml').catch((error: unknown) => {
          failures.push({ at, error });
        });
        if (answer) expect(answer.status).toBe(200);
        // Leaves the processor to the worker that starts.
        await sleep(READ_EVERY_MS);
      }
    };
    const readers = [read(), read()];
    process.kill(killed, 'SIGKILL');
    await until(() => !isAlive(killed));
    const goneAt = performance.now();
    await until(() => workersOf(server).length === 2);
    // Both answer again.
    expect((await askOften(server, '/feed.xml')).every(({ status }) => status === 200)).toBe(true);
    reading.abort();
    await Promise.all(readers);
    expect(failures.filter(({ at }) => at > goneAt)).toEqual([]);
    for (const { error } of failures) expect(String(error)).toMatch(/ECONNRESET|hang up/);
    expect(workersOf(server)).toContain(living);
    expect(workersOf(server)).not.toContain(killed);
    expect(server.log).toMatch(/"signal":"SIGKILL",.*"msg":"a worker ended and is replaced"/);
    expect(await requests()).toBeGreaterThanOrEqual(countedBefore + 30);
  });
});

test('merges after both were replaced are published, and served by both', async () => {
  await mergeAnother();
  await served();
});

test('a worker that gets SIGTERM finishes its answers and ends, and is replaced', async () => {
  const [, ending] = workersOf(server);
  process.kill(ending!, 'SIGTERM');
  await until(() => !isAlive(ending!));
  await until(() => workersOf(server).length === 2);
  expect((await askOften(server, '/reviews.json')).every(({ status }) => status === 200)).toBe(
    true,
  );
});

test('SIGTERM ends the server with 0, and requests in progress get their whole answers', async () => {
  const file = join(place.folder, 'many.ndjson');
  await writeLargeReviews(file, 300);
  await place.importHere(file);
  added += 300;
  await served();
  const workers = workersOf(server);
  const answers = await Promise.all(
    Array.from(
      { length: 8 },
      () =>
        new Promise<IncomingMessage>((resolve, reject) => {
          get(`${server.url}/reviews.json`, { agent: false }, resolve).on('error', reject);
        }),
    ),
  );
  const ended = server.stop();
  const lengths = await Promise.all(
    answers.map(async (answer) => {
      let length = 0;
      for await (const chunk of answer) length += (chunk as Buffer).length;
      return length;
    }),
  );
  expect(lengths).toEqual(answers.map(({ headers }) => Number(headers['content-length'])));
  expect(lengths[0]).toBeGreaterThan(12_000_000);
  expect(await ended).toBe(0);
  expect(workers.filter(isAlive)).toEqual([]);
});
