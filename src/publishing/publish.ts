// Stage 2: analyses reviews, derives insights, and builds and stores the next snapshot. It runs in the
// publish process, under a claim (see publish-pending.ts).

import { type Analysis, buildAnalyser } from '../insights/analyse.ts';
import { type AnalysedReview, deriveFromAnalyses } from '../insights/derive.ts';
import { analysisKeys } from '../insights/reuse.ts';
import type { Business } from '../model/business.ts';
import { aggregateRating } from '../model/rating.ts';
import type { Review } from '../model/review.ts';
import { drawPictures } from '../site/pictures.ts';
import { drawRatingPicture } from '../site/rating-picture.ts';
import { type BuildFinish, SnapshotBuilder } from '../snapshot/build.ts';
import { compress, type DocumentPath, TOPIC_PATHS } from '../snapshot/documents.ts';
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
import { loadLog, LogPublication } from './log.ts';
import { BUILDER, type Omission, type Publishing } from './tasks.ts';

/** Analyses that are stored in one transaction. */
const SAVED_AT_ONCE = 500;

/** A publish that would fail again with the same content. */
class PublishError extends Error {
  override readonly name = 'PublishError';
}

/** Is called at the start of each step, for example with `analysing review 01H...`. */
type OnStep = (step: string) => void;

/** The verified content of the store. */
interface Content {
  readonly business: Business;
  readonly reviews: readonly Review[];
}

/**
 * Publishes in this thread, under a claim that the caller holds. Returns what was left out of the
 * snapshot because making it failed. `nowSeconds` is since 1970.
 *
 * @throws {PublishError} naming the step that failed, if the snapshot cannot do without it.
 * @throws {ClaimLost}
 */
export async function publish(
  database: Database,
  { publisherId, defaultOrigin, logKeyFile = null }: Publishing,
  nowSeconds: number,
  onStep: OnStep = () => undefined,
): Promise<readonly Omission[]> {
  onStep('loading the reviews');
  const {
    state,
    manifest,
    log: stored,
    ...content
  } = await database.readConsistently(async (transaction) => ({
    state: await loadState(transaction),
    manifest: await loadCurrentManifest(transaction),
    business: await loadBusiness(transaction),
    reviews: await loadVerifiedReviews(transaction),
    log: await loadLog(transaction),
  }));
  const previous = manifest === null ? null : (JSON.parse(manifest) as Manifest);
  const origin = state.origin ?? defaultOrigin;
  const builder = await runStep(
    onStep,
    'writing the reviews',
    () => new SnapshotBuilder({ ...content, origin, builder: BUILDER, previous, nowSeconds }),
  );
  const omitted: Omission[] = [];
  const found = await findAll(database, publisherId, content, omitted, onStep);
  const log = await runStep(
    onStep,
    'writing the log',
    () =>
      new LogPublication(database, {
        stored,
        reviews: builder.reviews,
        example: state.example,
        origin,
        nowSeconds: builder.publishedAt,
        previous: previous?.log ?? null,
        keyFile: logKeyFile,
      }),
  );
  const isLogChanged = await log.isChanged();
  const built = await runStep(onStep, 'building the documents', () =>
    builder.finish(found, isLogChanged),
  );
  onStep('storing the snapshot');
  await deleteUnused(database, publisherId, new Set(previous ? partsOf(previous) : []));
  if (!built) {
    await switchSnapshot(database, publisherId, state.contentVersion, null);
    return omitted;
  }
  const { number } = built.manifest;
  const part = `log@${number}.zstd`;
  const next: Manifest = { ...built.manifest, log: { ...(await log.append(publisherId)), part } };
  const openings = await compress(log.packOpenings(), 'zstd');
  await saveSnapshot(database, publisherId, {
    number,
    manifest: JSON.stringify(next),
    parts: new Map([...built.parts, [part, openings]]),
  });
  await switchSnapshot(database, publisherId, state.contentVersion, {
    number,
    changedTopics: TOPIC_PATHS.filter((path) => isChanged(path, next, previous)),
    publishedAtMs: Date.now(),
  });
  await deleteUnused(database, publisherId, new Set(partsOf(next)));
  return omitted;
}

