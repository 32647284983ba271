// What runs beside the event loop, in a thread or in a process of its own, and under which claim. Commands
// and the server need no more of a publish than this: what it takes to analyse reviews is read by its process
// alone.

import { fork } from 'node:child_process';
import { setInterval } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ANALYSER } from './insights/reuse.ts';
import type { Wanted } from './load.ts';
import type { LoadedSnapshot } from './snapshot/snapshot.ts';
import type { Database } from './store/database.ts';
import {
  claimPublishing,
  loadState,
  releasePublishing,
  renewPublishing,
} from './store/snapshots.ts';

/** Grows whenever the same reviews would make other documents, or another index, than before. */
export const BUILDER = `public-reviews/8 ${ANALYSER}`;

/** How long a publisher is believed to live without a sign, and how often it gives one. */
const CLAIM_MS = 5_000;
const SIGN_OF_LIFE_MS = 1_000;

/** What a thread is asked to do (see worker.ts). */
export type Task =
  | { readonly kind: 'publish'; readonly databaseUrl: string; readonly publishing: Publishing }
  | { readonly kind: 'load'; readonly databaseUrl: string; readonly wanted: Wanted | null }
  | { readonly kind: 'checkpoint'; readonly databaseUrl: string };

/** Who publishes, and what is not in the store. */
export interface Publishing {
  /** Names this process among all that may publish. */
  readonly publisher: string;
  /** Base URL to write where no server has recorded one. */
  readonly defaultOrigin: string;
}

/** Why a publish failed, as its process tells it. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}

/** Something that a publish left out of its snapshot, because making it failed. */
export interface Omission {
  /** Such as `rating picture`. */
  readonly what: string;
  readonly reason: string;
}

/** What a thread answers. */
export type TaskResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'published'; readonly omitted: readonly Omission[] }
  | { readonly kind: 'loaded'; readonly snapshot: LoadedSnapshot | null };

export interface PublishOptions {
  /** Leaves the publish pending. */
  readonly signal?: AbortSignal;
  readonly onOmitted?: (omission: Omission) => void;
}

/**
 * Publishes what is owed. True when nothing is owed any more; false while another process is at it,
 * in which case asking again later is right: it may be killed.
 */
export async function publishOwed(
  database: Database,
  databaseUrl: string,
  publishing: Publishing,
  { signal, onOmitted }: PublishOptions = {},
): Promise<boolean> {
  const { publisher } = publishing;
  if (!(await isOwed(database))) return true;
  const now = Date.now();
  if (!(await claimPublishing(database, publisher, now, now + CLAIM_MS))) return false;
  const stop = new AbortController();
  const signs = giveSigns(database, publisher, stop.signal);
  try {
    const omitted = await runPublisher({ kind: 'publish', databaseUrl, publishing }, signal);
    if (onOmitted) omitted.forEach(onOmitted);
  } catch (error) {
    // From another process an error comes without its class.
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
 * the process that publishes finds it gone. */
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
    // Either way there is nobody to tell but the one who waits for that process.
  }
}

/** Loads the current snapshot in a thread of its own. */
export async function loadInThread(
  databaseUrl: string,
  signal?: AbortSignal,
): Promise<LoadedSnapshot | null> {
  return loadOf({ kind: 'load', databaseUrl, wanted: null }, signal);
}

/**
 * Begins to load the current snapshot while the rest of a server is still being read, if this program
 * has built it, and for this origin. Null as well where that fails: whoever needs the snapshot loads it
 * again, and is told.
 */
export function loadEarly(
  databaseUrl: string,
  origin: string | null,
  signal?: AbortSignal,
): EarlySnapshot {
  const wanted = { builder: BUILDER, origin };
  return new EarlySnapshot(loadOf({ kind: 'load', databaseUrl, wanted }, signal).catch(() => null));
}

/** Is taken once: whoever only passes it on keeps no memory from being given back. */
export class EarlySnapshot {
  #loaded: Promise<LoadedSnapshot | null> | null;

  constructor(loaded: Promise<LoadedSnapshot | null>) {
    this.#loaded = loaded;
  }

  /** Null from the second time on. */
  async take(): Promise<LoadedSnapshot | null> {
    const loaded = this.#loaded;
    this.#loaded = null;
    return loaded;
  }
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
      worker.on('message', (message: TaskResult | object) => {
        // Under `node --watch` Node itself tells what was imported.
        if ('kind' in message) resolve(message);
      });
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`a thread ended with code ${code}`)));
    });
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/**
 * Runs a publish in a process of its own, which ends with this one. An abort kills it. Returns what
 * the publish left out.
 */
async function runPublisher(task: Task, signal?: AbortSignal): Promise<readonly Omission[]> {
  signal?.throwIfAborted();
  // Inspectors and profilers of this process are not for it; NODE_OPTIONS is.
  const child = fork(new URL('./publisher.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const end = () => void child.kill('SIGKILL');
  signal?.addEventListener('abort', end);
  try {
    return await new Promise((resolve, reject) => {
      let failure = {};
      let omitted: readonly Omission[] = [];
      // The last: here too Node may tell what was imported.
      child.on('message', (message: Failure | TaskResult) => {
        if (!('kind' in message)) failure = message;
        else if (message.kind === 'published') omitted = message.omitted;
      });
      child.once('error', reject);
      // What it told is known by then, and its memory is free.
      child.once('close', (code, killedBy) => {
        if (code === 0) resolve(omitted);
        else reject(Object.assign(new Error(`a publish ended with ${code ?? killedBy}`), failure));
      });
      // One that cannot be told anything is about to end.
      child.send(task, () => undefined);
    });
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
