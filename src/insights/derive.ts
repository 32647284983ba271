// Reviews to insights: what can be said of them so far without guessing. Aspects, topics, problems
// and questions are empty until their analyser exists.

import type { Business } from '../model/business.ts';
import type { Insights, Mention, ReviewInsights } from '../model/insights.ts';
import { mean } from '../model/rating.ts';
import { compareNewestFirst, type Review } from '../model/review.ts';
import { type CatalogueEntry, catalogueOf, finderOf } from './catalogue.ts';
import { scoreOfReview, sentimentOf } from './sentiment.ts';
import { EntityTally, percentages } from './tally.ts';
import { monthlyFigures, trendOf } from './temporal.ts';

/** Of the aspect taxonomy, which is empty so far. */
const VERSION = 1;
const MODEL = 'stars-words-catalogue/1';

const LISTS = ['technicians', 'services', 'service_areas'] as const;
type List = (typeof LISTS)[number];

/**
 * Derives the insights of verified reviews, in any order; the result depends on nothing else than
 * these two arguments.
 */
export function deriveInsights(reviews: readonly Review[], business: Business): Insights {
  const sorted = reviews.toSorted(compareNewestFirst);
  const catalogue = catalogueOf(business);
  const entries: Record<List, readonly CatalogueEntry[]> = {
    technicians: catalogue.technicians,
    services: catalogue.services,
    service_areas: catalogue.serviceAreas,
  };
  const perReview = analyseEach(sorted, entries);
  const entities = tallyEntities(sorted, perReview, entries);
  return {
    version: VERSION,
    model: MODEL,
    review_count: sorted.length,
    date_range: { earliest: sorted.at(-1)?.date ?? null, latest: sorted[0]?.date ?? null },
    overall_sentiment: overallSentiment(perReview),
    aspects: [],
    entities: {
      technicians: entities.technicians,
      services: entities.services.map((entity) => ({ ...entity, label: entity.name })),
      problems: [],
      service_areas: entities.service_areas,
    },
    topics: [],
    temporal: { monthly: monthlyFigures(sorted, perReview), trend: trendOf(sorted) },
    per_review: Object.fromEntries(perReview),
    faq: [],
    summary: summarise(sorted, business),
    pull_quote: null,
    pull_quote_review_id: null,
  };
}

function analyseEach(
  reviews: readonly Review[],
  entries: Record<List, readonly CatalogueEntry[]>,
): Map<string, ReviewInsights> {
  const findTechnicians = finderOf(entries.technicians, true);
  const findServices = finderOf(entries.services, false);
  const findServiceAreas = finderOf(entries.service_areas, true);
  const perReview = new Map<string, ReviewInsights>();
  for (const { id, rating, text } of reviews) {
    const score = scoreOfReview(rating, text);
    perReview.set(id, {
      score,
      sentiment: sentimentOf(score),
      aspects: [],
      technicians: text === null ? [] : findTechnicians(text),
      services: text === null ? [] : findServices(text),
      problems: [],
      service_areas: text === null ? [] : findServiceAreas(text),
      topics: [],
    });
  }
  return perReview;
}

/** The entities that were mentioned at all, most mentioned first. */
function tallyEntities(
  reviews: readonly Review[],
  perReview: ReadonlyMap<string, ReviewInsights>,
  entries: Record<List, readonly CatalogueEntry[]>,
): Record<List, Insights['entities']['technicians']> {
  const tallyList = (list: List) => {
    const tallies = new Map<string, EntityTally>();
    for (const review of reviews) {
      const mentions: readonly Mention[] = perReview.get(review.id)?.[list] ?? [];
      for (const mention of mentions) {
        const tally = tallies.get(mention.id) ?? new EntityTally();
        tally.add(review, mention);
        tallies.set(mention.id, tally);
      }
    }
    return entries[list]
      .flatMap(({ id, name }) => tallies.get(id)?.toEntity(id, name) ?? [])
      .toSorted((a, b) => b.mention_count - a.mention_count || (a.id < b.id ? -1 : 1));
  };
  return {
    technicians: tallyList('technicians'),
    services: tallyList('services'),
    service_areas: tallyList('service_areas'),
  };
}

function overallSentiment(
  perReview: ReadonlyMap<string, ReviewInsights>,
): Insights['overall_sentiment'] {
  const counts = { positive: 0, neutral: 0, negative: 0 };
  let sum = 0;
  for (const { score, sentiment } of perReview.values()) {
    counts[sentiment] += 1;
    sum += score;
  }
  const [positive = null, neutral = null, negative = null] = percentages([
    counts.positive,
    counts.neutral,
    counts.negative,
  ]);
  return {
    score: mean(sum, perReview.size),
    positive_pct: positive,
    neutral_pct: neutral,
    negative_pct: negative,
  };
}

/** Counts in words, nothing that the figures do not say. */
function summarise(reviews: readonly Review[], business: Business): string {
  const [newest, oldest] = [reviews[0], reviews.at(-1)];
  if (!newest || !oldest) return `${business.name} has no verified reviews yet.`;
  const stars = reviews.reduce((sum, { rating }) => sum + rating, 0);
  const satisfied = reviews.filter(({ rating }) => rating >= 4).length;
  const count = reviews.length === 1 ? 'one verified review' : `${reviews.length} verified reviews`;
  return (
    `${business.name} has ${count} from ${oldest.date} to ${newest.date}, ` +
    `${mean(stars, reviews.length)} stars on average. ` +
    `${satisfied} of them give four or five stars.`
  );
}
