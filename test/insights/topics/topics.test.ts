import { describe, expect, test } from 'vitest';
import {
  findPhrases,
  keysOfNames,
  standoutPhrases,
  wordsOfNames,
} from '../../../src/insights/topics/phrases.ts';
import { findTopics } from '../../../src/insights/topics/topics.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';
import { annotateText } from '../../support/annotate-text.ts';

const NONE: ReadonlySet<string> = new Set();
const review = (text: string) => ({ text, phrases: findPhrases(annotateText(text)) });

test('the phrases of a review are its pairs of nouns, each once', () => {
  const text = 'The heat pumps are on. A heat pump, the garden gate: very good garden gate.';
  expect(findPhrases(annotateText(text)).map(({ key }) => key)).toEqual([
    'heat pump',
    'garden gate',
  ]);
});

describe('a phrase stands out', () => {
  const PUMPS = ['A heat pump.', 'Our heat pumps.', 'The Heat Pump.'].map(review);

  test('if three reviews have it, in the most frequent spelling', () => {
    expect(standoutPhrases(PUMPS.slice(1), NONE, NONE).topics).toEqual([]);
    const { topics, topicsOf } = standoutPhrases([...PUMPS, review('A heat pump!')], NONE, NONE);
    expect(topics).toEqual([
      { id: 'heat-pump', label: 'Heat pump', keywords: ['heat pump', 'heat pumps'] },
    ]);
    expect(PUMPS.map(({ phrases }) => topicsOf(phrases))).toEqual([
      ['heat-pump'],
      ['heat-pump'],
      ['heat-pump'],
    ]);
  });

  test('unless the catalogue or the vertical has it', () => {
    expect(standoutPhrases(PUMPS, keysOfNames(['Heat pump installation']), NONE).topics).toEqual(
      [],
    );
    expect(standoutPhrases(PUMPS, NONE, new Set(['heat-pump'])).topics).toEqual([]);
  });

  test('unless a name or a number is in it', () => {
    const named = wordsOfNames(['Heat Kings']);
    expect(standoutPhrases(PUMPS, NONE, NONE, named).topics).toEqual([]);
    const twice = Array.from({ length: 3 }, () => review('Two pumps.'));
    expect(standoutPhrases(twice, NONE, NONE).topics).toEqual([]);
  });

  test('once for the same reviews', () => {
    const chowder = Array.from({ length: 3 }, () => review('Black cod chowder.'));
    expect(standoutPhrases(chowder, NONE, NONE).topics).toHaveLength(1);
    const { topics } = standoutPhrases([...chowder, review('A cod chowder.')], NONE, NONE);
    expect(topics.map(({ id }) => id)).toEqual(['cod-chowder']);
  });

  test('unless its words also occur in many other pairs', () => {
    const many = Array.from({ length: 20 }, (_, at) =>
      review(`A heat ${'abcdefghijklmnopqrst'[at]}ool.`),
    );
    expect(standoutPhrases([...PUMPS, ...many], NONE, NONE).topics).toEqual([]);
  });

  test('in any order of the reviews', () => {
    const reviews = [
      ...PUMPS,
      review('The garden gate.'),
      review('Garden gate'),
      review('garden gates'),
    ];
    expect(standoutPhrases(reviews.toReversed(), NONE, NONE).topics).toEqual(
      standoutPhrases(reviews, NONE, NONE).topics,
    );
    expect(standoutPhrases(reviews, NONE, NONE).topics).toHaveLength(2);
  });
});

test.each([
  ['hotels', 'Rooms are a bit small.', 'room_size'],
  ['hotels', 'No space for our suitcases.', 'room_size'],
  ['hotels', 'Check-in took a minute.', 'check_in'],
  ['restaurants', 'A tourist trap, alas.', 'tourists'],
  ['restaurants', 'Book ahead: we had no reservation.', 'booking'],
  ['general', 'I was charged twice after I cancelled my membership.', 'billing'],
])('of %s, a topic is told by its words: %s', (vertical, text, topic) => {
  const found = findTopics(annotateText(text), verticalOf(vertical));
  expect(found).toContain(topic);
});
