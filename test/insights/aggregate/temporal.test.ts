import { describe, expect, test } from 'vitest';
import { changesIn } from '../../../src/insights/aggregate/temporal.ts';
import { deriveInsights } from '../../support/derive.ts';
import { BUSINESS, review } from '../../support/reviews.ts';
import { findingsOf, times as repeat } from '../editorial/findings.ts';

const temporal = (days: readonly (readonly [string, readonly number[]])[]) =>
  deriveInsights(
    days.flatMap(([date, ratings]) =>
      ratings.map((rating) => review({ date, rating, text: null })),
    ),
    BUSINESS,
  ).temporal;

test('a month is its reviews, oldest month first, months without reviews left out', () => {
  const { monthly } = temporal([
    ['2024-03-31', [5, 3]],
    ['2024-01-01', [1, 2, 2]],
    ['2024-03-01', [5]],
  ]);
  expect(monthly).toEqual([
    { month: '2024-01', review_count: 3, average_rating: 1.67, score: -0.67, positive_pct: 0 },
    { month: '2024-03', review_count: 3, average_rating: 4.33, score: 0.67, positive_pct: 66.7 },
  ]);
});

describe('the trend', () => {
  const times = (count: number, ...ratings: number[]) =>
    Array.from({ length: count }, () => ratings).flat();
  test.each([
    ['no reviews', [], 'stable'],
    ['one review', [['2024-05-01', [1]]], 'stable'],
    [
      'much better ratings',
      [
        ['2024-05-01', times(10, 5, 4)],
        ['2023-04-01', times(10, 2, 1)],
      ],
      'improving',
    ],
    [
      'much worse ratings',
      [
        ['2024-05-01', times(10, 2, 1)],
        ['2023-04-01', times(10, 5, 4)],
      ],
      'declining',
    ],
    [
      'the same ratings',
      [
        ['2024-05-01', times(10, 5)],
        ['2023-04-01', times(10, 5)],
      ],
      'stable',
    ],
    [
      'a change within chance',
      [
        ['2024-05-01', times(6, 5, 1)],
        ['2023-04-01', [...times(5, 5, 1), 1, 1]],
      ],
      'stable',
    ],
    [
      'too few before',
      [
        ['2024-05-01', times(10, 1)],
        ['2023-04-01', times(9, 5)],
      ],
      'stable',
    ],
    [
      'too few now',
      [
        ['2024-05-01', times(9, 1)],
        ['2023-04-01', times(10, 5)],
      ],
      'stable',
    ],
    [
      'a change more than two years ago',
      [
        ['2024-05-01', times(10, 1)],
        ['2022-05-01', times(10, 5)],
      ],
      'stable',
    ],
    [
      'a change at the day a year ago',
      [
        ['2024-05-01', times(10, 1)],
        ['2023-05-01', times(10, 5)],
      ],
      'declining',
    ],
    [
      'a change within a year, by six months',
      [
        ['2024-05-01', times(10, 1)],
        ['2023-05-02', times(10, 5)],
      ],
      'declining',
    ],
    [
      'a change within half a year, by three',
      [
        ['2024-05-01', times(10, 5)],
        ['2023-12-01', times(10, 1)],
      ],
      'improving',
    ],
    [
      'a change within three months',
      [
        ['2024-05-01', times(10, 5)],
        ['2024-02-02', times(10, 1)],
      ],
      'stable',
    ],
    [
      'a change of a year before a change of months',
      [
        ['2024-05-01', times(10, 5)],
        ['2024-01-01', times(10, 1)],
        ['2023-05-01', times(20, 3)],
      ],
      'stable',
    ],
  ] as const)('of %s is as expected', (_, days, trend) => {
    expect(temporal(days).trend).toBe(trend);
  });
});

describe('complaints about a subject', () => {
  const reviews = (date: string, complaining: number, all: number) => [
    ...repeat(complaining, { date, mentions: [['aspects', 'punctuality', 'negative']] }),
    ...repeat(all - complaining, { date, mentions: [['aspects', 'punctuality', 'positive']] }),
  ];
  const changes = (recent: [number, number], before: [number, number]) => {
    const { reviews: all, mentions } = findingsOf([
      ...reviews('2024-05-01', ...recent),
      ...reviews('2022-02-01', ...before),
    ]);
    return changesIn(all, mentions, { aspects: [{ id: 'punctuality' }], problems: [] });
  };

  test('became fewer or more if their share of the last twelve months clearly differs', () => {
    expect(changes([1, 68], [8, 52])).toEqual([
      {
        list: 'aspects',
        id: 'punctuality',
        trend: 'fewer',
        before: { complaint_count: 8, review_count: 52 },
        recent: { complaint_count: 1, review_count: 68 },
      },
    ]);
    expect(changes([12, 68], [1, 52])).toMatchObject([{ trend: 'more' }]);
  });

  test.each([
    ['alike', [4, 50], [6, 50]],
    ['few', [0, 40], [4, 20]],
    ['of few reviews', [0, 6], [5, 30]],
  ] as const)('did not change where they are %s', (_, recent, before) => {
    expect(changes([...recent], [...before])).toEqual([]);
  });
});
