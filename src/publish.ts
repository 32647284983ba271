// Stage 2: makes what the store holds the current snapshot. It runs in a process of its own, under
// a claim that other processes see (see threads.ts), so that an import is published once and never twice
// at a time.

import { buildAnalyser } from './insights/analyse.ts';
import type { Analysis } from './insights/analysis.ts';
import { type AnalysedReview, deriveFromAnalyses } from './insights/derive.ts';
import { analysisKeys } from './insights/reuse.ts';
import type { Business } from './model/business.ts';
import { aggregateRating } from './model/rating.ts';
import type { Review } from './model/review.ts';
import { drawPictures } from './site/pictures.ts';
import { drawRatingPicture } from './site/rating-picture.ts';
import { type BuildFinish, SnapshotBuilder } from './snapshot/build.ts';
import { type DocumentPath, TOPIC_PATHS } from './snapshot/documents.ts';
import { type Manifest, partsOf } from './snapshot/manifest.ts';
import {
  deleteAnalyses,
  loadAnalyses,
  saveAnalyses,
  type StoredAnalysis,
} from './store/analyses.ts';
import type { Database } from './store/database.ts';
import { loadBusiness, loadVerifiedReviews } from './store/reviews.ts';
import {
  deleteUnused,
  loadCurrentManifest,
  loadState,
  saveSnapshot,
  switchSnapshot,
} from './store/snapshots.ts';
import { BUILDER, type Publishing } from './threads.ts';

/** Analyses that wait to be stored, at most. */
const KEPT_AT_ONCE = 500;

/** Publishes in this thread, under a claim that the caller holds. */
export async function publish(
  database: Database,
  { publisher, defaultOrigin }: Publishing,
  now: number,
): Promise<void> {
  const content = await database.readConsistently(async (transaction) => ({
    state: await loadState(transaction),
    manifest: await loadCurrentManifest(transaction),
    business: await loadBusiness(transaction),
    reviews: await loadVerifiedReviews(transaction),
  }));
  const { state, business, reviews } = content;
  const previous = content.manifest === null ? null : (JSON.parse(content.manifest) as Manifest);
  const snapshot = new SnapshotBuilder({
    reviews,
    business,
    origin: state.origin ?? defaultOrigin,
    builder: BUILDER,
    previous,
    now,
  });
  const built = await snapshot.finish(await findOut(database, publisher, reviews, business));
  const usedNow = new Set(previous ? partsOf(previous) : []);
  await deleteUnused(database, publisher, usedNow);
  if (built) {
    const { manifest, parts } = built;
    const { number } = manifest;
    await saveSnapshot(database, publisher, { number, manifest: JSON.stringify(manifest), parts });
    await switchSnapshot(database, publisher, state.contentVersion, {
      number,
      changedTopics: TOPIC_PATHS.filter((path) => isChanged(path, manifest, previous)),
      publishedAt: Date.now(),
    });
    await deleteUnused(database, publisher, new Set(partsOf(manifest)));
  } else {
    await switchSnapshot(database, publisher, state.contentVersion, null);
  }
}

/** What the reviews say, each and all together. */
async function findOut(
  database: Database,
  publisher: string,
  reviews: readonly Review[],
  business: Business,
): Promise<BuildFinish> {
  const analysed = await analyseAll(database, publisher, reviews, business);
  const insights = deriveFromAnalyses(analysed, business);
  return {
    insights,
    languages: new Map(analysed.map(({ review, analysis }) => [review.id, analysis.language])),
    pictures: {
      ...drawPictures(insights),
      ...(await drawRatingPicture(business.name, aggregateRating(reviews))),
    },
  };
}

/** Whether a document has other bytes than before. */
function isChanged(path: DocumentPath, manifest: Manifest, previous: Manifest | null): boolean {
  return manifest.documents[path].part !== previous?.documents[path].part;
}

/** Analyses the reviews whose analysis is not kept, keeps it, and drops what nothing needs. */
async function analyseAll(
  database: Database,
  publisher: string,
  reviews: readonly Review[],
  business: Business,
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
    const analysis = kept ?? analyse(review);
    analysed.push({ review, analysis });
    if (kept) continue;
    analyses.set(key, analysis);
    made.push({ key, analysis: JSON.stringify(analysis) });
    if (made.length >= KEPT_AT_ONCE) await keep();
  }
  await keep();
  await deleteAnalyses(database, publisher, context, unused);
  return analysed;
}
