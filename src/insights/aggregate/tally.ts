// Counting mentions: every number of an entity is the number of the entries that it sums.

import type { Entity, Insights, ReviewInsights, Sentiment } from '../../model/insights.ts';
import { mean, roundTo } from '../../model/rating.ts';
import type { Review } from '../../model/review.ts';
import type { MentionIndex, MentionList, Told } from './mentions.ts';
import { ENOUGH, representative } from './representative.ts';

const TOP_PHRASES = 5;
const EXAMPLES = 5;
const TOP_ASPECTS = 3;

/** What the mentions of one thing add up to; they come newest first. */
export function entityOf(id: string, name: string, told: readonly Told[]): Entity {
  const counts: Record<Sentiment, number> = { positive: 0, neutral: 0, negative: 0 };
  let ratings = 0;
  for (const { review, mention } of told) {
    counts[mention.sentiment] += 1;
    ratings += review.rating;
  }
  const { positive, neutral, negative } = counts;
  const phrases = topPhrases(told, counts);
  return {
    id,
    name,
    mention_count: told.length,
    positive_count: positive,
    neutral_count: neutral,
    negative_count: negative,
    positive_pct: told.length === 0 ? null : roundTo((100 * positive) / told.length, 1),
    score: mean(positive - negative, told.length),
    average_rating: mean(ratings, told.length),
    first_mentioned: told.at(-1)?.review.date ?? null,
    last_mentioned: told[0]?.review.date ?? null,
    top_aspects: [],
    top_phrases: phrases,
    example_review_ids: examplesOf(told, phrases),
  };
}

/** The reviews of the phrases, in their order, then the newest. */
function examplesOf(told: readonly Told[], phrases: readonly string[]): string[] {
  const shown = phrases.flatMap(
    (phrase) => told.find(({ mention }) => mention.phrase === phrase) ?? [],
  );
  const ids = [...shown, ...told.slice(0, EXAMPLES)].map(({ review }) => review.id);
  return [...new Set(ids)].slice(0, EXAMPLES);
}

/** Those that speak for the others, of the sentiment that most have. */
function topPhrases(
  told: readonly Told[],
  { positive, neutral, negative }: Readonly<Record<Sentiment, number>>,
): string[] {
  const usual = positive >= negative ? 'positive' : 'negative';
  const typical = neutral > positive + negative ? 'neutral' : usual;
  return representative(
    told.slice(0, ENOUGH).map(({ mention: { phrase, sentiment }, phraseScore }) => ({
      phrase,
      isTypical: sentiment === typical,
      phraseScore,
    })),
    TOP_PHRASES,
  );
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

/** What was mentioned at all of a list, most mentioned first. */
export function tallyMentions(
  mentions: MentionIndex,
  list: MentionList,
  entries: readonly { readonly id: string; readonly name: string }[],
): Entity[] {
  return entries
    .flatMap(({ id, name }) => {
      const told = mentions.of(list, id);
      return told.length === 0 ? [] : [entityOf(id, name, told)];
    })
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
  mentions: MentionIndex,
  list: MentionList,
): Entity[] {
  return entities.map((entity) => {
    const counts = new Map<string, number>();
    for (const { entry } of mentions.of(list, entity.id)) {
      for (const { id } of entry.aspects) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    const top_aspects = [...counts]
      .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .slice(0, TOP_ASPECTS)
      .map(([aspect]) => aspect);
    return { ...entity, top_aspects };
  });
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
