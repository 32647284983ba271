// Every mention with the review that it is in, by what it is of. Whatever counts or quotes mentions
// reads them here, in the order of the reviews, so that nothing goes through all reviews once more.

import type { Mention, ReviewInsights } from '../../model/insights.ts';
import type { Review } from '../../model/review.ts';

export const MENTION_LISTS = [
  'aspects',
  'technicians',
  'services',
  'problems',
  'service_areas',
] as const satisfies readonly (keyof ReviewInsights)[];
export type MentionList = (typeof MENTION_LISTS)[number];

/** A mention, the review that it is in, and what else was found there. */
export interface Told {
  readonly review: Review;
  readonly entry: ReviewInsights;
  readonly mention: Mention;
  /** How clearly the phrase bears the sentiment out, 0 to 1. */
  readonly phraseScore: number;
}

/** A review and what was found in it. */
export interface ReadReview {
  readonly review: Review;
  readonly entry: ReviewInsights;
  /** How clearly its aspects are told, in their order; 1 where it is left out. */
  readonly clarities?: readonly { readonly phraseScore?: number }[];
}

export class MentionIndex {
  readonly #told = Object.fromEntries(
    MENTION_LISTS.map((list) => [list, new Map<string, Told[]>()]),
  ) as Record<MentionList, Map<string, Told[]>>;

  /** Reviews must come newest first. */
  constructor(reviews: Iterable<ReadReview>) {
    for (const { review, entry, clarities } of reviews) {
      for (const list of MENTION_LISTS) {
        const known = this.#told[list];
        const mentions = entry[list];
        for (let at = 0; at < mentions.length; at++) {
          const mention = mentions[at] as Mention;
          const phraseScore = list === 'aspects' ? (clarities?.[at]?.phraseScore ?? 1) : 1;
          const one = { review, entry, mention, phraseScore };
          const told = known.get(mention.id);
          if (told) told.push(one);
          else known.set(mention.id, [one]);
        }
      }
    }
  }

  /** The mentions of one thing, newest first. */
  of(list: MentionList, id: string): readonly Told[] {
    return this.#told[list].get(id) ?? [];
  }
}
