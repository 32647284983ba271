// What is told of a business, in prose and on pages of all languages.

import { describe, expect, test } from 'vitest';
import type { Sentiment } from '../../../src/model/insights.ts';
import { ulidOf } from '../../support/reviews.ts';
import { findingsOf, type IndexedMention, times, withEpisodes } from './findings.ts';

const about = (id: string, sentiment: Sentiment, count: number): IndexedMention[] =>
  times(count, { mentions: [['aspects', id, sentiment]] });
const named = (id: string, sentiment: Sentiment, count: number): IndexedMention[] =>
  times(count, { mentions: [['technicians', id, sentiment]] });
const dated = (many: readonly IndexedMention[], date: string) =>
  many.map((one) => ({ ...one, date }));
const idsIn = (chosen: readonly { id: string }[]) => chosen.map(({ id }) => id);

/** Customers praise the friendliness most, and complain about it most. */
const MIXED = [
  ...about('friendliness', 'positive', 41),
  ...about('friendliness', 'negative', 36),
  ...about('punctuality', 'positive', 5),
  ...about('punctuality', 'negative', 35),
  ...about('cleanliness', 'positive', 12),
  ...about('cleanliness', 'negative', 2),
];

describe('the selection', () => {
  test('has the most praised and most criticised by count, also where opinions differ', () => {
    const { praised, criticized } = findingsOf(MIXED).selection;
    expect(praised).toMatchObject([
      { id: 'friendliness', count: 41, of: 77 },
      { id: 'cleanliness', count: 12, of: 14 },
      { id: 'punctuality', count: 5, of: 40 },
    ]);
    expect(criticized).toMatchObject([
      { id: 'friendliness', count: 36, of: 77 },
      { id: 'punctuality', count: 35, of: 40 },
    ]);
  });

  test('has as strengths what most praise, and as weak spots what many criticise, the clear ones first', () => {
    const { strengths, weak_spots: weakSpots } = findingsOf(MIXED).selection;
    expect(idsIn(strengths)).toEqual(['cleanliness']);
    expect(idsIn(weakSpots)).toEqual(['punctuality', 'friendliness']);
  });

  test('has as strengths what customers tell in their own words, if there is any', () => {
    const unquotable = times(9, { mentions: [['aspects', 'safety', 'positive', 'Safe work.']] });
    expect(idsIn(findingsOf(unquotable).selection.strengths)).toEqual(['safety']);
    const both = [...unquotable, ...about('cleanliness', 'positive', 4)];
    expect(findingsOf(both).selection.strengths).toMatchObject([
      { id: 'cleanliness', claim: 'It is clean' },
    ]);
  });

  test('begins weak spots with the most blame, by number and share, and has none that few name', () => {
    const all = [
      ...about('punctuality', 'negative', 30),
      ...about('punctuality', 'positive', 12),
      ...about('pricing', 'negative', 28),
    ];
    expect(idsIn(findingsOf(all).selection.weak_spots)).toEqual(['pricing', 'punctuality']);
    const split = [
      ...about('pricing', 'positive', 30),
      ...about('pricing', 'negative', 19),
      ...about('punctuality', 'positive', 10),
      ...about('punctuality', 'negative', 16),
    ];
    expect(idsIn(findingsOf(split).selection.weak_spots)).toEqual(['punctuality', 'pricing']);
    const many = [
      ...about('friendliness', 'positive', 40),
      ...about('friendliness', 'negative', 28),
      ...about('pricing', 'positive', 6),
      ...about('pricing', 'negative', 9),
    ];
    expect(idsIn(findingsOf(many).selection.weak_spots)).toEqual(['friendliness', 'pricing']);
    const few = [...about('cleanliness', 'positive', 55), ...about('punctuality', 'negative', 4)];
    expect(findingsOf(few).selection.weak_spots).toEqual([]);
  });

  test('has no weak spot that most praise over the years, as the answers say', () => {
    const now = dated(about('pricing', 'negative', 12), '2026-05-01');
    const before = dated(about('pricing', 'positive', 60), '2022-05-01');
    expect(idsIn(findingsOf(now).selection.weak_spots)).toEqual(['pricing']);
    expect(findingsOf([...now, ...before]).selection.weak_spots).toEqual([]);
  });

  test('begins weak spots with what most complain of now', () => {
    const weak = (punctuality: number, pricing: number) =>
      idsIn(
        findingsOf([
          ...dated(
            [
              ...about('punctuality', 'negative', punctuality),
              ...about('pricing', 'negative', pricing),
            ],
            '2026-05-01',
          ),
          ...dated(
            [...about('pricing', 'positive', 6), ...about('punctuality', 'positive', 6)],
            '2026-04-01',
          ),
          ...dated(about('punctuality', 'negative', 30), '2022-05-01'),
        ]).selection.weak_spots,
      );
    expect(weak(6, 8)).toEqual(['pricing', 'punctuality']);
    expect(weak(8, 6)).toEqual(['punctuality', 'pricing']);
    expect(weak(0, 8)).toEqual(['pricing']);
  });

  test('has a weak spot of bad months that are over if most complain, and one does later', () => {
    const weak = (later: Sentiment) => {
      const found = findingsOf([
        ...about('punctuality', 'negative', 6),
        ...dated(about('punctuality', later, 1), '2024-08-01'),
      ]);
      const episode = {
        kind: 'dip' as const,
        from: '2024-05',
        to: '2024-05',
        review_count: 6,
        average_rating: 1,
        average_before: null,
        average_after: 5,
        is_over: true,
        aspects: [],
        problems: [],
        causes: [],
        example_review_ids: [],
      };
      return idsIn(withEpisodes(found, [episode]).selection.weak_spots);
    };
    expect(weak('negative')).toEqual(['punctuality']);
    expect(weak('positive')).toEqual([]);
  });

  test('has people who are praised four times as often as blamed, with reviews that praise them', () => {
    const { people } = findingsOf([
      ...named('mike-alvarez', 'positive', 4),
      ...named('mike-alvarez', 'negative', 1),
      ...named('zoe-lefevre', 'positive', 9),
      ...named('zoe-lefevre', 'negative', 3),
    ]).selection;
    expect(people).toEqual([
      {
        id: 'mike-alvarez',
        count: 4,
        of: 5,
        review_ids: [1000, 999, 998, 997].map((number) => ulidOf(number)),
      },
    ]);
  });

  test('has people by the share of praise and the stars of their reviews, not by number', () => {
    const reviews = (id: string, rating: number, count: number) =>
      named(id, 'positive', count).map((one) => ({ ...one, rating }));
    const { people } = findingsOf([
      ...reviews('mike-alvarez', 3, 9),
      ...reviews('zoe-lefevre', 5, 7),
    ]).selection;
    expect(people.map(({ id }) => id)).toEqual(['zoe-lefevre', 'mike-alvarez']);
  });
});
