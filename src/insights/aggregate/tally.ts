// Counts mentions: every count is a number of entries in per_review.

import type { Entity, Insights, ReviewInsights, Sentiment } from '../../model/insights.ts';
import { mean, roundTo } from '../../model/rating.ts';
import type { Review } from '../../model/review.ts';
import type { MentionIndex, MentionList, IndexedMention } from './mentions.ts';

export const EXAMPLES = 5;
const TOP_ASPECTS = 3;

/**
 * The figures of an entity.
 *
 * @param mentions all of them, newest first
 */
export function entityOf(id: string, name: string, mentions: readonly IndexedMention[]): Entity {
  const counts: Record<Sentiment, number> = { positive: 0, neutral: 0, negative: 0 };
  let ratings = 0;
  for (const { review, mention } of mentions) {
    counts[mention.sentiment] += 1;
    ratings += review.rating;
  }
  const { positive, neutral, negative } = counts;
  return {
    id,
    name,
    mention_count: mentions.length,
    positive_count: positive,
    neutral_count: neutral,
    negative_count: negative,
    positive_pct: mentions.length === 0 ? null : roundTo((100 * positive) / mentions.length, 1),
    score: mean(positive - negative, mentions.length),
    average_rating: mean(ratings, mentions.length),
    first_mentioned: mentions.at(-1)?.review.date ?? null,
    last_mentioned: mentions[0]?.review.date ?? null,
    top_aspects: [],
    top_phrases: [],
    quotes: [],
    example_review_ids: mentions.slice(0, EXAMPLES).map(({ review }) => review.id),
  };
}

/**
 * Percentages with one decimal that sum to exactly 100, by largest remainder; ties go to the earlier
 * part. All are null if the parts sum to 0.
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

/** The entities that have mentions, most mentioned first. */
export function tallyMentions(
  mentions: MentionIndex,
  list: MentionList,
  entries: readonly { readonly id: string; readonly name: string }[],
): Entity[] {
  return entries
    .flatMap(({ id, name }) => {
      const own = mentions.of(list, id);
      if (own.length === 0) return [];
      return [mentions.result(list, id, ['entity', name], () => entityOf(id, name, own))];
    })
    .toSorted(mostMentionedFirst);
}

function mostMentionedFirst(
  a: { readonly mention_count: number; readonly id: string },
  b: { readonly mention_count: number; readonly id: string },
): number {
  return b.mention_count - a.mention_count || (a.id < b.id ? -1 : 1);
}

/** Adds the aspects that the reviews of each entity mention most often. */
export function withTopAspects(
  entities: readonly Entity[],
  mentions: MentionIndex,
  list: MentionList,
): Entity[] {
  return entities.map((entity) => ({
    ...entity,
    top_aspects: mentions.result(list, entity.id, ['top aspects'], () =>
      topAspectsOf(mentions.of(list, entity.id)),
    ),
  }));
}

function topAspectsOf(mentions: readonly IndexedMention[]): string[] {
  const all = mentions.flatMap(({ entry }) => entry.aspects.map(({ id }) => id));
  return [...Map.groupBy(all, (id) => id)]
    .toSorted(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1))
    .slice(0, TOP_ASPECTS)
    .map(([aspect]) => aspect);
}

/**
 * The topics that reviews have, most mentioned first.
 *
 * @param reviews newest first
 */
export function tallyTopics(
  reviews: readonly Review[],
  perReview: ReadonlyMap<string, ReviewInsights>,
  topics: readonly {
    readonly id: string;
    readonly label: string;
    readonly keywords: readonly string[];
  }[],
): Insights['topics'] {
  const all = reviews.flatMap(({ id, rating }) => {
    const { topics: own = [], score = 0 } = perReview.get(id) ?? {};
    return own.map((topic) => ({ topic, id, score, rating }));
  });
  const found = Map.groupBy(all, ({ topic }) => topic);
  return topics
    .flatMap(({ id, label, keywords }) => {
      const own = found.get(id);
      if (!own) return [];
      const count = own.length;
      const sum = own.reduce((total, { score }) => total + score, 0);
      return {
        id,
        label,
        mention_count: count,
        share_pct: roundTo((100 * count) / reviews.length, 1),
        score: mean(sum, count),
        average_rating: roundTo(own.reduce((total, { rating }) => total + rating, 0) / count, 2),
        keywords: [...keywords],
        quotes: [],
        example_review_ids: own.slice(0, EXAMPLES).map((one) => one.id),
      };
    })
    .toSorted(mostMentionedFirst);
}
