// The branches of a business: which one a review is of. Sources name them in their own way.

import type { Business } from './business.ts';
import { fold } from './fold.ts';
import type { Review } from './review.ts';

/**
 * The reviews with the ids of their branches. What the business file does not list is not published: the number that
 * Google gives to the only place of a business tells nobody anything.
 */
export function withBranches(
  reviews: readonly Review[],
  { locations = [] }: Business,
): readonly Review[] {
  const ids = new Map<string, string>();
  // What a branch is called itself wins over what sources call another.
  const names = [
    ...locations.flatMap(({ id, aliases }) => aliases.map((alias) => [alias, id] as const)),
    ...locations.map(({ id, name }) => [name, id] as const),
    ...locations.map(({ id }) => [id, id] as const),
  ];
  for (const [name, id] of names) ids.set(fold(name).trim(), id);
  return reviews.map((review) => {
    if (!review.location) return review;
    return { ...review, location: ids.get(fold(review.location).trim()) ?? null };
  });
}
