// Schemas of the JSON answers about reviews and insights, for HTTP responses and MCP tool results.

import { z } from 'zod';
import { businessSchema } from './business.ts';
import { dateSchema } from './date.ts';
import {
  aspectSchema,
  entitySchema,
  faqSchema,
  insightsSchema,
  pricesSchema,
  reviewInsightsSchema,
  serviceEntitySchema,
  technicianEntitySchema,
  topicSchema,
} from './insights.ts';
import { aggregateRatingSchema } from './rating.ts';
import { reviewSchema } from './review.ts';
import { appliedFilterSchema, FACETS, subjectSchema } from './search.ts';

const count = z.int().min(0);

/** When the content last changed, as in published documents. */
const changeTime = z.iso.datetime({ error: 'expected a time in UTC' });

/** `/reviews.json`. */
export const datasetSchema = z.strictObject({
  version: z.literal(1),
  updated_at: changeTime.describe('when the content last changed'),
  business: businessSchema,
  aggregate_rating: aggregateRatingSchema,
  reviews: z.array(reviewSchema).describe('all reviews, newest first'),
});

export const insightsDocumentSchema = insightsSchema.extend({
  generated_at: changeTime.describe('when the described content last changed'),
});

export const sinceAnswerSchema = z.strictObject({
  since: dateSchema,
  matched: count,
  returned: count.describe('equal to matched: there is no limit'),
  reviews: z.array(reviewSchema).describe('newest first'),
});

export const businessAnswerSchema = z.strictObject({
  business: businessSchema,
  aggregate_rating: aggregateRatingSchema,
  review_count: count,
  prices: pricesSchema.shape.medians,
  transparency: z
    .strictObject({
      log: z.url().describe('the signed checkpoint of the log; get_verification checks one review'),
      entries: count,
      published: count,
      withheld: count.describe('stored and not published, as the business states'),
      removed: count.describe('published before, and removed with a logged reason'),
    })
    .nullable()
    .optional()
    .describe(
      'the signed public log of publications and removals, not in short; null before it begins',
    ),
});

/** Whether a review is in the signed log. */
export const proofAnswerSchema = z.strictObject({
  verified: z
    .boolean()
    .nullable()
    .describe('whether digest, inclusion and signature hold; null if no review has the id'),
  problem: z.string().nullable().describe('what does not hold'),
  proof: z.looseObject({}).nullable().describe('the answer of /api/reviews/{id}/proof'),
});

/** The proof that a review is in the log only in full; how it was verified, and the counts of all. */
export const verificationAnswerSchema = proofAnswerSchema.extend({
  review: z.looseObject({}).nullable().describe('how the review was verified; null without one'),
  counts: z.looseObject({}).nullable().describe('of all reviews'),
});

const directAnswersSchema = z
  .array(z.strictObject({ text: z.string(), review_ids: z.array(z.string()) }))
  .optional()
  .describe('direct answers to a question');

export const factsSchema = z
  .array(z.string())
  .optional()
  .describe('what all reviews together say of it, for agents');

/** A page of reviews. */
export const searchAnswerSchema = z.strictObject({
  matched: count.describe('reviews that match, on all pages; with all words'),
  related: count.optional().describe('others that follow: with some words, or about them'),
  returned: count.describe('reviews in this answer'),
  filters: appliedFilterSchema.describe('the filters applied'),
  next_cursor: z.string().nullable().describe('cursor of the next page; null on the last page'),
  names: z
    .array(z.string())
    .optional()
    .describe('names near a technician, service or place that nobody knows'),
  answers: directAnswersSchema,
  match: z
    .record(z.string(), z.enum(['all', 'some', 'subject']))
    .optional()
    .describe('by review id: has all words, some, or is about them'),
  subjects: z.array(subjectSchema).optional().describe('what the words name'),
  facets: z
    .record(
      z.string().describe(`${FACETS.join(', ')}, or attribute.NAME`),
      z.array(z.strictObject({ value: z.string(), label: z.string(), count })),
    )
    .optional()
    .describe('matches by each value, if asked for'),
  highlights: z
    .record(z.string(), z.array(z.array(count)))
    .optional()
    .describe(
      'if asked for: by review id, where its text has what was searched for: [start, end) in UTF-16',
    ),
  reply_highlights: z
    .record(z.string(), z.array(z.array(count)))
    .optional()
    .describe('the same of replies, with "in"'),
  not_highlighted: z.array(z.string()).optional().describe('too long for it'),
  suggestions: z
    .array(z.strictObject({ words: z.string(), matched: count }))
    .optional()
    .describe('other words that match, if nothing does'),
  reviews: z.array(reviewSchema).describe('in the order of sort'),
});

