// Conditional requests: who has the current answer already gets 304 (RFC 9110, section 13).

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestServer } from '../support/http.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

// Tue, 14 Nov 2023 22:13:20 GMT
const CHANGED_AT = 1_700_000_000;
let server: TestServer;

beforeAll(async () => {
  const reviews = [review({ id: ulidOf(1), date: '2024-05-17' }), review({ text: null })];
  server = await TestServer.open(await snapshotOf(reviews, { nowSeconds: CHANGED_AT }));
});
afterAll(() => server.close());

const DATED = [
  '/reviews.json',
  '/insights.json',
  '/api/feed.json',
  '/feed.xml',
  '/api/reviews/since/2024-01-01',
  '/api/reviews/since/2999-01-01',
];
const UNDATED = ['/api/reviews/search?query=boiler', `/api/reviews/${ulidOf(1)}`];
const ALL = [...DATED, ...UNDATED];

const tagOf = async (path: string) => (await server.ask(path)).headers.etag!;
const statusWith = async (path: string, headers: Record<string, string | string[]>) =>
  (await server.ask(path, { headers })).status;

describe.each(ALL)('GET %s', (path) => {
  test('has a strong ETag, and answers 304 to it', async () => {
    const tag = await tagOf(path);
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect(await statusWith(path, { 'If-None-Match': tag })).toBe(304);
  });

  test('answers 304 to its tag among several, in one header or in two', async () => {
    const tag = await tagOf(path);
    expect(await statusWith(path, { 'If-None-Match': `"a", ${tag} ,"b"` })).toBe(304);
    expect(await statusWith(path, { 'If-None-Match': `"a,b",W/"c",${tag}` })).toBe(304);
    expect(await statusWith(path, { 'If-None-Match': `${'""'.repeat(7_000)},${tag}` })).toBe(304);
    expect(await statusWith(path, { 'If-None-Match': ['"a"', tag] })).toBe(304);
  });

  test('answers 304 to its tag marked as weak, because the comparison is weak', async () => {
    expect(await statusWith(path, { 'If-None-Match': `W/${await tagOf(path)}` })).toBe(304);
  });

  test('answers 304 to *', async () => {
    expect(await statusWith(path, { 'If-None-Match': '*' })).toBe(304);
    expect(await statusWith(path, { 'If-None-Match': ' * ' })).toBe(304);
  });

  test.each([
    ['another tag', '"another"'],
    ['a list of others', '"a", W/"b", "c"'],
    ['an empty tag', '""'],
    ['nothing', ''],
    ['no tag at all', 'abc'],
    ['an open quote', '"abc'],
    ['an asterisk in quotes', '"*"'],
    ['commas', ',,,'],
  ])('answers 200 to %s', async (_what, value) => {
    expect(await statusWith(path, { 'If-None-Match': value })).toBe(200);
  });

  test('answers 200 to its tag without quotes, or with something before or behind it', async () => {
    const tag = await tagOf(path);
    for (const value of [tag.slice(1, -1), `"x${tag.slice(1)}`, `${tag.slice(0, -1)}x"`]) {
      expect({ value, status: await statusWith(path, { 'If-None-Match': value }) }).toEqual({
        value,
        status: 200,
      });
    }
  });

  test('answers 304 without a body and with the headers of the 200 that a cache updates', async () => {
    const whole = await server.ask(path);
    const unchanged = await server.ask(path, { headers: { 'If-None-Match': whole.headers.etag! } });
    expect(unchanged.body).toHaveLength(0);
    const names = ['etag', 'last-modified', 'vary', 'cache-control', 'link'];
    for (const name of names) {
      expect([name, unchanged.headers[name]]).toEqual([name, whole.headers[name]]);
    }
    expect(unchanged.headers['access-control-allow-origin']).toBe('*');
    expect(unchanged.headers['cache-control']).toBe(
      'public, max-age=60, stale-while-revalidate=600',
    );
    expect(unchanged.headers).not.toHaveProperty('content-type');
    expect(unchanged.headers).not.toHaveProperty('content-encoding');
  });

  test('answers HEAD as GET', async () => {
    const tag = await tagOf(path);
    const answer = await server.ask(path, { method: 'HEAD', headers: { 'If-None-Match': tag } });
    expect([answer.status, answer.headers.etag]).toEqual([304, tag]);
  });
});

describe.each(DATED)('GET %s with If-Modified-Since', (path) => {
  test.each([
    ['its Last-Modified', 'Tue, 14 Nov 2023 22:13:20 GMT', 304],
    ['it in the form of RFC 850', 'Tuesday, 14-Nov-23 22:13:20 GMT', 304],
    ['it in the form of asctime', 'Tue Nov 14 22:13:20 2023', 304],
    ['a later time', 'Wed, 15 Nov 2023 00:00:00 GMT', 304],
    ['a later time in the form of asctime, with one digit', 'Fri Dec  1 00:00:00 2023', 304],
    ['one second before', 'Tue, 14 Nov 2023 22:13:19 GMT', 200],
    ['one second before in the form of RFC 850', 'Tuesday, 14-Nov-23 22:13:19 GMT', 200],
    ['one second before in the form of asctime', 'Tue Nov 14 22:13:19 2023', 200],
    ['a time in another zone', 'Tue, 14 Nov 2023 23:13:20 +0100', 200],
    ['ISO 8601', '2999-01-01T00:00:00Z', 200],
    ['a number', '9999999999999', 200],
    ['a day that does not exist', 'Sat, 99 Nov 2999 00:00:00 GMT', 200],
    ['no date', 'yesterday', 200],
    ['nothing', '', 200],
  ])('of %s', async (_what, value, status) => {
    expect(await statusWith(path, { 'If-Modified-Since': value })).toBe(status);
  });

  test('tells its Last-Modified in the first form', async () => {
    expect((await server.ask(path)).headers['last-modified']).toBe('Tue, 14 Nov 2023 22:13:20 GMT');
  });

  test('lets If-None-Match win', async () => {
    const tag = await tagOf(path);
    const [late, early] = ['Fri, 01 Jan 2100 00:00:00 GMT', 'Fri, 01 Jan 1999 00:00:00 GMT'];
    const both = (noneMatch: string, since: string) =>
      statusWith(path, { 'If-None-Match': noneMatch, 'If-Modified-Since': since });
    expect(await both('"another"', late)).toBe(200);
    expect(await both('malformed', late)).toBe(200);
    expect(await both('', late)).toBe(200);
    expect(await both(tag, early)).toBe(304);
  });
});

test.each(UNDATED)('GET %s has no Last-Modified and ignores If-Modified-Since', async (path) => {
  const answer = await server.ask(path, {
    headers: { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers).not.toHaveProperty('last-modified');
});

test('the tag of a search names its answer: another filter has another', async () => {
  const tags = await Promise.all(
    ['?limit=1', '?limit=2', '?rating=5', '?rating=4'].map((query) =>
      tagOf(`/api/reviews/search${query}`),
    ),
  );
  expect(new Set(tags).size).toBe(4);
});
