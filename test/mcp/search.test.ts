// The HTTP search and the search tool find the same; the tool gives as much of it as fits, and the address of each page.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dateOfDay, dayNumber } from '../../src/model/date.ts';
import { cases } from '../support/cases.ts';
import { MCP_LIMITS } from '../../src/mcp/limits.ts';
import { type Json, TestServer } from '../support/http.ts';
import { anyReviews, anyText, review, ulidOf } from '../support/reviews.ts';
import { callTool } from '../support/rpc.ts';
import { snapshotOf } from '../support/snapshot.ts';

const FIRST_DAY = dayNumber('2023-12-20');
const DATE = fc.integer({ min: -3, max: 33 }).map((day) => dateOfDay(FIRST_DAY + day));
const VALUES = fc.record({
  rating: fc.integer({ min: 1, max: 5 }),
  min_rating: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(1.5, 3.9, 4.0001)),
  since: DATE,
  until: DATE,
  query: fc.oneof(fc.constantFrom('mike', 'BOILER', 'the', 'é', '', ' '), anyText),
  mentions_technician: fc.constantFrom('Mike', 'mikey', 'ZOË', 'zoe-lefevre', 'nobody', ''),
  mentions_service: fc.constantFrom('boiler-repair', 'Drain CLEANING', 'boiler', ''),
  source: fc.constantFrom('google', 'yelp', 'direct', 'Google', ''),
  limit: fc.integer({ min: 1, max: 100 }),
  cursor: fc.integer({ min: 0, max: 30 }).map((day) => {
    const date = dateOfDay(FIRST_DAY + day);
    return `${date}.${ulidOf(2 ** 31, date)}`;
  }),
});
/** Few filters in one search, or hardly any search would match. */
const KEYS = [
  'rating',
  'min_rating',
  'since',
  'until',
  'query',
  'mentions_technician',
  'mentions_service',
  'source',
  'limit',
  'cursor',
] as const;
const FILTER = fc
  .tuple(VALUES, fc.subarray([...KEYS], { maxLength: 3 }))
  .map(([values, keys]) => Object.fromEntries(keys.map((key) => [key, values[key]])));

let server: TestServer;
beforeAll(async () => {
  const [reviews] = fc.sample(anyReviews(300), { numRuns: 1, seed: 5 });
  const named = Array.from({ length: 40 }, (_, number) =>
    review({
      id: ulidOf(9_000 + number),
      date: dateOfDay(FIRST_DAY + (number % 30)),
      text: number % 2 === 0 ? 'Mike Alvarez fixed the boiler.' : 'Zoë unclogged the drain.',
    }),
  );
  server = await TestServer.open(await snapshotOf([...reviews!, ...named]));
});
afterAll(() => server.close());

test('both return the same for random filters, in both eras', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(FILTER, fc.constantFrom('legacy', 'modern'), async (filter, era) => {
      const query = new URLSearchParams(
        Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const http = await server.ask(`/api/reviews/search?${query.toString()}`);
      const args = { ...filter, detail: 'full' };
      const { content, structuredContent } = await callTool(server, 'search_reviews', args, era);
      expect([http.status, JSON.parse(content[0].text)]).toEqual([200, structuredContent]);
      const { note, ...answer } = structuredContent;
      const { reviews, ...whole } = JSON.parse(http.text);
      const { returned } = answer;
      const isCut = returned < whole.returned;
      expect(Buffer.byteLength(content[0].text)).toBeLessThanOrEqual(MCP_LIMITS.answerBytes);
      expect(note === undefined).toBe(whole.matched > 0 || whole.names !== undefined);
      expect(answer).toEqual({
        ...whole,
        returned,
        next_cursor: isCut ? answer.next_cursor : whole.next_cursor,
        reviews: reviews
          .slice(0, returned)
          .map((one: Json) => ({ ...one, url: `https://reviews.example/reviews/${one.id}` })),
      });
      if (returned > 0) found += 1;
    }),
    { numRuns: cases(100) },
  );
  // Enough of the filters match something.
  expect(found).toBeGreaterThan(40);
});

test.each([
  ['short', {}],
  ['normal', { words: 'boiler drain' }],
  ['full', { sort: 'highest' }],
])('%s pages that are cut continue where they end, with %j', async (detail, filter) => {
  const texts = ['Mike mended the boiler. ', 'Then the drain. ', 'Nothing else. '];
  const many = Array.from({ length: 330 }, (_, number) =>
    review({
      id: ulidOf(number),
      rating: (number % 5) + 1,
      date: dateOfDay(FIRST_DAY + (number % 30)),
      text:
        texts.map((text, at) => (number % (at + 2) !== 0 ? text.repeat(8) : '')).join('') || null,
    }),
  );
  const target = await TestServer.open(await snapshotOf(many));
  const seen: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const args = { ...filter, detail, limit: 100, ...(cursor === null ? {} : { cursor }) };
    const { content, structuredContent } = await callTool(target, 'search_reviews', args);
    expect(content[0].text.length).toBeLessThanOrEqual(MCP_LIMITS.answerBytes);
    seen.push(...structuredContent.reviews.map(({ id }: Json) => id));
    cursor = structuredContent.next_cursor;
    pages += 1;
  } while (cursor !== null);
  const whole: string[] = [];
  const query = new URLSearchParams({ ...filter, limit: '100' });
  for (let next: string | null = ''; next !== null;) {
    const found = await target.json(`/api/reviews/search?${query.toString()}`);
    whole.push(...found.reviews.map(({ id }: Json) => id));
    next = found.next_cursor;
    query.set('cursor', next ?? '');
  }
  expect(seen).toEqual(whole);
  expect(pages).toBeGreaterThan(2);
  await target.close();
});
