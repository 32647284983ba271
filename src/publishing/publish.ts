// Stage 2: makes what the store holds the current snapshot. It runs in a process of its own, under
// a claim that other processes see (see threads.ts), so that an import is published once and never twice
// at a time.

import { type Analysis, buildAnalyser } from '../insights/analyse.ts';
import { type AnalysedReview, deriveFromAnalyses } from '../insights/derive.ts';
import { analysisKeys } from '../insights/reuse.ts';
import type { Business } from '../model/business.ts';
import { aggregateRating } from '../model/rating.ts';
import type { Review } from '../model/review.ts';
import { drawPictures } from '../site/pictures.ts';
import { drawRatingPicture } from '../site/rating-picture.ts';
import { type BuildFinish, SnapshotBuilder } from '../snapshot/build.ts';
import { type DocumentPath, TOPIC_PATHS } from '../snapshot/documents.ts';
import { type Manifest, partsOf } from '../snapshot/manifest.ts';
import {
  deleteAnalyses,
  loadAnalyses,
  saveAnalyses,
  type StoredAnalysis,
} from '../store/analyses.ts';
import type { Database } from '../store/database.ts';
import { loadBusiness, loadVerifiedReviews } from '../store/reviews.ts';
import {
  deleteUnused,
  loadCurrentManifest,
  loadState,
  saveSnapshot,
  switchSnapshot,
} from '../store/snapshots.ts';
import { BUILDER, type Omission, type Publishing } from './threads.ts';

/** Analyses that wait to be stored, at most. */
const KEPT_AT_ONCE = 500;

/** A publish that would fail again as long as the content is the same. */
class PublishError extends Error {
  override readonly name = 'PublishError';
}

/**
 * Publishes in this thread, under a claim that the caller holds. Returns what was left out of the
 * snapshot because making it failed.
 *
 * @throws {PublishError} naming the step that failed, where the snapshot cannot do without it.
 */
export async function publish(
  database: Database,
  { publisher, defaultOrigin }: Publishing,
  now: number,
): Promise<readonly Omission[]> {
  const content = await database.readConsistently(async (transaction) => ({
    state: await loadState(transaction),
    manifest: await loadCurrentManifest(transaction),
    business: await loadBusiness(transaction),
    reviews: await loadVerifiedReviews(transaction),
  }));
  const { state, business, reviews } = content;
  const previous = content.manifest === null ? null : (JSON.parse(content.manifest) as Manifest);
  const snapshot = await runStep(
    'writing the reviews',
    () =>
      new SnapshotBuilder({
        reviews,
        business,
        origin: state.origin ?? defaultOrigin,
        builder: BUILDER,
        previous,
        now,
      }),
  );
  const omitted: Omission[] = [];
  const analysed = await analyseAll(database, publisher, content, omitted);
  const found = await findOut(analysed, content, omitted);
  const built = await runStep('building the documents', () => snapshot.finish(found));
  const usedNow = new Set(previous ? partsOf(previous) : []);
  await deleteUnused(database, publisher, usedNow);
  if (built) {
    const { manifest, parts } = built;
    const { number } = manifest;
    await saveSnapshot(database, publisher, { number, manifest: JSON.stringify(manifest), parts });
    await switchSnapshot(database, publisher, state.contentVersion, {
      number,
      changedTopics: TOPIC_PATHS.filter((path) => isChanged(path, manifest, previous)),
      publishedAtMs: Date.now(),
    });
    await deleteUnused(database, publisher, new Set(partsOf(manifest)));
  } else {
    await switchSnapshot(database, publisher, state.contentVersion, null);
  }
  return omitted;
}

/** Runs a step that depends on the content alone. */
async function runStep<T>(step: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new PublishError(`${step} failed: ${String(error)}`, { cause: error });
  }
}

interface Content {
  readonly business: Business;
  readonly reviews: readonly Review[];
}

/** What all reviews say together, with its pictures. A picture that fails is left out. */
async function findOut(
  analysed: readonly AnalysedReview[],
  { business, reviews }: Content,
  omitted: Omission[],
): Promise<BuildFinish> {
  const insights = await runStep('deriving the insights', () =>
    deriveFromAnalyses(analysed, business),
  );
  const charts = drawPictures(insights, (chart, error) => {
    omitted.push({ what: `chart "${chart}"`, reason: String(error) });
  });
  const ratingPicture = await drawRatingPicture(business.name, aggregateRating(reviews)).catch(
    (error: unknown) => {
      omitted.push({ what: 'rating picture', reason: String(error) });
      return {};
    },
  );
  return {
    insights,
    languages: new Map(analysed.map(({ review, analysis }) => [review.id, analysis.language])),
    pictures: { ...charts, ...ratingPicture },
  };
}

/** Whether a document has other bytes than before. */
function isChanged(path: DocumentPath, manifest: Manifest, previous: Manifest | null): boolean {
  return manifest.documents[path].part !== previous?.documents[path].part;
}

/**
 * Analyses the reviews whose analysis is not kept, keeps it, and drops what nothing needs. A review
 * whose words cannot be analysed counts as a rating without words.
 */
async function analyseAll(
  database: Database,
  publisher: string,
  { business, reviews }: Content,
  omitted: Omission[],
): Promise<AnalysedReview[]> {
  const { context, keyOf } = analysisKeys(business);
  const keys = reviews.map(keyOf);
  const analyses = new Map<string, Analysis | null>(keys.map((key) => [key, null]));
  const unused: string[] = [];
  for await (const { key, analysis } of loadAnalyses(database.read, context)) {
    if (analyses.has(key)) analyses.set(key, JSON.parse(analysis) as Analysis);
    else unused.push(key);
  }
  const analyse = buildAnalyser(business);
  const analysed: AnalysedReview[] = [];
  let made: StoredAnalysis[] = [];
  const keep = async () => {
    await saveAnalyses(database, publisher, context, made);
    made = [];
  };
  for (const [place, review] of reviews.entries()) {
    const key = keys[place] as string;
    const kept = analyses.get(key);
    if (kept) {
      analysed.push({ review, analysis: kept });
      continue;
    }
    const { analysis, error } = tryAnalyse(analyse, review);
    analysed.push({ review, analysis });
    if (error !== null) {
      omitted.push({ what: `analysis of review ${review.id}`, reason: String(error) });
      continue;
    }
    analyses.set(key, analysis);
    made.push({ key, analysis: JSON.stringify(analysis) });
    if (made.length >= KEPT_AT_ONCE) await keep();
  }
  await keep();
  await deleteAnalyses(database, publisher, context, unused);
  return analysed;
}

/** `error` is why the words of the review could not be analysed; null where they were. */
function tryAnalyse(
  analyse: (review: Review) => Analysis,
  review: Review,
): { analysis: Analysis; error: Error | null } {
  try {
    return { analysis: analyse(review), error: null };
  } catch (error) {
    return { analysis: analyse({ ...review, text: null }), error: error as Error };
  }
}
