import { describe, expect, test } from 'vitest';
import { EXCERPT_LIMIT, excerptOf } from '../../../src/insights/text/excerpt.ts';
import { annotateText } from '../../support/annotate-text.ts';

function excerptAround(text: string, word: string): string {
  const annotated = annotateText(text);
  const at = annotated.tokens.findIndex(({ folded }) => folded === word);
  const { start, end } = excerptOf(annotated, at, at + 1);
  return text.slice(start, end);
}

describe('an excerpt', () => {
  test.each([
    ['is the sentence', 'Fine. The boiler hums now. Good.', 'The boiler hums now.'],
    [
      'is the side of a turn that it is on',
      'The van was late but the boiler hums again.',
      'but the boiler hums again',
    ],
    [
      'does not begin within a quotation',
      'She said "it whines but the boiler hums" and left.',
      'She said "it whines but the boiler hums" and left.',
    ],
    [
      'does not begin within brackets',
      'A small (but the boiler hums) house.',
      'A small (but the boiler hums) house.',
    ],
    ['does not end on a conjunction', 'The boiler hums and - but it whines.', 'The boiler hums'],
    [
      'does not end between an amount and its currency',
      'The boiler part was 20.GBP for all of it.',
      'The boiler part was 20.GBP for all of it.',
    ],
  ])('%s', (_, text, expected) => {
    expect(excerptAround(text, 'boiler')).toBe(expected);
  });

  test.each([
    ['words', 'word '.repeat(100), ' word'.repeat(100)],
    ['one long word', `${'x'.repeat(500)}-`, `-${'x'.repeat(500)}`],
    ['emoji', `${'😀'.repeat(300)}-`, `-${'😀'.repeat(300)}`],
    ['marks', `a${'\u0301'.repeat(500)} `, ` a${'\u0301'.repeat(500)}`],
  ])('between many %s is cut around the mention', (_, before, after) => {
    const excerpt = excerptAround(`${before}boiler${after}`, 'boiler');
    expect(excerpt).toContain('boiler');
    expect(excerpt.length).toBeLessThanOrEqual(EXCERPT_LIMIT);
    expect(excerpt.isWellFormed()).toBe(true);
    expect(excerpt).toBe(excerpt.trim());
  });
});
