import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inputAbout } from '../../../src/insights/polarity/input.ts';
import { type PolarityFile, PolarityNet } from '../../../src/insights/polarity/net.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';
import { growth, LINEAR } from '../../support/growth.ts';

const PATH = join(import.meta.dirname, '../../../src/insights/polarity/weights.json');
const stored = readFileSync(PATH, 'utf8');
const file = JSON.parse(stored) as PolarityFile;
const net = new PolarityNet(file);

/** The polarity of the words in brackets. */
function polarityOf(text: string) {
  const annotated = annotateText(text.replace(/[[\]]/g, ''));
  const from = annotated.tokens.findIndex(({ start }) => start >= text.indexOf('['));
  const to = annotated.tokens.findIndex(({ end }) => end >= text.indexOf(']') - 1) + 1;
  return net.polarityOf(inputAbout(annotated, from, to));
}

describe('the stored net', () => {
  test('has less than 400 KB', () => {
    expect(Buffer.byteLength(stored)).toBeLessThan(400_000);
  });

  test('gives probabilities, the same every time, whatever was asked between', () => {
    const first = polarityOf('The [waiter] was kind but the soup was cold.');
    polarityOf('No [blorple] of 12 for $40?');
    expect(polarityOf('The [waiter] was kind but the soup was cold.')).toEqual(first);
    expect(first.positive + first.neutral + first.negative).toBeCloseTo(1, 10);
  });

  test.each([
    ['The [waiter] was kind but the soup was cold.', 'positive'],
    ['The waiter was kind but the [soup] was cold.', 'negative'],
    ['The waiter who brought the [menu] was rude.', 'neutral'],
  ] as const)('%s %s', (text, expected) => {
    const odds = polarityOf(text);
    expect(odds[expected]).toBe(Math.max(odds.positive, odds.neutral, odds.negative));
  });

  test('is not accepted with weights missing', () => {
    const broken = { ...file, weights: { ...file.weights, bias: { scales: [1], bytes: 'AA==' } } };
    expect(() => new PolarityNet(broken)).toThrow('polarity weights bias: expected 32');
  });
});

describe('the input', () => {
  const text = 'The waiter did not smile, but the food was great.';
  const annotated = annotateText(text);

  test('has the words of the sentence as keys, and where the thing is', () => {
    const { words, from, to } = inputAbout(annotateText(`Hello there. ${text}`), 3, 4);
    expect(words.join(' ')).toBe('the waiter did not smile but the food was great');
    expect([from, to]).toEqual([1, 2]);
  });

  test('has distances in classes, zero distance in the middle', () => {
    expect([...inputAbout(annotated, 1, 2).distances]).toEqual([
      9, 10, 11, 12, 13, 14, 15, 15, 16, 16,
    ]);
  });

  test('marks the thing, contrasts and opinions', () => {
    const { marks, words } = inputAbout(annotated, 1, 2);
    const markOf = (word: string) => marks[words.indexOf(word)];
    expect(markOf('waiter')).toBe(1);
    expect(markOf('but')).toBe(3 * 2);
    expect(markOf('great')).toBe(4 * 10);
  });

  test('of a long sentence has a bounded number of words', () => {
    const long = annotateText('food '.repeat(500));
    expect(inputAbout(long, 250, 251).words).toHaveLength(24 + 1 + 24);
    expect(inputAbout(long, 0, 500).words).toHaveLength(12 + 24);
  });
});

test('the time for every word of a text is linear in its length', () => {
  const prepare = (times: number) => annotateText('good food but bad service and '.repeat(times));
  const work = (annotated: ReturnType<typeof annotateText>) =>
    annotated.tokens.forEach((_, at) => net.polarityOf(inputAbout(annotated, at, at + 1)));
  expect(growth(20, prepare, work)).toBeLessThan(LINEAR);
});
