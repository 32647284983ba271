import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildAnalyser } from '../../src/insights/analyse.ts';
import { deriveFromAnalyses } from '../../src/insights/derive.ts';
import { deriveInsights } from '../support/derive.ts';
import { analysisKeys } from '../../src/insights/reuse.ts';
import { businessSchema } from '../../src/model/business.ts';
import { anyTellingReviews } from '../support/insights.ts';
import { EVERYONE } from '../../src/model/people.ts';
import { BUSINESS, review } from '../support/reviews.ts';

const REVIEW = review({ text: 'Mike came.', rating: 4, author: 'Karen W.' });

test.each([
  ['its text', { text: 'Mike came!' }],
  ['no text', { text: null }],
  ['its stars', { rating: 5 }],
  ['its author', { author: 'Mike' }],
])('the key of an analysis depends on %s', (_, values) => {
  const { keyOf } = analysisKeys(BUSINESS);
  expect(keyOf({ ...REVIEW, ...values })).not.toBe(keyOf(REVIEW));
});

test('the key does not depend on what the analyser does not read', () => {
  const { keyOf } = analysisKeys(BUSINESS);
  const other = { id: 'x', date: '2020-01-01', source: 'yelp', ownerReply: null };
  expect(keyOf({ ...REVIEW, ...other })).toBe(keyOf(REVIEW));
  const moved = businessSchema.parse({ ...BUSINESS, telephone: '+1', url: 'https://a.example' });
  expect(analysisKeys(moved).context).toBe(analysisKeys(BUSINESS).context);
});

test.each([
  ['name', { name: 'Other' }],
  ['vertical', { vertical: 'other' }],
  ['services', { services: [] }],
  ['technicians', { technicians: [] }],
  ['service areas', { service_areas: [] }],
])('a business of another %s has another context, and other keys', (_, values) => {
  const [one, other] = [BUSINESS, businessSchema.parse({ ...BUSINESS, ...values })].map(
    analysisKeys,
  );
  expect(other?.context).not.toBe(one?.context);
  expect(other?.keyOf(REVIEW)).not.toBe(one?.keyOf(REVIEW));
});

test('analyses that were stored as JSON give the same insights', () => {
  const analyse = buildAnalyser(BUSINESS);
  fc.assert(
    fc.property(anyTellingReviews(15), (reviews) => {
      const stored = reviews.map((one) => JSON.stringify(analyse(one)));
      const analysed = reviews.map((one, at) => ({
        review: one,
        analysis: JSON.parse(stored[at]!) as ReturnType<typeof analyse>,
      }));
      expect(JSON.stringify(deriveFromAnalyses(analysed, BUSINESS, EVERYONE))).toBe(
        JSON.stringify(deriveInsights(reviews, BUSINESS)),
      );
    }),
  );
});
