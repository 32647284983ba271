// Rules for quotes from reviews, which insights and pages share.

import type { Sentiment } from './insights.ts';
import type { Review } from './review.ts';

const FIVE_WORDS = /^(?:\S+\s+){4}\S/;
const TURNS_FROM = /^(?:but|except|however|(?:al)?though|no relation|(?:\w+ )?than)\b/i;

/** Whether a review's stars agree with a quote from it: praise in a bad review is often about somebody else. */
export function agrees({ rating }: Pick<Review, 'rating'>, sentiment: Sentiment): boolean {
  if (sentiment === 'positive') return rating >= 4;
  return sentiment === 'neutral' || rating <= 3;
}

/** What finds the words of a topic, of which `*` ends a stem; null without any. */
export function keywordPattern(keywords: readonly string[]): RegExp | null {
  if (keywords.length === 0) return null;
  const words = keywords.map((keyword) =>
    keyword
      .replaceAll(/[.+?^${}[\]\\]/g, String.raw`\$&`)
      .replaceAll('*', String.raw`\p{L}*`)
      .replaceAll(/[ -]/g, String.raw`[\s-]+`),
  );
  return new RegExp(String.raw`(?<!\p{L})(?:${words.join('|')})(?!\p{L})`, 'iu');
}

/** Too few words, or words that turn from what stands before them, show nothing by themselves. */
export function standsAlone(phrase: string): boolean {
  return FIVE_WORDS.test(phrase) && !TURNS_FROM.test(phrase);
}
