// The score of a whole review: its stars, adjusted by the opinions in its text.

import type { Sentiment } from '../../model/insights.ts';
import { roundTo } from '../../model/rating.ts';
import type { AnnotatedText } from '../text/annotate.ts';

/** Added to the weight, so that a single weak word scores less than a text full of praise. */
const DAMPING = 0.4;
/** Share of the text in the score of a review that has opinions. */
const TEXT_SHARE = 0.4;
/** Scores from minus this to this are neutral. */
const NEUTRAL = 0.2;

/** The balance of a text's opinions, -1 to 1; 0 without opinions. */
export function scoreOfText({ opinions }: AnnotatedText): number {
  const sum = opinions.reduce((all, { value }) => all + value, 0);
  const weight = opinions.reduce((all, { value }) => all + Math.abs(value), 0);
  return weight === 0 ? 0 : sum / (weight + DAMPING);
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
