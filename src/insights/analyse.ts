// Analyses one review on its own. A review reaches /insights.json in these steps:
//
//  1. text/annotate.ts      splits the text into tokens, sentences and clauses (text/)
//     and finds its opinions: words of the lexicon, negation and degree applied (sentiment/)
//  2. text/language.ts      recognises the language: for German, Spanish and French languages/ finds opinions,
//                           aspects and technicians instead; of others only the stars count
//  3. sentiment/            scores the review: its stars, adjusted by its opinions
//  4. claims/               finds what it says about aspects, and the problems that it reports: patterns (verticals/) and
//                           words are evidence, a learned model weighs it
//  5. entities/             finds technicians, services, service areas, other names and prices
//  6. topics/               finds topics, and phrases that may become topics
//  7. derive.ts             combines the analyses of all reviews: confirms names, problems and topics,
//                           counts mentions (aggregate/), writes FAQ, summary and pull quote (editorial/)

import type { Business } from '../model/business.ts';
import type { Sentiment } from '../model/insights.ts';
import { isRead } from '../model/read-languages.ts';
import { roundTo } from '../model/rating.ts';
import type { Review } from '../model/review.ts';
import { buildClaimFinder, type Claim, type Proposal } from './claims/claims.ts';
import { buildEntityFinder, buildServiceFinder } from './entities/entities.ts';
import type { FoundMention } from './entities/merging.ts';
import { DENIED, type NameCandidate } from './entities/names/technicians.ts';
import { findPrices, type PriceMention } from './entities/prices/prices.ts';
import { idOfProblem } from './entities/problems/named.ts';
import { type AspectVerdict, judgeAspects } from './languages/judge.ts';
import { cuesFor, readerOf } from './languages/languages.ts';
import type { Reader } from './languages/reader.ts';
import { buildNamedFinder, mentionsOf } from './languages/technicians.ts';
import { withProposals } from './proposals/accept.ts';
import { scoreOfReview, sentimentOfScore } from './sentiment/review-sentiment.ts';
import { type AnnotatedText, annotateSegments, segmentText } from './text/annotate.ts';
import { excerptOf } from './text/excerpt.ts';
import { languageOf } from './text/language.ts';
import type { SegmentedText, Span, Token } from './text/text.ts';
import { askedWhere } from './editorial/asked.ts';
import { findPhrases, type PhraseCandidate } from './topics/phrases.ts';
import { findTopics, withoutServices } from './topics/topics.ts';
import { type Vertical, verticalOf } from './verticals/verticals.ts';

/**
 * Everything found in one review without looking at others. It is plain data that is stored as JSON
 * (reuse.ts) and equal for the same review, business and analyser. Findings that depend on other reviews
 * (is this name a technician, is this phrase frequent?) are candidates, and derive.ts decides on them.
 *
 * Every span is [start, end) in UTF-16 units of the review's text: `text.slice(start, end)` is the
 * verbatim phrase. Lists are in the order of the text.
 */
export interface Analysis {
  /** ISO 639-1 code of the text's language; null if there is no text or too little to recognise it.
   * "en" and null are analysed in full, the languages of languages/ in part; in others only the stars count. */
  readonly language: string | null;
  /** Of the whole review, -1 to 1 with two decimals. */
  readonly score: number;
  readonly sentiment: Sentiment;
  readonly aspects: readonly FoundMention[];
  /** Ids of topics of the vertical; topics of the corpus come from `phrases`. */
  readonly topics: readonly string[];
  readonly technicians: readonly FoundMention[];
  readonly services: readonly FoundMention[];
  readonly serviceAreas: readonly FoundMention[];
  readonly names: readonly NameCandidate[];
  readonly problems: readonly FoundMention[];
  readonly prices: readonly PriceMention[];
  readonly phrases: readonly PhraseCandidate[];
  /** Opinions on what buyers ask, by the question; in English only. */
  readonly answers: readonly FoundMention[];
}

/** What a language model says of the review is evidence too, if it was asked. */
export type Analyser = (review: Review, proposals?: readonly Proposal[]) => Analysis;

/** Builds the analyser of a business's reviews. Its result depends only on the review and the business. */
export function buildAnalyser(business: Business): Analyser {
  const vertical = withoutServices(verticalOf(business.vertical), business);
  const findClaims = buildClaimFinder(vertical, askedWhere(business.vertical));
  const findEntities = buildEntityFinder(business);
  const readOther = buildOtherReading(business, vertical);
  return (review, proposals) => {
    const { rating, text } = review;
    if (text === null) return { ...NOTHING, ...scoreAndSentiment(rating, null) };
    const segmented = segmentText(text);
    const language = languageOf(text, segmented.tokens);
    const reader = readerOf(language);
    if (reader || !isRead(language)) {
      const score = scoreAndSentiment(rating, null);
      const found = { ...NOTHING, ...score, ...(reader && readOther(reader, segmented, rating)) };
      const aspects = withProposals(found.aspects, rating, proposals);
      const technicians = signed(found.technicians, isPraiseIn(review, aspects));
      return { ...found, language, aspects, technicians };
    }
    const annotated = annotateSegments(segmented);
    const claims = findClaims(annotated, rating, proposals);
    const aspects = claims.aspects.map((claim) => mentionOf(annotated, claim));
    const problems = mentionsOfProblems(annotated, claims.problems, vertical.id);
    const isPraise = isPraiseIn(review, [...aspects, ...problems]);
    const entities = findEntities(annotated, review, claims.moodOf);
    return {
      language,
      ...scoreAndSentiment(rating, annotated),
      ...entities,
      technicians: signed(entities.technicians, isPraise),
      services: judged(entities.services, rating, annotated),
      names: signed(entities.names, isPraise),
      aspects,
      topics: findTopics(annotated, vertical),
      problems,
      prices: findPrices(annotated),
      phrases: findPhrases(annotated),
      answers: claims.answers.map((claim) => mentionOf(annotated, claim)),
    };
  };
}

