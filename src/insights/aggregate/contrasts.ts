// Contrasts: who or what is praised in reviews of one or two stars, and what the same reviews blame.

import type { Contrast, Entity, TechnicianEntity } from '../../model/insights.ts';
import type { Review } from '../../model/review.ts';
import { isTwoSided, shows } from '../editorial/shows.ts';
import type { IndexedMention, MentionIndex } from './mentions.ts';

const BAD = 2;
/** The least number of bad reviews that praise it, and the least share of all bad reviews. */
const MIN_REVIEWS = 4;
const MIN_SHARE = 0.07;
const MAX_BLAMED = 3;
const MAX_CONTRASTS = 3;
const EXAMPLES = 20;

interface Counted {
  /** Who has left is nobody to praise. */
  readonly technicians: readonly Pick<TechnicianEntity, 'id' | 'active'>[];
  readonly aspects: readonly Pick<Entity, 'id' | 'name'>[];
}

/**
 * The contrasts, most reviews first; people of the business before aspects.
 *
 * @param reviews newest first
 */
export function findContrasts(
  reviews: readonly Review[],
  mentions: MentionIndex,
  { technicians, aspects }: Counted,
): Contrast[] {
  const bad = reviews.filter(({ rating }) => rating <= BAD).length;
  const enough = Math.max(MIN_REVIEWS, bad * MIN_SHARE);
  const praised = (list: 'technicians' | 'aspects', ids: readonly string[]) => {
    const all = ids.flatMap((id) =>
      mentions
        .of(list, id)
        .filter(
          (one) =>
            one.review.rating <= BAD &&
            one.mention.sentiment === 'positive' &&
            shows(list, one, 'positive') &&
            !isTwoSided('positive', one.mention.phrase),
        ),
    );
    return [...new Map(all.map((one) => [one.review.id, one])).values()];
  };
  const people = contrastOf(
    { kind: 'people', id: null },
    praised(
      'technicians',
      technicians.filter(({ active }) => active !== false).map(({ id }) => id),
    ),
  );
  const others = aspects.map(({ id }) =>
    contrastOf({ kind: 'aspect', id }, praised('aspects', [id])),
  );
  const found = [people, ...others].filter(
    ({ review_count: count, blamed }) => count >= enough && blamed.length > 0,
  );
  return found
    .toSorted(
      (a, b) =>
        Number(b.praised.kind === 'people') - Number(a.praised.kind === 'people') ||
        b.review_count - a.review_count,
    )
    .slice(0, MAX_CONTRASTS);
}

function contrastOf(praised: Contrast['praised'], reviews: readonly IndexedMention[]): Contrast {
  const counts = new Map<string, number>();
  for (const { entry } of reviews) {
    for (const { id } of entry.problems) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const blamed = [...counts]
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, MAX_BLAMED)
    .map(([problem, count]) => ({ problem, review_count: count }));
  const newest = reviews
    .map(({ review }) => review)
    .toSorted((a, b) => (a.date === b.date ? (a.id < b.id ? 1 : -1) : a.date < b.date ? 1 : -1));
  return {
    praised,
    blamed,
    review_count: reviews.length,
    review_ids: newest.slice(0, EXAMPLES).map(({ id }) => id),
  };
}
