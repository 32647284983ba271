// Results of searches are cached, whatever they select by, in a bounded amount of memory.

import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Cursor } from '../../src/model/cursor.ts';
import type { SearchFilter } from '../../src/model/search.ts';
import { Postings } from '../../src/search/postings.ts';
import { TextScan } from '../../src/search/text-scan.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const REVIEWS = Array.from({ length: 300 }, (_, number) =>
  review({
    id: ulidOf(number),
    date: `2024-0${1 + (number % 4)}-15`,
    rating: 1 + (number % 5),
    source: number % 3 === 0 ? 'yelp' : 'google',
    text: `Mike fixed the boiler, visit ${number}. No leak any more.`,
  }),
);

let snapshot: Snapshot;
beforeAll(async () => {
  snapshot = await snapshotOf(REVIEWS);
});
afterEach(() => vi.restoreAllMocks());

/** A search, and how often it read the index. */
function ask(filter: Omit<SearchFilter, 'limit'>) {
  const spies = [
    vi.spyOn(Postings.prototype, 'of'),
    vi.spyOn(TextScan.prototype, 'keepContaining'),
  ];
  const answer = snapshot.search({ ...filter, limit: 5 });
  const reads = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  vi.restoreAllMocks();
  return { answer, reads };
}

test.each<Omit<SearchFilter, 'limit'>>([
  { query: 'k' },
  { query: 'leak' },
  { query: 'no leak any more' },
  { query: 'isit 12' },
  { rating: 5, source: 'yelp' },
  { min_rating: 3, query: 'fixed the boiler', since: '2024-02-01' },
  { query: 'visit', cursor: new Cursor('2024-03-15', ulidOf(150)) },
])('a repeated search by %j does not read the index', (filter) => {
  const [first, again] = [ask(filter), ask(filter)];
  expect(first.reads).toBeGreaterThan(0);
  expect(again).toEqual({ answer: first.answer, reads: 0 });
});

test('the next page of a search does not read the index', () => {
  const { answer } = ask({ rating: 4, query: 'visit 1' });
  const next = ask({ rating: 4, query: 'visit 1', cursor: answer.nextCursor as Cursor });
  expect(next.answer.positions[0]).toBeGreaterThan(answer.positions.at(-1) as number);
  expect(next.reads).toBe(0);
});

test('a flood of different searches drops the oldest results, even if all are empty', () => {
  expect(ask({ query: 'boiler' }).reads).toBeGreaterThan(0);
  expect(ask({ query: 'boiler' }).reads).toBe(0);
  for (let number = 0; number < 20_000; number++) {
    snapshot.search({ query: `${number}`, source: 'absent', limit: 1 });
  }
  expect(ask({ query: 'boiler' }).reads).toBeGreaterThan(0);
});
