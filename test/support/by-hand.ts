// Handwritten reviews and insights, with an entry in every list.

import { deriveInsights } from './derive.ts';
import type { Insights } from '../../src/model/insights.ts';
import type { Review } from '../../src/model/review.ts';
import { BUSINESS, review, ulidOf } from './reviews.ts';

export const PRAISE = ulidOf(101, '2024-03-01');
export const BLAME = ulidOf(102, '2024-03-02');
export const SILENT = ulidOf(103, '2024-03-03');

export const REVIEWS: readonly Review[] = [
  review({
    id: PRAISE,
    date: '2024-03-01',
    rating: 5,
    text: 'Mike Alvarez fixed the boiler. Great price!',
    ownerReply: { text: 'Thank you — “always”.', date: '2024-03-05' },
  }),
  review({
    id: BLAME,
    date: '2024-03-02',
    rating: 1,
    source: 'yelp',
    text: 'Zoë left a mess, and the price was terrible.',
  }),
  review({ id: SILENT, date: '2024-03-03', rating: 4, text: null }),
];

const PRICE: Insights['aspects'][number] = {
  id: 'price',
  label: 'Price & value',
  mention_count: 2,
  positive_count: 1,
  neutral_count: 0,
  negative_count: 1,
  positive_pct: 50,
  score: 0,
  top_phrases: ['Great price!', 'the price was terrible'],
  quotes: [],
  example_review_ids: [PRAISE, BLAME],
};

const NAMED: Insights['entities']['problems'][number] = {
  id: 'mike-alvarez',
  name: 'Mike Alvarez',
  mention_count: 1,
  positive_count: 1,
  neutral_count: 0,
  negative_count: 0,
  positive_pct: 100,
  score: 1,
  average_rating: 5,
  first_mentioned: '2024-03-01',
  last_mentioned: '2024-03-01',
  top_aspects: ['price'],
  top_phrases: ['Mike Alvarez fixed the boiler.'],
  quotes: [],
  example_review_ids: [PRAISE],
};

const MIKE: Insights['entities']['technicians'][number] = {
  ...NAMED,
  active: true,
  traits: [
    {
      label: 'solves the problem',
      review_count: 2,
      phrases: ['Mike Alvarez fixed the boiler.'],
      review_ids: [PRAISE],
    },
  ],
};

const ZOE: Insights['entities']['technicians'][number] = {
  ...MIKE,
  id: 'zoe-lefevre',
  name: 'Zoë Lefèvre',
  positive_count: 0,
  negative_count: 1,
  positive_pct: 0,
  score: -1,
  average_rating: 1,
  first_mentioned: '2024-03-02',
  last_mentioned: '2024-03-02',
  traits: [],
  top_phrases: ['Zoë left a mess'],
  example_review_ids: [BLAME],
};

/** The insights of a review that says nothing. */
export const NOTHING = {
  aspects: [],
  technicians: [],
  services: [],
  problems: [],
  service_areas: [],
  topics: [],
};

/** Lists that the analyser may leave empty. */
const RICH: Pick<Insights, 'aspects' | 'topics' | 'faq'> = {
  aspects: [PRICE, { ...PRICE, id: 'cleanliness', label: 'Cleanliness' }],
  topics: [
    {
      id: 'heating',
      label: 'Heating',
      mention_count: 1,
      share_pct: 33.3,
      score: 1,
      average_rating: 5,
      keywords: ['boiler'],
      quotes: [],
      example_review_ids: [PRAISE],
    },
  ],
  faq: [
    {
      question: 'Do they repair boilers?',
      answer: 'Yes: one review tells of a café whose boiler was fixed.',
      review_ids: [PRAISE],
      review_count: 1,
    },
    {
      question: 'Are they tidy?',
      answer: 'Opinions differ.',
      review_ids: [BLAME],
      review_count: 1,
    },
  ],
};

/** Insights of REVIEWS, written by hand, so that they do not depend on the analyser. */
export const INSIGHTS: Insights = {
  version: 1,
  model: 'by-hand/1',
  review_count: 3,
  date_range: { earliest: '2024-03-01', latest: '2024-03-03' },
  overall_sentiment: { score: 0.13, positive_pct: 66.7, neutral_pct: 0, negative_pct: 33.3 },
  aspects: RICH.aspects,
  entities: {
    technicians: [MIKE, ZOE],
    services: [{ ...NAMED, id: 'boiler-repair', name: 'Boiler repair', label: 'Boiler repair' }],
    problems: [],
    service_areas: [],
  },
  topics: RICH.topics,
  temporal: {
    monthly: [
      {
        month: '2024-03',
        review_count: 3,
        average_rating: 3.33,
        score: 0.13,
        positive_pct: 66.7,
      },
    ],
    trend: 'stable',
    episodes: [],
    changes: [],
    comparison: null,
  },
  selection: {
    praised: [],
    criticized: [],
    strengths: [],
    weak_spots: [],
    complaints: [],
    low_topics: [],
    people: [],
  },
  prices: { mentions: [], medians: [] },
  per_review: {
    [SILENT]: { score: 0.5, sentiment: 'positive', ...NOTHING },
    [BLAME]: {
      score: -1,
      sentiment: 'negative',
      ...NOTHING,
      aspects: [{ id: 'price', sentiment: 'negative', phrase: 'the price was terrible' }],
      technicians: [{ id: 'zoe-lefevre', sentiment: 'negative', phrase: 'Zoë left a mess' }],
    },
    [PRAISE]: {
      score: 1,
      sentiment: 'positive',
      ...NOTHING,
      aspects: [{ id: 'price', sentiment: 'positive', phrase: 'Great price!' }],
      technicians: [
        { id: 'mike-alvarez', sentiment: 'positive', phrase: 'Mike Alvarez fixed the boiler.' },
      ],
      services: [
        { id: 'boiler-repair', sentiment: 'positive', phrase: 'Mike Alvarez fixed the boiler.' },
      ],
      topics: ['heating'],
    },
  },
  faq: RICH.faq,
  summary: 'Two of three reviewers are content; opinions on the price differ.',
  summary_sentences: [
    {
      text: 'Two of three reviewers are content; opinions on the price differ.',
      review_ids: [PRAISE, BLAME],
    },
  ],
  pull_quote: 'Great price!',
  pull_quote_review_id: PRAISE,
};

/** The derived insights of any reviews, with entries in the lists that the analyser may leave empty. */
export function richInsightsOf(reviews: readonly Review[]): Insights {
  return {
    ...deriveInsights(reviews, BUSINESS),
    ...RICH,
    pull_quote: 'Great price!',
    pull_quote_review_id: PRAISE,
  };
}
