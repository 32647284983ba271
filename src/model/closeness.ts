// How close two names are, for names that are misspelled.

import { fold } from './fold.ts';

/** Longer names than any that there is are not compared whole. */
const MOST_CHARACTERS = 100;

/** Letters and digits alone, in words: spellings that differ in punctuation are one. */
export function wordsOf(name: string): string {
  return fold(name.slice(0, MOST_CHARACTERS))
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** Edits by which a name may differ and still be taken for another: short words are others soon. */
export function maxEdits(words: string): number {
  if (words.length < 5) return 0;
  return words.length < 9 ? 1 : 2;
}

/**
 * The letters to insert, delete, replace or swap with their neighbour to make one text of another;
 * Infinity where they are more than `most`.
 */
export function editsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
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
  return edits <= most ? edits : Infinity;
}

/** How much two texts share, 0 to 1: pairs of neighbouring letters (the Dice coefficient). */
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
    Array.from({ length: Math.max(text.length - 1, 0) }, (_, at) => text.slice(at, at + 2)),
  );
}
