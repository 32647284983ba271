// Chooses verbatim quotes: phrases that show a claim, whole and by themselves, and tell something.

import { fold } from '../../model/fold.ts';
import type { Insights, ReviewInsights, Sentiment } from '../../model/insights.ts';
import { agrees, keywordPattern, standsAlone } from '../../model/quotable.ts';
import type { Review } from '../../model/review.ts';
import type { IndexedMention, MentionList } from '../aggregate/mentions.ts';
import { type Found, isBeside, recentOf } from './evidence.ts';
import { inQuotes, monthOf, stars } from './prose.ts';
import questions from './questions.json' with { type: 'json' };
import {
  digressionsOf,
  hasVerb,
  misleads,
  refersBack,
  isJudging,
  isTwoSided,
  WORDS,
  shows,
} from './shows.ts';

export interface Quote {
  readonly reviewId: string;
  /** Verbatim. */
  readonly text: string;
  /** With its review: “text” (five stars, May 2026). */
  readonly shown: string;
  /** How well it tells of the business, whatever it is quoted for. */
  readonly score: number;
}

/** As published. */
type SubjectQuotes = Insights['aspects'][number]['quotes'];

const SIDES = ['positive', 'negative'] as const;
/** The most quotes of a side of a subject. */
const MOST_QUOTES = 4;
/** Aspects of which the best quote is chosen. */
const MOST_PULLED = 5;
/** The most phrases that are compared, the newest. */
const MAX_CANDIDATES = 2000;
/** Bounds of a quote in UTF-16 units. */
const SHORTEST = 20;
const LONGEST = 150;
const BEST_LENGTH = 90;

/** What a detail adds. */
const DETAILED = 0.54;
/** How much the length counts, and that the phrase surely shows the claim. */
const LENGTH_WEIGHT = 1.5;
const SURENESS = 2;
/** What a word of praise or blame adds. */
const JUDGING = 0.6;
/** By aspect, words that answer what is asked of it, and what they add elsewhere. */
const ON_SUBJECT = 3.5;
const SUBJECT_WORDS = new Map(
  Object.entries(questions.aspects).flatMap(([id, one]) =>
    'words' in one ? [[id, new RegExp(one.words, 'iu')] as const] : [],
  ),
);
/** What each other thing that a phrase speaks of costs, and that it has no verb. */
const DIGRESSION = 1;
const NO_VERB = 1;
/** What it adds to a quote of so many words that its review is recent. */
const RECENT = 3;
const FITTING_WORDS = 6;

/** What a quote is to show: a sentiment about the first of some ids that has one. */
export interface QuoteRequest {
  readonly list: MentionList;
  readonly ids: readonly string[];
  readonly sentiment: Sentiment;
  /** Whether a mention is about what is asked; by default about the id. */
  readonly isAsked?: (one: IndexedMention) => boolean;
  /** Whether a phrase will do that shows a sure claim to whoever reads its review. */
  readonly isHinted?: boolean;
}

/**
 * The most telling phrase for each request, none twice; null where none shows the claim, whole and by itself.
 *
 * @param before what is quoted already
 */
export function chooseQuotes(
  findings: Found,
  requests: readonly QuoteRequest[],
  before: readonly (Quote | null)[] = [],
): (Quote | null)[] {
  const phrases = new Set(before.flatMap((quote) => (quote ? [fold(quote.text)] : [])));
  return requests.map((request) => {
    // What needs its review a little is better than no words of a customer.
    for (const isHinted of [false, true]) {
      for (const id of request.ids) {
        const quote = quoteFor(findings, id, { ...request, isHinted }, phrases);
        if (quote === null) continue;
        phrases.add(fold(quote.text));
        return quote;
      }
    }
    return null;
  });
}

/** The best quote of recent reviews on what most praise or, where more complain, blame; praise of none that complains. */
export function pullQuoteOf(
  findings: Found,
  perReview: ReadonlyMap<string, ReviewInsights>,
): Quote | null {
  let lead = 0;
  for (const { sentiment } of perReview.values()) {
    if (sentiment === 'positive') lead += 1;
    if (sentiment === 'negative') lead -= 1;
  }
  const sentiment = lead < 0 ? 'negative' : 'positive';
  const since = recentOf(findings);
  const isAsked = (one: IndexedMention) =>
    one.review.date > since && (lead < 0 || hasNoComplaint(one));
  const requests = findings.aspects
    .toSorted((a, b) => b[`${sentiment}_count`] - a[`${sentiment}_count`])
    .slice(0, MOST_PULLED)
    .map(({ id }) => ({ list: 'aspects', ids: [id], sentiment, isAsked }) as const);
  return chooseQuotes(findings, requests)
    .filter((quote) => quote !== null)
    .reduce<Quote | null>((best, one) => (best && best.score >= one.score ? best : one), null);
}

