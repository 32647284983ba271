import { describe, expect, test } from 'vitest';
import { findEpisodes } from '../../../src/insights/aggregate/episodes.ts';
import { monthlyFigures } from '../../../src/insights/aggregate/temporal.ts';
import { findingsOf, times, type IndexedMention } from '../editorial/findings.ts';

/** The episodes of reviews by hand. */
function episodesOf(indexed: readonly IndexedMention[]) {
  const { reviews, mentions } = findingsOf(indexed);
  const causes = {
    aspects: [{ id: 'punctuality' }, { id: 'pricing' }],
    problems: [{ id: 'late-arrival' }],
  };
  return findEpisodes(reviews, monthlyFigures(reviews, new Map()), mentions, causes);
}

/** Five reviews a month of four and five stars, but for the months that are given other stars. */
function months(stars: Readonly<Record<string, number>> = {}): IndexedMention[] {
  return ['2023', '2024'].flatMap((year) =>
    Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}`).flatMap(
      (month) =>
        [5, 4, 5, 4, 5].map((usual, day) => ({
          rating: stars[month] ?? usual,
          date: `${month}-${10 + day}`,
          mentions:
            stars[month] === 1
              ? [
                  ['aspects', 'punctuality', 'negative', 'Late again.'] as const,
                  ['problems', 'late-arrival', 'negative', 'Late again.'] as const,
                ]
              : [['aspects', 'pricing', day === 0 ? 'negative' : 'positive', 'Dear.'] as const],
        })),
    ),
  );
}

describe('an episode', () => {
  test('is a run of months with other ratings, with what customers complained about then', () => {
    const [episode, ...others] = episodesOf(months({ '2023-10': 1, '2023-11': 1, '2023-12': 2 }));
    expect(others).toEqual([]);
    expect(episode).toEqual({
      kind: 'dip',
      from: '2023-10',
      to: '2023-12',
      review_count: 15,
      average_rating: 1.33,
      average_before: 4.6,
      average_after: 4.6,
      is_over: true,
      aspects: ['punctuality'],
      causes: [],
      problems: ['late-arrival'],
      example_review_ids: expect.toSatisfy((ids: string[]) => ids.length === 5),
    });
  });

  test('is compared with the year before it, not with all years', () => {
    const older = months().map(({ date = '', ...one }) => ({
      ...one,
      rating: 4,
      date: date.replace('20', '19'),
    }));
    const found = episodesOf([...older, ...months({ '2024-10': 1, '2024-11': 1 })]);
    expect(found).toContainEqual(
      expect.objectContaining({ kind: 'dip', from: '2024-10', average_before: 4.6 }),
    );
  });

  test('goes on while no reviews follow it', () => {
    expect(episodesOf(months({ '2024-11': 1, '2024-12': 1 }))).toMatchObject([
      { kind: 'dip', from: '2024-11', to: '2024-12', average_after: null, is_over: false },
    ]);
  });

  test('can be a rise', () => {
    const low = months().map((one) => ({ ...one, rating: (one.rating ?? 5) - 3 }));
    const high = low.map((one) =>
      one.date?.startsWith('2024-03') || one.date?.startsWith('2024-04')
        ? { ...one, rating: 5 }
        : one,
    );
    expect(episodesOf(high)).toMatchObject([{ kind: 'rise', from: '2024-03', to: '2024-04' }]);
  });

  test('of several, each is found, oldest first', () => {
    const found = episodesOf(months({ '2023-04': 1, '2023-05': 1, '2024-06': 1, '2024-07': 1 }));
    expect(found.map(({ from, to }) => [from, to])).toEqual([
      ['2023-04', '2023-05'],
      ['2024-06', '2024-07'],
    ]);
  });

  test.each([
    ['without reviews', []],
    ['where ratings do not change', months()],
    ['of few reviews', months({ '2023-10': 1 }).slice(0, 12)],
    ['of one bad day', times(1, { rating: 1, date: '2023-05-05' }).concat(months())],
  ])('is none %s', (_, indexed) => {
    expect(episodesOf(indexed)).toEqual([]);
  });
});
