// The reason why search is fast: it reads only the index, ids and texts until it returns a review.

import { expect, test } from 'vitest';
import { deriveInsights } from '../support/derive.ts';
import { Cursor } from '../../src/model/cursor.ts';
import type { SearchFilter } from '../../src/model/search.ts';
import { renderSearch } from '../../src/snapshot/queries.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const REVIEWS = Array.from({ length: 300 }, (_, number) =>
  review({
    id: ulidOf(number),
    // Many a day, so that a cursor falls between reviews of the same date.
    date: `2024-0${1 + (number % 4)}-15`,
    rating: 1 + (number % 5),
    source: number % 3 === 0 ? 'yelp' : 'google',
    text: number % 7 === 0 ? null : `Mike fixed the boiler, visit ${number}. No leak any more.`,
  }),
);

const FILTERS: readonly Omit<SearchFilter, 'limit'>[] = [
  {},
  { query: 'k' },
  { query: 'leak' },
  { query: 'no leak any more' },
  { query: 'visit 123' },
  { query: 'absent' },
  { rating: 5, source: 'yelp' },
  { min_rating: 3, query: 'fixed the boiler', since: '2024-02-01' },
  { mentions_technician: 'Mike', until: '2024-03-01' },
  { query: 'visit', cursor: new Cursor('2024-03-15', ulidOf(150)) },
  { cursor: new Cursor('2024-02-15', ulidOf(77)), rating: 2 },
];

const ID_END = '{"id":"01HK153X000000000000000000"'.length;
const TEXT = /"text":"[^"]*"/;

/**
 * Writes over the bytes of all reviews but some, which no answer can be made from any more. Their ids and texts
 * stay: cursors and searches for strings are compared with those.
 */
function blankAllBut(snapshot: Snapshot, kept: readonly number[]): void {
  for (let position = 0; position < snapshot.reviewCount; position++) {
    if (kept.includes(position)) continue;
    const json = snapshot.reviewAt(position);
    const text = TEXT.exec(json.toString('latin1'));
    const start = text ? text.index : json.length;
    json.fill(0, ID_END, start);
    json.fill(0, start + (text?.[0].length ?? 0));
  }
}

test.each(FILTERS)('a search by %j reads no review that it does not return', async (filter) => {
  const insights = deriveInsights(REVIEWS, BUSINESS);
  const wanted = { ...filter, limit: 5 };
  const whole = await snapshotOf(REVIEWS, { insights });
  const answer = Buffer.concat(renderSearch(whole, wanted)).toString();
  const { positions } = whole.search(wanted);
  const blanked = await snapshotOf(REVIEWS, { insights });
  blankAllBut(blanked, positions);
  expect(Buffer.concat(renderSearch(blanked, wanted)).toString()).toBe(answer);
});
