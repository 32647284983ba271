// What reviews carry beside their stars, added up: part scores and attributes by name, and branches.

import type { Insights } from '../../model/insights.ts';
import type { Business } from '../../model/business.ts';
import { mean, roundTo } from '../../model/rating.ts';
import { attributeKey } from '../../model/review-parts.ts';
import type { Review } from '../../model/review.ts';

/** The commonest values of an attribute that are told. */
const MAX_VALUES = 20;

type Parts = Pick<Insights, 'ratings' | 'attributes' | 'locations'>;

type Rated = Pick<Review, 'rating'>;

const meanOf = (rated: readonly Rated[]) =>
  mean(
    rated.reduce((sum, { rating }) => sum + rating, 0),
    rated.length,
  ) ?? 0;

const grouped = <T>(all: readonly T[], keyOf: (one: T) => string) =>
  [...Map.groupBy(all, keyOf)].toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Each member only if some review has one. */
export function tallyParts(reviews: readonly Review[], { locations = [] }: Business): Parts {
  const scores = reviews.flatMap(({ date, ratings }) =>
    Object.entries(ratings ?? {}).map(([name, rating]) => ({
      name,
      rating,
      month: date.slice(0, 7),
    })),
  );
  const attributes = reviews.flatMap(({ rating, attributes: own }) =>
    Object.entries(own ?? {}).map(([name, value]) => ({ name, value, rating })),
  );
  const branches = Map.groupBy(reviews, ({ location }) => location ?? '');
  const byName = <T extends { readonly name: string }, Told>(
    all: readonly T[],
    tell: (own: T[]) => Told,
  ) => Object.fromEntries(grouped(all, ({ name }) => name).map(([name, own]) => [name, tell(own)]));
  return {
    ...(scores.length > 0 && {
      ratings: byName(scores, (own) => ({
        mean: meanOf(own),
        count: own.length,
        monthly: grouped(own, ({ month }) => month).map(([month, each]) => ({
          month,
          mean: meanOf(each),
          count: each.length,
        })),
      })),
    }),
    ...(attributes.length > 0 && { attributes: byName(attributes, attributeOf) }),
    ...(locations.length > 0 && {
      locations: locations.map(({ id, name }) => {
        const own = branches.get(id) ?? [];
        const average = own.length === 0 ? null : meanOf(own);
        return { id, name, review_count: own.length, average_rating: average };
      }),
    }),
  };
}

/** Each value as its newest review spells it. */
function attributeOf(own: readonly (Rated & { readonly value: string })[]) {
  const values = [...Map.groupBy(own, ({ value }) => attributeKey(value)).values()].map((all) => ({
    value: all[0]?.value ?? '',
    review_count: all.length,
    share_pct: roundTo((100 * all.length) / own.length, 1),
    average_rating: meanOf(all),
  }));
  const commonest = values.toSorted(
    (a, b) => b.review_count - a.review_count || (a.value < b.value ? -1 : 1),
  );
  return {
    review_count: own.length,
    value_count: values.length,
    values: commonest.slice(0, MAX_VALUES),
  };
}
