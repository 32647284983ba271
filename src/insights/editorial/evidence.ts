// The input of the editorial texts: figures, mentions, and verbatim quotes with their reviews.

import type { Business } from '../../model/business.ts';
import { fold } from '../../model/fold.ts';
import type { Insights, ReviewInsights, Sentiment } from '../../model/insights.ts';
import type { Review } from '../../model/review.ts';
import { shareInterval } from '../aggregate/intervals.ts';
import type { MentionIndex, MentionList, IndexedMention } from '../aggregate/mentions.ts';
import { MAX_CANDIDATES, representative } from '../aggregate/representative.ts';
import { monthOf, stars } from './prose.ts';
import questions from './questions.json' with { type: 'json' };

/** Everything that the summary and the FAQ are written from. Reviews are newest first. */
export interface Findings {
  readonly business: Business;
  readonly reviews: readonly Review[];
  readonly mentions: MentionIndex;
  readonly aspects: Insights['aspects'];
  readonly episodes: Insights['temporal']['episodes'];
  readonly comparison: Insights['temporal']['comparison'];
  readonly contrasts: Insights['contrasts'];
  readonly entities: Insights['entities'];
  readonly prices: Insights['prices'];
  /** Number of reviews in languages that are not read: only their stars count. */
  readonly unanalysedCount: number;
  /** Reviews in languages in which nothing is quoted: neither English nor the site's. */
  readonly unquotedIds: ReadonlySet<string>;
}

export interface Quote {
  readonly reviewId: string;
  /** Verbatim. */
  readonly text: string;
  /** With its review: “text” (five stars, May 2026). */
  readonly shown: string;
}

/** Bounds of a quote in UTF-16 units. */
const SHORTEST = 20;
const LONGEST = 170;

/** First and last words that refer to another sentence. */
const DEPENDENT =
  /^(?:then|nope|yep|also|plus|and|but|so|or|he|she|it|this|that|these|those|they|him|her|his|its|which|because|however|first|still|even|same|there|both|otherwise|anyway|left|came|said|told|called|got|had)\b|\b(?:this|that|it|so)\W*$/i;
/** Figures, times and days: what happened, not only how it was. */
const DETAIL =
  /\d|\b(?:minutes?|mins?|hours?|days?|weeks?|night|midnight|sunday|saturday|weekend|holiday|morning|noon|thanksgiving|christmas|photos?|pictures?)\b/i;
/** A quote of so many words says more than a verdict. */
const FEW_WORDS = 9;
const TELLING_WEIGHT = 1.8;
/** What each other thing that a phrase speaks of costs. */
const DIGRESSION = 0.5;

/** A sentence or two, with the reviews that they rest on. */
export interface Told {
  readonly text: string;
  readonly reviewIds: readonly string[];
}

/** The mentions of an id, newest first; with `sentiment` only those that have it. */
export function mentionsOf(
  { mentions }: Findings,
  list: MentionList,
  id: string,
  sentiment?: Sentiment,
): readonly IndexedMention[] {
  const all = mentions.of(list, id);
  if (sentiment === undefined) return all;
  return all.filter(({ mention }) => mention.sentiment === sentiment);
}

/**
 * The most representative phrase of the mentions of an id; null if none is quotable.
 *
 * @param used folded phrases that are already quoted
 * @param isAsked whether a phrase is about the question
 */
export function quoteFor(
  findings: Findings,
  list: MentionList,
  id: string,
  sentiment: Sentiment,
  used: ReadonlySet<string>,
  isAsked: (phrase: string) => boolean = () => true,
): Quote | null {
  const candidates: IndexedMention[] = [];
  // Who has left is not praised anew.
  const former = findings.entities.technicians
    .filter(({ active }) => active === false)
    .map(({ name }) => name.split(' ')[0] as string);
  for (const one of findings.mentions.of(list, id)) {
    const { phrase } = one.mention;
    if (one.mention.sentiment !== sentiment || !agrees(one.review, sentiment)) continue;
    if (findings.unquotedIds.has(one.review.id)) continue;
    if (!isQuotable(phrase) || !isAsked(phrase)) continue;
    if (used.size > 0 && used.has(fold(phrase))) continue;
    if (former.some((name) => phrase.includes(name))) continue;
    candidates.push(one);
    if (candidates.length === MAX_CANDIDATES) break;
  }
  const [best] = representative(
    candidates.map(({ entry, mention: { phrase }, phraseScore }) => ({
      phrase,
      isTypical: true,
      phraseScore,
      telling: TELLING_WEIGHT * tellingOf(phrase) - DIGRESSION * digressionsOf(entry, phrase),
    })),
    1,
  );
  const found = candidates.find(({ mention }) => mention.phrase === best);
  return found ? quoteOf(found.review, found.mention.phrase) : null;
}

/** How many other things a phrase speaks of: a quote answers one question. */
function digressionsOf({ aspects, problems }: ReviewInsights, phrase: string): number {
  const about = aspects.filter((one) => one.phrase === phrase).length - 1;
  const wrong = problems.filter((one) => one.phrase === phrase).length - 1;
  return Math.max(0, about, wrong);
}

/** How much a quote tells somebody who has not read its review, 0 to 1: it stands on its own, and has a detail. */
export function tellingOf(phrase: string): number {
  const words = phrase.split(/\s+/).length;
  return (
    (DEPENDENT.test(phrase) ? 0 : 0.4) +
    (DETAIL.test(phrase) ? 0.4 : 0) +
    (words >= FEW_WORDS ? 0.2 : 0)
  );
}

function quoteOf({ id, rating, date }: Review, text: string): Quote {
  return { reviewId: id, text, shown: `“${text}” (${stars(rating)}, ${monthOf(date)})` };
}

/** Whether a review's stars agree with a quote from it. */
function agrees({ rating }: Review, sentiment: Sentiment): boolean {
  if (sentiment === 'positive') return rating >= 4;
  return sentiment === 'neutral' || rating <= 3;
}

/** Whether a phrase can be quoted: one line that begins like a sentence, with balanced quotes and brackets. */
export function isQuotable(phrase: string): boolean {
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

/** Whether a phrase is all capitals. */
export function isShouted(phrase: string): boolean {
  return !/\p{Ll}/u.test(phrase) && /\p{Lu}/u.test(phrase);
}

/** The least share of opinions that agree for a clear consensus, and for a majority. */
const CLEAR = 0.75;
const MAJORITY = 0.6;

/** From clearly positive (0) over mixed (2) to clearly negative (4). */
export type Consensus = 0 | 1 | 2 | 3 | 4;

/** The consensus of opinions, by Wilson's interval of the share of positive ones. */
export function consensusOf(positive: number, negative: number): Consensus {
  const { low, high } = shareInterval(positive, positive + negative);
  const share = positive / Math.max(1, positive + negative);
  if (low >= CLEAR) return 0;
  if (low >= 0.5 && share >= MAJORITY) return 1;
  if (high <= 1 - CLEAR) return 4;
  return high <= 0.5 && share <= 1 - MAJORITY ? 3 : 2;
}

interface Wording {
  readonly noun: string;
  /** What a friend would tell: of praise, and of complaints. */
  readonly praise?: string;
  readonly complaint?: string;
  readonly question: string;
  readonly leads: readonly string[];
}

/** How questions and answers word an aspect; from its label if questions.json does not have it. */
export function wordingOf(id: string, label: string): Wording {
  const known: Readonly<Record<string, Wording>> = questions.aspects;
  const noun = label.charAt(0).toLowerCase() + label.slice(1);
  return (Object.hasOwn(known, id) ? known[id] : undefined) ?? { noun, ...questions.fallback };
}
