// Answers the questions that buyers of a vertical ask (asked.json), from the mentions whose phrases are about them: how many
// agree, and the quotes for and against.

import { type Insights, MOST_REVIEWS } from '../../model/insights.ts';
import { lineageOf } from '../../model/verticals.ts';
import type { Asked } from '../claims/claims.ts';
import type { IndexedMention } from '../aggregate/mentions.ts';
import asked from './asked.json' with { type: 'json' };
import { describeComplaints, describeLately } from './change.ts';
import { type Consensus, leaningOf, MAJORITY } from '../../model/leaning.ts';
import { type Findings, isBeside } from './evidence.ts';
import { counted, customerOf, grouped, inWords } from './prose.ts';
import type { Quote, QuoteRequest } from './quoting.ts';

type Answer = Insights['faq'][number];
type Side = 'positive' | 'negative';

/** A question about aspects, or about what some of their phrases speak of. */
interface Question {
  readonly question: string;
  readonly aspects: readonly string[];
  readonly words?: string;
  /** Words that judge by themselves, instead of `words`. */
  readonly good?: string;
  readonly bad?: string;
  readonly replaces?: readonly string[];
  /** Trades that do not ask it. */
  readonly except?: readonly string[];
  readonly leads: readonly string[];
}

/** The least number of opinions for an answer. */
export const FEWEST_OPINIONS = 5;
/** The least opinions of a side that is quoted, as a share of the other. */
const DISPUTED = 0.1;

export interface QuotedQuestion {
  readonly quotes: readonly QuoteRequest[];
  /** Null if the quotes do not show enough. */
  readonly answer: (quotes: readonly (Quote | null)[]) => Answer | null;
  /** Aspects whose own questions are left out if it is answered. */
  readonly replaces: readonly string[];
}

function questionsOf(vertical: string): Question[] {
  const own: Readonly<Record<string, readonly Question[]>> = asked.verticals;
  const lineage = lineageOf(vertical);
  return lineage
    .flatMap((id) => own[id] ?? [])
    .filter(({ except = [] }) => !except.some((id) => id === lineage[0]));
}

/** The questions of a vertical that are answered where some words are. */
export function askedWhere(vertical: string): Asked[] {
  return questionsOf(vertical).flatMap((one) => {
    const words = wordsOf(one);
    if (words === null) return [];
    const { question, aspects, good, bad } = one;
    const saying =
      good === undefined || bad === undefined
        ? null
        : { positive: new RegExp(good, 'iu'), negative: new RegExp(bad, 'iu') };
    return [{ question, aspects, words, saying }];
  });
}

function wordsOf({ words, good, bad }: Question): RegExp | null {
  const all = words ?? (good && `${good}|${bad}`);
  return all === undefined ? null : new RegExp(all, 'iu');
}

/** The questions of the vertical about which enough reviews have an opinion. */
export function askedQuestions(findings: Findings): QuotedQuestion[] {
  return questionsOf(findings.business.vertical).flatMap(
    (question) => questionAbout(findings, question) ?? [],
  );
}

/** Null if too few reviews have an opinion. */
export function questionAbout(findings: Findings, question: Question): QuotedQuestion | null {
  const words = wordsOf(question);
  const opinions =
    words === null
      ? question.aspects
          .flatMap((id) => findings.mentions.of('aspects', id))
          .filter(({ mention }) => mention.sentiment !== 'neutral' && !isBeside(mention))
      : findings.mentions.answersTo(question.question);
  const { good, bad } = sidesOf(opinions);
  if (good.length + bad.length < FEWEST_OPINIONS) return null;
  const leaning = leaningOf(good.length, bad.length);
  const change = findings.changes.find(
    ({ list, id }) => list === 'aspects' && words === null && question.aspects.join() === id,
  );
  const lately = change
    ? describeComplaints(findings, change)
    : describeLately(findings, good, bad);
  const requestOf = (side: Side): QuoteRequest => {
    const [own, other] = side === 'positive' ? [good, bad] : [bad, good];
    const ids = new Set(own.map(({ review }) => review.id));
    const isAsked = ({ review, mention }: IndexedMention) =>
      ids.has(review.id) && words?.test(mention.phrase) === true;
    // Fewer than that may be misread.
    const isQuoted = own.length > 0 && own.length >= DISPUTED * other.length;
    return {
      list: 'aspects',
      ids: isQuoted ? question.aspects : [],
      sentiment: side,
      ...(words && { isAsked }),
    };
  };
  return {
    quotes: [requestOf('positive'), requestOf('negative')],
    answer: ([praise = null, blame = null]) => {
      const found = { good: good.length, bad: bad.length, leaning, praise, blame };
      if (!isAnswered(found)) return null;
      const lead = question.leads[leaning] ?? '';
      return {
        question: question.question,
        answer: [answerOf(lead, found, customerOf(findings.business)), lately]
          .filter((each) => each !== null)
          .join(' '),
        review_ids: firstOf([
          ...quotesInOrder(found).map(({ reviewId }) => reviewId),
          ...surest([...good, ...bad]),
        ]),
        review_count: good.length + bad.length,
      };
    },
    replaces: question.replaces ?? [],
  };
}

/** The reviews on either side, each once; a review with both is on neither. */
function sidesOf(opinions: readonly IndexedMention[]) {
  const sides = new Map<string, { one: IndexedMention; isMixed: boolean }>();
  for (const one of opinions) {
    const known = sides.get(one.review.id);
    if (known === undefined) sides.set(one.review.id, { one, isMixed: false });
    else if (known.one.mention.sentiment !== one.mention.sentiment) known.isMixed = true;
  }
  const clear = [...sides.values()].filter(({ isMixed }) => !isMixed).map(({ one }) => one);
  return {
    good: clear.filter(({ mention }) => mention.sentiment === 'positive'),
    bad: clear.filter(({ mention }) => mention.sentiment === 'negative'),
  };
}

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
  const say = good + bad < 10 ? inWords : grouped;
  const total = `of the ${counted(good + bad, customer)} with an opinion`;
  if (good >= bad) return `${opening}: ${say(good)} ${total} are happy.`;
  return `${opening}: ${say(bad)} ${total} complain.`;
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
interface Opinions {
  readonly good: number;
  readonly bad: number;
  readonly leaning: Consensus;
  readonly praise: Quote | null;
  readonly blame: Quote | null;
}

/** The quote of the majority, then that of the others, which is none without it. */
function quotesInOrder({ good, bad, praise, blame }: Opinions): Quote[] {
  const [first, second] = bad > good ? [blame, praise] : [praise, blame];
  return [first, first && second].filter((quote) => quote !== null);
}

/** "Mostly, yes: 14 of the 16 customers with an opinion are happy. “...” (five stars, May 2026). But also: “...”." */
function answerOf(lead: string, opinions: Opinions, customer: string): string {
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
function isAnswered({ good, bad, leaning, praise, blame }: Opinions): boolean {
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
