// Tells an edit of a review from another review that took its place under the same id.

import { fold } from './fold.ts';
import type { Review } from './review.ts';
import { splitWords } from './words.ts';

/**
 * Whether the stars changed together with the author, the date or most words: then readers would lose one review and get
 * another, so it is a removal and an addition. Added words alone are an edit: "Update: they came back."
 */
export function isReplacement(before: Review, after: Review): boolean {
  if (before.rating === after.rating) return false;
  return (
    fold(before.author) !== fold(after.author) ||
    before.date !== after.date ||
    !keepsMostWords(before.text ?? '', after.text ?? '')
  );
}

/** Whether at least half of the words of the first text are in the second, each as often. */
function keepsMostWords(before: string, after: string): boolean {
  const left = new Map<string, number>();
  for (const { word } of splitWords(fold(after))) left.set(word, (left.get(word) ?? 0) + 1);
  const words = splitWords(fold(before));
  let kept = 0;
  for (const { word } of words) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    kept += 1;
  }
  return 2 * kept >= words.length;
}
