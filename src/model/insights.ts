// Schemas of insights, as derived by the analyser and published in `/insights.json`.

import { z } from 'zod';
import { dateSchema } from './date.ts';

const score = z.number().min(-1).max(1).meta({ description: '-1 to 1, two decimals' });
const percent = z.number().min(0).max(100).meta({ description: 'one decimal' });
const count = z.int().min(0);
const reviewIds = z.array(z.string());
/** The most reviews that a statement or an answer names. */
export const MOST_REVIEWS = 20;

export const sentimentSchema = z.enum(['positive', 'neutral', 'negative']);

const mentionSchema = z.strictObject({
  id: z.string(),
  sentiment: sentimentSchema,
  phrase: z.string().meta({ description: 'verbatim from the review' }),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: 'how probable the claim is; absent where no model tells it' }),
});

const countsShape = {
  mention_count: count,
  positive_count: count,
  neutral_count: count,
  negative_count: count,
  positive_pct: percent.nullable(),
  score: score.nullable(),
};

const quotesSchema = z
  .array(
    z.strictObject({
      review_id: z.string(),
      sentiment: z.enum(['positive', 'negative']),
      text: z.string().meta({ description: 'verbatim from the review' }),
    }),
  )
  .meta({
    description:
      'sentences that show praise or blame by themselves, of each side the most telling first',
  });

const evidenceShape = {
  top_phrases: z.array(z.string()),
  quotes: quotesSchema,
  example_review_ids: reviewIds,
};

export const aspectSchema = z.strictObject({
  id: z.string(),
  label: z.string(),
  ...countsShape,
  ...evidenceShape,
});

const entityShape = {
  id: z.string(),
  name: z.string(),
  ...countsShape,
  average_rating: z.number().min(1).max(5).nullable(),
  first_mentioned: dateSchema.nullable(),
  last_mentioned: dateSchema.nullable(),
  top_aspects: z.array(z.string()),
  ...evidenceShape,
};

export const entitySchema = z.strictObject(entityShape);
export const serviceEntitySchema = z.strictObject({ ...entityShape, label: z.string() });
/** What reviews praise in a person, such as "explains". */
const traitSchema = z.strictObject({
  label: z.string(),
  review_count: count,
  phrases: z.array(z.string()),
  review_ids: reviewIds,
});

export const technicianEntitySchema = z.strictObject({
  ...entityShape,
  active: z.boolean().nullable().meta({
    description: 'whether the business says that the person works there; null if it says nothing',
  }),
  traits: z.array(traitSchema),
});

const average = z.number().min(1).max(5);

export const topicSchema = z.strictObject({
  id: z.string(),
  label: z.string(),
  mention_count: count,
  share_pct: percent.nullable(),
  score: score.nullable(),
  average_rating: average.meta({ description: 'of the stars of their reviews' }),
  keywords: z.array(z.string()),
  quotes: quotesSchema,
  example_review_ids: reviewIds,
});

const month = z.string().regex(/^\d{4}-\d{2}$/);

export const monthSchema = z.strictObject({
  month,
  review_count: count,
  average_rating: z.number().min(1).max(5).nullable(),
  score: score.nullable(),
  positive_pct: percent.nullable(),
});

const episodeSchema = z.strictObject({
  kind: z.enum(['dip', 'rise']).meta({ description: 'ratings below or above all other months' }),
  from: month.meta({ description: 'first month' }),
  to: month.meta({ description: 'last month' }),
  review_count: count,
  average_rating: average,
  average_before: average.nullable().meta({ description: 'of the year before' }),
  average_after: average.nullable().meta({ description: 'of all months after' }),
  is_over: z.boolean(),
  aspects: z.array(z.string()).meta({
    description: 'ids of aspects that were criticised (dip) or praised (rise) more often',
  }),
  problems: z.array(z.string()).meta({ description: 'ids of problems that came up more often' }),
  causes: z.array(z.string()).meta({ description: 'what most of its low (high) reviews tell' }),
  example_review_ids: reviewIds,
});

const complaintsSchema = z.strictObject({ complaint_count: count, review_count: count });

const changeSchema = z.strictObject({
  list: z.enum(['aspects', 'problems']),
  id: z.string(),
  trend: z.enum(['more', 'fewer']).meta({ description: 'complaints by share of the reviews' }),
  before: complaintsSchema,
  recent: complaintsSchema.meta({ description: 'in the twelve months up to the newest review' }),
});

const periodSchema = z.strictObject({ review_count: count, average_rating: average });
const trendSchema = z.enum(['improving', 'stable', 'declining']);

const comparisonSchema = z.strictObject({
  months: z.int().meta({ description: 'length of each of the two periods' }),
  since: z.string().meta({ description: 'the recent period begins after this day' }),
  before: z.string().meta({ description: 'the earlier period begins after this day' }),
  trend: trendSchema,
  recent: periodSchema,
  earlier: periodSchema,
});

const chosenSchema = z.strictObject({
  id: z.string(),
  count: count.meta({ description: 'reviews that praise or criticise it' }),
  of: count.meta({ description: 'reviews that mention it' }),
  review_ids: reviewIds.meta({ description: 'some of those that praise or criticise it' }),
  claim: z.string().optional().meta({ description: 'what prose tells of it, in English' }),
});

