// Reviews and insights of a test's own making, with something in every list.

import { deriveInsights } from '../../src/insights/derive.ts';
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
  top_phrases: ['Great price!'],
  example_review_ids: [PRAISE, BLAME],
};

/** What the analyser would find, with lists that it leaves empty so far filled by hand. */
export function insightsOf(reviews: readonly Review[] = REVIEWS): Insights {
  const derived = deriveInsights(reviews, BUSINESS);
  return {
    ...derived,
    aspects: [PRICE, { ...PRICE, id: 'cleanliness', label: 'Cleanliness' }],
    topics: [
      {
        id: 'heating',
        label: 'Heating',
        mention_count: 1,
        share_pct: 33.3,
        score: 1,
        keywords: ['boiler'],
        example_review_ids: [PRAISE],
      },
    ],
    faq: [
      {
        question: 'Do they repair boilers?',
        answer: 'Yes: one review tells of a café whose boiler was fixed.',
        review_ids: [PRAISE],
      },
      { question: 'Are they tidy?', answer: 'Opinions differ.', review_ids: [BLAME] },
    ],
    pull_quote: 'Great price!',
    pull_quote_review_id: PRAISE,
  };
}
