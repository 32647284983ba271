// Parts of answers: how many agree, and the quotes for and against.

import { MOST_REVIEWS } from '../../model/insights.ts';
import type { IndexedMention } from '../aggregate/mentions.ts';
import { type Consensus, MAJORITY } from './evidence.ts';
import { counted, inWords } from './prose.ts';
import type { Quote } from './quoting.ts';

/** Praise of less than this share of opinions is an exception. */
const EXCEPTION = 0.15;
/** So many opinions that lean one way need no quote. */
const ENOUGH = 10;
/** A claim is sure from this confidence on. */
const SURE = 0.9;

/** "Mostly, yes: 14 of the 16 customers who write about it are happy." */
function agreement(lead: string, good: number, bad: number, customer: string): string {
  const opening = lead.replace(/\.$/, '');
  // Some opinions are overlooked, so "all" would say too much.
  if (bad === 0) return `${opening}: ${counted(good, customer)} praise this.`;
  if (good === 0) return `${withoutMostly(opening)}: ${counted(bad, customer)} complain.`;
  const total = `of the ${counted(good + bad, customer)} with an opinion`;
  if (good >= bad) return `${opening}: ${inWords(good)} ${total} are happy.`;
  return `${opening}: ${inWords(bad)} ${total} complain.`;
}

/** "No" where nobody thinks otherwise. */
function withoutMostly(opening: string): string {
  return opening
    .replace(/^Mostly not\b/, 'No')
    .replace(/^No good/, 'Not good')
    .replace(/^Mostly badly/, 'Badly')
    .replace(/^Mostly, yes\b/, 'Yes');
}

/** Opinions on one question: how many are good and bad, which way they lean, and a quote of either side. */
export interface Opinions {
  readonly good: number;
  readonly bad: number;
  readonly leaning: Consensus;
  readonly praise: Quote | null;
  readonly blame: Quote | null;
}

/** The quote of the majority, then that of the others, which is none without it. */
export function quotesInOrder({ good, bad, praise, blame }: Opinions): Quote[] {
  const [first, second] = bad > good ? [blame, praise] : [praise, blame];
  return [first, first && second].filter((quote) => quote !== null);
}

/** "Mostly, yes: 14 of the 16 customers with an opinion are happy. “...” (five stars, May 2026). But also: “...”." */
export function answerOf(lead: string, opinions: Opinions, customer: string): string {
  const { good, bad, leaning } = opinions;
  const [first, second] = quotesInOrder(opinions);
  const isException = bad > good && good < (good + bad) * EXCEPTION;
  const isTending = leaning === 2 && bad >= (good + bad) * MAJORITY;
  const turn = leaning === 2 ? 'On the other side' : isException ? 'An exception' : 'But also';
  return [
    agreement(isTending ? 'More complain than praise' : lead, good, bad, customer),
    ...(first ? [`${first.shown}.`] : []),
    ...(second ? [`${turn}: ${second.shown}.`] : []),
  ].join(' ');
}

/** Whether there are many opinions, or the majority is quoted, and both sides are where opinions differ. */
export function isAnswered({ good, bad, leaning, praise, blame }: Opinions): boolean {
  if (good + bad >= ENOUGH) return true;
  return (bad > good ? blame : praise) !== null && (leaning !== 2 || (praise && blame) !== null);
}

/** The newest reviews with sure claims, then the newest others. */
export function surest(mentions: readonly IndexedMention[]): string[] {
  const { sure = [], others = [] } = Object.groupBy(mentions, ({ mention }) =>
    (mention.confidence ?? 1) >= SURE ? 'sure' : 'others',
  );
  return [...sure, ...others].slice(0, MOST_REVIEWS).map(({ review }) => review.id);
}

export function firstOf(ids: readonly string[]): string[] {
  return [...new Set(ids)].slice(0, MOST_REVIEWS);
}
