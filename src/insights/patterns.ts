// The small pattern language of the word lists, and a matcher that looks for all patterns of a list
// at once. A pattern is words parted by blanks, in the spelling of keys.ts ("did not", "i will"):
//
//   word        that word; a hyphen is a blank
//   explain*    a word that begins so (two letters at least)
//   (a|b c|)    any of these patterns; with nothing after a bar also none
//   _           any one word
//   #           a number, in digits or as a word
//   $           an amount of money, such as $400
//   NOT         a negation: not, no, never, without, nobody ...
//   ...         up to three words
//
// The first and the last element of a pattern must be words. Matching costs time linear in the text.

import type { Keys } from './keys.ts';

export const NEGATORS: ReadonlySet<string> = new Set(
  `not no never none nothing nobody neither nor without hardly barely scarcely rarely seldom zero
   noone`.split(/\s+/),
);
const NUMBERS = new Set(
  `one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty
   sixty ninety hundred couple few several half dozen many multiple numerous`.split(/\s+/),
);
const LONGEST_GAP = 3;
const SHORTEST_PREFIX = 2;
const LONGEST_PREFIX = 14;
const CLASSES = new Set(['_', '#', '$', 'NOT']);

/** One place of a pattern: what may stand there. */
interface Element {
  readonly words: ReadonlySet<string>;
  readonly prefixes: ReadonlySet<string>;
  readonly classes: ReadonlySet<string>;
  /** Alternatives of several places. */
  readonly rows: readonly (readonly Element[])[];
  readonly isOptional: boolean;
  readonly isGap: boolean;
}

interface Compiled<T> {
  readonly elements: readonly Element[];
  readonly value: T;
}

export interface Match<T> {
  /** Keys [from, to). */
  readonly from: number;
  readonly to: number;
  readonly value: T;
}

export class PatternSet<T> {
  readonly #byWord = new Map<string, Compiled<T>[]>();
  readonly #byPrefix = new Map<string, Compiled<T>[]>();
  readonly #byNumber: Compiled<T>[] = [];

  constructor(patterns: Iterable<readonly [pattern: string, value: T]>) {
    for (const [pattern, value] of patterns) this.#add({ elements: compile(pattern), value });
  }

  /** Of every pattern that begins at a key its longest match that ends at `limit` or before. */
  matchesAt(keys: Keys, at: number, limit: number): Match<T>[] {
    const found: Match<T>[] = [];
    const word = keys.words[at] as string;
    const tryAll = (patterns: readonly Compiled<T>[] | undefined) => {
      if (!patterns) return;
      for (const { elements, value } of patterns) {
        const to = endOf(elements, 0, keys, at, limit, (end) => end);
        if (to > at && !found.some((one) => one.value === value && one.to === to)) {
          found.push({ from: at, to, value });
        }
      }
    };
    tryAll(this.#byWord.get(word));
    for (
      let length = Math.min(word.length, LONGEST_PREFIX);
      length >= SHORTEST_PREFIX;
      length -= 1
    ) {
      tryAll(this.#byPrefix.get(word.slice(0, length)));
    }
    if (isNumber(word)) tryAll(this.#byNumber);
    return found;
  }

  /** Files a pattern under everything that it may begin with. */
  #add(compiled: Compiled<T>): void {
    const file = (map: Map<string, Compiled<T>[]>, key: string) => {
      const list = map.get(key);
      if (!list) map.set(key, [compiled]);
      else if (!list.includes(compiled)) list.push(compiled);
    };
    const fileAll = (elements: readonly Element[]): void => {
      for (const { words, prefixes, classes, rows, isOptional } of elements) {
        for (const word of words) file(this.#byWord, word);
        for (const prefix of prefixes) file(this.#byPrefix, prefix);
        if (classes.has('NOT')) for (const word of NEGATORS) file(this.#byWord, word);
        if (classes.has('#') || classes.has('$')) this.#byNumber.push(compiled);
        rows.forEach(fileAll);
        if (!isOptional) return;
      }
    };
    fileAll(compiled.elements);
  }
}

/** Where the longest match of the elements from one on ends, what follows included; -1 without one. */
function endOf(
  elements: readonly Element[],
  index: number,
  keys: Keys,
  at: number,
  limit: number,
  follow: (end: number) => number,
): number {
  const element = elements[index];
  if (!element) return follow(at);
  let best = -1;
  const goOn = (next: number): number => {
    const end = endOf(elements, index + 1, keys, next, limit, follow);
    best = Math.max(best, end);
    return end;
  };
  if (element.isGap) {
    for (let skipped = 0; skipped <= LONGEST_GAP && at + skipped < limit; skipped += 1) {
      goOn(at + skipped);
    }
    return best;
  }
  if (at < limit && matchesWord(element, keys.words[at] as string)) goOn(at + 1);
  for (const row of element.rows) endOf(row, 0, keys, at, limit, goOn);
  if (element.isOptional) goOn(at);
  return best;
}

function matchesWord({ words, prefixes, classes }: Element, word: string): boolean {
  if (words.has(word)) return true;
  if (prefixes.size > 0) {
    for (
      let length = Math.min(word.length, LONGEST_PREFIX);
      length >= SHORTEST_PREFIX;
      length -= 1
    ) {
      if (prefixes.has(word.slice(0, length))) return true;
    }
  }
  if (classes.size === 0) return false;
  for (const name of classes) if (isWord(name, word)) return true;
  return false;
}

function isWord(pattern: string, word: string): boolean {
  if (pattern === '_') return true;
  if (pattern === '#') return isNumber(word);
  if (pattern === '$') return word.startsWith('$');
  return NEGATORS.has(word);
}

function isNumber(word: string): boolean {
  return /^\$?\d/.test(word) || NUMBERS.has(word);
}

/** Reads a pattern. Throws where it is not well formed. */
export function compile(pattern: string): Element[] {
  const fail = (why: string) => new Error(`pattern ${JSON.stringify(pattern)}: ${why}`);
  const elements = sequenceOf(pattern.replaceAll('-', ' '), fail);
  if (elements.every(({ isOptional }) => isOptional)) throw fail('expected a word');
  if (elements[0]?.isGap || elements.at(-1)?.isGap) throw fail('expected a word at either end');
  if (elements[0]?.classes.has('_')) throw fail('expected a word at the beginning');
  return elements;
}

type Fail = (why: string) => Error;

function sequenceOf(text: string, fail: Fail): Element[] {
  return splitOutside(text, ' ', fail)
    .filter((part) => part !== '')
    .map((part) => elementOf(part, fail));
}

/** Splits a text where a character stands outside of brackets. */
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
    words: new Set(words.filter((word) => !word.endsWith('*') && !CLASSES.has(word))),
    prefixes: new Set(words.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1))),
    classes: new Set(words.filter((word) => CLASSES.has(word))),
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
