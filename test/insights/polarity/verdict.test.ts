import { describe, expect, test } from 'vitest';
import { verdictAbout } from '../../../src/insights/polarity/verdict.ts';
import { sentimentAbout } from '../../../src/insights/sentiment/attribution.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';

/** What the rules say about the words in brackets, and the verdict. */
function saidOf(text: string) {
  const annotated = annotateText(text.replace(/[[\]]/g, ''));
  const from = annotated.tokens.findIndex(({ start }) => start >= text.indexOf('['));
  const to = annotated.tokens.findIndex(({ end }) => end >= text.indexOf(']') - 1) + 1;
  return {
    rules: sentimentAbout(annotated, from, to),
    verdict: verdictAbout(annotated, from, to),
  };
}

describe('where the rules are sure, and about amounts, they decide', () => {
  test.each(['The [food] was great.', 'The [service] was terrible.', 'The [service] was ok.'])(
    '%s',
    (text) => {
      const { rules, verdict } = saidOf(text);
      expect(verdict).toEqual(rules);
    },
  );
});

describe('where the rules see nothing or disagree with themselves, the net decides', () => {
  test.each([
    ['The [food] arrived after an hour and cold.', 'negative'],
    ['I am still waiting for my [bag].', 'negative'],
    ['The waiter was kind but the [soup] was cold.', 'negative'],
    ['The [waiter] was kind but the soup was cold.', 'positive'],
    ['We sat at a [table] by the door.', 'neutral'],
    ['Great food, but the [bill] came after an hour.', 'negative'],
  ])('%s %s', (text, expected) => {
    const { rules, verdict } = saidOf(text);
    expect(verdict.sentiment).toBe(expected);
    expect(verdict).not.toEqual(rules);
  });
});
