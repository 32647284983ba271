// The work of hostile searches is bounded: postings that are looked up, and texts that are scanned.

import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { parseSearchParameters } from '../../src/model/search.ts';
import { Postings } from '../../src/search/postings.ts';
import { TextScan } from '../../src/search/text-scan.ts';
import { renderSearch } from '../../src/snapshot/queries.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const WORDS =
  'the water heater in our kitchen was leaking and they fixed it on time for a fair price';
const ALL = WORDS.split(' ');
const REVIEWS = Array.from({ length: 1_000 }, (_, number) =>
  review({
    id: ulidOf(number),
    text: number % 3 === 0 ? WORDS : `${ALL[number % ALL.length]} x${number} ${ALL[number % 7]}`,
  }),
);

let snapshot: Snapshot;
beforeAll(async () => {
  snapshot = await snapshotOf(REVIEWS, { languages: new Map(REVIEWS.map(({ id }) => [id, 'en'])) });
});
afterEach(() => vi.restoreAllMocks());

/** What a search reads; null if it is refused. */
function costOf(words: string, others: Record<string, string | string[]> = {}) {
  const parsed = parseSearchParameters({ words, sort: 'relevance', highlight: 'true', ...others });
  if (!parsed.ok) return null;
  const postings = vi.spyOn(Postings.prototype, 'of');
  const scans = [
    vi.spyOn(TextScan.prototype, 'keepContaining'),
    vi.spyOn(TextScan.prototype, 'keepWithWords'),
  ];
  Buffer.concat(renderSearch(snapshot, parsed.value));
  const texts = scans.flatMap(({ mock }) => mock.calls.map(([positions]) => positions.length));
  const cost = { postings: postings.mock.calls.length, texts: texts.reduce((a, b) => a + b, 0) };
  vi.restoreAllMocks();
  return cost;
}

test.each([
  ['200 characters', 'a'.repeat(200)],
  ['200 letters of a text', WORDS.repeat(4).slice(0, 200)],
  ['only stop words', 'the in our was and they it on for a'],
  ['only exclusions', ALL.map((word) => `-${word}`).join(' ')],
  ['an unclosed quote', '"the water heater'],
  ['only quotes', '"'.repeat(200)],
  ['emoji', '👩🏽‍🔧👍'.repeat(20)],
  ['right-to-left', '\u202eשירות מצוין خدمة ممتازة\u202c'],
  ['50 unknown words', Array.from({ length: 50 }, (_, number) => `unknown${number}`).join(' ')],
  ['50 words', ALL.concat(ALL, ALL).slice(0, 50).join(' ')],
  ['misspelled words', 'watre heatre kitchin'],
])('%s', (_what, words) => {
  const cost = costOf(words);
  expect(cost).not.toBeNull();
  // Each of at most 64 words has some forms, each looked up a few times.
  expect(cost?.postings).toBeLessThan(64 * 10);
  expect(cost?.texts).toBeLessThanOrEqual(REVIEWS.length);
});

test('the texts that phrases scan are bounded, because more than eight phrases are refused', () => {
  const phrases = ALL.slice(1).map((word, index) => `"${ALL[index]} ${word}"`);
  expect(costOf(phrases.slice(0, 8).join(' '))?.texts).toBeLessThanOrEqual(8 * REVIEWS.length);
  expect(
    costOf(
      phrases
        .slice(0, 8)
        .map((one) => `-${one}`)
        .join(' '),
    )?.texts,
  ).toBeLessThanOrEqual(8 * REVIEWS.length);
  expect(costOf(phrases.join(' '))).toBeNull();
});

test('repeated names of facets are counted once', () => {
  const facets = Array.from({ length: 100 }, () => 'rating').join(',');
  const [once, often] = [costOf('water ', { facets: 'rating' }), costOf('water ', { facets })];
  expect(often).toEqual(once);
});
