// Parts of answers: how many agree, and the quotes for and against.

import { MOST_REVIEWS } from '../../model/insights.ts';
import type { Consensus } from './evidence.ts';
import { counted, inWords } from './prose.ts';
import type { Quote } from './quoting.ts';

/** "Mostly, yes: 14 of the 16 customers who write about it are happy." */
export function agreement(lead: string, good: number, bad: number, customer: string): string {
  const opening = lead.replace(/\.$/, '');
  const all = (count: number) => `all ${counted(count, customer)} who write about it`;
  if (bad === 0) return `${opening}: ${all(good)} are happy.`;
  if (good === 0) return `${withoutMostly(opening)}: ${all(bad)} complain.`;
  const total = `of the ${counted(good + bad, customer)} who write about it`;
  if (good >= bad) return `${opening}: ${inWords(good)} ${total} are happy.`;
  return `${opening}: ${inWords(bad)} ${total} complain.`;
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

/** Whether the side that prevails is quoted, and both where opinions differ. */
export function isAnswered(
  consensus: Consensus,
  praise: Quote | null,
  blame: Quote | null,
): boolean {
  if (consensus === 2) return praise !== null && blame !== null;
  return (consensus > 2 ? blame : praise) !== null;
}

export function firstOf(ids: readonly string[]): string[] {
  return [...new Set(ids)].slice(0, MOST_REVIEWS);
}