export const reviewAnswerSchema = z.strictObject({
  review: reviewSchema.extend({ url: z.url().describe('its page') }).nullable(),
  insights: reviewInsightsSchema.nullable().describe('insights of this review'),
});

/** Alternatives when a name matches nothing or is ambiguous. */
const namesSchema = z
  .array(z.string())
  .nullable()
  .describe('null when found; else all names, or the names that an ambiguous one may mean');

/** The match, if it was found by an alias or a close spelling. */
const matchedAsSchema = z
  .strictObject({ name: z.string(), by: z.enum(['alias', 'spelling', 'part']) })
  .nullable()
  .describe(
    'the match for the given name by an alias, a close spelling or a part; null when matched by its own name ' +
      'or not found',
  );

const reviewsSchema = z
  .array(z.looseObject({}))
  .describe('the newest reviews that mention it, at most 5, as search_reviews has them');

/** The fields of the aspect; all null if there is no such aspect. */
export const aspectAnswerSchema = z.strictObject({
  id: aspectSchema.shape.id.nullable(),
  label: aspectSchema.shape.label.nullable(),
  mention_count: aspectSchema.shape.mention_count.nullable(),
  positive_count: aspectSchema.shape.positive_count.nullable(),
  neutral_count: aspectSchema.shape.neutral_count.nullable(),
  negative_count: aspectSchema.shape.negative_count.nullable(),
  positive_pct: aspectSchema.shape.positive_pct,
  score: aspectSchema.shape.score,
  top_phrases: aspectSchema.shape.top_phrases.nullable(),
  quotes: aspectSchema.shape.quotes.nullable(),
  example_review_ids: aspectSchema.shape.example_review_ids.nullable(),
  names: namesSchema,
  matched_as: matchedAsSchema,
});

export const technicianAnswerSchema = z.strictObject({
  technician: technicianEntitySchema.nullable(),
  reviews: reviewsSchema,
  names: namesSchema,
  facts: factsSchema,
});

export const serviceAnswerSchema = z.strictObject({
  service: serviceEntitySchema.nullable(),
  reviews: reviewsSchema,
  names: namesSchema,
  matched_as: matchedAsSchema,
});

export const topicsAnswerSchema = z.strictObject({
  topics: z.array(topicSchema.partial({ quotes: true })),
  problems: z.array(
    entitySchema
      .pick({ id: true, mention_count: true, average_rating: true, example_review_ids: true })
      .extend({ label: z.string() }),
  ),
  facts: factsSchema,
});

export const faqAnswerSchema = z.strictObject({
  answers: directAnswersSchema,
  faq: z.array(faqSchema),
  questions: z.array(z.string()).optional().describe('what there is, if nothing fits'),
});

export const summaryAnswerSchema = insightsSchema.pick({
  summary: true,
  pull_quote: true,
  pull_quote_review_id: true,
  review_count: true,
  date_range: true,
  overall_sentiment: true,
  model: true,
});

export const trendAnswerSchema = insightsSchema.shape.temporal;

export type BusinessAnswer = z.infer<typeof businessAnswerSchema>;
export type ProofAnswer = z.infer<typeof proofAnswerSchema>;
export type TechnicianAnswer = z.infer<typeof technicianAnswerSchema>;
export type ServiceAnswer = z.infer<typeof serviceAnswerSchema>;
export type AspectAnswer = z.infer<typeof aspectAnswerSchema>;
export type ReviewAnswer = z.infer<typeof reviewAnswerSchema>;
export type SearchAnswer = z.infer<typeof searchAnswerSchema>;
