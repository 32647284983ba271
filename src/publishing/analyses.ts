// Analyses the reviews of a publish. Analyses are stored, so a publish analyses only new and changed reviews.

import { type Analyser, type Analysis, buildAnalyser } from '../insights/analyse.ts';
import type { AnalysedReview } from '../insights/derive.ts';
import { analysisKeys } from '../insights/reuse.ts';
import type { Business } from '../model/business.ts';
import type { Review } from '../model/review.ts';
import {
  deleteAnalyses,
  loadAnalyses,
  saveAnalyses,
  type StoredAnalysis,
} from '../store/analyses.ts';
import type { Database } from '../store/database.ts';
import type { Omission } from './tasks.ts';
import { runWithin } from './time-limit.ts';

/** Analyses that are stored in one transaction. */
const SAVED_AT_ONCE = 500;
/** The longest time for one review, thousands of times what the longest texts take. */
const REVIEW_LIMIT_MS = 10_000;

export interface AnalyseOptions {
  /** Gets the analyses that failed. */
  readonly omitted: Omission[];
  readonly onStep: (step: string) => void;
  readonly reviewLimitMs?: number;
  readonly analyserOf?: (business: Business) => Analyser;
}

/**
 * Analyses the reviews that have no stored analysis, stores theirs, and deletes analyses that no review
 * needs. A review whose text cannot be analysed, or not in time, counts as a rating without text.
 */
export async function analyseAll(
  database: Database,
  publisherId: string,
  { business, reviews }: { readonly business: Business; readonly reviews: readonly Review[] },
  options: AnalyseOptions,
): Promise<AnalysedReview[]> {
  options.onStep('loading the analyses');
  const { context, keyOf } = analysisKeys(business);
  const keys = reviews.map(keyOf);
  const analyses = new Map<string, Analysis | null>(keys.map((key) => [key, null]));
  const unused: string[] = [];
  for await (const { key, analysis } of loadAnalyses(database.read, context)) {
    if (analyses.has(key)) analyses.set(key, JSON.parse(analysis) as Analysis);
    else unused.push(key);
  }
  const missing = new Map<string, Review>();
  reviews.forEach((review, index) => {
    const key = keys[index] as string;
    if (analyses.get(key) === null) missing.set(key, review);
  });
  const analyse = (options.analyserOf ?? buildAnalyser)(business);
  const entries = [...missing];
  for (let start = 0; start < entries.length; start += SAVED_AT_ONCE) {
    const batch = entries.slice(start, start + SAVED_AT_ONCE);
    const attempts = analyseInTime(
      analyse,
      batch.map(([, review]) => review),
      options,
    );
    const stored: StoredAnalysis[] = [];
    attempts.forEach(({ analysis, json, isStored }, index) => {
      const [key] = batch[index] as [string, Review];
      analyses.set(key, analysis);
      if (isStored) stored.push({ key, analysis: json });
    });
    await saveAnalyses(database, publisherId, context, stored);
  }
  options.onStep('storing the analyses');
  await deleteAnalyses(database, publisherId, context, unused);
  return reviews.map((review, index) => ({
    review,
    analysis: analyses.get(keys[index] as string) as Analysis,
  }));
}

interface Attempt {
  readonly analysis: Analysis;
  readonly json: string;
  /** An analysis that failed with an error is tried again by the next publish. */
  readonly isStored: boolean;
}

/** Analyses reviews in turn; gives up a review after the time limit. */
function analyseInTime(
  analyse: Analyser,
  reviews: readonly Review[],
  { omitted, onStep, reviewLimitMs = REVIEW_LIMIT_MS }: AnalyseOptions,
): Attempt[] {
  const attempts: Attempt[] = [];
  const omit = (review: Review, reason: string) => {
    omitted.push({ what: `analysis of review ${review.id}`, reason });
  };
  const tryNext = () => {
    const review = reviews[attempts.length] as Review;
    onStep(`analysing review ${review.id}`);
    try {
      attempts.push({ ...compact(analyse(review)), isStored: true });
    } catch (error) {
      omit(review, String(error));
      attempts.push({ ...compact(analyse(withoutText(review))), isStored: false });
    }
  };
  const tryAll = () => {
    while (attempts.length < reviews.length) tryNext();
  };
  // A limit for each review would start a thread for each. So the limit is for all of them; when it has
  // passed, the review that was being analysed gets the whole limit for itself.
  while (!runWithin(reviewLimitMs, tryAll)) {
    const review = reviews[attempts.length];
    if (!review || runWithin(reviewLimitMs, tryNext)) continue;
    omit(review, `it took longer than ${reviewLimitMs / 1000} s`);
    attempts.push({ ...compact(analyse(withoutText(review))), isStored: true });
  }
  return attempts;
}

function withoutText(review: Review): Review {
  return { ...review, text: null };
}

/** Parses the analysis from its JSON: its strings are slices that keep whole texts in memory. */
function compact(analysis: Analysis): Pick<Attempt, 'analysis' | 'json'> {
  const json = JSON.stringify(analysis);
  return { analysis: JSON.parse(json) as Analysis, json };
}
