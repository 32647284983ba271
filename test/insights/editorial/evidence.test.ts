import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wordingOf } from '../../../src/insights/editorial/evidence.ts';
import { consensusOf, leaningOf } from '../../../src/model/leaning.ts';
import questions from '../../../src/insights/editorial/questions.json' with { type: 'json' };
import type { Vertical } from '../../../src/insights/verticals/verticals.ts';

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
  [3, 0, 2],
  [5, 0, 0],
  [0, 5, 4],
  [4, 2, 1],
  [2, 4, 3],
  [11, 18, 2],
  [40, 2, 0],
] as const)('%i for and %i against lean to %i', (positive, negative, leaning) => {
  expect(leaningOf(positive, negative)).toBe(leaning);
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
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Partial<Vertical>)
    .flatMap(({ aspects = [] }) => aspects.map(({ id }) => id));
  expect(Object.keys(questions.aspects).toSorted()).toEqual([...new Set(ids)].toSorted());
});