/** Runs a step whose success depends on the content alone. */
async function runStep<T>(onStep: OnStep, step: string, work: () => T | Promise<T>): Promise<T> {
  onStep(step);
  try {
    return await work();
  } catch (error) {
    throw new PublishError(`${step} failed: ${String(error)}`, { cause: error });
  }
}

/** Whether a document has other bytes than before. */
function isChanged(path: DocumentPath, manifest: Manifest, previous: Manifest | null): boolean {
  return manifest.documents[path].part !== previous?.documents[path].part;
}

/**
 * Derives the insights and draws the pictures. A picture that fails is left out. The analyses are
 * several times as large as the reviews, and can be freed when this returns.
 */
async function findAll(
  database: Database,
  publisherId: string,
  content: Content,
  omitted: Omission[],
  onStep: OnStep,
): Promise<BuildFinish> {
  const { business, reviews } = content;
  const { insights, languages } = await derive(database, publisherId, content, omitted, onStep);
  onStep('drawing the pictures');
  const charts = drawPictures(insights, (chart, error) => {
    omitted.push({ what: `chart "${chart}"`, reason: String(error) });
  });
  const ratingPicture = await drawRatingPicture(business.name, aggregateRating(reviews)).catch(
    (error: unknown) => {
      omitted.push({ what: 'rating picture', reason: String(error) });
      return {};
    },
  );
  return { insights, languages, pictures: { ...charts, ...ratingPicture } };
}

async function derive(
  database: Database,
  publisherId: string,
  content: Content,
  omitted: Omission[],
  onStep: OnStep,
): Promise<Pick<BuildFinish, 'insights' | 'languages'>> {
  const analysed = await analyseAll(database, publisherId, content, omitted, onStep);
  const insights = await runStep(onStep, 'deriving the insights', () =>
    deriveFromAnalyses(analysed, content.business),
  );
  const languages = new Map(
    analysed.map(({ review, analysis }) => [review.id, analysis.language] as const),
  );
  return { insights, languages };
}

/**
 * Analyses the reviews that have no stored analysis, stores theirs, and deletes analyses that no review
 * needs. A review whose text cannot be analysed counts as a rating without text.
 */
async function analyseAll(
  database: Database,
  publisherId: string,
  { business, reviews }: Content,
  omitted: Omission[],
  onStep: OnStep,
): Promise<AnalysedReview[]> {
  onStep('loading the analyses');
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
  let unsaved: StoredAnalysis[] = [];
  const save = async () => {
    await saveAnalyses(database, publisherId, context, unsaved);
    unsaved = [];
  };
  for (const [index, review] of reviews.entries()) {
    const key = keys[index] as string;
    const stored = analyses.get(key);
    if (stored) {
      analysed.push({ review, analysis: stored });
      continue;
    }
    onStep(`analysing review ${review.id}`);
    const { analysis, json, error } = tryAnalyse(analyse, review);
    analysed.push({ review, analysis });
    if (error !== null) {
      omitted.push({ what: `analysis of review ${review.id}`, reason: String(error) });
      continue;
    }
    analyses.set(key, analysis);
    unsaved.push({ key, analysis: json });
    if (unsaved.length >= SAVED_AT_ONCE) await save();
  }
  onStep('storing the analyses');
  await save();
  await deleteAnalyses(database, publisherId, context, unused);
  return analysed;
}

interface Attempt {
  readonly analysis: Analysis;
  readonly json: string;
  /** Why the text of the review could not be analysed; null if it was. */
  readonly error: Error | null;
}

function tryAnalyse(analyse: (review: Review) => Analysis, review: Review): Attempt {
  try {
    return { ...compact(analyse(review)), error: null };
  } catch (error) {
    return { ...compact(analyse({ ...review, text: null })), error: error as Error };
  }
}

/** Parses the analysis from its JSON: its strings are slices that keep whole texts in memory. */
function compact(analysis: Analysis): Pick<Attempt, 'analysis' | 'json'> {
  const json = JSON.stringify(analysis);
  return { analysis: JSON.parse(json) as Analysis, json };
}
