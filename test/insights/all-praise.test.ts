// What is mentioned without a word of judgement, in reviews that only praise and in others.

import { expect, test } from 'vitest';
import { buildAnalyser } from '../../src/insights/analyse.ts';
import { businessSchema } from '../../src/model/business.ts';
import { review } from '../support/reviews.ts';

const analyse = buildAnalyser(
  businessSchema.parse({
    name: 'Harbor Plumbing',
    vertical: 'home_services',
    services: [{ id: 'boilers', label: 'Boiler repair' }],
    technicians: [{ id: 'mike', name: 'Mike Alvarez' }],
  }),
);
const FACTS = 'We had a boiler repair in May. Mike Alvarez came. It was $165.';
const PRAISE = `${FACTS} They were very friendly.`;

function mentionsIn(text: string, rating: number) {
  const { technicians, services, aspects } = analyse(review({ text, rating }));
  const pricing = aspects.filter(({ id }) => id === 'pricing');
  return [...technicians, ...services, ...pricing].map(({ id, sentiment }) => `${id} ${sentiment}`);
}

test('people and services in a review that only praises are praised, an amount is not', () => {
  expect(mentionsIn(PRAISE, 5)).toEqual(['mike positive', 'boilers positive', 'pricing neutral']);
});

test.each([
  ['with four stars', PRAISE, 4],
  ['with a complaint', `${PRAISE} They left a mess. The floor was filthy.`, 5],
  ['without praise', 'We had a boiler repair in May. Mike Alvarez came.', 5],
])('a service in a review %s stays neutral', (_case, text, rating) => {
  expect(mentionsIn(text, rating)).toContain('boilers neutral');
});
