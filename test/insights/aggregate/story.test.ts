// Contrasts, traits of people, and the comparison with the business's own past.

import { describe, expect, test } from 'vitest';
import { businessSchema } from '../../../src/model/business.ts';
import { BUSINESS } from '../../support/reviews.ts';
import { findingsOf, type IndexedMention, times } from '../editorial/findings.ts';

describe('a contrast', () => {
  const praised = (rating: number): IndexedMention => ({
    rating,
    mentions: [
      ['technicians', 'mike-alvarez', 'positive'],
      ['problems', 'surprise-fee', 'negative'],
    ],
  });

  test('has the bad reviews that praise people, and what they blame', () => {
    const { contrasts, reviews } = findingsOf([...times(4, praised(1)), ...times(9, praised(5))]);
    expect(contrasts).toEqual([
      {
        praised: { kind: 'people', id: null },
        blamed: [{ problem: 'surprise-fee', review_count: 4 }],
        review_count: 4,
        review_ids: reviews.filter(({ rating }) => rating === 1).map(({ id }) => id),
      },
    ]);
  });

  test('is none of people who have left, or who are praised and blamed at once', () => {
    const technicians = BUSINESS.technicians.map((one) => ({ ...one, active: false }));
    const gone = businessSchema.parse({ ...BUSINESS, technicians });
    expect(findingsOf(times(4, praised(1)), gone).contrasts).toEqual([]);
    const twoSided: IndexedMention = {
      rating: 1,
      mentions: [
        ['technicians', 'mike-alvarez', 'positive', 'Mike is a nice enough kid but he broke it.'],
        ['problems', 'surprise-fee', 'negative'],
      ],
    };
    expect(findingsOf(times(4, twoSided)).contrasts).toEqual([]);
  });

  test('needs four bad reviews and something that is blamed', () => {
    expect(findingsOf(times(3, praised(1))).contrasts).toEqual([]);
    const only: IndexedMention = {
      rating: 1,
      mentions: [['technicians', 'mike-alvarez', 'positive']],
    };
    expect(findingsOf(times(6, only)).contrasts).toEqual([]);
  });

  test('can praise an aspect', () => {
    const staff: IndexedMention = {
      rating: 2,
      mentions: [
        ['aspects', 'staff', 'positive', 'The staff were friendly all day.'],
        ['problems', 'delays', 'negative'],
      ],
    };
    expect(findingsOf(times(5, staff)).contrasts).toMatchObject([
      { praised: { kind: 'aspect', id: 'staff' }, review_count: 5 },
    ]);
  });
});

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

  test('has both periods, and what rose or fell beyond chance', () => {
    const { comparison, reviews } = findingsOf([
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
      changes: [
        {
          kind: 'problem',
          id: 'late-arrival',
          direction: 'rose',
          recent: { count: 10, of: 20 },
          earlier: { count: 0, of: 20 },
        },
      ],
    });
    const ids = new Set(reviews.filter(({ rating }) => rating === 1).map(({ id }) => id));
    expect(comparison?.changes[0]?.review_ids.every((id) => ids.has(id))).toBe(true);
  });

  test('is null without enough ratings, and empty without a change beyond chance', () => {
    expect(findingsOf(times(9, {})).comparison).toBeNull();
    const steady = [...dated('2024-05-01', late, 12), ...dated('2023-03-01', late, 12)];
    expect(findingsOf(steady).comparison?.changes).toEqual([]);
  });
});
