import { describe, expect, test } from 'vitest';
import { evidenceOfAspect, findEvidence } from '../../../src/insights/claims/evidence.ts';
import { FeatureExtractor } from '../../../src/insights/claims/features.ts';
import { SentenceModel } from '../../../src/insights/claims/model.ts';
import { annotateText } from '../../support/annotate-text.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';

const base64 = (values: Uint8Array | Int8Array | Uint32Array) =>
  Buffer.from(values.buffer).toString('base64');

/** Features 5 and 2 ** 20 + 5 begin in the same slot; the first has two weights, the second one. */
const MODEL = new SentenceModel({
  classes: ['food+', 'food-'],
  features: base64(Uint32Array.of(5, 2 ** 20 + 5)),
  counts: base64(Uint8Array.of(2, 1)),
  columns: base64(Uint8Array.of(0, 1, 1)),
  weights: base64(Int8Array.of(10, -20, 40)),
  scale: 0.1,
  biases: { restaurants: [1, 2], general: [-1, -2] },
});
/** 3 / sqrt(6): the weight of each of up to six features. */
const FACTOR = 3 / Math.sqrt(6);

describe('the sentence model', () => {
  test('adds the weights of known features, each once, and the bias of the vertical', () => {
    const [praise = 0, complaint = 0] = MODEL.logitsOfFeatures([5, 5, 7], 'restaurants');
    expect(praise).toBeCloseTo(1 + 10 * 0.1 * FACTOR);
    expect(complaint).toBeCloseTo(2 - 20 * 0.1 * FACTOR);
  });

  test('tells features apart whose hashes begin in the same slot', () => {
    const [praise = 0, complaint = 0] = MODEL.logitsOfFeatures([2 ** 20 + 5], 'restaurants');
    expect(praise).toBeCloseTo(1);
    expect(complaint).toBeCloseTo(2 + 40 * 0.1 * FACTOR);
  });

  test('has the general biases for a vertical that it does not know', () => {
    expect([...MODEL.logitsOfFeatures([], 'zoos')]).toEqual([-1, -2]);
  });
});

const featuresOf = (text: string, vertical = 'restaurants') => {
  const annotated = annotateText(text);
  const features = new Set<number>();
  new FeatureExtractor().extract(
    annotated,
    findEvidence(annotated, verticalOf(vertical)),
    0,
    annotated.tokens.length,
    (feature) => void features.add(feature),
  );
  return features;
};

describe('the features of a sentence', () => {
  test('are equal for equal words, whatever their case', () => {
    expect(featuresOf('The soup was cold.')).toEqual(featuresOf('THE SOUP WAS COLD.'));
  });

  test('tell a negation and the order of words', () => {
    const plain = featuresOf('the soup was cold');
    expect(featuresOf('the soup was not cold')).not.toEqual(plain);
    expect(featuresOf('cold was the soup')).not.toEqual(plain);
  });

  test('tell what a cue says, and what it says when it is denied', () => {
    const has = (text: string, features: readonly number[]) => {
      const found = featuresOf(text);
      return features.some((feature) => found.has(feature));
    };
    const { praise, complaint } = evidenceOfAspect('pricing');
    expect(has('It was overpriced.', complaint)).toBe(true);
    expect(has('It was overpriced.', praise)).toBe(false);
    expect(has('It was not overpriced.', praise)).toBe(true);
    expect(has('It was not overpriced.', complaint)).toBe(false);
  });

  test('are only those of the part that is asked for', () => {
    const annotated = annotateText('Cold soup. Rude waiter.');
    const evidence = findEvidence(annotated, verticalOf('restaurants'));
    const found = annotated.sentences.map(({ from, to }) => {
      const features = new Set<number>();
      new FeatureExtractor().extract(annotated, evidence, from, to, (one) => features.add(one));
      return features;
    });
    expect(found[0]).toEqual(featuresOf('Cold soup.'));
    expect(found[1]).toEqual(featuresOf('Rude waiter.'));
  });
});
