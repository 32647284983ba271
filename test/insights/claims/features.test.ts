// The kinds of features by number, since stored features (bench/data) and the trained weights depend on them.

import { describe, expect, test } from 'vitest';
import { findEvidence } from '../../../src/insights/claims/evidence.ts';
import { FeatureExtractor } from '../../../src/insights/claims/features.ts';
import { hashOf, mix } from '../../../src/insights/claims/hashing.ts';
import clusters from '../../../src/model/word-clusters.json' with { type: 'json' };
import { annotateText } from '../../support/annotate-text.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';

const RESTAURANTS = verticalOf('restaurants');
const EXTRACTOR = new FeatureExtractor();

function featuresOf(text: string, extractor = EXTRACTOR): number[] {
  const annotated = annotateText(text);
  const features: number[] = [];
  const evidence = findEvidence(annotated, RESTAURANTS);
  extractor.extract(annotated, evidence, 0, annotated.tokens.length, (one) => features.push(one));
  return features;
}

const feature = (kind: number, first: string | number, second: string | number = 0) => {
  const numberOf = (word: string | number) => (typeof word === 'number' ? word : hashOf(word));
  return mix(kind, numberOf(first), numberOf(second));
};

/** The clusters of a word, counted from 1. */
function clustersOf(word: string) {
  const index = clusters.clusters.findIndex((list) => list.split(' ').includes(word));
  return { cluster: index + 1, wide: Number(clusters.clusters[index]?.split(' ')[0]) + 1 };
}
const SOUP = clustersOf('soup');

describe('a sentence has a feature for', () => {
  test.each([
    ['a word without its ending', 'We waited', feature(0, 'wait'), 'We came'],
    ['a number, whatever it is', '7 tables', feature(0, '#'), 'seven tables'],
    ['a class of words', 'Closed on Tuesday', feature(1, 'DAY'), 'Closed on holidays'],
    ['a wide cluster', 'The soup', feature(2, SOUP.wide), 'The monday'],
    ['a cluster', 'The soup', feature(3, SOUP.cluster), 'The monday'],
    ['two content words', 'cold and wet soup', feature(4, 'cold', 'soup'), 'soup and cold'],
    ['a pair of neighbours', 'cold soup', feature(5, 'cold', 'soup'), 'cold and soup'],
    ['a pair with a word between', 'cold and soup', feature(6, 'cold', 'soup'), 'cold soup'],
    ['praise', 'a lovely soup', feature(7, 0), 'an awful soup'],
    ['complaint', 'an awful soup', feature(8, 0), 'a lovely soup'],
    ['no opinion', 'a soup', feature(9, 0), 'a lovely soup'],
    ['a praised word', 'a lovely soup', feature(10, 'soup'), 'an awful soup'],
    ['a blamed word', 'an awful soup', feature(11, 'soup'), 'a lovely soup'],
    ['a praised cluster', 'a lovely soup', feature(12, SOUP.wide), 'an awful soup'],
    ['a blamed cluster', 'an awful soup', feature(13, SOUP.wide), 'a lovely soup'],
    ['its length', 'a soup', feature(14, 0), 'a soup that came with bread and butter and salt'],
    ['a cue', 'overpriced', feature(32, 'pricing', 'negative'), 'never overpriced'],
    ['an inverted cue', 'never overpriced', feature(33, 'pricing', 'negative'), 'overpriced'],
    ['the words of a cue', 'overpriced', feature(34, 'pricing', 'overpriced'), 'expensive'],
    ['a problem', 'cold soup', feature(35, 'cold-food', 'pattern'), 'warm soup'],
    ['a denied problem', 'no cold soup', feature(36, 'cold-food', 'pattern'), 'cold soup'],
  ])('%s: %j', (_, text, expected, other) => {
    expect(featuresOf(text)).toContain(expected);
    expect(featuresOf(other)).not.toContain(expected);
  });
});

test.each([
  ['waiting', 'wait'],
  ['stopped', 'stop'],
  ['quickly', 'quick'],
  ['dishes', 'dish'],
  ['table', 'tabl'],
  ['tax', 'tax'],
  ['$12.50', '$'],
  ['2nd', '#'],
])('the stem of %j is %j', (word, stem) => {
  expect(featuresOf(word)).toContain(feature(0, stem));
});

test('equal text has equal features, whatever was read before', () => {
  const text = 'The soup was cold, but the waiter never lied.';
  const fresh = featuresOf(text, new FeatureExtractor());
  expect(featuresOf(text)).toEqual(fresh);
  expect(featuresOf(text)).toEqual(fresh);
});

test('the evidence of a text is in its order', () => {
  const text = 'Cold soup, rude waiter. Overpriced wine, dirty cups, and a rude waiter again.';
  const tokens = findEvidence(annotateText(text), RESTAURANTS).map(({ token }) => token);
  expect(new Set(tokens).size).toBeGreaterThan(4);
  expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
});
