import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ResultCache } from '../../../src/insights/aggregate/result-cache.ts';
import { MentionIndex } from '../../../src/insights/aggregate/mentions.ts';
import { buildAnalyser } from '../../../src/insights/analyse.ts';
import { deriveFromAnalyses } from '../../../src/insights/derive.ts';
import { analysisKeys } from '../../../src/insights/reuse.ts';
import type { Business } from '../../../src/model/business.ts';
import type { ReviewInsights } from '../../../src/model/insights.ts';
import { EVERYONE } from '../../../src/model/people.ts';
import type { Review } from '../../../src/model/review.ts';
import { cases } from '../../support/cases.ts';
import { BUSINESS, review } from '../../support/reviews.ts';

const SENTENCES = [
  'Mike came on time and fixed the boiler without any fuss at all.',
  'Zoe was rude and the bill was a disaster from start to end.',
  'The heat pump is loud, and nobody called back when we complained.',
  'Great price, and Mike explained everything that he did in the cellar.',
  'Sara was friendly and left no mess behind in our kitchen.',
  'The appointment was late and the price was much too high for that.',
  'They quoted $250 for the drain cleaning and charged exactly that.',
];

/** What happens between two publishes: reviews by their number are set or, without sentences, removed. */
const anyChange = fc.record({
  reviews: fc.array(
    fc.record({
      number: fc.nat({ max: 15 }),
      sentences: fc.uniqueArray(fc.constantFrom(...SENTENCES), { maxLength: 3 }),
      rating: fc.integer({ min: 1, max: 5 }),
      day: fc.integer({ min: 10, max: 28 }),
    }),
    { maxLength: 8 },
  ),
  language: fc.constantFrom('en', 'de'),
  isRenamed: fc.boolean(),
});

/** Analyses by their keys, as the store has them. */
function analysedBy(business: Business, reviews: readonly Review[]) {
  const analyse = buildAnalyser(business);
  const { keyOf } = analysisKeys(business);
  return reviews.map((one) => ({ review: one, analysis: analyse(one), key: keyOf(one) }));
}

test('after any changes, results of earlier publishes give the same insights as none', () => {
  fc.assert(
    fc.property(fc.array(anyChange, { minLength: 2, maxLength: 6 }), (changes) => {
      const reviews = new Map<number, Review>();
      let cache = new ResultCache();
      for (const change of changes) {
        for (const { number, sentences, rating, day } of change.reviews) {
          const id = `01HZ00000000000000000000${String(number).padStart(2, '0')}`;
          const text = sentences.join(' ');
          if (text === '') reviews.delete(number);
          else reviews.set(number, review({ id, text, rating, date: `2024-05-${day}` }));
        }
        const business = change.isRenamed ? { ...BUSINESS, name: 'Sara and Sons' } : BUSINESS;
        const analysed = analysedBy(business, [...reviews.values()]);
        const derive = (results?: ResultCache) =>
          JSON.stringify(
            deriveFromAnalyses(analysed, business, EVERYONE, change.language, results),
          );
        // As it is stored between two publishes.
        cache = new ResultCache(JSON.parse(JSON.stringify(cache.used)) as ResultCache['used']);
        expect(derive(cache)).toBe(derive());
        expect(derive(new ResultCache(cache.used))).toBe(derive());
      }
    }),
    { numRuns: cases(10) },
  );
});

test('a result is computed again only if an input differs, and kept only while it is asked for', () => {
  const compute = vi.fn(() => ({ count: 1 }));
  const first = new ResultCache();
  expect(first.of(['a', 1], compute)).toEqual({ count: 1 });
  const second = new ResultCache(first.used);
  expect(second.of(['a', 1], compute)).toEqual({ count: 1 });
  expect(compute).toHaveBeenCalledTimes(1);
  second.of(['a', 2], compute);
  expect(compute).toHaveBeenCalledTimes(2);
  expect(Object.keys(second.used)).toHaveLength(2);
  expect(new ResultCache(second.used).used).toEqual({});
});

test('mentions of a review whose analysis may change under its key are not kept', () => {
  const text = 'Mike was friendly.';
  const analysed = analysedBy(BUSINESS, [review({ text })]);
  const used = (key: string | undefined) => {
    const cache = new ResultCache();
    const known = analysed.map((one) => ({ ...one, key }));
    deriveFromAnalyses(known, BUSINESS, EVERYONE, 'en', cache);
    return Object.keys(cache.used).length;
  };
  expect(used(analysed[0]?.key)).toBeGreaterThan(0);
  expect(used(undefined)).toBe(0);
});

test('a result depends on the versions of its reviews, their order, and the basis', () => {
  const entry: ReviewInsights = {
    score: 1,
    sentiment: 'positive',
    aspects: [{ id: 'price', sentiment: 'positive', phrase: 'Fair.' }],
    technicians: [],
    services: [],
    problems: [],
    service_areas: [],
    topics: [],
  };
  let known: ResultCache['used'] = {};
  let computed = 0;
  const compute = (versions: readonly string[], basis: unknown, parameter = 'count') => {
    const entries = versions.map((version) => ({ review: review(), entry, version }));
    const before = computed;
    const cache = new ResultCache(known);
    const index = new MentionIndex(entries, { cache, basis });
    index.result('aspects', 'price', [parameter], () => (computed += 1));
    known = { ...known, ...cache.used };
    return computed > before;
  };
  expect(compute(['a', 'b'], 1)).toBe(true);
  expect(compute(['a', 'b'], 1)).toBe(false);
  expect(compute(['b', 'a'], 1)).toBe(true);
  expect(compute(['a'], 1)).toBe(true);
  expect(compute(['a', 'b'], 2)).toBe(true);
  expect(compute(['a', 'b'], 1, 'top')).toBe(true);
});
