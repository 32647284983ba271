// Stage 2: analyses reviews, derives insights, and builds and stores the next snapshot. It runs in the
// publish process, under a claim (see publish-pending.ts).

import { buildAnalyser } from '../insights/analyse.ts';
import { deriveFromAnalyses } from '../insights/derive.ts';
import { publishedBusiness } from '../insights/people.ts';
import type { AuthorDisplay } from '../model/author-names.ts';
import type { Business } from '../model/business.ts';
import type { Insights } from '../model/insights.ts';
import { type Logo, withLogo } from '../model/logo.ts';
import { DEFAULT_PEOPLE, parsePeople, type PeopleSettings } from '../model/people.ts';
import { aggregateRating } from '../model/rating.ts';
import type { Review } from '../model/review.ts';
import type { drawRatingPicture } from '../site/draw-rating-picture.ts';
import type { drawPictures } from '../site/pictures.ts';
import { type BuildFinish, SnapshotBuilder } from '../snapshot/build.ts';
import { writeLogo } from '../snapshot/pictures.ts';
import { compress, type DocumentPath, TOPIC_PATHS } from '../snapshot/documents.ts';
import { type Manifest, partsOf } from '../snapshot/manifest.ts';
import { loadLogo } from '../store/business.ts';
import type { Database } from '../store/database.ts';
import type { Executor } from '../store/engine.ts';
import { type Language, languageOf } from '../strings/language.ts';
import { loadBusiness, loadVerifiedReviews } from '../store/reviews.ts';
import {
  deleteUnused,
  loadCurrentManifest,
  saveSnapshot,
  switchSnapshot,
} from '../store/snapshots.ts';
import { loadState, type State } from '../store/state.ts';
import { analyseAll } from './analyses.ts';
import { loadLog, LogPublication } from './log.ts';
import { BUILDER, type Omission, type Publishing } from './tasks.ts';

/** A publish that would fail again with the same content. */
class PublishError extends Error {
  override readonly name = 'PublishError';
}

/** Is called at the start of each step, for example with `analysing review 01H...`. */
type OnStep = (step: string) => void;

/** What finds and draws things; tests let it fail. */
export interface PublishWork {
  readonly buildAnalyser: typeof buildAnalyser;
  readonly deriveFromAnalyses: typeof deriveFromAnalyses;
  readonly drawPictures: typeof drawPictures;
  readonly drawRatingPicture: typeof drawRatingPicture;
}

/** What the parts of a publish share. */
interface Parts {
  readonly omitted: Omission[];
  readonly onStep: OnStep;
  readonly work: Partial<PublishWork>;
  readonly language: Language;
}

