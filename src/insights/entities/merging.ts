// Merges all mentions of an entity in a review into the one that is counted.

import type { Sentiment } from '../../model/insights.ts';
import type { Span } from '../text/text.ts';

/** A mention as it is counted: one per id and review. The span is the phrase to show. */
export interface FoundMention extends Span {
  readonly id: string;
  readonly sentiment: Sentiment;
  /** How clearly the phrase shows the sentiment, 0 to 1; 1 where it is left out. */
  readonly phraseScore?: number;
  /** How probable the claim is, 0 to 1; left out where no model tells it. */
  readonly confidence?: number;
}

/** A mention at one place in the text. */
export interface SeenMention extends Span {
  readonly id: string;
  readonly sentiment: Sentiment;
}

/**
 * One mention per id, in the order of the text. Its sentiment is that of the majority, ties are broken by
 * the stars, and its phrase is the first with that sentiment.
 */
export function mergeMentions(seen: readonly SeenMention[], rating: number): FoundMention[] {
  if (seen.length === 0) return [];
  return [...Map.groupBy(seen, ({ id }) => id)].map(([id, all]) => {
    const count = (wanted: Sentiment) => all.filter(({ sentiment }) => sentiment === wanted).length;
    const isPraised = count('positive') > 0;
    const lead = count('positive') - count('negative') || (isPraised ? rating - 3 : 0);
    const sentiment = lead > 0 ? 'positive' : lead < 0 ? 'negative' : 'neutral';
    const [first = { start: 0, end: 0 }] = all;
    const { start, end } = all.find((one) => one.sentiment === sentiment) ?? first;
    return { id, sentiment, start, end };
  });
}
