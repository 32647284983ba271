// Services and people that are mentioned without a word of judgement.

import { expect, test } from 'vitest';
import { buildAnalyser } from '../../src/insights/analyse.ts';
import { businessSchema } from '../../src/model/business.ts';
import { review } from '../support/reviews.ts';

const analyse = buildAnalyser(
  businessSchema.parse({
    name: 'Harbor Plumbing',
    vertical: 'home_services',
    services: [
      { id: 'boilers', label: 'Boiler repair' },
      { id: 'drains', label: 'Drain cleaning' },
    ],
    technicians: [{ id: 'mike', name: 'Mike Alvarez' }],
  }),
);
const FACTS = 'We had a boiler repair in May. Mike Alvarez again. It was $165.';

function mentionsIn(text: string, rating: number) {
  const { technicians, services } = analyse(review({ text, rating }));
  return [...technicians, ...services].map(({ id, sentiment }) => `${id} ${sentiment}`);
}

test.each([
  [5, 'positive'],
  [4, 'positive'],
  [3, 'neutral'],
  [2, 'negative'],
  [1, 'negative'],
])('a service in a review of %i stars is %s', (rating, sentiment) => {
  expect(mentionsIn(FACTS, rating)).toContain(`boilers ${sentiment}`);
});

test('a service stays undecided where its phrase leans against the stars', () => {
  expect(mentionsIn('A nice cup of tea while they did the boiler repair.', 2)).toContain(
    'boilers neutral',
  );
});

test('only the first service counts, with others in its sentence; a later one needs a judgement', () => {
  const later = mentionsIn(`${FACTS} He looked at the drain cleaning of the last firm.`, 5);
  expect(later).toEqual(['mike positive', 'boilers positive']);
  const judged = mentionsIn(`${FACTS} The drain cleaning was excellent.`, 3);
  expect(judged).toContain('drains positive');
  expect(mentionsIn('A boiler repair and a drain cleaning.', 5)).toContain('drains positive');
});

test('a person is praised by four or five stars without a complaint, and by no others', () => {
  expect(mentionsIn(FACTS, 5)).toContain('mike positive');
  expect(mentionsIn(FACTS, 4)).toContain('mike positive');
  expect(mentionsIn(FACTS, 3)).toContain('mike neutral');
  expect(mentionsIn(FACTS, 1)).toContain('mike neutral');
  for (const denied of ['No relation to', 'It went well, and I don’t think his name was']) {
    expect(mentionsIn(`${denied} Mike Alvarez, as far as I know.`, 5)).toEqual(['mike neutral']);
  }
});

test('an amount without a judgement stays a price', () => {
  const { aspects } = analyse(review({ text: `${FACTS} They were very friendly.`, rating: 5 }));
  expect(aspects).toContainEqual(expect.objectContaining({ id: 'pricing', sentiment: 'neutral' }));
});

test('nobody is blamed in a sentence that praises too, or by weak words', () => {
  const people = (text: string) => analyse(review({ text, rating: 1 })).technicians;
  expect(people('Mike Alvarez was rude and careless.')).toMatchObject([{ sentiment: 'negative' }]);
  const weak = people('They are slow. Mike Alvarez gave us coffees for the wait.');
  expect(weak).toMatchObject([{ sentiment: 'neutral' }]);
  const fair = 'It was a terrible, awful mess, and Mike Alvarez is nice.';
  expect(people(fair).map(({ sentiment }) => sentiment)).not.toContain('negative');
});
