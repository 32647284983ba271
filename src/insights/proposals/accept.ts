// What a language model says of a review in a language that the sentence model does not read: there the stars decide.

import { type Proposal, SCORE_OF_QUOTE } from '../claims/claims.ts';
import type { FoundMention } from '../entities/merging.ts';

/** Adds praise of four and five stars and complaints of one and two, about aspects that have no mention. */
export function withProposals(
  mentions: readonly FoundMention[],
  rating: number,
  proposals: readonly Proposal[] = [],
): readonly FoundMention[] {
  if (rating === 3) return mentions;
  const wanted = rating > 3 ? 'positive' : 'negative';
  const added = proposals
    .filter(({ aspect }) => mentions.every(({ id }) => id !== aspect))
    .filter(({ sentiment }) => sentiment === wanted)
    .map(({ aspect, sentiment, start, end }) => {
      return { id: aspect, sentiment, phraseScore: SCORE_OF_QUOTE, start, end };
    });
  return [...mentions, ...added].toSorted((a, b) => a.start - b.start);
}
