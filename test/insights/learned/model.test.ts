import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSentences } from '../../../bench/evaluate/training/sentences.ts';
import { aspectsOf, examplesOf } from '../../../bench/evaluate/training/examples.ts';
import { encodeWeights } from '../../../bench/evaluate/training/encode.ts';
import { trainFile } from '../../../bench/evaluate/training/file.ts';
import { train } from '../../../bench/evaluate/training/train.ts';
import { FeatureExtractor, stemOf, wordsOf } from '../../../src/insights/learned/features.ts';
import { NumberIndex } from '../../../src/insights/learned/number-index.ts';
import { Model, type ModelFile } from '../../../src/insights/learned/model.ts';
import { LEARNED_VERTICALS } from '../../../src/insights/learned/models.ts';
import { decodeWeights } from '../../../src/insights/learned/weights.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';

const FOLDER = join(import.meta.dirname, '../../../src/insights/learned/models');
const MOST_BYTES = 600_000;
const stored = (vertical: string) => readFileSync(join(FOLDER, `${vertical}.json`), 'utf8');

describe.each(LEARNED_VERTICALS)('the stored model of %s', (vertical) => {
  test('knows the aspects of its vertical, in their order', () => {
    const { aspects } = JSON.parse(stored(vertical)) as ModelFile;
    expect(aspects).toEqual(aspectsOf(vertical));
  });

  test('is small', () => {
    expect(Buffer.byteLength(stored(vertical))).toBeLessThan(MOST_BYTES);
  });

  test('has training sentences that name only aspects of the vertical', () => {
    expect(examplesOf(vertical).length).toBeGreaterThan(1000);
  });
});

test('every stored model has a vertical, and is used', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(
    LEARNED_VERTICALS.map((vertical) => `${vertical}.json`).toSorted(),
  );
});

// The others take longer: test/long/training.test.ts.
test('training makes the smallest model again, byte for byte', () => {
  const smallest = 'retail_and_apps';
  const sizes = LEARNED_VERTICALS.map((vertical) => stored(vertical).length);
  expect(stored(smallest)).toHaveLength(Math.min(...sizes));
  expect(trainFile(smallest)).toBe(stored(smallest));
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
  const aspects = ['punctuality', 'friendliness'];
  const model = new Model(train(parseSentences(sentences, 'a.txt', aspects), aspects), 0.5);
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
  const parse = (text: string) => parseSentences(text, 'shops.txt', ['pricing', 'value']);

  test('have the labels above them, optional ones separately', () => {
    expect(parse('[pricing- ?value-]\nDear at any price.\n')).toEqual([
      {
        text: 'Dear at any price.',
        aspects: [{ id: 'pricing', sentiment: 'negative' }],
        optional_aspects: ['value'],
      },
    ]);
  });

  test.each([
    ['without a heading', 'Dear.', 'shops.txt:1: expected a heading'],
    ['below a heading that is not closed', '\n[pricing-\nDear.', 'shops.txt:2: expected a closing'],
    ['without a sentiment', '[pricing]\nDear.', 'shops.txt:1: expected an aspect with +, - or 0'],
    ['with an unknown aspect', '[prices-]\nDear.', 'shops.txt:1: expected one of pricing, value'],
    ['with an aspect twice', '[value- ?value+]\nDear.', 'shops.txt:1: expected "value" once'],
  ])('%s are refused', (_, text, message) => {
    expect(() => parse(text)).toThrow(message);
  });
});

test('weights survive encoding', () => {
  const rows = [
    [-31, 31, 0, -1, -1, -1],
    [2, 2, 2, 2, 2, 2],
    [0, 1, 0, 1, 0, 5],
  ];
  expect([...decodeWeights(encodeWeights(rows), 3, 6)]).toEqual(rows.flat());
  const wide = Array.from({ length: 100 }, (_, at) => (at === 70 ? 7 : -3));
  expect([...decodeWeights(encodeWeights([wide]), 1, 100)]).toEqual(wide);
  expect(encodeWeights(rows) + encodeWeights([wide])).not.toMatch(/["\\]/);
});

test('of many sentences one has to be likelier to be taken', () => {
  const file = train(
    parseSentences('[staff+]\nKind.\n[food-]\nCold.\n', 'a.txt', ['staff', 'food']),
    ['staff', 'food'],
  );
  const model = new Model(file, 0.5, 4);
  expect([1, 4, 8, 40].map((sentences) => model.likelyIn(sentences))).toEqual([
    0.5, 0.5, 0.875, 0.995,
  ]);
  expect(new Model(file, 0.5).likelyIn(40)).toBe(0.5);
});
