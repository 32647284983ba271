// Stage 2: analyses reviews, derives insights, and builds and stores the next snapshot. It runs in the
// publish process, under a claim (see run/).

import type { ResultCache } from '../insights/aggregate/result-cache.ts';
import { publishedBusiness } from '../insights/people.ts';
import type { Insights } from '../model/insights.ts';
import { withPictures, type HeaderPicture, type Logo } from '../model/business-pictures.ts';
import { DEFAULT_PEOPLE, parsePeople, type PeopleSettings } from '../model/people.ts';
import { withBranches } from '../model/locations.ts';
import { type BuildFinish, type BuiltSnapshot, SnapshotBuilder } from '../snapshot/build.ts';
import { writeHeader, writeLogo } from '../snapshot/pictures.ts';
import { compress, type DocumentPath, TOPIC_PATHS } from '../snapshot/documents.ts';
import { FEED_LENGTH } from '../snapshot/feeds.ts';
import { type Manifest, partsOf } from '../snapshot/manifest.ts';
import { loadHeader, loadLogo } from '../store/business.ts';
import type { Database } from '../store/database.ts';
import { replaceGuessableIds } from '../store/reviews/keyed-ids.ts';
import { languageOf, type Language } from '../strings/language.ts';
import { loadBusiness, loadVerifiedReviews } from '../store/reviews/reviews.ts';
import {
  deleteUnused,
  loadCurrentManifest,
  saveSnapshot,
  switchSnapshot,
} from '../store/snapshots/snapshots.ts';
import { loadProposals, type Proposals } from '../store/reviews/proposals.ts';
import { loadState, type State } from '../store/state.ts';
import { loadLog, LogPublication, type StoredLog } from './log.ts';
import { loadResults, packResults } from './results.ts';
import type { Omission, Publishing } from './run/messages.ts';
import { type OnStage, type Stage, STAGES } from './run/stages.ts';
import { BUILDER } from './tasks.ts';
import { buildAnalyser } from '../insights/analyse.ts';
import { deriveFromAnalyses } from '../insights/derive.ts';
import type { Business } from '../model/business.ts';
import type { Review } from '../model/review.ts';
import type { drawPictures } from '../site/pictures/pictures.ts';
import { analyseAll } from './analyses.ts';

/** A publish that would fail again with the same content. */
class PublishError extends Error {
  override readonly name = 'PublishError';
}

/** What finds and draws things; tests let it fail. */
export interface PublishWork {
  readonly buildAnalyser: typeof buildAnalyser;
  readonly deriveFromAnalyses: typeof deriveFromAnalyses;
  readonly drawPictures: typeof drawPictures;
}

interface Parts {
  readonly omitted: Omission[];
  readonly onStage: OnStage;
  readonly work: Partial<PublishWork>;
  readonly language: Language;
  /** Those of the previous publish. */
  readonly results: ResultCache;
}

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
  onStage: OnStage = () => undefined,
  work: Partial<PublishWork> = {},
): Promise<readonly Omission[]> {
  const { publisherId } = publishing;
  onStage('read');
  const input = await loadInput(database, publishing);
  const { content, previous, siteLanguage } = input;
  const builder = await runStage(onStage, 'write', () => {
    const business = publishedBusiness(content.business, content.people);
    const { origin } = input;
    const given = { origin, siteLanguage, builder: BUILDER, previous, nowSeconds };
    return new SnapshotBuilder({ ...content, business, ...given });
  });
  const omitted: Omission[] = [];
  const language = languageOf(siteLanguage, content.business.address?.country);
  const results = await loadResults(database, previous);
  const parts = { omitted, onStage, work, language, results };
  const found = await derive(database, publisherId, content, parts);
  const log = await runStage(
    onStage,
    'log',
    () =>
      new LogPublication(database, {
        stored: input.storedLog,
        reviews: builder.reviews,
        example: input.state.example,
        origin: input.origin,
        nowSeconds: builder.publishedAtSeconds,
        previous: previous?.log ?? null,
        changedDays: builder.changedDays,
        keyFile: publishing.logKeyFile ?? null,
      }),
  );
  const isLogChanged = await log.isChanged();
  const editedAt = log.editedAt(builder.reviews.slice(0, FEED_LENGTH));
  const built = await runStage(onStage, 'build', () =>
    builder.finish({ ...found, leftOut: log.leftOut, editedAt }, isLogChanged),
  );
  onStage('store');
  await deleteUnused(database, publisherId, new Set(previous ? partsOf(previous) : []));
  if (built) await storeSnapshot(database, publisherId, input, { built, log, results });
  else await switchSnapshot(database, publisherId, input.state.contentVersion, null);
  return omitted;
}

