// What reviews carry beside their stars, added up: part scores and attributes by name, and branches.

import type { Insights } from '../../model/insights.ts';
import type { Business } from '../../model/business.ts';
import { mean, roundTo } from '../../model/rating.ts';
import { attributeKey } from '../../model/review-parts.ts';
import type { Review } from '../../model/review.ts';

/** The commonest values of an attribute that are told. */
const MAX_VALUES = 20;

class Tally {
  count = 0;
  #sum = 0;

  add(stars: number): void {
    this.count += 1;
    this.#sum += stars;
  }

  get mean(): number {
    return mean(this.#sum, this.count) ?? 0;
  }
}

function memberOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const member = map.get(key) ?? make();
  map.set(key, member);
  return member;
}

const inOrder = <T>(map: ReadonlyMap<string, T>) =>
  [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));

/** A value as its newest review spells it. */
interface Spelled {
  readonly label: string;
  readonly tally: Tally;
}

type Parts = Pick<Insights, 'ratings' | 'attributes' | 'locations'>;

/** Each member only if some review has one. */
export function tallyParts(reviews: readonly Review[], { locations = [] }: Business): Parts {
  const ratings = new Map<string, { all: Tally; months: Map<string, Tally> }>();
  const attributes = new Map<string, Map<string, Spelled>>();
  const branches = new Map<string, Tally>();
  for (const review of reviews) {
    for (const [name, stars] of Object.entries(review.ratings ?? {})) {
      const made = () => ({ all: new Tally(), months: new Map<string, Tally>() });
      const { all, months } = memberOf(ratings, name, made);
      all.add(stars);
      memberOf(months, review.date.slice(0, 7), () => new Tally()).add(stars);
    }
    for (const [name, value] of Object.entries(review.attributes ?? {})) {
      const values = memberOf(attributes, name, () => new Map<string, Spelled>());
      const made = () => ({ label: value, tally: new Tally() });
      memberOf(values, attributeKey(value), made).tally.add(review.rating);
    }
    if (review.location) memberOf(branches, review.location, () => new Tally()).add(review.rating);
  }
  return {
    ...(ratings.size > 0 && { ratings: Object.fromEntries(inOrder(ratings).map(ratingOf)) }),
    ...(attributes.size > 0 && {
      attributes: Object.fromEntries(inOrder(attributes).map(attributeOf)),
    }),
    ...(locations.length > 0 && {
      locations: locations.map(({ id, name }) => {
        const tally = branches.get(id);
        return {
          id,
          name,
          review_count: tally?.count ?? 0,
          average_rating: tally?.mean ?? null,
        };
      }),
    }),
  };
}

function ratingOf([name, { all, months }]: [string, { all: Tally; months: Map<string, Tally> }]) {
  const monthly = inOrder(months).map(([month, tally]) => ({
    month,
    mean: tally.mean,
    count: tally.count,
  }));
  return [name, { mean: all.mean, count: all.count, monthly }] as const;
}

function attributeOf([name, values]: [string, Map<string, Spelled>]) {
  const all = [...values.values()];
  const count = all.reduce((sum, { tally }) => sum + tally.count, 0);
  const commonest = all
    .toSorted((a, b) => b.tally.count - a.tally.count || (a.label < b.label ? -1 : 1))
    .slice(0, MAX_VALUES)
    .map(({ label, tally }) => ({
      value: label,
      review_count: tally.count,
      share_pct: roundTo((100 * tally.count) / count, 1),
      average_rating: tally.mean,
    }));
  return [name, { review_count: count, value_count: values.size, values: commonest }] as const;
}
