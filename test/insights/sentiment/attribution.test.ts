import { describe, expect, test } from 'vitest';
import { sentimentAbout } from '../../../src/insights/sentiment/attribution.ts';
import { annotateText } from '../../support/annotate-text.ts';

/** What is said of the words in brackets. */
function saidOf(text: string): string | null {
  const plain = text.replace(/[[\]]/g, '');
  const annotated = annotateText(plain);
  const start = text.indexOf('[');
  const end = text.indexOf(']') - 1;
  const from = annotated.tokens.findIndex((token) => token.start >= start);
  const to = annotated.tokens.findLastIndex((token) => token.end <= end) + 1;
  return sentimentAbout(annotated, from, to).sentiment;
}

describe('the sentiment about the words in brackets', () => {
  test.each([
    ['The [food] was great.', 'positive'],
    ['The [food] was not great.', 'negative'],
    ['The [food] was great but the service was terrible.', 'positive'],
    ['The food was great but the [service] was terrible.', 'negative'],
    ['The [service] was slow, although the staff were lovely.', 'negative'],
    ['I loved the [soup].', 'positive'],
    ['We had the [soup].', 'neutral'],
    ['No complaints about the [price].', 'positive'],
    ['The [room] could have been cleaner.', 'negative'],
    ["I couldn't be happier with the [deck].", 'positive'],
    ['The [app] used to be good.', 'negative'],
    ['The [staff] were never rude.', 'positive'],
    ['The [staff] were too friendly.', 'negative'],
  ])('%s %s', (text, sentiment) => {
    expect(saidOf(text)).toBe(sentiment);
  });
});