function quoteFor(
  findings: Found,
  id: string,
  request: QuoteRequest,
  quoted: ReadonlySet<string>,
): Quote | null {
  const { list, sentiment, isAsked, isHinted = false } = request;
  const unquoted = unquotedNames(findings, sentiment);
  const find = () => {
    const mentions = findings.mentions.of(list, id).filter(({ mention }) => !isBeside(mention));
    const candidates = candidatesOf(findings, mentions, request, quoted, unquoted);
    // The words are English.
    const answering = candidates.filter(
      (one) => one.isForeign || (SUBJECT_WORDS.get(id)?.test(one.mention.phrase) ?? true),
    );
    const [best] = ranked(findings, answering.length > 0 ? answering : candidates);
    return best ? quoteOf(best) : null;
  };
  if (isAsked !== undefined) return find();
  const parameters = ['quote', sentiment, isHinted, [...quoted], unquoted, recentOf(findings)];
  return findings.mentions.result(list, id, parameters, find);
}

/** The best quotes about a subject, of each side the most telling first, one of a review. */
export function quotesAbout(findings: Found, list: MentionList, id: string): SubjectQuotes {
  return findings.mentions.result(list, id, parametersOf(findings), () => {
    const mentions = findings.mentions.of(list, id);
    return fairly(findings, list, mentions, mentions);
  });
}

/** The best quotes on a topic: sentences with its words that judge something. */
export function quotesOnTopic(
  findings: Found,
  { id, keywords }: { readonly id: string; readonly keywords: readonly string[] },
): SubjectQuotes {
  return findings.mentions.result('topics', id, [...parametersOf(findings), keywords], () => {
    const words = keywordPattern(keywords);
    const all = findings.mentions.onTopic(id);
    const mentions = all.filter(({ mention }) => words?.test(mention.phrase));
    return fairly(findings, 'aspects', mentions, all);
  });
}

function parametersOf(findings: Found): readonly unknown[] {
  const unquoted = SIDES.map((side) => unquotedNames(findings, side));
  return ['quotes', unquoted, recentOf(findings)];
}

type Side = (typeof SIDES)[number];

/** The quotes of both sides; none where only the side of the fewer of `all` could be quoted. */
function fairly(
  findings: Found,
  list: MentionList,
  mentions: readonly IndexedMention[],
  all: readonly IndexedMention[],
): SubjectQuotes {
  const quotes = SIDES.flatMap((sentiment) => sideOf(findings, mentions, { list, sentiment }));
  const [praise = 0, blame = 0] = SIDES.map(
    (side) => all.filter(({ mention }) => mention.sentiment === side).length,
  );
  const most = praise >= blame ? 'positive' : 'negative';
  return quotes.some(({ sentiment }) => sentiment === most) ? quotes : [];
}

function sideOf(
  findings: Found,
  mentions: readonly IndexedMention[],
  request: Omit<QuoteRequest, 'ids'> & { readonly sentiment: Side },
): SubjectQuotes {
  const unquoted = unquotedNames(findings, request.sentiment);
  const find = (isHinted: boolean) =>
    candidatesOf(findings, mentions, { ...request, isHinted }, new Set(), unquoted);
  const plain = find(false);
  // Words that need their review a little are better than none.
  const candidates = plain.length > 0 ? plain : find(true);
  return mostTelling(findings, candidates).map(({ review, mention }) => {
    return { review_id: review.id, sentiment: request.sentiment, text: mention.phrase };
  });
}

/** The mentions with the most telling phrases, of different words and reviews. */
function mostTelling(findings: Found, mentions: readonly IndexedMention[]): IndexedMention[] {
  const [ids, texts] = [new Set<string>(), new Set<string>()];
  const best: IndexedMention[] = [];
  for (const one of ranked(findings, mentions)) {
    const [id, text] = [one.review.id, fold(one.mention.phrase)];
    if (ids.has(id) || texts.has(text)) continue;
    ids.add(id);
    texts.add(text);
    if (best.push(one) === MOST_QUOTES) break;
  }
  return best;
}

function hasNoComplaint({ entry: { problems, aspects } }: Pick<IndexedMention, 'entry'>): boolean {
  return problems.length === 0 && aspects.every(({ sentiment }) => sentiment !== 'negative');
}

/** Best first, and recent ones before those that are little better. */
function ranked(findings: Found, candidates: readonly IndexedMention[]): IndexedMention[] {
  const since = recentOf(findings);
  const fitting = ({ review, mention: { phrase } }: IndexedMention) =>
    review.date > since && phrase.split(/\s+/).length >= FITTING_WORDS ? RECENT : 0;
  return candidates
    .map((one) => ({ one, score: scoreOf(one) + fitting(one) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ one }) => one);
}

