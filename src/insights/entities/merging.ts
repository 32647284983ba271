// Several mentions of one thing in a review become the one that is counted.

import type { Sentiment } from '../../model/insights.ts';
import type { FoundMention } from '../analysis.ts';
import type { Span } from '../text/text.ts';

/** A mention at one place; null where the words leave it open. */
export interface SeenMention extends Span {
  readonly id: string;
  readonly sentiment: Sentiment | null;
}

/**
 * One mention for each id, in the order of the text. The sentiment that more of them share counts,
 * the stars break a tie, and the phrase is the first that bears it out.
 */
export function mergeMentions(seen: readonly SeenMention[], rating: number): FoundMention[] {
  return [...Map.groupBy(seen, ({ id }) => id)].map(([id, all]) => {
    const count = (wanted: Sentiment) => all.filter(({ sentiment }) => sentiment === wanted).length;
    const lead = count('positive') - count('negative') || tieBreak(count('positive'), rating);
    const sentiment = lead > 0 ? 'positive' : lead < 0 ? 'negative' : 'neutral';
    const [first = { start: 0, end: 0 }] = all;
    const { start, end } = all.find((one) => one.sentiment === sentiment) ?? first;
    return { id, sentiment, start, end };
  });
}

function tieBreak(positives: number, rating: number): number {
  return positives === 0 ? 0 : rating - 3;
}
