import fc from 'fast-check';
import { expect, test } from 'vitest';
import { representative } from '../../../src/insights/aggregate/representative.ts';
import { unicodeText } from '../../support/unicode-text.ts';

const typical = (...phrases: string[]) =>
  phrases.map((phrase) => ({ phrase, isTypical: true, phraseScore: 1 }));

test('phrases that share their words with others come first', () => {
  const phrases = typical(
    'The zebra was at the garden gate.',
    'The plumber was on the phone again.',
    'The plumber came by phone at noon.',
    'Our plumber had the phone off.',
  );
  expect(representative(phrases, 3)).not.toContain('The zebra was at the garden gate.');
});

test('a typical phrase comes before one that is not', () => {
  const phrases = [
    { phrase: 'The work was terrible, all of it.', isTypical: false, phraseScore: 1 },
    { phrase: 'The work was wonderful, all of it.', isTypical: true, phraseScore: 1 },
  ];
  expect(representative(phrases, 1)).toEqual(['The work was wonderful, all of it.']);
});

test('a clear phrase comes before one that is not', () => {
  const phrases = [
    { phrase: 'The boiler runs in the cellar.', isTypical: true, phraseScore: 0.2 },
    { phrase: 'The boiler runs like new again.', isTypical: true, phraseScore: 1 },
  ];
  expect(representative(phrases, 1)).toEqual(['The boiler runs like new again.']);
});

test('a clear phrase comes before one of a better length', () => {
  const phrases = [
    {
      phrase: 'The men who came to us were there for the boiler, it was two.',
      isTypical: true,
      phraseScore: 0.3,
    },
    { phrase: 'Our boiler is warm.', isTypical: true, phraseScore: 1 },
  ];
  expect(representative(phrases, 1)).toEqual(['Our boiler is warm.']);
});

test.each([
  'Two stars because he was so polite about it.',
  'Comment about my frogs: one, quite polite.',
  'We heard that he was quite polite about it."',
])('a phrase about the review, before a list or with half a quotation comes last: %s', (aside) => {
  const plain =
    'We heard that he was quite polite, for as long as the work at the back of it went on.';
  expect(representative(typical(aside, plain), 1)).toEqual([plain]);
});

test('a phrase of readable length comes before a very short and a very long one', () => {
  const good = 'The plumber fixed the sink in an hour and swept up.';
  expect(representative(typical('Plumber.', `${good} `.repeat(5), good), 1)).toEqual([good]);
});

test('spellings that fold to the same come once, and of equals the earlier comes first', () => {
  expect(representative(typical('On time!', 'ON TIME!', 'On  time!'), 5)).toHaveLength(1);
  const equals = ['Alpha is here now.', 'Gamma is here now.'];
  expect(representative(typical(...equals), 2)).toEqual(equals);
});

test('the result is a subset of the phrases, for any phrases', () => {
  fc.assert(
    fc.property(fc.array(unicodeText()), fc.nat({ max: 5 }), (phrases, most) => {
      const chosen = representative(typical(...phrases), most);
      expect(chosen.length).toBeLessThanOrEqual(most);
      expect(chosen.every((phrase) => phrases.includes(phrase))).toBe(true);
    }),
  );
});