/** Whether a phrase of a review of four or five stars complains of nothing. */
function isPraiseIn({ rating, text }: Review, found: readonly FoundMention[]) {
  const complaints = found.filter(({ sentiment }) => sentiment === 'negative');
  return ({ start, end }: Span) =>
    rating >= 4 &&
    !DENIED.test(text?.slice(start, end) ?? '') &&
    !complaints.some((one) => one.start < end && start < one.end);
}

/**
 * Mentions without a word of judgement take a sentiment, where one is known: the first service and others in its phrase that
 * of the stars, people praise where a review of four or five stars complains of nothing in their phrase. Nobody is blamed by
 * stars.
 */
function signed<T extends { readonly sentiment: Sentiment }>(
  mentions: readonly T[],
  isKnown: (mention: T) => boolean,
  sentiment: Sentiment = 'positive',
): readonly T[] {
  return mentions.map((one) =>
    one.sentiment === 'neutral' && isKnown(one) ? { ...one, sentiment } : one,
  );
}

/**
 * Services: a later one without a word of judgement is mentioned in passing, and one whose phrase leans against the stars stays
 * undecided.
 */
function judged(
  services: readonly FoundMention[],
  rating: number,
  { tokens, opinions }: AnnotatedText,
): readonly FoundMention[] {
  const told = services.filter(
    ({ sentiment, start }) => sentiment !== 'neutral' || start === services[0]?.start,
  );
  const side = Math.sign(rating - 3);
  const isDecided = ({ start, end }: Span) => {
    const own = opinions.filter(({ from }) => {
      const at = (tokens[from] as Token).start;
      return start <= at && at < end;
    });
    return side !== 0 && own.reduce((sum, { value }) => sum + value, 0) * side >= 0;
  };
  return signed(told, isDecided, side > 0 ? 'positive' : 'negative');
}

/** The findings for a review without text, or in a language that is not read. */
const NOTHING = {
  language: null,
  aspects: [],
  topics: [],
  answers: [],
  technicians: [],
  services: [],
  serviceAreas: [],
  names: [],
  problems: [],
  prices: [],
  phrases: [],
} as const;

function scoreAndSentiment(rating: number, annotated: AnnotatedText | null) {
  const score = scoreOfReview(rating, annotated);
  return { score, sentiment: sentimentOfScore(score) };
}

/** What is read in a review in another language than English: aspects, and people and services of the catalogue. */
function buildOtherReading(business: Business, vertical: Vertical) {
  const findNamed = buildNamedFinder(business.technicians);
  const findServices = buildServiceFinder(business, true);
  const cues = new Map<Reader, ReturnType<typeof cuesFor>>();
  return (reader: Reader, segmented: SegmentedText, rating: number) => {
    const own = cues.get(reader) ?? cuesFor(reader.language, vertical);
    cues.set(reader, own);
    const annotated = reader.annotate(segmented);
    const hits = reader.findAspects(annotated, own);
    const aspects = mentionsOfHits(annotated, judgeAspects(hits, rating));
    return {
      ...scoreAndSentiment(rating, annotated),
      aspects,
      technicians: findNamed(annotated, reader, rating),
      services: judged(mentionsOf(annotated, findServices(annotated), rating), rating, annotated),
      topics: findTopics(annotated, { ...vertical, topicCues: own.topicCues }),
    };
  };
}

/** A claim with the phrase that tells it most clearly. */
function mentionOf(annotated: AnnotatedText, { id, sentiment, confidence, place }: Claim) {
  return {
    id,
    sentiment,
    phraseScore: roundTo(place.score, 2),
    confidence: roundTo(confidence, 2),
    ...excerptOf(annotated, place.from, place.to),
  };
}

/** The problems as a vertical calls them, each once. */
function mentionsOfProblems(
  annotated: AnnotatedText,
  problems: readonly Claim[],
  vertical: string,
): FoundMention[] {
  const byId = Map.groupBy(problems, ({ id }) => idOfProblem(id, vertical));
  return [...byId].map(([id, [first]]) => ({ ...mentionOf(annotated, first as Claim), id }));
}

function mentionsOfHits(
  annotated: AnnotatedText,
  verdicts: readonly AspectVerdict[],
): FoundMention[] {
  return verdicts.map(({ aspect, sentiment, hit }) => ({
    id: aspect,
    sentiment,
    phraseScore: roundTo(Math.abs(hit.score), 2),
    ...excerptOf(annotated, hit.from, hit.to),
  }));
}
