// Stage 2: makes what the store holds the current snapshot. It runs in a thread of its own, under a
// claim that other processes see, so that an import is published once and never twice at a time.

import { setInterval } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { buildAnalyser } from './insights/analyse.ts';
import type { Analysis } from './insights/analysis.ts';
import { type AnalysedReview, deriveFromAnalyses } from './insights/derive.ts';
import { ANALYSER, analysisKeys } from './insights/reuse.ts';
import type { Business } from './model/business.ts';
import type { Review } from './model/review.ts';
import { buildSnapshot } from './snapshot/build.ts';
import { type DocumentPath, TOPIC_PATHS } from './snapshot/documents.ts';
import { type Manifest, partsOf } from './snapshot/manifest.ts';
import { type LoadedSnapshot, unpackSnapshot } from './snapshot/snapshot.ts';
import {
  deleteAnalyses,
  loadAnalyses,
  saveAnalyses,
  type StoredAnalysis,
} from './store/analyses.ts';
import type { Database } from './store/database.ts';
import { loadBusiness, loadVerifiedReviews } from './store/reviews.ts';
import {
  claimPublishing,
  deleteUnused,
  loadCurrentManifest,
  loadCurrentSnapshot,
  loadState,
  releasePublishing,
  renewPublishing,
  saveSnapshot,
  switchSnapshot,
} from './store/snapshots.ts';

/** Grows whenever the same reviews would make other documents, or another index, than before. */
export const BUILDER = `public-reviews/3 ${ANALYSER}`;

/** Analyses that wait to be stored, at most. */
const KEPT_AT_ONCE = 500;

/** How long a publisher is believed to live without a sign, and how often it gives one. */
const CLAIM_MS = 5_000;
const SIGN_OF_LIFE_MS = 1_000;

/** What a thread is asked to do (see worker.ts). */
export type Task =
  | { readonly kind: 'publish'; readonly databaseUrl: string; readonly publishing: Publishing }
  | { readonly kind: 'load' | 'checkpoint'; readonly databaseUrl: string };

/** Who publishes, and what is not in the store. */
export interface Publishing {
  /** Names this process among all that may publish. */
  readonly publisher: string;
  /** Base URL to write where no server has recorded one. */
  readonly defaultOrigin: string;
}

/** What a thread answers. */
export type TaskResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'loaded'; readonly snapshot: LoadedSnapshot | null };

/**
 * Publishes what is owed. True when nothing is owed any more; false while another process is at it,
 * in which case asking again later is right: it may be killed. An abort leaves it owed.
 */
export async function publishOwed(
  database: Database,
  databaseUrl: string,
  publishing: Publishing,
  signal?: AbortSignal,
): Promise<boolean> {
  const { publisher } = publishing;
  if (!(await isOwed(database))) return true;
  const now = Date.now();
  if (!(await claimPublishing(database, publisher, now, now + CLAIM_MS))) return false;
  const stop = new AbortController();
  const signs = giveSigns(database, publisher, stop.signal);
  try {
    await runTask({ kind: 'publish', databaseUrl, publishing }, signal);
  } catch (error) {
    // From another thread an error comes without its class.
    if (!(error instanceof Error) || error.name !== 'ClaimLost') throw error;
  } finally {
    stop.abort();
    await signs;
    await releasePublishing(database, publisher);
  }
  return !(await isOwed(database));
}

async function isOwed(database: Database): Promise<boolean> {
  const { contentVersion, publishedVersion } = await loadState(database.read);
  return publishedVersion < contentVersion;
}

/** Renews the claim until told to stop, or until that fails: then the claim is left to run out, and
 * the thread that publishes finds it gone. */
async function giveSigns(
  database: Database,
  publisher: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const _ of setInterval(SIGN_OF_LIFE_MS, undefined, { signal })) {
      await renewPublishing(database, publisher, Date.now() + CLAIM_MS);
    }
  } catch {
    // Either way there is nobody to tell but the one who waits for the thread.
  }
}

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
  const analysed = await analyseAll(database, publisher, reviews, business);
  const built = await buildSnapshot({
    reviews,
    insights: deriveFromAnalyses(analysed, business),
    business,
    origin: state.origin ?? defaultOrigin,
    builder: BUILDER,
    previous,
    now,
  });
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
  const analyses = new Map<string, Analysis | null>(reviews.map((one) => [keyOf(one), null]));
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
  for (const review of reviews) {
    const key = keyOf(review);
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

/** Loads and unpacks the current snapshot in this thread; null before the first publish. */
export async function load(database: Database): Promise<LoadedSnapshot | null> {
  const parse = (manifest: string) => JSON.parse(manifest) as Manifest;
  const stored = await loadCurrentSnapshot(database, (manifest) => partsOf(parse(manifest)));
  return stored && unpackSnapshot(parse(stored.manifest), stored.parts);
}

/** Loads the current snapshot in a thread of its own. */
export async function loadInThread(
  databaseUrl: string,
  signal?: AbortSignal,
): Promise<LoadedSnapshot | null> {
  const result = await runTask({ kind: 'load', databaseUrl }, signal);
  if (result.kind !== 'loaded') throw new Error(`a load ended as ${result.kind}`);
  return result.snapshot;
}

/** Moves what was written from the store's log to its file, in a thread of its own. */
export async function checkpointInThread(databaseUrl: string, signal?: AbortSignal): Promise<void> {
  await runTask({ kind: 'checkpoint', databaseUrl }, signal);
}

/** Runs a task in a thread of its own, which the event loop of this one does not wait for. */
async function runTask(task: Task, signal?: AbortSignal): Promise<TaskResult> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: task });
  const end = () => void worker.terminate();
  signal?.addEventListener('abort', end);
  try {
    return await new Promise<TaskResult>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`a thread ended with code ${code}`)));
    });
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
