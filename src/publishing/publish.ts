// Stage 2: analyses reviews, derives insights, and builds and stores the next snapshot. It runs in the
// publish process, under a claim (see publish-pending.ts).

import { buildAnalyser } from '../insights/analyse.ts';
import { deriveFromAnalyses } from '../insights/derive.ts';
import { publishedBusiness } from '../insights/people.ts';
import type { Business } from '../model/business.ts';
import type { Insights } from '../model/insights.ts';
import { type HeaderPicture, withHeader } from '../model/header-picture.ts';
import { type Logo, withLogo } from '../model/logo.ts';
import { DEFAULT_PEOPLE, parsePeople, type PeopleSettings } from '../model/people.ts';
import { aggregateRating } from '../model/rating.ts';
import type { Review } from '../model/review.ts';
import type { drawRatingPicture } from '../site/draw-rating-picture.ts';
import type { drawPictures } from '../site/pictures.ts';
import { type BuildFinish, type BuiltSnapshot, SnapshotBuilder } from '../snapshot/build.ts';
import { writeHeader, writeLogo } from '../snapshot/pictures.ts';
import { compress, type DocumentPath, TOPIC_PATHS } from '../snapshot/documents.ts';
import { type Manifest, partsOf } from '../snapshot/manifest.ts';
import { loadHeader, loadLogo } from '../store/business.ts';
import type { Database } from '../store/database.ts';
import { type Language, languageOf } from '../strings/language.ts';
import { loadBusiness, loadVerifiedReviews } from '../store/reviews.ts';
import {
  deleteUnused,
  loadCurrentManifest,
  saveSnapshot,
  switchSnapshot,
} from '../store/snapshots.ts';
import { loadProposals, type Proposals } from '../store/proposals.ts';
import { loadState, type State } from '../store/state.ts';
import { analyseAll } from './analyses.ts';
import { loadLog, LogPublication, type StoredLog } from './log.ts';
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
  readonly header: HeaderPicture | null;
  readonly reviews: readonly Review[];
  readonly people: PeopleSettings;
  readonly proposals: Proposals;
}

/** What a publish starts from, all of one moment. */
interface Input {
  readonly state: State;
  readonly content: Content;
  /** The manifest of the current snapshot; null before the first. */
  readonly previous: Manifest | null;
  readonly storedLog: StoredLog;
  readonly origin: string;
  /** Null follows the country of the business. */
  readonly siteLanguage: string | null;
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
  publishing: Publishing,
  nowSeconds: number,
  onStep: OnStep = () => undefined,
  work: Partial<PublishWork> = {},
): Promise<readonly Omission[]> {
  const { publisherId } = publishing;
  onStep('loading the reviews');
  const input = await loadInput(database, publishing);
  const { content, previous, siteLanguage } = input;
  const builder = await runStep(onStep, 'writing the reviews', () =>
    startBuilder(input, nowSeconds),
  );
  const omitted: Omission[] = [];
  const language = languageOf(siteLanguage, content.business.address?.country);
  const parts = { omitted, onStep, work, language };
  const found = await findAll(database, publisherId, content, parts);
  const log = await runStep(onStep, 'writing the log', () =>
    planLog(database, input, builder, publishing.logKeyFile ?? null),
  );
  const isLogChanged = await log.isChanged();
  const built = await runStep(onStep, 'building the documents', () =>
    builder.finish({ ...found, leftOut: log.leftOut }, isLogChanged),
  );
  onStep('storing the snapshot');
  await deleteUnused(database, publisherId, new Set(previous ? partsOf(previous) : []));
  if (built) await storeSnapshot(database, publisherId, input, { built, log });
  else await switchSnapshot(database, publisherId, input.state.contentVersion, null);
  return omitted;
}

async function loadInput(
  database: Database,
  { defaultOrigin, defaultAuthors = 'full', siteLanguage, people }: Publishing,
): Promise<Input> {
  const { manifest, business, logo, header, reviews, proposals, ...loaded } =
    await database.readConsistently(async (transaction) => {
      const state = await loadState(transaction);
      return {
        state,
        reviews: await loadVerifiedReviews(transaction, state.authors ?? defaultAuthors),
        manifest: await loadCurrentManifest(transaction),
        business: await loadBusiness(transaction),
        logo: await loadLogo(transaction),
        proposals: await loadProposals(transaction),
        header: await loadHeader(transaction),
        storedLog: await loadLog(transaction),
      };
    });
  const previous = manifest === null ? null : (JSON.parse(manifest) as Manifest);
  const origin = loaded.state.origin ?? defaultOrigin;
  return {
    ...loaded,
    content: {
      business: withHeader(withLogo(business, logo, origin), header, origin),
      logo,
      header,
      reviews,
      proposals,
      people: people ?? parsePeople(previous?.people) ?? DEFAULT_PEOPLE,
    },
    previous,
    origin,
    siteLanguage: siteLanguage === undefined ? (previous?.siteLanguage ?? null) : siteLanguage,
  };
}

function startBuilder(
  { content, previous, origin, siteLanguage }: Input,
  nowSeconds: number,
): SnapshotBuilder {
  const business = publishedBusiness(content.business, content.people);
  return new SnapshotBuilder({
    ...content,
    business,
    origin,
    siteLanguage,
    builder: BUILDER,
    previous,
    nowSeconds,
  });
}

function planLog(
  database: Database,
  { state, storedLog, previous, origin }: Input,
  builder: SnapshotBuilder,
  keyFile: string | null,
): LogPublication {
  return new LogPublication(database, {
    stored: storedLog,
    reviews: builder.reviews,
    example: state.example,
    origin,
    nowSeconds: builder.publishedAtSeconds,
    previous: previous?.log ?? null,
    changedDays: builder.changedDays,
    keyFile,
  });
}

/** Appends to the log, stores the snapshot that names it, makes that current, and deletes the one before. */
async function storeSnapshot(
  database: Database,
  publisherId: string,
  { state, previous }: Input,
  { built, log }: { readonly built: BuiltSnapshot; readonly log: LogPublication },
): Promise<void> {
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
  { business, logo, header, reviews }: Content,
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
  return { ...charts, ...ratingPicture, ...writeLogo(logo), ...writeHeader(header) };
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
  { omitted, onStep, work, language }: Parts,
): Promise<Pick<BuildFinish, 'insights' | 'languages'>> {
  const analyserOf = work.buildAnalyser ?? buildAnalyser;
  const analysed = await analyseAll(database, publisherId, content, {
    omitted,
    onStep,
    analyserOf,
  });
  const insights = await runStep(onStep, 'deriving the insights', () =>
    (work.deriveFromAnalyses ?? deriveFromAnalyses)(
      analysed,
      content.business,
      content.people,
      language.code,
    ),
  );
  const languages = new Map(
    analysed.map(({ review, analysis }) => [review.id, analysis.language] as const),
  );
  const { proposer } = content.proposals;
  const model = proposer === null ? insights.model : `${insights.model}, ${proposer}`;
  return { insights: { ...insights, model }, languages };
}
