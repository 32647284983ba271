// Runs tasks in threads, beside the event loop: loading a snapshot, and checkpoints of the database.

import { Worker } from 'node:worker_threads';
import { moduleBeside, QUIET } from '../model/program-files.ts';
import type { LoadedSnapshot } from '../snapshot/unpack.ts';
import { BUILDER, type Task, type TaskResults } from './tasks.ts';

/** Loads the current snapshot in a thread; null before the first publish. */
export async function loadInThread(
  databaseUrl: string,
  signal?: AbortSignal,
): Promise<LoadedSnapshot | null> {
  return runTask({ kind: 'load', databaseUrl, wanted: null }, signal);
}

/**
 * Starts to load the current snapshot while the modules of the server are still being imported, if this
 * version of the program built it, and for this origin. A failure gives null: the server loads the
 * snapshot again, and reports the error then.
 */
export function preloadSnapshot(
  databaseUrl: string,
  origin: string | null,
  signal?: AbortSignal,
): PreloadedSnapshot {
  const wanted = { builder: BUILDER, origin };
  return new PreloadedSnapshot(
    runTask({ kind: 'load', databaseUrl, wanted }, signal).catch(() => null),
  );
}

/** A snapshot that is being loaded. Taking it clears the reference, so the memory can be freed. */
export class PreloadedSnapshot {
  #loaded: Promise<LoadedSnapshot | null> | null;

  constructor(loaded: Promise<LoadedSnapshot | null>) {
    this.#loaded = loaded;
  }

  /** Null from the second call on. */
  async take(): Promise<LoadedSnapshot | null> {
    const loaded = this.#loaded;
    this.#loaded = null;
    return loaded;
  }
}

/** Moves writes from SQLite's log to the database file, or checks that file, in a thread. @throws if it is damaged. */
export async function runInThread(
  kind: 'checkpoint' | 'check',
  databaseUrl: string,
  signal?: AbortSignal,
): Promise<void> {
  await runTask({ kind, databaseUrl }, signal);
}

/** Erases what removals left, in a thread; returns whether nothing is left. */
export async function eraseInThread(databaseUrl: string, signal?: AbortSignal): Promise<boolean> {
  return runTask({ kind: 'erase', databaseUrl }, signal);
}

/** An abort ends the thread and rejects. */
async function runTask<Kind extends Task['kind']>(
  task: Task & { readonly kind: Kind },
  signal?: AbortSignal,
): Promise<TaskResults[Kind]> {
  signal?.throwIfAborted();
  const file = moduleBeside(import.meta.url, './thread');
  const thread = new Worker(file, { workerData: task, execArgv: [...QUIET] });
  const end = () => void thread.terminate();
  signal?.addEventListener('abort', end);
  try {
    return await new Promise<TaskResults[Kind]>((resolve, reject) => {
      thread.on('message', (message: { readonly result: TaskResults[Kind] } | object) => {
        // `node --watch` sends messages of its own.
        if ('result' in message) resolve(message.result);
      });
      thread.once('error', reject);
      thread.once('exit', (code) => reject(new Error(`a thread ended with code ${code}`)));
    });
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
