// The insights of reviews that are not analysed yet.

import { buildAnalyser } from '../../src/insights/analyse.ts';
import { deriveFromAnalyses } from '../../src/insights/derive.ts';
import type { Business } from '../../src/model/business.ts';
import type { Insights } from '../../src/model/insights.ts';
import { EVERYONE } from '../../src/model/people.ts';
import type { Review } from '../../src/model/review.ts';

/** Derives the insights of verified reviews. The order of the reviews does not matter. */
export function deriveInsights(
  reviews: readonly Review[],
  business: Business,
  people = EVERYONE,
): Insights {
  const analyse = buildAnalyser(business);
  const analysed = reviews.map((review) => ({ review, analysis: analyse(review) }));
  return deriveFromAnalyses(analysed, business, people);
}
