// The sentiment of a whole review: what its words say on balance, and how its stars steer it.

import type { Sentiment } from '../../model/insights.ts';
import { roundTo } from '../../model/rating.ts';
import type { Clause, Reading } from '../text/reading.ts';

/** What a clause after "but" and one after "although" weigh. */
const CONTRAST = 1.4;
const CONCESSION = 0.6;
/** Keeps a single weak word from saying as much as a text full of praise. */
const DAMPING = 0.4;
/** How much the words may move what the stars say. */
const WEIGHT_OF_WORDS = 0.4;
/** Between plus and minus this a score is neutral. */
const NEUTRAL = 0.2;

/** What the words say on balance, -1 to 1, all of them or those of some clauses; 0 where they have no
 * opinion. */
export function scoreOfText(
  { opinions, clauses }: Reading,
  isMeant: (clause: number) => boolean = () => true,
): number {
  let sum = 0;
  let weight = 0;
  for (const { value, clause } of opinions) {
    if (!isMeant(clause)) continue;
    const factor = factorOf(clauses[clause] as Clause);
    sum += value * factor;
    weight += Math.abs(value) * factor;
  }
  return weight === 0 ? 0 : sum / (weight + DAMPING);
}

function factorOf({ link }: Clause): number {
  if (link === 'contrast') return CONTRAST;
  return link === 'concession' ? CONCESSION : 1;
}

/** The score of a review: its stars, moved by its words where it has opinions. Two decimals. */
export function scoreOfReview(rating: number, reading: Reading | null): number {
  const stars = (rating - 3) / 2;
  if (reading === null || reading.opinions.length === 0) return stars;
  return roundTo(stars * (1 - WEIGHT_OF_WORDS) + scoreOfText(reading) * WEIGHT_OF_WORDS, 2);
}

export function sentimentOfScore(score: number): Sentiment {
  if (score > NEUTRAL) return 'positive';
  return score < -NEUTRAL ? 'negative' : 'neutral';
}
