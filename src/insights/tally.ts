// Counting mentions: every number of an entity is the number of the entries that it sums.

import type { Entity, Mention, Sentiment } from '../model/insights.ts';
import { mean, roundTo } from '../model/rating.ts';
import type { Review } from '../model/review.ts';
import { representative } from './representative.ts';

const TOP_PHRASES = 5;
const EXAMPLES = 5;

type Counts = Record<Sentiment, number>;

/** Sums the mentions of one entity. Reviews must come newest first. */
export class EntityTally {
  readonly #counts: Counts = { positive: 0, neutral: 0, negative: 0 };
  readonly #mentions: { readonly phrase: string; readonly sentiment: Sentiment }[] = [];
  readonly #examples: string[] = [];
  #ratings = 0;
  #count = 0;
  #first: string | null = null;
  #last: string | null = null;

  add(review: Review, mention: Mention): void {
    this.#counts[mention.sentiment] += 1;
    this.#count += 1;
    this.#ratings += review.rating;
    this.#first = review.date;
    this.#last ??= review.date;
    this.#mentions.push(mention);
    if (this.#examples.length < EXAMPLES) this.#examples.push(review.id);
  }

  toEntity(id: string, name: string): Entity {
    const { positive, neutral, negative } = this.#counts;
    return {
      id,
      name,
      mention_count: this.#count,
      positive_count: positive,
      neutral_count: neutral,
      negative_count: negative,
      positive_pct: this.#count === 0 ? null : roundTo((100 * positive) / this.#count, 1),
      score: mean(positive - negative, this.#count),
      average_rating: mean(this.#ratings, this.#count),
      first_mentioned: this.#first,
      last_mentioned: this.#last,
      top_aspects: [],
      top_phrases: this.#topPhrases(),
      example_review_ids: this.#examples,
    };
  }

  /** Those that speak for the others, of the sentiment that most have. */
  #topPhrases(): string[] {
    const { positive, neutral, negative } = this.#counts;
    const usual = positive >= negative ? 'positive' : 'negative';
    const typical = neutral > positive + negative ? 'neutral' : usual;
    return representative(
      this.#mentions.map(({ phrase, sentiment }) => ({
        phrase,
        isTypical: sentiment === typical,
      })),
      TOP_PHRASES,
    );
  }
}

/**
 * Percentages with one decimal that sum to exactly 100, by largest remainder; ties go to the
 * earlier part. Null for each where the parts sum to nothing.
 */
export function percentages(parts: readonly number[]): (number | null)[] {
  const total = parts.reduce((sum, part) => sum + part, 0);
  if (total === 0) return parts.map(() => null);
  const tenths = parts.map((part) => Math.floor((part * 1000) / total));
  const missing = 1000 - tenths.reduce((sum, part) => sum + part, 0);
  parts
    .map((part, index) => ({ index, remainder: (part * 1000) % total }))
    .toSorted((a, b) => b.remainder - a.remainder || a.index - b.index)
    .slice(0, missing)
    .forEach(({ index }) => {
      tenths[index] = (tenths[index] ?? 0) + 1;
    });
  return tenths.map((part) => part / 10);
}
