// What hostile searches by words cost, compared with usual ones, in counted work: positions that are read from
// postings, bits that are combined, and texts that are scanned. `npm run bench -- search-words` measures the time.

import { beforeAll, expect, test, vi } from 'vitest';
import { FACETS, parseSearchParameters } from '../../src/model/search.ts';
import { deriveInsights } from '../support/derive.ts';
import type { SearchIndex } from '../../src/search/search-index.ts';
import { Relevance } from '../../src/search/ranking.ts';
import { Postings } from '../../src/search/postings.ts';
import { SetMemory } from '../../src/search/set-memory.ts';
import { TextScan } from '../../src/search/text-scan.ts';
import { buildHostileSearches, buildWordSearches } from '../../bench/word-searches.ts';
import { writeCorpus } from '../../bench/corpus.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { indexOf } from './random-corpora.ts';

const REVIEWS = 3_000;
/** What is proportional to the number of reviews counts as for this many. */
const SCALE = 300_000 / REVIEWS;
/** Nanoseconds of each on a usual machine. */
const [LOOKUP, POSITION, WORD_OF_BITS, TEXT, SCORE] = [300, 1, 0.3, 100, 5];
const MOST = 10;

let index: SearchIndex;
beforeAll(async () => {
  const reviews = Array.from(writeCorpus(REVIEWS), ({ text, rating }, number) =>
    review({ id: ulidOf(REVIEWS - number), text, rating }),
  );
  index = await indexOf({
    reviews,
    languages: new Map(reviews.map(({ id }) => [id, 'en'])),
    insights: deriveInsights([], BUSINESS),
  });
});

/** The work of a search; null if it is refused. */
function workOf(parameters: Readonly<Record<string, string>>): number | null {
  const parsed = parseSearchParameters({ sort: 'relevance', ...parameters });
  if (!parsed.ok) return null;
  const ofSets = (name: keyof SetMemory) => vi.spyOn(SetMemory.prototype, name as 'and');
  const lookups = vi.spyOn(Postings.prototype, 'of');
  const bits = (['and', 'andNot', 'addBits', 'countShared', 'listOfBits'] as const).map(ofSets);
  const [gaps, added, kept] = (['listGaps', 'addGaps', 'keepList'] as const).map(ofSets);
  const scans = (['keepContaining', 'keepWithWords'] as const).map((name) =>
    vi.spyOn(TextScan.prototype, name),
  );
  const ranked = vi.spyOn(Relevance.prototype, 'scoresOf');
  index.search(parsed.value);
  const sum = (numbers: readonly unknown[]) =>
    numbers.reduce<number>((total, one) => total + Number(one), 0);
  const argumentsOf = (spy: (typeof bits)[number] | undefined): unknown[][] =>
    spy?.mock.calls ?? [];
  const positions =
    sum(argumentsOf(gaps).map(([, count, , limit]) => Math.min(Number(count), Number(limit)))) +
    sum(argumentsOf(added).map(([, , count]) => count)) +
    sum(argumentsOf(kept).map(([list]) => (list as Uint32Array).length));
  const texts = sum(scans.flatMap(({ mock }) => mock.calls.map(([list]) => list.length)));
  const combined = sum(bits.map((spy) => spy.mock.calls.length)) * (REVIEWS / 32);
  const scores = sum(ranked.mock.calls.map(([list, terms]) => list.length * terms.length));
  const work =
    lookups.mock.calls.length * LOOKUP +
    (positions * POSITION + combined * WORD_OF_BITS + texts * TEXT + scores * SCORE) * SCALE;
  vi.restoreAllMocks();
  return work;
}

test('hostile searches cost at most ten times as much as the median of usual ones', () => {
  const usual = buildWordSearches().map((words) => workOf({ words }) ?? 0);
  const median = usual.toSorted((a, b) => a - b)[Math.floor(usual.length / 2)] as number;
  expect(median).toBeGreaterThan(0);
  for (const [name, words] of Object.entries(buildHostileSearches())) {
    const work = workOf({ words });
    expect({ name, isRefused: work === null }).toEqual({ name, isRefused: false });
    expect
      .soft({ name, isCheap: (work as number) / median < MOST })
      .toEqual({ name, isCheap: true });
  }
  const facets = Array.from({ length: 90 }, (_, number) => FACETS[number % FACETS.length]);
  const often = workOf({ words: 'the ', facets: facets.join(',') });
  expect(often).toBe(workOf({ words: 'the ', facets: FACETS.join(',') }));
  expect((often as number) / median).toBeLessThan(MOST);
});

/** The most bytes of sets that a search has at once. */
function setBytesOf(parameters: Readonly<Record<string, string>>): number {
  const parsed = parseSearchParameters(parameters);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  let [bytes, most] = [0, 0];
  const allocated = vi.spyOn(SetMemory.prototype, 'allocate');
  const cleared = vi.spyOn(SetMemory.prototype, 'clear');
  index.search(parsed.value);
  const clearedAt = new Set(cleared.mock.invocationCallOrder);
  let order = 0;
  allocated.mock.calls.forEach(([size], call) => {
    const allocatedAt = allocated.mock.invocationCallOrder[call] as number;
    for (; order < allocatedAt; order++) if (clearedAt.has(order)) bytes = 0;
    bytes += size;
    most = Math.max(most, bytes);
  });
  vi.restoreAllMocks();
  return most;
}

test('the memory of sets, which keeps its largest size, is bounded by the number of reviews', () => {
  const facets = FACETS.join(',');
  const texts = Array.from(writeCorpus(60), ({ text }) => text?.match(/\w+/g) ?? []);
  const phrases = texts
    .filter((all) => all.length > 10)
    .slice(0, 8)
    .map((all) => `"${all.slice(2, 7).join(' ')}"`);
  const searches = {
    ...buildHostileSearches(),
    'what all texts have': 'the and was to in of it with for on -"and the" -"in the" -"to the"',
    // Each is left out once, to see what the others find.
    '8 phrases of different texts': phrases.join(' '),
  };
  for (const [name, words] of Object.entries(searches)) {
    for (const sort of ['relevance', 'oldest']) {
      const perReview = setBytesOf({ words, sort, facets }) / REVIEWS;
      expect({ name, sort, isBounded: perReview < 32 }).toEqual({ name, sort, isBounded: true });
    }
  }
});