async function loadInput(
  database: Database,
  { defaultOrigin, siteLanguage, people }: Publishing,
): Promise<Input> {
  const { authors } = await loadState(database.read);
  if (authors !== 'full') await replaceGuessableIds(database);
  const { manifest, business, logo, header, reviews, proposals, ...loaded } =
    await database.readConsistently(async (transaction) => {
      const state = await loadState(transaction);
      return {
        state,
        reviews: await loadVerifiedReviews(transaction, state.authors),
        manifest: await loadCurrentManifest(transaction),
        business: await loadBusiness(transaction),
        logo: await loadLogo(transaction),
        proposals: await loadProposals(transaction),
        header: await loadHeader(transaction),
        storedLog: await loadLog(transaction, state.authors),
      };
    });
  const previous = manifest === null ? null : (JSON.parse(manifest) as Manifest);
  const origin = loaded.state.origin ?? defaultOrigin;
  // What is compared with the log has the branches that were published.
  const otherStars = [...loaded.storedLog.otherStars].map(
    ([id, versions]) => [id, withBranches(versions, business)] as const,
  );
  return {
    ...loaded,
    storedLog: { ...loaded.storedLog, otherStars: new Map(otherStars) },
    content: {
      business: withPictures(business, { logo, header }, origin),
      logo,
      header,
      reviews: withBranches(reviews, business),
      proposals,
      people: people ?? parsePeople(previous?.people) ?? DEFAULT_PEOPLE,
    },
    previous,
    origin,
    siteLanguage: siteLanguage === undefined ? (previous?.siteLanguage ?? null) : siteLanguage,
  };
}

interface Publication {
  readonly built: BuiltSnapshot;
  readonly log: LogPublication;
  readonly results: ResultCache;
}

/** Appends to the log, stores the snapshot that names it, makes that current, and deletes the one before. */
async function storeSnapshot(
  database: Database,
  publisherId: string,
  { state, previous }: Input,
  { built, log, results }: Publication,
): Promise<void> {
  const { number } = built.manifest;
  const part = `log@${number}.zstd`;
  const resultsPart = `results@${number}.zstd`;
  const next: Manifest = {
    ...built.manifest,
    log: { ...(await log.append(publisherId)), part },
    results: resultsPart,
  };
  async function* allParts() {
    yield [part, await compress(log.packOpenings(), 'zstd')] as const;
    yield [resultsPart, await packResults(results)] as const;
    yield* built.parts;
  }
  const manifest = JSON.stringify(next);
  await saveSnapshot(database, publisherId, { number, manifest, parts: allParts() });
  await switchSnapshot(database, publisherId, state.contentVersion, {
    number,
    changedTopics: TOPIC_PATHS.filter((path) => isChanged(path, next, previous)),
    publishedAtMs: Date.now(),
  });
  await deleteUnused(database, publisherId, new Set(partsOf(next)));
}

function isChanged(path: DocumentPath, manifest: Manifest, previous: Manifest | null): boolean {
  return manifest.documents[path].part !== previous?.documents[path].part;
}

async function drawAll(
  { logo, header }: Content,
  insights: Insights,
  { omitted, onStage, work, language }: Parts,
): Promise<Record<string, Uint8Array>> {
  onStage('draw');
  // Loading what draws takes a tenth of a second, and most publishes after a start draw nothing.
  const { drawPictures } = { ...(await import('../site/pictures/pictures.ts')), ...work };
  const onFailed = (chart: string, error: unknown) => {
    omitted.push({ what: `chart "${chart}"`, reason: String(error) });
  };
  const charts = drawPictures(insights, onFailed, language);
  onStage('build');
  return { ...charts, ...writeLogo(logo), ...writeHeader(header) };
}

/** Runs a stage whose success depends on the content alone. */
async function runStage<T>(onStage: OnStage, stage: Stage, work: () => T | Promise<T>): Promise<T> {
  onStage(stage);
  try {
    return await work();
  } catch (error) {
    throw new PublishError(`${STAGES[stage]} failed: ${String(error)}`, { cause: error });
  }
}

/**
 * Analyses the reviews that are new or changed, and derives the insights of all. The analyses are several times as
 * large as the reviews, and can be freed when this returns.
 */
async function derive(
  database: Database,
  publisherId: string,
  content: Content,
  parts: Parts,
): Promise<BuildFinish> {
  const { omitted, onStage, work, language, results } = parts;
  const { buildAnalyser: analyserOf = buildAnalyser } = work;
  const options = { omitted, onStage, analyserOf };
  const analysed = await analyseAll(database, publisherId, content, options);
  const derived = await runStage(onStage, 'derive', () =>
    (work.deriveFromAnalyses ?? deriveFromAnalyses)(
      analysed,
      content.business,
      content.people,
      language.code,
      results,
    ),
  );
  const languages = new Map(
    analysed.map(({ review, analysis }) => [review.id, analysis.language] as const),
  );
  const { proposer } = content.proposals;
  const model = proposer === null ? derived.model : `${derived.model}, ${proposer}`;
  const insights = { ...derived, model };
  return { insights, languages, drawPictures: () => drawAll(content, insights, parts) };
}
