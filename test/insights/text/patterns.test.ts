import { describe, expect, test } from 'vitest';
import { keysOf } from '../../../src/insights/text/keys.ts';
import { compile } from '../../../src/insights/text/pattern-language.ts';
import { PatternSet } from '../../../src/insights/text/patterns.ts';
import { MOST_WORDS } from '../../../src/insights/text/word-numbers.ts';
import { segmentText } from '../../../src/insights/text/annotate.ts';

/** The words of all matches of some patterns in a text. */
function matchesOf(patterns: readonly string[], text: string): string[] {
  const set = new PatternSet(patterns.map((pattern) => [pattern, pattern]));
  const keys = keysOf(segmentText(text).tokens);
  return keys.words.flatMap((_, at) =>
    set
      .matchesAt(keys, at, keys.words.length)
      .map(({ from, to }) => keys.words.slice(from, to).join(' ')),
  );
}

describe('a pattern', () => {
  test.each([
    ['on time', 'They were ON-TIME.', ['on time']],
    ['on time', 'on a time', []],
    ['explain*', 'He explained and explains', ['explained', 'explains']],
    ['(did|does) not work', "It didn't work and doesn't work", ['did not work', 'does not work']],
    ['cost (an arm|a fortune)', 'It cost a fortune', ['cost a fortune']],
    ['(very|) late', 'very late', ['very late', 'late']],
    ['(came|(turned|showed) up) late', 'showed up late', ['showed up late']],
    ['late _ again', 'late once again', ['late once again']],
    ['# hours late', 'two hours late, 3 hours late', ['two hours late', '3 hours late']],
    ['paid $', 'paid €40 or paid 40', ['paid $40']],
    ['NOT clean', 'never clean', ['never clean']],
    ['price ... roof', 'the price went through the roof', ['price went through the roof']],
    ['price ... roof', 'the price of it went through the roof', []],
    ['late', 'later', []],
  ])('%j finds in %j %j', (pattern, text, found) => {
    expect(matchesOf([pattern], text)).toEqual(found);
  });

  test('gives its longest match', () => {
    expect(matchesOf(['late (again|again and again|)'], 'late again and again')).toEqual([
      'late again and again',
    ]);
  });

  test('matches in a text of more words than are numbered, and in the texts after it', () => {
    const words = Array.from({ length: MOST_WORDS + 10 }, (_, index) => `w${index}`);
    const long = `late ${words.join(' ')} once late again`;
    const set = new PatternSet([['late again', 1]]);
    const matchesIn = (text: string) => {
      const keys = keysOf(segmentText(text).tokens);
      return keys.words.flatMap((_, at) => set.matchesAt(keys, at, keys.words.length)).length;
    };
    expect(matchesIn('late again')).toBe(1);
    expect(matchesIn(long)).toBe(1);
    expect(matchesIn('it was late again, late')).toBe(1);
  });

  test('matches in two texts by turns that were numbered apart', () => {
    const set = new PatternSet([['late again', 1]]);
    const before = keysOf(segmentText('so late again').tokens);
    const words = Array.from({ length: MOST_WORDS }, (_, index) => `v${index}`);
    const after = keysOf(segmentText(`again late again ${words.join(' ')}`).tokens);
    expect(after.numbering).not.toBe(before.numbering);
    for (let turn = 0; turn < 2; turn += 1) {
      expect(set.matchesAt(before, 1, 3)).toHaveLength(1);
      expect(set.matchesAt(after, 0, 3)).toHaveLength(0);
      expect(set.matchesAt(after, 1, 3)).toHaveLength(1);
    }
  });

  test('does not match beyond the limit', () => {
    const set = new PatternSet([['on time', 1]]);
    const keys = keysOf(segmentText('on time').tokens);
    expect(set.matchesAt(keys, 0, 1)).toEqual([]);
  });

  test.each([
    ['', 'expected a word'],
    ['(a|b', 'expected brackets in pairs'],
    ['a) b', 'expected brackets in pairs'],
    ['Late', 'expected small letters'],
    ['a*', 'letters before *'],
    ['... late', 'expected a word at either end'],
    ['_ late', 'expected a word at the beginning'],
    ['(late|)', 'expected a word'],
  ])('%j is refused', (pattern, message) => {
    expect(() => compile(pattern)).toThrow(message);
  });
});

test('many patterns match together as each does alone', () => {
  const patterns = ['late', 'very late', '(very|so) late (again|)', 'late again', 'ag*'];
  const text = 'very late again, so late';
  const together = matchesOf(patterns, text).toSorted();
  expect(together).toEqual(patterns.flatMap((pattern) => matchesOf([pattern], text)).toSorted());
});
