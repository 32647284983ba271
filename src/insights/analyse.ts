// Analyses one review on its own: everything that it says, as spans of its text (analysis.ts).

import type { Business } from '../model/business.ts';
import { roundTo } from '../model/rating.ts';
import type { Review } from '../model/review.ts';
import type { Analysis, FoundMention } from './analysis.ts';
import { type AspectHit, judgeAspects } from './aspects/aspects.ts';
import { buildEntityFinder } from './entities/entities.ts';
import { excerptOf } from './text/excerpt.ts';
import { languageOf } from './text/language.ts';
import { findAspects } from './learned/aspects.ts';
import type { Model } from './learned/model.ts';
import { modelOf } from './learned/models.ts';
import { findPhrases } from './aggregate/phrases.ts';
import { findProblems } from './entities/problems/problems.ts';
import { findQuotes } from './aggregate/quotes.ts';
import { readClauses, readText } from './text/read.ts';
import type { Reading } from './text/reading.ts';
import { scoreOfReview, sentimentOfScore } from './aspects/review-sentiment.ts';
import { type Vertical, verticalOf } from './verticals/verticals.ts';

export type Analyser = (review: Review) => Analysis;

/** Builds the analyser of a business's reviews. What it finds in a review depends on that review and
 * the business alone. */
export function buildAnalyser(business: Business): Analyser {
  const vertical = verticalOf(business.vertical);
  const model = modelOf(vertical.id);
  const findEntities = buildEntityFinder(business);
  return (review) => {
    const { rating, text } = review;
    if (text === null) return { ...NOTHING, ...judgementOf(rating, null) };
    const cut = readText(text);
    const language = languageOf(text, cut.tokens);
    // A language that has no lexicon is not read as if it were English: its stars count.
    if (language !== null && language !== 'en') {
      return { ...NOTHING, language, ...judgementOf(rating, null) };
    }
    const reading = readClauses(cut);
    const aspects = aspectsOf(reading, vertical, model, rating);
    return {
      language,
      ...judgementOf(rating, reading),
      ...findEntities(reading, review),
      aspects,
      topics: topicsOf(reading, vertical),
      problems: findProblems(reading, rating),
      phrases: findPhrases(reading),
      quotes: findQuotes(reading, aspects),
    };
  };
}

/** Of a rating without words, or with words that are not analysed. */
const NOTHING = {
  language: null,
  aspects: [],
  topics: [],
  technicians: [],
  services: [],
  serviceAreas: [],
  names: [],
  problems: [],
  phrases: [],
  quotes: [],
} as const;

function judgementOf(rating: number, reading: Reading | null) {
  const score = scoreOfReview(rating, reading);
  return { score, sentiment: sentimentOfScore(score) };
}

function aspectsOf(
  reading: Reading,
  vertical: Vertical,
  model: Model | null,
  rating: number,
): FoundMention[] {
  const hits = findAspects(reading, vertical, model);
  return judgeAspects(hits, rating).map(({ aspect, sentiment, hit }) => {
    const sign = sentiment === 'negative' ? -1 : 1;
    // What is shown is the place that says it most clearly, of equals the first.
    const clearest = hits
      .filter((one) => one.aspect === aspect && one.score * sign > 0)
      .reduce((best, one) => (clarityOf(one) > clarityOf(best) ? one : best), hit);
    return {
      id: aspect,
      sentiment,
      clarity: roundTo(clarityOf(clearest), 2),
      ...excerptOf(reading, clearest.from, clearest.to),
    };
  });
}

function clarityOf({ score, clarity }: AspectHit): number {
  return clarity ?? Math.abs(score);
}

function topicsOf({ keys, sentences }: Reading, vertical: Vertical): string[] {
  if (vertical.topics.length === 0) return [];
  const topics = new Set<string>();
  for (const { from, to } of sentences) {
    const end = keys.firstOf[to] ?? keys.words.length;
    for (let at = keys.firstOf[from] ?? 0; at < end; at += 1) {
      for (const { value } of vertical.topicCues.matchesAt(keys, at, end)) topics.add(value);
    }
  }
  return vertical.topics.map(({ id }) => id).filter((id) => topics.has(id));
}
