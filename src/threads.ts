// What runs in a thread beside the event loop, and under which claim. Commands and the server need no
// more of a publish than this: what it takes to analyse reviews is read by the thread alone.

import { setInterval } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ANALYSER } from './insights/reuse.ts';
import type { LoadedSnapshot } from './snapshot/snapshot.ts';
import type { Database } from './store/database.ts';
import {
  claimPublishing,
  loadState,
  releasePublishing,
  renewPublishing,
} from './store/snapshots.ts';

/** Grows whenever the same reviews would make other documents, or another index, than before. */
export const BUILDER = `public-reviews/7 ${ANALYSER}`;

/** How long a publisher is believed to live without a sign, and how often it gives one. */
const CLAIM_MS = 5_000;
const SIGN_OF_LIFE_MS = 1_000;

/** What a thread is asked to do (see worker.ts). */
export type Task =
  | { readonly kind: 'publish'; readonly databaseUrl: string; readonly publishing: Publishing }
  | { readonly kind: 'load'; readonly databaseUrl: string; readonly builder: string | null }
  | { readonly kind: 'checkpoint'; readonly databaseUrl: string };

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

/** Loads the current snapshot in a thread of its own. */
export async function loadInThread(
  databaseUrl: string,
  signal?: AbortSignal,
): Promise<LoadedSnapshot | null> {
  return loadOf({ kind: 'load', databaseUrl, builder: null }, signal);
}

/**
 * Begins to load the current snapshot while the rest of a server is still being read, if this program
 * has built it. Null as well where that fails: whoever needs the snapshot loads it again, and is told.
 */
export async function loadEarly(
  databaseUrl: string,
  signal?: AbortSignal,
): Promise<LoadedSnapshot | null> {
  return loadOf({ kind: 'load', databaseUrl, builder: BUILDER }, signal).catch(() => null);
}

async function loadOf(task: Task, signal?: AbortSignal): Promise<LoadedSnapshot | null> {
  const result = await runTask(task, signal);
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
