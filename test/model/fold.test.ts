import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '../../src/model/fold.ts';
import { foldAligned } from '../../src/model/fold-aligned.ts';
import { anyText } from '../support/reviews.ts';
import { growth, LINEAR } from '../support/growth.ts';
import { unicodeText } from '../support/unicode-text.ts';

describe('folding', () => {
  test.each([
    ['case', 'Boiler REPAIR', 'boiler repair'],
    ['compatibility forms', 'ﬁx ２４ Ⅷ', 'fix 24 viii'],
    ['ß and SS', 'Straße STRASSE STRAẞE', 'strasse strasse strasse'],
    ['final sigma', 'Σίσυφος ΣΊΣΥΦΟΣ', 'σισυφοσ σισυφοσ'],
    ['dotted capital I', 'İstanbul', 'istanbul'],
    ['dotless i', 'ılık', 'ilik'],
    ['composed accents', 'Café Zoë Łódź', 'cafe zoe łodz'],
    ['combining accents', 'Cafe\u0301 Zoe\u0308', 'cafe zoe'],
    ['single quotes', 'don’t don‘t don‛t don`t don´t donʼt', "don't don't don't don't don't don't"],
    ['double quotes', '“a” „a‟ «a» 5″', '"a" "a" "a" 5"'],
    ['dashes', 'a‐b a‑b a–b a—b a−b', 'a-b a-b a-b a-b a-b'],
    ['a backtick in ASCII', 'Don`t', "don't"],
    ['white space in ASCII', 'a\tb\nc\fd\ve\r\nf  g', 'a b c d e f g'],
    ['white space', 'a \t\r\n\u00a0\u2003\u2028b', 'a b'],
  ])('ignores %s', (_, text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  test('keeps Hangul, composed or decomposed', () => {
    expect(fold('한국어')).toBe('한국어');
    expect(fold('한국어'.normalize('NFD'))).toBe('한국어');
  });

  test('keeps the vowel signs of Devanagari and the voicing of kana', () => {
    expect(fold('हिन्दी')).toBe('हिन्दी');
    expect(fold('が')).toBe('が');
    expect(fold('か')).not.toBe(fold('が'));
  });

  test('keeps emoji and lone surrogates', () => {
    expect(fold('👩🏽‍🔧 ok')).toBe('👩🏽‍🔧 ok');
    expect(fold('a\ud800b')).toBe('a\ud800b');
  });

  test('is idempotent and ignores case for every character of the first two planes', () => {
    const broken: string[] = [];
    for (let code = 0; code < 0x20000; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      const folded = fold(character);
      const variants = [folded, character.toUpperCase(), character.toLowerCase()];
      if (variants.some((variant) => fold(variant) !== folded)) broken.push(code.toString(16));
    }
    expect(broken).toEqual([]);
  });

  test('is idempotent', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, unicodeText()), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: 2000 },
    );
  });

  test('folds ASCII the same next to other scripts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        expect(fold(`${text}한`)).toBe(`${fold(text)}한`);
      }),
    );
  });

  test('does not depend on the position of a word in the text', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(fold(`${a} ${b}`)).toBe(fold(`${fold(a)} ${fold(b)}`));
      }),
    );
  });

  test.each([
    ['are dropped', (count: number) => `a${'\u0301\u0323'.repeat(count)}b`, 2],
    ['are kept up to 30', (count: number) => `${'\u05b1\u05b0'.repeat(count)}b`, 31],
  ])('of many marks on one letter, which %s, takes linear time', (_, textOf, length) => {
    expect(fold(textOf(100_000))).toHaveLength(length);
    expect(growth(10_000, textOf, fold)).toBeLessThan(LINEAR);
  });

  test('with offsets takes time that is linear in the length of a text', () => {
    const textOf = (words: number) => 'boiler '.repeat(words);
    expect(growth(15_000, textOf, foldAligned)).toBeLessThan(LINEAR);
  });
});