/** The names in no quote of a side: who has left is not praised anew, and nobody is blamed by name. */
function unquotedNames({ entities }: Found, sentiment: Sentiment): string[] {
  return entities.technicians
    .filter(({ active }) => active === false || sentiment === 'negative')
    .flatMap(({ name }) => name.match(/\p{Lu}[\p{L}'’-]{2,}/gu) ?? []);
}

/** The mentions whose phrases can be quoted, the newest MAX_CANDIDATES. */
function candidatesOf(
  findings: Found,
  mentions: readonly IndexedMention[],
  { list, sentiment, isAsked, isHinted = false }: Omit<QuoteRequest, 'ids'>,
  quoted: ReadonlySet<string>,
  unquoted: readonly string[],
): IndexedMention[] {
  const candidates: IndexedMention[] = [];
  for (const one of mentions) {
    const { phrase } = one.mention;
    // The cheapest tests first: there are many more mentions than candidates.
    if (one.mention.sentiment !== sentiment || !agrees(one.review, sentiment)) continue;
    if (findings.unquotedIds.has(one.review.id) || !shows(list, one, sentiment, isHinted)) continue;
    // A person's quote names nobody else.
    const isPerson = list === 'technicians';
    const named = one.entry.technicians.filter((other) => other.phrase === phrase);
    if (isPerson && (named.length > 1 || WORDS.with_others.test(phrase))) continue;
    if (quoted.size > 0 && quoted.has(fold(phrase))) continue;
    if (isAsked?.(one) === false) continue;
    if (unquoted.some((name) => phrase.includes(name))) continue;
    if (!isPlain(phrase, one.review, sentiment, one.isForeign, isPerson && isHinted)) continue;
    candidates.push(one);
    if (candidates.length === MAX_CANDIDATES) break;
  }
  return candidates;
}

/** Whether a phrase of a review is whole and can be understood without it; what refers back is only known of English. */
export function isPlain(
  phrase: string,
  { text }: Pick<Review, 'text'>,
  sentiment: Sentiment,
  isForeign = false,
  mayReferBack = false,
): boolean {
  // Of a text with code it is not known what its author meant.
  if (!isQuotable(phrase) || !isWhole(text ?? '', phrase) || WORDS.code.test(text ?? ''))
    return false;
  if (isForeign) return true;
  if (isTwoSided(sentiment, phrase) || misleads(phrase, sentiment)) return false;
  return mayReferBack || !refersBack(phrase);
}

/** Whether a phrase is one or more whole sentences of a text. */
function isWhole(text: string, phrase: string): boolean {
  const start = text.indexOf(phrase);
  if (start < 0) return false;
  const isEnded =
    /[.!?…]["”)]*$/.test(phrase) ||
    /^\s*$|^\s*\n|^\s*[.!?]/.test(text.slice(start + phrase.length));
  if (!isEnded) return false;
  const before = text.slice(0, start);
  const end = before.trimEnd();
  return end === '' || /[.!?…:)"”*-]$/.test(end) || /\n\s*$/.test(before);
}

/** How much a reader learns from a quote, how well it reads, and how clearly it is about one thing. */
function scoreOf({ entry, mention, phraseScore, isForeign }: IndexedMention): number {
  const { phrase } = mention;
  const far = Math.abs(Math.log(phrase.length / BEST_LENGTH));
  return (
    (WORDS.detail.test(phrase) ? DETAILED : 0) +
    LENGTH_WEIGHT / (1 + far) +
    SURENESS * phraseScore +
    (isJudging(mention.sentiment, phrase) ? JUDGING : 0) +
    (SUBJECT_WORDS.get(mention.id)?.test(phrase) ? ON_SUBJECT : 0) -
    (isForeign || hasVerb(phrase) ? 0 : NO_VERB) -
    DIGRESSION * digressionsOf(entry, mention)
  );
}

function quoteOf(one: IndexedMention): Quote {
  const { rating, date, id } = one.review;
  const text = one.mention.phrase;
  const shown = `${inQuotes(text)} (${stars(rating)}, ${monthOf(date)})`;
  const score = scoreOf(one) + DIGRESSION * digressionsOf(one.entry, one.mention);
  return { reviewId: id, text, shown, score };
}

/** Whether a phrase can be quoted: one line that begins like a sentence, with balanced quotes and brackets. */
export function isQuotable(phrase: string): boolean {
  return (
    phrase.length >= SHORTEST &&
    phrase.length <= LONGEST &&
    /^[\p{Lu}\p{N}$£€]/u.test(phrase) &&
    !/[\n\r\u2028\u2029“”]/.test(phrase) &&
    standsAlone(phrase) &&
    !WORDS.careless.test(phrase) &&
    (phrase.match(/"/g) ?? []).length % 2 === 0 &&
    (phrase.match(/\(/g) ?? []).length === (phrase.match(/\)/g) ?? []).length &&
    /\p{Ll}/u.test(phrase)
  );
}
