// Parts of answers: how many agree, and the quotes for and against.

import { MOST_REVIEWS } from '../../model/insights.ts';
import type { Consensus } from './evidence.ts';
import { counted, inWords } from './prose.ts';
import type { Quote } from './quoting.ts';

/** The least opinions for an answer without a quote. */
const FEWEST_UNQUOTED = 10;

/** "Mostly, yes: 14 customers are content, two are not." */
export function agreement(lead: string, good: number, bad: number, customer: string): string {
  const opening = lead.replace(/\.$/, '');
  const verb = good === 1 ? 'is' : 'are';
  if (bad === 0) return `${opening}: all ${counted(good, customer)} who judge it are content.`;
  if (good === 0)
    return `${withoutMostly(opening)}: none of ${counted(bad, customer)} who judge it is content.`;
  return `${opening}: ${counted(good, customer)} ${verb} content, ${inWords(bad)} ${bad === 1 ? 'is' : 'are'} not.`;
}

/** "No" where nobody thinks otherwise. */
function withoutMostly(opening: string): string {
  return opening
    .replace(/^Mostly not\b/, 'No')
    .replace(/^No good/, 'Not good')
    .replace(/^Mostly, yes\b/, 'Yes');
}

/** The quote of the side that prevails, then that of the other. */
export function quotesInOrder(
  consensus: Consensus,
  praise: Quote | null,
  blame: Quote | null,
): Quote[] {
  return (consensus > 2 ? [blame, praise] : [praise, blame]).filter((quote) => quote !== null);
}

/** "“...” (five stars, May 2026). But also: “...” (one star, May 2026)." */
export function inQuotes(quotes: readonly Quote[], consensus: Consensus = 2): string {
  const [first, second] = quotes;
  if (first === undefined) return '';
  if (second === undefined) return `${first.shown}.`;
  const turn = consensus === 2 ? 'On the other side' : consensus > 2 ? 'An exception' : 'But also';
  return `${first.shown}. ${turn}: ${second.shown}.`;
}

/** That opinions differ needs words of both sides, and a few opinions need words of customers. */
export function isAnswered(
  consensus: Consensus,
  opinions: number,
  praise: Quote | null,
  blame: Quote | null,
): boolean {
  if (consensus === 2) return praise !== null && blame !== null;
  return praise !== null || blame !== null || opinions >= FEWEST_UNQUOTED;
}

export function firstOf(ids: readonly string[]): string[] {
  return [...new Set(ids)].slice(0, MOST_REVIEWS);
}
