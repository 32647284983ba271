// The pattern language of the word lists. A pattern is a sequence of words separated by spaces, in the
// spelling of keys.ts ("did not", "i will"):
//
//   word        that word; a hyphen counts as a space
//   explain*    any word with that beginning (at least two letters)
//   (a|b c|)    any of these patterns; an empty alternative makes the group optional
//   _           any one word
//   #           a number, in digits or as a word
//   $           an amount of money, such as $400
//   NOT         a negation: not, no, never, without, nobody ...
//   ...         up to three words
//
// The first and the last element of a pattern must be words.

import { NUMBER_WORDS, setOf } from './grammar.ts';

export const NEGATORS = setOf(
  'not no never none nothing nobody neither nor without hardly barely scarcely rarely seldom zero noone',
);
const NUMBERS = setOf(
  `${NUMBER_WORDS.slice(1, 13).join(' ')} fifteen twenty thirty forty fifty sixty ninety hundred
   couple few several half dozen many multiple numerous`,
);
export const SHORTEST_PREFIX = 2;
export const LONGEST_PREFIX = 14;

/** Elements that stand for a class of words. */
export const CLASSES: ReadonlyMap<string, (word: string) => boolean> = new Map([
  ['_', () => true],
  ['#', (word: string) => /^\$?\d/.test(word) || NUMBERS.has(word)],
  ['$', (word: string) => word.startsWith('$')],
  ['NOT', (word: string) => NEGATORS.has(word)],
]);

export interface Element {
  /** Words, prefixes with a star, and names of CLASSES. */
  readonly words: readonly string[];
  /** Alternatives of several elements. */
  readonly rows: readonly (readonly Element[])[];
  readonly isOptional: boolean;
  readonly isGap: boolean;
}

/**
 * Parses a pattern.
 *
 * @throws {Error} if the pattern is malformed
 */
export function compile(pattern: string): Element[] {
  const fail = (why: string) => new Error(`pattern ${JSON.stringify(pattern)}: ${why}`);
  const elements = sequenceOf(pattern.replaceAll('-', ' '), fail);
  if (elements.every(({ isOptional }) => isOptional)) throw fail('expected a word');
  if (elements[0]?.isGap || elements.at(-1)?.isGap) throw fail('expected a word at either end');
  if (elements[0]?.words.includes('_')) throw fail('expected a word at the beginning');
  return elements;
}

type Fail = (why: string) => Error;

function sequenceOf(text: string, fail: Fail): Element[] {
  return splitOutside(text, ' ', fail)
    .filter((part) => part !== '')
    .map((part) => elementOf(part, fail));
}

/** Splits a text at a character, but not inside brackets. */
function splitOutside(text: string, at: string, fail: Fail): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) throw fail('expected brackets in pairs');
    if (character === at && depth === 0) parts.push('');
    else parts.push((parts.pop() as string) + character);
  }
  if (depth !== 0) throw fail('expected brackets in pairs');
  return parts;
}

function elementOf(part: string, fail: Fail): Element {
  const isGroup = part.startsWith('(') && part.endsWith(')');
  const choices = isGroup
    ? splitOutside(part.slice(1, -1), '|', fail).map((one) => one.trim())
    : [part];
  const words = choices.filter((choice) => /^[^\s()]+$/.test(choice) && choice !== '...');
  for (const word of words) checkWord(word, fail);
  return {
    words,
    rows: choices
      .filter((choice) => choice !== '' && choice !== '...' && !words.includes(choice))
      .map((choice) => sequenceOf(choice, fail)),
    isOptional: choices.includes(''),
    isGap: part === '...',
  };
}

function checkWord(word: string, fail: Fail): void {
  if (CLASSES.has(word)) return;
  if (!/^[\p{Ll}\p{N}][\p{Ll}\p{N}.]*\*?$/u.test(word)) {
    throw fail(`expected small letters, got ${JSON.stringify(word)}`);
  }
  const letters = word.replace('*', '').length;
  if (word.endsWith('*') && (letters < SHORTEST_PREFIX || letters > LONGEST_PREFIX)) {
    throw fail(`expected ${SHORTEST_PREFIX} to ${LONGEST_PREFIX} letters before *`);
  }
}
