// Traits of people, and the comparison with the business's own past.

import { describe, expect, test } from 'vitest';
import { findingsOf, type IndexedMention, times } from '../editorial/findings.ts';

describe('traits of a person', () => {
  const about = (phrase: string, person = phrase): IndexedMention => ({
    mentions: [
      ['technicians', 'mike-alvarez', 'positive', person],
      ['aspects', 'communication', 'positive', phrase],
    ],
  });
  const traitsOf = (indexed: IndexedMention[]) =>
    findingsOf(indexed).entities.technicians.find(({ id }) => id === 'mike-alvarez')?.traits;

  test('are what reviews praise in phrases about the person', () => {
    const [traits, ...others] = traitsOf(times(3, about('Mike explained the boiler to us.'))) ?? [];
    expect(traits).toMatchObject({
      label: 'explains',
      review_count: 3,
      phrases: ['Mike explained the boiler to us.'],
    });
    expect(traits?.review_ids).toHaveLength(3);
    expect(others).toEqual([]);
  });

  test.each([
    [
      'of two reviews are not told',
      [
        ...times(2, about('Mike explained it all.')),
        ...times(9, about('They came.', 'Mike came.')),
      ],
    ],
    ['are not those of others', times(3, about('The office explained it all.', 'Mike came.'))],
    ['are not those of things', times(3, about('They explained Mike’s work.', 'Mike came.'))],
  ])('%s', (_, indexed) => {
    expect(traitsOf(indexed)).toEqual([]);
  });
});

describe('the comparison with the past', () => {
  const dated = (date: string, one: IndexedMention, count: number) =>
    times(count, { ...one, date });
  const late: IndexedMention = { rating: 1, mentions: [['problems', 'late-arrival', 'negative']] };

  test('has both periods', () => {
    const { comparison } = findingsOf([
      ...dated('2024-05-01', late, 10),
      ...dated('2024-05-01', {}, 10),
      ...dated('2023-03-01', {}, 20),
    ]);
    expect(comparison).toMatchObject({
      months: 12,
      since: '2023-05-01',
      before: '2022-05-01',
      trend: 'declining',
      recent: { review_count: 20, average_rating: 3 },
      earlier: { review_count: 20, average_rating: 5 },
    });
  });

  test('is null without enough ratings', () => {
    expect(findingsOf(times(9, {})).comparison).toBeNull();
  });
});
