// The score of a whole review: its stars, adjusted by the opinions in its text.

import type { Sentiment } from '../../model/insights.ts';
import { roundTo } from '../../model/rating.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';

/** Weight of a clause after "but", and of one after "although". */
const CONTRAST = 1.4;
const CONCESSION = 0.6;
/** Added to the weight, so that a single weak word scores less than a text full of praise. */
const DAMPING = 0.4;
/** Share of the text in the score of a review that has opinions. */
const TEXT_SHARE = 0.4;
/** Scores from minus this to this are neutral. */
const NEUTRAL = 0.2;

/** The balance of a text's opinions, -1 to 1; 0 without opinions. */
export function scoreOfText({ opinions, clauses }: AnnotatedText): number {
  let sum = 0;
  let weight = 0;
  for (const { value, clause } of opinions) {
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

/** The score of a review, -1 to 1 with two decimals. */
export function scoreOfReview(rating: number, annotated: AnnotatedText | null): number {
  const stars = (rating - 3) / 2;
  if (annotated === null || annotated.opinions.length === 0) return stars;
  return roundTo(stars * (1 - TEXT_SHARE) + scoreOfText(annotated) * TEXT_SHARE, 2);
}

export function sentimentOfScore(score: number): Sentiment {
  if (score > NEUTRAL) return 'positive';
  return score < -NEUTRAL ? 'negative' : 'neutral';
}
