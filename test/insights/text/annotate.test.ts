import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findCues } from '../../../src/insights/claims/cues.ts';
import { segmentText } from '../../../src/insights/text/annotate.ts';
import { annotateText } from '../../support/annotate-text.ts';
import { GAP } from '../../../src/insights/text/text.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';
import { anyText } from '../../support/reviews.ts';
import { growth, LINEAR } from '../../support/growth.ts';

const sentencesOf = (text: string) =>
  segmentText(text).sentences.map(({ start, end }) => text.slice(start, end));
const wordsOf = (text: string) => segmentText(text).tokens.map(({ folded }) => folded);

describe('a text', () => {
  test.each([
    ['They came. They left!', ['They came.', 'They left!']],
    ['Mr. Smith was here. So was Dr. No.', ['Mr. Smith was here.', 'So was Dr. No.']],
    ['They came at 9 a.m. and left.', ['They came at 9 a.m. and left.']],
    ['It was great.They came back.', ['It was great.', 'They came back.']],
    ['J. Jones fixed it.', ['J. Jones fixed it.']],
    ['wrapped text that goes\non here', ['wrapped text that goes\non here']],
    ['One line\nAnother line', ['One line', 'Another line']],
    ['  Blanks around  ', ['Blanks around']],
    ['...', []],
  ])('%j has the sentences %j', (text, sentences) => {
    expect(sentencesOf(text)).toEqual(sentences);
  });

  test.each([
    ["Don't say on-time", ["don't", 'say', 'on', 'time']],
    ['Mike’s ﬁx cost $1,200.50', ["mike's", 'fix', 'cost', '1,200.50']],
    ['bad :( but 👍🏽', ['bad', ':(', 'but', '👍']],
    ['a<br/>b &amp; c', ['a', 'b', 'c']],
    ['ÉTÉ', ['ete']],
  ])('%j has the words %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test('has the punctuation between its words', () => {
    const gaps = segmentText('one, two - three (four)! $5').tokens.map(({ gap }) => gap);
    expect(gaps).toEqual([
      0,
      GAP.comma,
      GAP.dash,
      GAP.bracket,
      GAP.bracket | GAP.exclamation | GAP.currency,
    ]);
  });

  test('has tokens in order, each at its offsets and in one sentence', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { tokens, sentences } = segmentText(text);
        let at = 0;
        for (const { start, end } of tokens) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(at).toBeLessThanOrEqual(text.length);
        let token = 0;
        for (const { from, to, start, end } of sentences) {
          expect(from).toBe(token);
          expect(tokens.slice(from, to).every((one) => one.start >= start && one.end <= end)).toBe(
            true,
          );
          token = to;
        }
        expect(token).toBe(tokens.length);
      }),
      // The sentence splitter ends a sentence within its first word.
      { examples: [['\u{2CF9}\u{8CA}\u{3031} leak']] },
    );
  });

  test('is split into clauses that cover it', () => {
    const annotated = annotateText('The price was high, but they came on time. If I must: fine.');
    expect(annotated.clauses.map(({ from, to, mood, link }) => [from, to, mood, link])).toEqual([
      [0, 4, 'statement', null],
      [4, 9, 'statement', 'contrast'],
      [9, 12, 'condition', null],
      [12, 13, 'statement', null],
    ]);
  });
});

describe('a long text', () => {
  const vertical = verticalOf('home_services');

  test.each([
    ['of one word', 'x'],
    ['of emoji', '👩🏽‍🔧'],
    ['of marks', '\u0301'],
    ['of lone surrogates', '\ud800'],
    ['of tags', '<b'],
    ['of right-to-left text', 'שלום '],
    ['of hyphens', 'a-'],
    ['of ampersands', '&amp'],
    ['of opinions and cues in one sentence', 'not a great price and late but on time '],
  ])('%s is annotated in linear time', (_, part) => {
    const textOf = (length: number) => `a${part.repeat(length / part.length)}`;
    const read = (text: string) => findCues(annotateText(text), vertical);
    expect(growth(50_000, textOf, read)).toBeLessThan(LINEAR);
  });
});
