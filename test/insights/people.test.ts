// Which people insights show, and of whom they show scores.

import { describe, expect, test } from 'vitest';
import { deriveInsights } from '../support/derive.ts';
import { publishedBusiness } from '../../src/insights/people.ts';
import type { Business } from '../../src/model/business.ts';
import { DEFAULT_PEOPLE, describePeople, parsePeople } from '../../src/model/people.ts';
import { expectGrounded } from '../support/insights.ts';
import { BUSINESS, review } from '../support/reviews.ts';

const UNLISTED: Business = { ...BUSINESS, technicians: [] };
const times = (count: number, text: string) =>
  Array.from({ length: count }, () => review({ text }));
const REVIEWS = [
  ...times(5, 'Mike was great and fixed the boiler.'),
  ...times(3, 'Our plumber Rosa fixed the boiler. She was great.'),
  ...times(2, 'Our plumber Theo fixed the boiler.'),
  review({ rating: 1, text: 'Zoë was rude.' }),
];

function people(business: Business, mode = DEFAULT_PEOPLE.mode, reviews = REVIEWS) {
  const insights = deriveInsights(reviews, business, { ...DEFAULT_PEOPLE, mode });
  expectGrounded(reviews, insights);
  return insights;
}
const namesOf = (...from: Parameters<typeof people>) =>
  people(...from).entities.technicians.map(({ name }) => name);

describe('people', () => {
  test('are those of the catalogue, if there is one', () => {
    expect(namesOf(BUSINESS)).toEqual(['Mike Alvarez', 'Zoë Lefèvre']);
    expect(namesOf(BUSINESS, 'catalogue')).toEqual(['Mike Alvarez', 'Zoë Lefèvre']);
    expect(namesOf(UNLISTED, 'catalogue')).toEqual([]);
  });

  test('without a catalogue are those whom three reviews name', () => {
    expect(namesOf(UNLISTED)).toEqual(['Mike', 'Rosa']);
    expect(namesOf(BUSINESS, 'mentioned')).toEqual(['Mike Alvarez', 'Rosa', 'Zoë Lefèvre']);
  });

  test('can be left out, the catalogue included', () => {
    const insights = people(BUSINESS, 'off');
    expect(insights.entities.technicians).toEqual([]);
    expect(insights.topics.map(({ label }) => label).join()).not.toMatch(/Mike|Rosa/);
    expect(insights.faq.map(({ question }) => question)).not.toContain('Who should I ask for?');
    expect(publishedBusiness(BUSINESS, { ...DEFAULT_PEOPLE, mode: 'off' }).technicians).toEqual([]);
  });

  test('have scores from five reviews on', () => {
    const [mike, zoe] = people(BUSINESS).entities.technicians;
    expect(mike).toMatchObject({ mention_count: 5, average_rating: 5, score: 1, active: true });
    expect(zoe).toMatchObject({
      mention_count: 1,
      negative_count: 1,
      average_rating: null,
      positive_pct: null,
      score: null,
    });
    expect(people(BUSINESS).summary).not.toContain('Zoë');
  });

  test('who left are marked, and have no scores', () => {
    const technicians = BUSINESS.technicians.map((one) => ({ ...one, active: false }));
    const { entities, faq, summary } = people({ ...BUSINESS, technicians });
    expect(entities.technicians[0]).toMatchObject({
      name: 'Mike Alvarez',
      mention_count: 5,
      active: false,
      average_rating: null,
      score: null,
    });
    expect(faq.map(({ question }) => question)).not.toContain('Who should I ask for?');
    expect(summary).not.toContain('Mike');
  });

  test('outside the catalogue are neither active nor former', () => {
    expect(people(UNLISTED).entities.technicians[0]).toMatchObject({ name: 'Mike', active: null });
  });

  test('are not executives, whom customers never meet', () => {
    const reviews = [
      ...times(4, 'Alex Cruz came and saved costs. Mr Cruz was wonderful.'),
      review({ text: 'I wrote to the CEO of the firm, Alex Cruz.' }),
    ];
    expect(namesOf(UNLISTED, 'auto', reviews)).toEqual([]);
    for (const text of ['CEO Sean Doyle was great.', 'Sean Doyle (the CEO) was great.']) {
      expect(namesOf(UNLISTED, 'auto', times(3, text))).toEqual([]);
    }
    expect(namesOf(UNLISTED, 'auto', times(3, 'Sean Doyle, the owner, was great.'))).toEqual([
      'Sean Doyle',
    ]);
  });
});

test('the settings of people are recorded as text', () => {
  expect(parsePeople(describePeople(DEFAULT_PEOPLE))).toEqual(DEFAULT_PEOPLE);
  expect(parsePeople(undefined)).toBeNull();
  expect(parsePeople('somebody 3 5')).toBeNull();
});
