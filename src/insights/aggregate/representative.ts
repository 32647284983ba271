// Chooses the most representative of many phrases: of readable length, in words that the others share.

import { fold } from '../../model/fold.ts';
import { FUNCTION_WORDS } from '../text/grammar.ts';

/** The best length of a phrase, in UTF-16 units; shorter than SHORTEST is penalised. */
const BEST_LENGTH = 60;
const SHORTEST = 20;
const PHRASE_SCORE_WEIGHT = 1.5;
/** Speaks of the review itself, is cut within a quotation, or introduces a list. */
const ASIDE = /\bstars?\b|\breviews?\b|^[^"]*"[^"]*$|:\s/i;
const WORD = /[\p{L}\p{N}]+(?:'\p{L}+)?/gu;
/** The same as WORD for ASCII text, and faster. */
const PLAIN_WORD = /[a-z0-9]+(?:'[a-z]+)?/g;
// oxlint-disable-next-line no-control-regex -- the range is all of ASCII
const PLAIN = /^[\0-\x7f]*$/;

export interface Candidate {
  readonly phrase: string;
  /** Whether it has the sentiment of most mentions. */
  readonly isTypical: boolean;
  /** How clearly it shows its sentiment, 0 to 1. */
  readonly phraseScore: number;
  /** How much a reader learns from it, 0 to 1; 0 if left out. */
  readonly telling?: number;
}

/** The most candidates that are compared, the first ones. */
export const MAX_CANDIDATES = 2000;

/** The most representative phrases, distinct after folding, best first; of equals the earlier first. */
export function representative(candidates: readonly Candidate[], most: number): string[] {
  const first = candidates.slice(0, MAX_CANDIDATES);
  const folded = new Map(first.map((one) => [fold(one.phrase), one]));
  const distinct = [...folded.values()];
  if (distinct.length <= 1) return distinct.slice(0, most).map(({ phrase }) => phrase);
  const words = [...folded.keys()].map(contentOf);
  const counts = new Map<string, number>();
  for (const word of words.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return distinct
    .map(({ phrase, isTypical, phraseScore, telling = 0 }, at) => ({
      phrase,
      at,
      score:
        scoreOf(phrase, words[at] ?? [], counts, distinct.length) +
        (isTypical ? 1 : 0) +
        phraseScore * PHRASE_SCORE_WEIGHT +
        telling,
    }))
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, most)
    .map(({ phrase }) => phrase);
}

function contentOf(folded: string): string[] {
  const words = folded.match(PLAIN.test(folded) ? PLAIN_WORD : WORD) ?? [];
  return [...new Set(words)].filter((word) => word.length > 2 && !FUNCTION_WORDS.has(word));
}

/** A score of about 0 to 2 for shared words, readable length and complete sentences. */
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
