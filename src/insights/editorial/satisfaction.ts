// Words for how many customers are happy, by their stars: the summary and the FAQ say the same.

import type { Review } from '../../model/review.ts';
import { aggregateRating } from '../../model/rating.ts';
import { percentages } from '../aggregate/tally.ts';
import { give, inWords } from './prose.ts';

/** Of fewer reviews nothing is told but how many gave how many stars. */
export const FEWEST_FOR_MOOD = 10;

export interface Satisfaction {
  /** Numbers of reviews with four or five stars, and with one or two. */
  readonly good: number;
  readonly bad: number;
  readonly mood: 'nearly all' | 'most' | 'divided' | 'few';
}

export function satisfactionOf(reviews: readonly Review[]): Satisfaction {
  const { distribution } = aggregateRating(reviews);
  const good = distribution['4'] + distribution['5'];
  const bad = distribution['1'] + distribution['2'];
  const [share = 0, , badShare = 0] = percentages([good, reviews.length - good - bad, bad]);
  const isFew = (badShare ?? 0) >= 55;
  const mood = (share ?? 0) >= 90 ? 'nearly all' : (share ?? 0) >= 60 ? 'most' : 'divided';
  return { good, bad, mood: isFew ? 'few' : mood };
}

/** "most customers are happy, about one in six is not" */
export function describeSatisfaction(reviews: readonly Review[], customers: string): string {
  const { good, bad, mood } = satisfactionOf(reviews);
  if (reviews.length < FEWEST_FOR_MOOD)
    return `${give(good)} four or five stars, and ${give(bad)} one or two`;
  const isMany = (part: number) => part >= reviews.length / 10;
  const about = (part: number) => `about one in ${inWords(Math.round(reviews.length / part))}`;
  const happy = `${mood} ${customers} are happy`;
  if (mood === 'divided') return 'opinions are divided';
  if (mood === 'few') {
    const unhappy = `most ${customers} are unhappy`;
    return isMany(good) ? `${unhappy}, ${about(good)} is happy` : unhappy;
  }
  return mood === 'most' && isMany(bad) ? `${happy}, ${about(bad)} is not` : happy;
}
