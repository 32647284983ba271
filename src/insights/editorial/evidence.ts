// What editorial text is written from: the figures, the mentions behind them, and verbatim quotes
// with the reviews that they are from.

import type { Business } from '../../model/business.ts';
import { fold } from '../../model/fold.ts';
import type { Insights, Sentiment } from '../../model/insights.ts';
import type { Review } from '../../model/review.ts';
import { shareInterval } from '../aggregate/intervals.ts';
import type { MentionIndex, MentionList, Told } from '../aggregate/mentions.ts';
import { ENOUGH, representative } from '../aggregate/representative.ts';
import { monthOf, stars } from './prose.ts';
import questions from './questions.json' with { type: 'json' };

/** Everything that summary and questions are written from. Reviews come newest first. */
export interface Findings {
  readonly business: Business;
  readonly reviews: readonly Review[];
  readonly mentions: MentionIndex;
  readonly aspects: Insights['aspects'];
  readonly entities: Insights['entities'];
  /** Reviews in languages that are not read: their stars count, their words do not. */
  readonly unreadCount: number;
}

export interface Quote {
  readonly reviewId: string;
  /** Verbatim. */
  readonly text: string;
  /** As it is shown: “text” (five stars, May 2026). */
  readonly shown: string;
}

/** A quote that is shorter says little, a longer one is too much, in UTF-16 units. */
const SHORTEST = 20;
const LONGEST = 170;

/** The mentions of one thing, newest first, each with its review. */
export function mentionsOf(
  { mentions }: Findings,
  list: MentionList,
  id: string,
  sentiment?: Sentiment,
): readonly Told[] {
  const told = mentions.of(list, id);
  if (sentiment === undefined) return told;
  return told.filter(({ mention }) => mention.sentiment === sentiment);
}

/** The phrase that speaks best for the mentions of a thing; null where none reads on its own.
 * `used` are phrases that were quoted already. */
export function quoteFor(
  findings: Findings,
  list: MentionList,
  id: string,
  sentiment: Sentiment,
  used: ReadonlySet<string>,
): Quote | null {
  const told: Told[] = [];
  for (const one of findings.mentions.of(list, id)) {
    const { phrase } = one.mention;
    if (one.mention.sentiment !== sentiment || !agrees(one.review, sentiment)) continue;
    if (!readsAlone(phrase) || used.has(fold(phrase))) continue;
    told.push(one);
    if (told.length === ENOUGH) break;
  }
  const [best] = representative(
    told.map(({ mention: { phrase }, phraseScore }) => ({ phrase, isTypical: true, phraseScore })),
    1,
  );
  const found = told.find(({ mention }) => mention.phrase === best);
  return found ? quoteOf(found.review, found.mention.phrase) : null;
}

export function quoteOf({ id, rating, date }: Review, text: string): Quote {
  return { reviewId: id, text, shown: `“${text}” (${stars(rating)}, ${monthOf(date)})` };
}

/** A quote stands for its review: praise out of a one-star review would not. */
function agrees({ rating }: Review, sentiment: Sentiment): boolean {
  if (sentiment === 'positive') return rating >= 4;
  return sentiment === 'neutral' || rating <= 3;
}

/** Whether a phrase can stand between quotation marks: one line, begun as a sentence is. */
export function readsAlone(phrase: string): boolean {
  return (
    phrase.length >= SHORTEST &&
    phrase.length <= LONGEST &&
    !/[\n\r\u2028\u2029“”]/.test(phrase) &&
    /^[\p{Lu}\p{N}$£€]/u.test(phrase) &&
    (phrase.match(/"/g) ?? []).length % 2 === 0 &&
    (phrase.match(/\(/g) ?? []).length === (phrase.match(/\)/g) ?? []).length &&
    !isShouted(phrase)
  );
}

function isShouted(phrase: string): boolean {
  return !/\p{Ll}/u.test(phrase) && /\p{Lu}/u.test(phrase);
}

/** Shares from which on nearly all, and most, agree. */
const CLEAR = 0.75;
const MOST = 0.6;

/** From clearly positive (0) over mixed (2) to clearly negative (4), as far as chance allows. */
export type Verdict = 0 | 1 | 2 | 3 | 4;

export function verdictOf(positive: number, negative: number): Verdict {
  const { low, high } = shareInterval(positive, positive + negative);
  const share = positive / Math.max(1, positive + negative);
  if (low >= CLEAR) return 0;
  if (low >= 0.5 && share >= MOST) return 1;
  if (high <= 1 - CLEAR) return 4;
  return high <= 0.5 && share <= 1 - MOST ? 3 : 2;
}

interface Wording {
  readonly noun: string;
  readonly question: string;
  readonly leads: readonly string[];
}

/** How an aspect is asked and spoken about; `label` serves where the data does not know it. */
export function wordingOf(id: string, label: string): Wording {
  const known: Readonly<Record<string, Wording>> = questions.aspects;
  const noun = label.charAt(0).toLowerCase() + label.slice(1);
  return (Object.hasOwn(known, id) ? known[id] : undefined) ?? { noun, ...questions.fallback };
}
