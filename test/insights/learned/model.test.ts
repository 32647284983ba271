import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSentences } from '../../../bench/evaluate/training/sentences.ts';
import { examplesOf } from '../../../bench/evaluate/training/examples.ts';
import { train } from '../../../bench/evaluate/training/train.ts';
import { FeatureExtractor, stemOf, wordsOf } from '../../../src/insights/learned/features.ts';
import { NumberIndex } from '../../../src/insights/learned/number-index.ts';
import { Model, type ModelFile } from '../../../src/insights/learned/model.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';

const FILE = join(import.meta.dirname, '../../../src/insights/learned/home-services.json');
const stored = readFileSync(FILE, 'utf8');
const aspects = verticalOf('home_services').aspects.map(({ id }) => id);

describe('the stored model', () => {
  test('knows the aspects of its vertical, in their order', () => {
    expect((JSON.parse(stored) as ModelFile).aspects).toEqual(aspects);
  });

  test('weighs less than a megabyte', () => {
    expect(Buffer.byteLength(stored)).toBeLessThan(1_000_000);
  });

  test('equals the result of training on the examples', { timeout: 120_000 }, () => {
    expect(train(examplesOf(), aspects)).toEqual(JSON.parse(stored));
  });
});

describe('a model', () => {
  const sentences = `
[punctuality-]
The plumber was late.
The roofer was late.
[friendliness+]
The plumber was kind.
The roofer was kind.
`;
  const model = new Model(train(parseSentences(sentences), ['punctuality', 'friendliness']));
  const oddsOf = (text: string) => {
    const annotated = annotateText(text);
    return model.oddsOf(annotated, 0, annotated.tokens.length);
  };

  test('treats words of one class alike', () => {
    const [, friendliness] = oddsOf('The electrician was kind.');
    expect(friendliness!.praise).toBeCloseTo(oddsOf('The plumber was kind.')[1]!.praise, 1);
    expect(friendliness!.praise).toBeGreaterThan(friendliness!.complaint);
  });

  test('distinguishes its classes', () => {
    const [punctuality, friendliness] = oddsOf('The plumber was late.');
    expect(punctuality!.complaint).toBeGreaterThan(punctuality!.praise);
    expect(punctuality!.complaint).toBeGreaterThan(friendliness!.praise);
  });

  test('counts a repeated feature once', () => {
    expect(oddsOf('late late late late')[0]).toEqual(oddsOf('late late late')[0]);
  });
});

describe('features', () => {
  const featuresOf = (text: string) => {
    const annotated = annotateText(text);
    const words = new Map([...new Set(wordsOf(annotated))].map((word, number) => [word, number]));
    const features = new Set<number>();
    new FeatureExtractor(words).extract(annotated, 0, annotated.tokens.length, (one) =>
      features.add(one),
    );
    return features.size;
  };

  test('of negated words differ', () => {
    expect(featuresOf('never late')).toBeGreaterThan(featuresOf('always late'));
  });

  test.each([
    ['called', 'call'],
    ['stopped', 'stop'],
    ['$400', '$'],
    ['12', '#'],
  ])('of %s are those of %s', (word, stem) => {
    expect(stemOf(word)).toBe(stem);
  });
});

test('numbers have their index, others -1', () => {
  const numbers = Array.from({ length: 500 }, (_, at) => at * 7 + 3);
  const index = new NumberIndex(numbers);
  expect(numbers.map((number) => index.indexOf(number))).toEqual(numbers.map((_, at) => at));
  expect([0, 4, 3500, 2 ** 30].map((number) => index.indexOf(number))).toEqual([-1, -1, -1, -1]);
});

describe('training sentences', () => {
  test('have the labels above them, optional ones separately', () => {
    expect(parseSentences('[pricing- ?value-]\nDear at any price.\n')).toEqual([
      {
        text: 'Dear at any price.',
        aspects: [{ id: 'pricing', sentiment: 'negative' }],
        optional_aspects: ['value'],
      },
    ]);
  });

  test.each([
    ['without a heading', 'Dear at any price.', 'line 1'],
    ['with a label that has no sentiment', '[pricing]\nDear.', 'line 1: expected an aspect'],
  ])('%s are refused', (_, text, message) => {
    expect(() => parseSentences(text)).toThrow(message);
  });

  test('name aspects of the vertical', () => {
    const named = examplesOf().flatMap((one) => one.aspects.map(({ id }) => id));
    expect([...new Set(named)].filter((id) => !aspects.includes(id))).toEqual([]);
  });
});
