// An index of all mentions by what they mention. Everything that counts or quotes mentions reads it, so
// that the reviews are walked once.

import type { Mention, ReviewInsights } from '../../model/insights.ts';
import type { Review } from '../../model/review.ts';

const MENTION_LISTS = [
  'aspects',
  'technicians',
  'services',
  'problems',
  'service_areas',
] as const satisfies readonly (keyof ReviewInsights)[];
export type MentionList = (typeof MENTION_LISTS)[number];

/** A mention with its review and the review's other findings. */
export interface IndexedMention {
  readonly review: Review;
  readonly entry: ReviewInsights;
  readonly mention: Mention;
  /** How clearly the phrase shows the sentiment, 0 to 1. */
  readonly phraseScore: number;
  /** Whether the review is in another language than English. */
  readonly isForeign: boolean;
}

/** A review with its findings. */
interface ReviewEntry {
  readonly review: Review;
  readonly entry: ReviewInsights;
  /** The phrase scores of `entry.aspects`, in their order; 1 where one is left out. */
  readonly aspectScores?: readonly { readonly phraseScore?: number }[];
  readonly isForeign?: boolean;
}

export class MentionIndex {
  readonly #mentions = Object.fromEntries(
    MENTION_LISTS.map((list) => [list, new Map<string, IndexedMention[]>()]),
  ) as Record<MentionList, Map<string, IndexedMention[]>>;

  /** @param reviews newest first */
  constructor(reviews: Iterable<ReviewEntry>) {
    for (const { review, entry, aspectScores, isForeign = false } of reviews) {
      for (const list of MENTION_LISTS) {
        const byId = this.#mentions[list];
        const mentions = entry[list];
        for (let at = 0; at < mentions.length; at++) {
          const mention = mentions[at] as Mention;
          const phraseScore = list === 'aspects' ? (aspectScores?.[at]?.phraseScore ?? 1) : 1;
          const indexed = { review, entry, mention, phraseScore, isForeign };
          const known = byId.get(mention.id);
          if (known) known.push(indexed);
          else byId.set(mention.id, [indexed]);
        }
      }
    }
  }

  /** The mentions of an id, newest first. */
  of(list: MentionList, id: string): readonly IndexedMention[] {
    return this.#mentions[list].get(id) ?? [];
  }
}
