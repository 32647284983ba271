import { expect, test } from 'vitest';
import { buildAnalyser } from '../../../src/insights/analyse.ts';
import { businessSchema } from '../../../src/model/business.ts';
import { BUSINESS, review } from '../../support/reviews.ts';

const analyse = buildAnalyser(
  businessSchema.parse({ ...BUSINESS, vertical: 'hospitality_and_travel' }),
);

test.each([
  [
    'They answered the call bells promptly and nothing was too much trouble.',
    'The cabin crew were very pleasant and helpful.',
  ],
  [
    'The check in process was quick, efficient and friendly.',
    'Good service and friendly attitude from the cabin crew made the long flight easier.',
  ],
])('of several phrases the one that shows the claim by itself is shown: %s', (first, telling) => {
  const text = `${first} ${telling}`;
  const found = analyse(review({ rating: 5, text })).aspects.find(({ id }) => id === 'staff');
  expect(text.slice(found?.start, found?.end)).toBe(telling);
});