/** What stands out. Prose and pages in all languages only word it. */
const selectionSchema = z.strictObject({
  praised: z.array(chosenSchema).meta({ description: 'aspects, most praised first' }),
  criticized: z.array(chosenSchema).meta({ description: 'aspects, most criticised first' }),
  strengths: z.array(chosenSchema).meta({ description: 'up to three aspects that most praise' }),
  weak_spots: z.array(chosenSchema).meta({
    description:
      'up to three aspects that as many criticise as praise, or else the most criticised',
  }),
  complaints: z.array(chosenSchema).meta({ description: 'up to three other problems' }),
  low_topics: z.array(z.string()).meta({
    description: 'ids of up to three topics whose reviews give at least a star less than all',
  }),
  people: z.array(chosenSchema).meta({ description: 'up to three technicians to ask for' }),
});

const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .meta({ description: 'ISO 4217' });

export const pricesSchema = z.strictObject({
  mentions: z
    .array(
      z.strictObject({
        kind: z.enum(['paid', 'quoted']),
        amount: z.number().min(0),
        currency,
        service: z.string().nullable().meta({ description: 'id; null if it is not clear' }),
        date: dateSchema.meta({ description: 'of the review' }),
        review_id: z.string(),
        phrase: z.string().meta({ description: 'verbatim from the review' }),
      }),
    )
    .meta({ description: 'the 500 newest' }),
  medians: z
    .array(
      z.strictObject({
        service: z.string().nullable().meta({ description: 'id; null: of all paid amounts' }),
        currency,
        count: z.int().min(5).meta({ description: 'of paid amounts' }),
        lowest: z.number().min(0),
        median: z.number().min(0),
        highest: z.number().min(0),
        example_review_ids: reviewIds,
      }),
    )
    .meta({ description: 'of at least five paid amounts' }),
});

export const reviewInsightsSchema = z.strictObject({
  score,
  sentiment: sentimentSchema,
  aspects: z.array(mentionSchema),
  technicians: z.array(mentionSchema),
  services: z.array(mentionSchema),
  problems: z.array(mentionSchema),
  service_areas: z.array(mentionSchema),
  topics: z.array(z.string()),
});

export const faqSchema = z.strictObject({
  question: z.string(),
  answer: z.string(),
  review_ids: reviewIds.meta({ description: 'some of the reviews that it counts' }),
  review_count: count.meta({ description: 'all reviews that it counts' }),
});

/** `/insights.json` without `generated_at`, which the publish adds. */
export const insightsSchema = z.strictObject({
  version: z.int().min(1),
  model: z.string(),
  review_count: count,
  date_range: z.strictObject({ earliest: dateSchema.nullable(), latest: dateSchema.nullable() }),
  overall_sentiment: z.strictObject({
    score: score.nullable(),
    positive_pct: percent.nullable(),
    neutral_pct: percent.nullable(),
    negative_pct: percent.nullable(),
  }),
  aspects: z.array(aspectSchema),
  entities: z.strictObject({
    technicians: z.array(technicianEntitySchema),
    services: z.array(serviceEntitySchema),
    problems: z.array(entitySchema),
    service_areas: z.array(entitySchema),
  }),
  topics: z.array(topicSchema),
  temporal: z.strictObject({
    monthly: z.array(monthSchema),
    trend: trendSchema,
    episodes: z.array(episodeSchema),
    changes: z.array(changeSchema),
    comparison: comparisonSchema.nullable().meta({
      description: 'with the business’s own past; null if there are too few ratings',
    }),
  }),
  selection: selectionSchema,
  prices: pricesSchema,
  ratings: z
    .record(
      z.string(),
      z.strictObject({
        mean: average,
        count,
        monthly: z.array(z.strictObject({ month, mean: average, count })),
      }),
    )
    .optional()
    .meta({ description: 'part scores by name; absent if no review has any' }),
  attributes: z
    .record(
      z.string(),
      z.strictObject({
        review_count: count,
        value_count: count.meta({ description: 'different values' }),
        values: z
          .array(
            z.strictObject({
              value: z.string(),
              review_count: count,
              share_pct: percent,
              average_rating: average,
            }),
          )
          .meta({ description: 'the 20 commonest' }),
      }),
    )
    .optional()
    .meta({ description: 'by name; absent if no review has any' }),
  locations: z
    .array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        review_count: count,
        average_rating: average.nullable(),
      }),
    )
    .optional()
    .meta({ description: 'the branches; absent if the business lists none' }),
  per_review: z.record(z.string(), reviewInsightsSchema),
  faq: z.array(faqSchema),
  summary: z.string(),
  summary_sentences: z.array(z.strictObject({ text: z.string(), review_ids: reviewIds })).meta({
    description: 'the sentences of the summary, each with some of the reviews that it rests on',
  }),
  pull_quote: z.string().nullable(),
  pull_quote_review_id: z.string().nullable(),
});

export type Sentiment = z.infer<typeof sentimentSchema>;
export type Mention = z.infer<typeof mentionSchema>;
export type ReviewInsights = z.infer<typeof reviewInsightsSchema>;
export type Entity = z.infer<typeof entitySchema>;
export type TechnicianEntity = z.infer<typeof technicianEntitySchema>;
export type Trait = z.infer<typeof traitSchema>;
export type Comparison = z.infer<typeof comparisonSchema>;
export type Selection = z.infer<typeof selectionSchema>;
export type Episode = z.infer<typeof episodeSchema>;
export type SubjectChange = z.infer<typeof changeSchema>;
export type Month = z.infer<typeof monthSchema>;
export type Insights = z.infer<typeof insightsSchema>;
