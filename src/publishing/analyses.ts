// Analyses the reviews of a publish. Analyses are stored, so a publish analyses only new and changed reviews.

import { type Analyser, type Analysis, buildAnalyser } from '../insights/analyse.ts';
import type { AnalysedReview } from '../insights/derive.ts';
import { parseClaims } from '../insights/proposals/answer.ts';
import { proposalKeyOf } from '../insights/proposals/prompt.ts';
import { analysisKeys } from '../insights/reuse.ts';
import type { Business } from '../model/business.ts';
import type { Review } from '../model/review.ts';
import {
  deleteAnalyses,
  loadAnalyses,
  saveAnalyses,
  type StoredAnalysis,
} from '../store/reviews/analyses.ts';
import type { Database } from '../store/database.ts';
import { deleteProposals, type Proposals } from '../store/reviews/proposals.ts';
import { runWithin } from './run/5-review-limit.ts';
import type { Omission } from './run/messages.ts';
import type { OnStage } from './run/stages.ts';

/** Analyses that are stored in one transaction. */
const SAVED_AT_ONCE = 500;
/** The longest time for one review, thousands of times what the longest texts take. */
const REVIEW_LIMIT_MS = 10_000;

interface AnalyseOptions {
  /** Gets the analyses that failed. */
  readonly omitted: Omission[];
  readonly onStage: OnStage;
  readonly reviewLimitMs?: number;
  readonly analyserOf?: (business: Business) => Analyser;
}

interface AnalysedContent {
  readonly business: Business;
  readonly reviews: readonly Review[];
  /** Of a language model. */
  readonly proposals: Proposals;
}

/**
 * Analyses the reviews that have no stored analysis, stores theirs, and deletes analyses that no review
 * needs. A review whose text cannot be analysed, or not in time, counts as a rating without text.
 */
export async function analyseAll(
  database: Database,
  publisherId: string,
  content: AnalysedContent,
  options: AnalyseOptions,
): Promise<AnalysedReview[]> {
  const { business, reviews } = content;
  options.onStage('analyse');
  const { context, keyOf } = analysisKeys(business);
  const claimsOf = await matchClaims(database, content);
  const keys = reviews.map((review) => keyOf(review, claimsOf(review)));
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
  const analyseText = (options.analyserOf ?? buildAnalyser)(business);
  const analyse = (review: Review) => {
    const claims = claimsOf(review);
    return analyseText(review, claims === undefined ? undefined : parseClaims(claims));
  };
  const entries = [...missing];
  /** The next publish may find something else under these keys. */
  const failed = new Set<string>();
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
      else failed.add(key);
    });
    await saveAnalyses(database, publisherId, context, stored);
  }
  options.onStage('analyse');
  await deleteAnalyses(database, publisherId, context, unused);
  return reviews.map((review, index) => {
    const key = keys[index] as string;
    const analysis = analyses.get(key) as Analysis;
    return { review, analysis, key: failed.has(key) ? undefined : key };
  });
}

/** The claims of a language model about each review, as JSON. Deletes those that are about none of the reviews. */
async function matchClaims(
  database: Database,
  { business, reviews, proposals }: AnalysedContent,
): Promise<(review: Review) => string | undefined> {
  if (proposals.claims.size === 0) return () => undefined;
  const keys = new Map(
    reviews.flatMap((review) =>
      review.text === null ? [] : [[review, proposalKeyOf(business.vertical, review)] as const],
    ),
  );
  const used = new Set(keys.values());
  await deleteProposals(
    database,
    [...proposals.claims.keys()].filter((key) => !used.has(key)),
  );
  return (review) => proposals.claims.get(keys.get(review) ?? '') ?? undefined;
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
  { omitted, onStage, reviewLimitMs = REVIEW_LIMIT_MS }: AnalyseOptions,
): Attempt[] {
  const attempts: Attempt[] = [];
  const omit = (review: Review, reason: string) => {
    omitted.push({ what: `analysis of review ${review.id}`, reason });
  };
  const tryNext = () => {
    const review = reviews[attempts.length] as Review;
    onStage('analyse');
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
