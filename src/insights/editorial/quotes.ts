// Finds quotable sentences, and chooses the pull quote among those of all reviews.

import type { Insights, ReviewInsights, Sentiment } from '../../model/insights.ts';
import type { Review } from '../../model/review.ts';

import { sentimentOfTokens } from '../sentiment/attribution.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import type { Sentence, Span } from '../text/text.ts';
import { isShouted } from './quoting.ts';
import { agrees, standsAlone } from './shows.ts';

/** A complete sentence that can be quoted on its own. */
export interface QuoteCandidate extends Span {
  /** How well it reads on its own and how much it says, 0 to 1 with three decimals. */
  readonly score: number;
  readonly sentiment: Sentiment;
  /** Ids of the aspects that it mentions. */
  readonly aspects: readonly string[];
}

/** Bounds of a quote and its best length, in UTF-16 units. */
const SHORTEST = 35;
const LONGEST = 180;
const BEST_LENGTH = 90;
/** The most candidates of a review. */
const MOST = 3;
/** First words that refer to a sentence before. */
const DEPENDENT =
  /^(?:he|she|it|this|that|these|those|him|her|his|its|and|but|or|so|then|also|which|because|however|although|though|who|when|while|if|after|as|than|even|still|yet|otherwise|besides|plus|same|there|both|i)$/;

/** The best quotable sentences of a review. `aspects` are its mentions with the spans of their phrases. */
export function findQuotes(
  annotated: AnnotatedText,
  aspects: readonly (Span & { readonly id: string })[],
): QuoteCandidate[] {
  return annotated.sentences
    .flatMap((sentence) => candidateOf(annotated, sentence, aspects))
    .toSorted((a, b) => b.score - a.score || a.start - b.start)
    .slice(0, MOST)
    .toSorted((a, b) => a.start - b.start);
}

function candidateOf(
  annotated: AnnotatedText,
  sentence: Sentence,
  aspects: readonly (Span & { readonly id: string })[],
): QuoteCandidate[] {
  const { start, end, from, to, isQuestion, isClosed } = sentence;
  const length = end - start;
  const quote = annotated.text.slice(start, Math.min(end, start + LONGEST + 1));
  if (length < SHORTEST || length > LONGEST || isQuestion || !isClosed) return [];
  if (!/^[\p{Lu}\p{N}]/u.test(quote) || /[\n\r\u2028\u2029“”"]/.test(quote)) return [];
  if (count(quote, '(') !== count(quote, ')') || isShouted(quote)) return [];
  const { sentiment, weight } = sentimentOfTokens(annotated, from, to);
  if (sentiment === null || sentiment === 'neutral') return [];
  const about = [
    ...new Set(aspects.filter((one) => one.start < end && one.end > start).map(({ id }) => id)),
  ];
  const isDependent = DEPENDENT.test(annotated.tokens[from]?.folded ?? '');
  const score =
    0.3 / (1 + Math.abs(Math.log(length / BEST_LENGTH))) +
    0.3 * Math.min(1, about.length / 2) +
    0.2 * Math.min(1, weight) +
    (isDependent ? 0 : 0.2);
  return [{ start, end, score: Math.round(score * 1000) / 1000, sentiment, aspects: about }];
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

export interface PullQuote {
  readonly quote: string;
  readonly reviewId: string;
}

/**
 * The candidate with the prevailing sentiment, from a review with that sentiment, that scores best by
 * itself and by how often its aspects are mentioned; of equals the newest. Null without a candidate.
 *
 * @param reviews newest first
 */
export function pullQuoteOf(
  reviews: readonly {
    readonly review: Review;
    readonly analysis: { readonly quotes: readonly QuoteCandidate[] };
  }[],
  perReview: ReadonlyMap<string, ReviewInsights>,
  aspects: Insights['aspects'],
): PullQuote | null {
  const prevailing = prevailingSentiment(perReview);
  const most = Math.max(1, ...aspects.map((aspect) => opinionsLike(aspect, prevailing)));
  const weights = new Map(aspects.map((one) => [one.id, opinionsLike(one, prevailing) / most]));
  let best: (PullQuote & { readonly score: number }) | null = null;
  for (const { review, analysis } of reviews) {
    if (perReview.get(review.id)?.sentiment !== prevailing || review.text === null) continue;
    if (!agrees(review, prevailing)) continue;
    for (const { start, end, score: ownScore, sentiment, aspects: about } of analysis.quotes) {
      const quote = review.text.slice(start, end);
      if (sentiment !== prevailing || !standsAlone(quote)) continue;
      const weight = about.reduce((sum, id) => sum + (weights.get(id) ?? 0), 0);
      const score = ownScore + Math.min(1, weight / 2);
      if (best !== null && score <= best.score) continue;
      best = { quote, reviewId: review.id, score };
    }
  }
  return best && { quote: best.quote, reviewId: best.reviewId };
}

function opinionsLike(aspect: Insights['aspects'][number], sentiment: Sentiment): number {
  return sentiment === 'negative' ? aspect.negative_count : aspect.positive_count;
}

/** Positive or negative, whichever more reviews have. */
function prevailingSentiment(perReview: ReadonlyMap<string, ReviewInsights>): Sentiment {
  let lead = 0;
  for (const { sentiment } of perReview.values()) {
    if (sentiment === 'positive') lead += 1;
    if (sentiment === 'negative') lead -= 1;
  }
  return lead < 0 ? 'negative' : 'positive';
}
