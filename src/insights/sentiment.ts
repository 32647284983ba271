// The sentiment of a sentence from its opinion words, and of a review from its stars and words.

import { fold } from '../model/fold.ts';
import type { Sentiment } from '../model/insights.ts';
import { roundTo } from '../model/rating.ts';
import { NEGATIONS, OPINION_WORDS } from './words.ts';

const WORD = /[\p{L}\p{N}]+(?:'[\p{L}]+)?/gu;
/** How far a negation reaches, in words. */
const REACH = 3;
/** How much the words may move what the stars say. */
const WEIGHT_OF_WORDS = 0.4;
/** Between plus and minus this a score is neutral. */
const NEUTRAL = 0.2;

/** The mean weight of the opinion words in a text, -1 to 1; null where there are none. */
export function scoreOfWords(text: string): number | null {
  let sum = 0;
  let hits = 0;
  let sinceNegation = REACH + 1;
  for (const [word] of fold(text).matchAll(WORD)) {
    sinceNegation = NEGATIONS.has(word) ? 0 : sinceNegation + 1;
    const weight = OPINION_WORDS.get(word);
    if (weight === undefined) continue;
    sum += sinceNegation <= REACH ? -weight : weight;
    hits += 1;
  }
  return hits === 0 ? null : sum / hits;
}

/** The score of a whole review: its stars, moved by its words where it has opinion words. */
export function scoreOfReview(rating: number, text: string | null): number {
  const stars = (rating - 3) / 2;
  const words = text === null ? null : scoreOfWords(text);
  if (words === null) return stars;
  return roundTo(stars * (1 - WEIGHT_OF_WORDS) + words * WEIGHT_OF_WORDS, 2);
}

export function sentimentOf(score: number): Sentiment {
  if (score > NEUTRAL) return 'positive';
  return score < -NEUTRAL ? 'negative' : 'neutral';
}
