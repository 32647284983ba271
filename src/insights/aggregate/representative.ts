// Which of many phrases speak for all of them: short ones, made of the words that the others use too.

import { fold } from '../../model/fold.ts';
import { FUNCTION_WORDS } from '../text/grammar.ts';

/** A phrase of about so many UTF-16 units reads well in a list. */
const BEST_LENGTH = 60;
const SHORTEST = 20;
const WEIGHT_OF_CLARITY = 1.5;
/** Speaks of the review rather than of the business, begins or ends within a quotation, or lists. */
const ASIDE = /\bstars?\b|\breviews?\b|^[^"]*"[^"]*$|:\s/i;
const WORD = /[\p{L}\p{N}]+(?:'\p{L}+)?/gu;
/** The same in a folded text that has no more than the letters of ASCII. */
const PLAIN_WORD = /[a-z0-9]+(?:'[a-z]+)?/g;
// oxlint-disable-next-line no-control-regex -- the range is all of ASCII
const PLAIN = /^[\0-\x7f]*$/;

export interface Candidate {
  readonly phrase: string;
  /** Whether it says what most of them say. */
  readonly isTypical: boolean;
  /** How clearly it says so, 0 to 1. */
  readonly phraseScore: number;
}

/** Of more phrases the first so many speak for all. */
export const ENOUGH = 2000;

/** The most representative phrases, none twice, best first; of equals the earlier. */
export function representative(candidates: readonly Candidate[], most: number): string[] {
  const first = candidates.slice(0, ENOUGH);
  const folded = new Map(first.map((one) => [fold(one.phrase), one]));
  const distinct = [...folded.values()];
  if (distinct.length <= 1) return distinct.slice(0, most).map(({ phrase }) => phrase);
  const words = [...folded.keys()].map(contentOf);
  const counts = new Map<string, number>();
  for (const word of words.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return distinct
    .map(({ phrase, isTypical, phraseScore }, at) => ({
      phrase,
      at,
      score:
        scoreOf(phrase, words[at] ?? [], counts, distinct.length) +
        (isTypical ? 1 : 0) +
        phraseScore * WEIGHT_OF_CLARITY,
    }))
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, most)
    .map(({ phrase }) => phrase);
}

function contentOf(folded: string): string[] {
  const words = folded.match(PLAIN.test(folded) ? PLAIN_WORD : WORD) ?? [];
  return [...new Set(words)].filter((word) => word.length > 2 && !FUNCTION_WORDS.has(word));
}

/** 0 to 2: how much its words are shared, and how near its length is to the best one. */
function scoreOf(
  phrase: string,
  words: readonly string[],
  counts: ReadonlyMap<string, number>,
  total: number,
): number {
  let shared = 0;
  for (const word of words) shared += Math.log(counts.get(word) ?? 1);
  const sharing = words.length === 0 ? 0 : shared / words.length / Math.log(total + 1);
  const length = Math.abs(Math.log(Math.max(phrase.length, 1) / BEST_LENGTH));
  const isSentence = /^[\p{Lu}\p{N}].*[.!?\u2026]$/su.test(phrase);
  return (
    sharing +
    1 / (1 + length) +
    (isSentence ? 0.3 : 0) -
    (phrase.length < SHORTEST ? 0.5 : 0) -
    (ASIDE.test(phrase) ? 0.5 : 0)
  );
}
