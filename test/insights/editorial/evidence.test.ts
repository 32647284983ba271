import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  quoteFor,
  isQuotable,
  consensusOf,
  tellingOf,
  wordingOf,
} from '../../../src/insights/editorial/evidence.ts';
import questions from '../../../src/insights/editorial/questions.json' with { type: 'json' };
import type { Vertical } from '../../../src/insights/verticals/verticals.ts';
import { findingsOf } from './findings.ts';

test.each([
  [40, 2, 0],
  [5, 0, 1],
  [30, 12, 1],
  [3, 0, 2],
  [20, 20, 2],
  [550, 450, 2],
  [450, 550, 2],
  [12, 30, 3],
  [0, 5, 3],
  [2, 40, 4],
  [0, 0, 2],
] as const)('%i for and %i against are verdict %i', (positive, negative, verdict) => {
  expect(consensusOf(positive, negative)).toBe(verdict);
});

test.each([
  ['They were on time and friendly.', true],
  ['$300 and worth every cent of it.', true],
  ['but they were on time and friendly', false],
  ['Fast.', false],
  [`They ${'really '.repeat(30)}were on time.`, false],
  ['They were on time\nand friendly.', false],
  ['They were “on time” and friendly.', false],
  ['He said "on time and was friendly.', false],
  ['They were on time (and friendly.', false],
  ['THEY WERE ON TIME AND FRIENDLY.', false],
])('%j can be quoted: %s', (phrase, expected) => {
  expect(isQuotable(phrase)).toBe(expected);
});

describe('a quote', () => {
  const LATE = 'He was late by an hour or two.';
  const findings = findingsOf([
    { rating: 5, mentions: [['aspects', 'punctuality', 'negative', LATE]] },
    { rating: 1, date: '2023-02-01', mentions: [['aspects', 'punctuality', 'negative', LATE]] },
  ]);

  test('is from a review whose stars agree, and shows them', () => {
    expect(quoteFor(findings, 'aspects', 'punctuality', 'negative', new Set())?.shown).toBe(
      '“He was late by an hour or two.” (one star, February 2023)',
    );
  });

  test('comes once', () => {
    const used = new Set(['he was late by an hour or two.']);
    expect(quoteFor(findings, 'aspects', 'punctuality', 'negative', used)).toBeNull();
  });
});

test('a quote tells more if it stands on its own, has a detail and some length', () => {
  const phrases = [
    'Called at eight on a Sunday and had heat again in two hours.',
    'The new boiler is quiet and the house stays warm at night.',
    'Will did a good job.',
    'Then Luis did it.',
  ];
  const scores = phrases.map(tellingOf);
  expect(scores[1]).toBe(1);
  expect(scores[0]).toBeCloseTo(0.6);
  expect(scores[2]).toBeCloseTo(0.4);
  expect(scores[3]).toBe(0);
});

test('the more telling of equal quotes is chosen', () => {
  const dull = 'The plumber fixed the leak, and it was good.';
  const telling = 'The plumber fixed the leak in 20 minutes.';
  const findings = findingsOf(
    [dull, telling].map((phrase) => ({
      mentions: [['aspects', 'quality', 'positive', phrase] as const],
    })),
  );
  expect(quoteFor(findings, 'aspects', 'quality', 'positive', new Set())?.text).toBe(telling);
});

test('an aspect without a wording uses its label', () => {
  expect(wordingOf('constructor', 'Valet parking')).toMatchObject({
    noun: 'valet parking',
    question: 'What do reviews say about {noun}?',
  });
});

test('every aspect of every vertical has its wording, and no other', () => {
  const folder = new URL('../../../src/insights/verticals/', import.meta.url);
  const ids = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Vertical)
    .flatMap(({ aspects }) => aspects.map(({ id }) => id));
  expect(Object.keys(questions.aspects).toSorted()).toEqual([...new Set(ids)].toSorted());
});