/** The verified content of the store. */
interface Content {
  readonly business: Business;
  readonly logo: Logo | null;
  readonly reviews: readonly Review[];
  readonly people: PeopleSettings;
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
  {
    publisherId,
    defaultOrigin,
    defaultAuthors = 'full',
    logKeyFile = null,
    siteLanguage: chosen,
    people: asked,
  }: Publishing,
  nowSeconds: number,
  onStep: OnStep = () => undefined,
  work: Partial<PublishWork> = {},
): Promise<readonly Omission[]> {
  onStep('loading the reviews');
  const {
    state,
    manifest,
    log: stored,
    business: record,
    ...loaded
  } = await database.readConsistently(async (transaction) => ({
    ...(await loadPublished(transaction, defaultAuthors)),
    manifest: await loadCurrentManifest(transaction),
    business: await loadBusiness(transaction),
    logo: await loadLogo(transaction),
    log: await loadLog(transaction),
  }));
  const previous = manifest === null ? null : (JSON.parse(manifest) as Manifest);
  const origin = state.origin ?? defaultOrigin;
  const siteLanguage = chosen === undefined ? (previous?.siteLanguage ?? null) : chosen;
  const people = asked ?? parsePeople(previous?.people) ?? DEFAULT_PEOPLE;
  const business = withLogo(record, loaded.logo, origin);
  const content: Content = { ...loaded, business, people };
  const builder = await runStep(onStep, 'writing the reviews', () => {
    const shown = { ...content, business: publishedBusiness(business, people) };
    return new SnapshotBuilder({
      ...shown,
      origin,
      siteLanguage,
      builder: BUILDER,
      previous,
      nowSeconds,
    });
  });
  const omitted: Omission[] = [];
  const found = await findAll(database, publisherId, content, {
    omitted,
    onStep,
    work,
    language: languageOf(siteLanguage, business.address?.country),
  });
  const log = await runStep(
    onStep,
    'writing the log',
    () =>
      new LogPublication(database, {
        stored,
        reviews: builder.reviews,
        example: state.example,
        origin,
        nowSeconds: builder.publishedAtSeconds,
        previous: previous?.log ?? null,
        changedDays: builder.changedDays,
        keyFile: logKeyFile,
      }),
  );
  const isLogChanged = await log.isChanged();
  const built = await runStep(onStep, 'building the documents', () =>
    builder.finish({ ...found, leftOut: log.leftOut }, isLogChanged),
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

/** The state, and the reviews as they are shown. */
async function loadPublished(
  transaction: Executor,
  defaultAuthors: AuthorDisplay,
): Promise<{ readonly state: State; readonly reviews: Review[] }> {
  const state = await loadState(transaction);
  const reviews = await loadVerifiedReviews(transaction, state.authors ?? defaultAuthors);
  return { state, reviews };
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
 * Derives the insights. The analyses are several times as large as the reviews, and can be freed when this
 * returns.
 */
async function findAll(
  database: Database,
  publisherId: string,
  content: Content,
  parts: Parts,
): Promise<BuildFinish> {
  const found = await derive(database, publisherId, content, parts);
  return { ...found, drawPictures: () => drawAll(content, found.insights, parts) };
}

/** Draws the pictures. One that fails is left out. */
async function drawAll(
  { business, logo, reviews }: Content,
  insights: Insights,
  { omitted, onStep, work, language }: Parts,
): Promise<Record<string, Uint8Array>> {
  onStep('drawing the pictures');
  const draw = { ...(await loadDrawing()), ...work };
  const onFailed = (chart: string, error: unknown) => {
    omitted.push({ what: `chart "${chart}"`, reason: String(error) });
  };
  const charts = draw.drawPictures(insights, onFailed, language);
  const ratingPicture = await draw
    .drawRatingPicture(business.name, aggregateRating(reviews), language)
    .catch((error: unknown) => {
      omitted.push({ what: 'rating picture', reason: String(error) });
      return {};
    });
  onStep('building the documents');
  return { ...charts, ...ratingPicture, ...writeLogo(logo) };
}

/** Loading what draws takes a tenth of a second, and most publishes after a start draw nothing. */
async function loadDrawing(): Promise<Pick<PublishWork, 'drawPictures' | 'drawRatingPicture'>> {
  const { drawPictures } = await import('../site/pictures.ts');
  const { drawRatingPicture } = await import('../site/draw-rating-picture.ts');
  return { drawPictures, drawRatingPicture };
}

async function derive(
  database: Database,
  publisherId: string,
  content: Content,
  { omitted, onStep, work }: Parts,
): Promise<Pick<BuildFinish, 'insights' | 'languages'>> {
  const analyserOf = work.buildAnalyser ?? buildAnalyser;
  const analysed = await analyseAll(database, publisherId, content, {
    omitted,
    onStep,
    analyserOf,
  });
  const insights = await runStep(onStep, 'deriving the insights', () =>
    (work.deriveFromAnalyses ?? deriveFromAnalyses)(analysed, content.business, content.people),
  );
  const languages = new Map(
    analysed.map(({ review, analysis }) => [review.id, analysis.language] as const),
  );
  return { insights, languages };
}
