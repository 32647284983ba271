// The small pattern language of the word lists, and a matcher that looks for all patterns of a list
// at once. A pattern is words parted by blanks, in the spelling of keys.ts ("did not", "i will"):
//
//   word        that word; a hyphen is a blank
//   explain*    a word that begins so (two letters at least)
//   (a|b c|)    any of these, each of them a pattern; with nothing after a bar also none
//   _           any one word
//   #           a number, in digits or as a word
//   NOT         a negation: not, no, never, without, nobody ...
//   ...         up to three words
//
// A match lies within one sentence and does not cross its stronger punctuation.

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
const MOST_VARIANTS = 4000;

interface Node<T> {
  readonly words: Map<string, Node<T>>;
  readonly prefixes: Map<string, Node<T>>;
  readonly classes: Map<'_' | '#' | 'NOT' | '...', Node<T>>;
  readonly values: T[];
}

export interface Match<T> {
  /** Keys [from, to). */
  readonly from: number;
  readonly to: number;
  readonly value: T;
}

const newNode = <T>(): Node<T> => ({
  words: new Map(),
  prefixes: new Map(),
  classes: new Map(),
  values: [],
});

export class PatternSet<T> {
  readonly #root = newNode<T>();

  constructor(patterns: Iterable<readonly [pattern: string, value: T]>) {
    for (const [pattern, value] of patterns) {
      for (const words of variantsOf(pattern)) this.#add(words, value);
    }
  }

  /** All matches that begin at a key and end at `limit` or before. */
  matchesAt(keys: Keys, at: number, limit: number): Match<T>[] {
    const found: Match<T>[] = [];
    const word = keys.words[at] as string;
    const root = this.#root;
    if (root.classes.size === 0 && !root.words.has(word) && !this.#hasPrefix(word)) return found;
    follow(root, keys, at, limit, (to, value) => found.push({ from: at, to, value }));
    return found;
  }

  #hasPrefix(word: string): boolean {
    const { prefixes } = this.#root;
    for (let length = Math.min(word.length, 12); length >= SHORTEST_PREFIX; length -= 1) {
      if (prefixes.has(word.slice(0, length))) return true;
    }
    return false;
  }

  #add(words: readonly string[], value: T): void {
    let node = this.#root;
    for (const word of words) node = childOf(node, word);
    node.values.push(value);
  }
}

function childOf<T>(node: Node<T>, word: string): Node<T> {
  const isClass = word === '_' || word === '#' || word === 'NOT' || word === '...';
  const map: Map<string, Node<T>> = isClass
    ? node.classes
    : word.endsWith('*')
      ? node.prefixes
      : node.words;
  const key = isClass ? word : word.replace(/\*$/, '');
  const child = map.get(key) ?? newNode<T>();
  map.set(key, child);
  return child;
}

function follow<T>(
  node: Node<T>,
  keys: Keys,
  at: number,
  limit: number,
  report: (to: number, value: T) => void,
): void {
  for (const value of node.values) report(at, value);
  const gap = node.classes.get('...');
  if (gap) {
    for (let skipped = 0; skipped <= LONGEST_GAP && at + skipped <= limit; skipped += 1) {
      follow(gap, keys, at + skipped, limit, report);
    }
  }
  if (at >= limit) return;
  const word = keys.words[at] as string;
  const exact = node.words.get(word);
  if (exact) follow(exact, keys, at + 1, limit, report);
  if (node.prefixes.size > 0) {
    for (let length = Math.min(word.length, 12); length >= SHORTEST_PREFIX; length -= 1) {
      const child = node.prefixes.get(word.slice(0, length));
      if (child) follow(child, keys, at + 1, limit, report);
    }
  }
  if (node.classes.size === 0) return;
  const any = node.classes.get('_');
  if (any) follow(any, keys, at + 1, limit, report);
  const number = node.classes.get('#');
  if (number && (NUMBERS.has(word) || /^\d/.test(word)))
    follow(number, keys, at + 1, limit, report);
  const not = node.classes.get('NOT');
  if (not && NEGATORS.has(word)) follow(not, keys, at + 1, limit, report);
}

/** All ways to write a pattern without alternatives. Throws where it is not well formed. */
export function variantsOf(pattern: string): string[][] {
  const fail = (why: string) => new Error(`pattern ${JSON.stringify(pattern)}: ${why}`);
  const parts = pattern.replaceAll('-', ' ').match(/\([^()]*\)|[^\s()]+/g) ?? [];
  if (parts.join('').replace(/\s/g, '') !== pattern.replace(/[\s-]/g, '')) {
    throw fail('expected brackets in pairs, and none inside another');
  }
  let variants: string[][] = [[]];
  for (const part of parts) {
    const choices = part.startsWith('(') ? part.slice(1, -1).split('|') : [part];
    variants = variants.flatMap((variant) =>
      choices.map((choice) => [...variant, ...choice.split(/\s+/).filter((word) => word !== '')]),
    );
    if (variants.length > MOST_VARIANTS) throw fail('expected fewer alternatives');
  }
  for (const words of variants) {
    if (words.length === 0) throw fail('expected a word');
    for (const word of words) {
      if (/^(?:_|#|NOT|\.\.\.)$/.test(word)) continue;
      if (!/^[\p{Ll}\p{N}][\p{Ll}\p{N}'.]*\*?$/u.test(word)) {
        throw fail(`expected small letters, got ${JSON.stringify(word)}`);
      }
      if (word.endsWith('*') && word.length <= SHORTEST_PREFIX)
        throw fail('expected a longer beginning before *');
    }
    if (words[0] === '...' || words.at(-1) === '...') throw fail('expected a word at either end');
  }
  return variants;
}
