// Similarity of names, to match misspelled ones.

import { fold } from './fold.ts';

/** Only this many characters of a name are compared. */
const MAX_CHARACTERS = 100;

/** The folded words of a name, letters and digits only: punctuation does not matter. */
export function wordsOf(name: string): string {
  return fold(name.slice(0, MAX_CHARACTERS))
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** Maximum edit distance at which two names match: fewer for short names. */
export function maxEdits(words: string): number {
  if (words.length < 5) return 0;
  return words.length < 9 ? 1 : 2;
}

/**
 * The edit distance of two texts: insertions, deletions, replacements, and swaps of neighbours (optimal
 * string alignment). Infinity if it is more than `max`.
 */
export function editsBetween(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let edits = Math.min(
        (last[j - 1] as number) + (isSame ? 0 : 1),
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, (beforeLast[j - 2] as number) + 1);
      }
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  const edits = last[b.length] as number;
  return edits <= max ? edits : Infinity;
}

/** The known name that was probably meant: spelled like it, or with a word like it, as `logo_url` for `logo`. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const most = name.length < 5 ? 1 : 2;
  return (
    known.find((each) => editsBetween(each, name, most) <= most) ??
    known.find((each) => each.split('_').some((word) => editsBetween(word, name, 1) <= 1))
  );
}

/** The Dice coefficient of the texts' letter pairs, 0 to 1. */
export function similarity(a: string, b: string): number {
  const pairs = pairsOf(a);
  const others = pairsOf(b);
  if (pairs.size + others.size === 0) return 0;
  let shared = 0;
  for (const pair of pairs) if (others.has(pair)) shared += 1;
  return (2 * shared) / (pairs.size + others.size);
}

function pairsOf(text: string): Set<string> {
  return new Set(
    Array.from({ length: Math.max(text.length - 1, 0) }, (_, index) =>
      text.slice(index, index + 2),
    ),
  );
}
