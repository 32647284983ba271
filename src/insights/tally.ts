// Counting mentions: every number of an entity is the number of the entries that it sums.

import type { Entity, Insights, Mention, ReviewInsights, Sentiment } from '../model/insights.ts';
import { mean, roundTo } from '../model/rating.ts';
import type { Review } from '../model/review.ts';
import { representative } from './representative.ts';

const TOP_PHRASES = 5;
const EXAMPLES = 5;
const TOP_ASPECTS = 3;

export type MentionList = 'aspects' | 'technicians' | 'services' | 'problems' | 'service_areas';

type Counts = Record<Sentiment, number>;

/** Sums the mentions of one entity. Reviews must come newest first. */
export class EntityTally {
  readonly #counts: Counts = { positive: 0, neutral: 0, negative: 0 };
  readonly #mentions: {
    readonly mention: Mention;
    readonly clarity: number;
    readonly reviewId: string;
  }[] = [];
  #ratings = 0;
  #count = 0;
  #first: string | null = null;
  #last: string | null = null;

  /** `clarity` says how clearly the phrase bears the sentiment out, 0 to 1. */
  add(review: Review, mention: Mention, clarity = 1): void {
    this.#counts[mention.sentiment] += 1;
    this.#count += 1;
    this.#ratings += review.rating;
    this.#first = review.date;
    this.#last ??= review.date;
    this.#mentions.push({ mention, clarity, reviewId: review.id });
  }

  toEntity(id: string, name: string): Entity {
    const { positive, neutral, negative } = this.#counts;
    const phrases = this.#topPhrases();
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
      top_phrases: phrases,
      example_review_ids: this.#examplesOf(phrases),
    };
  }

  /** The reviews of the phrases, in their order, then the newest. */
  #examplesOf(phrases: readonly string[]): string[] {
    const shown = phrases.flatMap(
      (phrase) => this.#mentions.find(({ mention }) => mention.phrase === phrase) ?? [],
    );
    const ids = [...shown, ...this.#mentions.slice(0, EXAMPLES)].map(({ reviewId }) => reviewId);
    return [...new Set(ids)].slice(0, EXAMPLES);
  }

  /** Those that speak for the others, of the sentiment that most have. */
  #topPhrases(): string[] {
    const { positive, neutral, negative } = this.#counts;
    const usual = positive >= negative ? 'positive' : 'negative';
    const typical = neutral > positive + negative ? 'neutral' : usual;
    return representative(
      this.#mentions.map(({ mention: { phrase, sentiment }, clarity }) => ({
        phrase,
        isTypical: sentiment === typical,
        clarity,
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

/** What was mentioned at all of a list, most mentioned first. Reviews must come newest first. */
export function tallyMentions(
  reviews: readonly Review[],
  perReview: ReadonlyMap<string, ReviewInsights>,
  list: MentionList,
  entries: readonly { readonly id: string; readonly name: string }[],
  clarityOf: (mention: Mention) => number = () => 1,
): Entity[] {
  const tallies = new Map<string, EntityTally>();
  for (const review of reviews) {
    for (const mention of perReview.get(review.id)?.[list] ?? []) {
      const tally = tallies.get(mention.id) ?? new EntityTally();
      tally.add(review, mention, clarityOf(mention));
      tallies.set(mention.id, tally);
    }
  }
  return entries
    .flatMap(({ id, name }) => tallies.get(id)?.toEntity(id, name) ?? [])
    .toSorted(mostMentionedFirst);
}

function mostMentionedFirst(
  a: { readonly mention_count: number; readonly id: string },
  b: { readonly mention_count: number; readonly id: string },
): number {
  return b.mention_count - a.mention_count || (a.id < b.id ? -1 : 1);
}

/** Adds the aspects that most of the reviews of each entity speak about as well. */
export function withTopAspects(
  entities: readonly Entity[],
  reviews: readonly Review[],
  perReview: ReadonlyMap<string, ReviewInsights>,
  list: MentionList,
): Entity[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { id: reviewId } of reviews) {
    const insights = perReview.get(reviewId);
    for (const { id } of insights?.[list] ?? []) {
      const own = counts.get(id) ?? new Map<string, number>();
      counts.set(id, own);
      for (const aspect of insights?.aspects ?? [])
        own.set(aspect.id, (own.get(aspect.id) ?? 0) + 1);
    }
  }
  return entities.map((entity) => ({
    ...entity,
    top_aspects: [...(counts.get(entity.id) ?? [])]
      .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .slice(0, TOP_ASPECTS)
      .map(([aspect]) => aspect),
  }));
}

/** The topics that any review has, most mentioned first. Reviews must come newest first. */
export function tallyTopics(
  reviews: readonly Review[],
  perReview: ReadonlyMap<string, ReviewInsights>,
  topics: readonly {
    readonly id: string;
    readonly label: string;
    readonly keywords: readonly string[];
  }[],
): Insights['topics'] {
  const found = new Map<string, { sum: number; ids: string[] }>();
  for (const { id } of reviews) {
    const insights = perReview.get(id);
    for (const topic of insights?.topics ?? []) {
      const own = found.get(topic) ?? { sum: 0, ids: [] };
      found.set(topic, own);
      own.sum += insights?.score ?? 0;
      own.ids.push(id);
    }
  }
  return topics
    .flatMap(({ id, label, keywords }) => {
      const own = found.get(id);
      if (!own) return [];
      const count = own.ids.length;
      return {
        id,
        label,
        mention_count: count,
        share_pct: roundTo((100 * count) / reviews.length, 1),
        score: mean(own.sum, count),
        keywords: [...keywords],
        example_review_ids: own.ids.slice(0, EXAMPLES),
      };
    })
    .toSorted(mostMentionedFirst);
}
