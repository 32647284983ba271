// Runs tasks in threads, beside the event loop: loading a snapshot, and checkpoints of the database.

import { Worker } from 'node:worker_threads';
import { moduleBeside, QUIET } from '../model/program-files.ts';
import type { LoadedSnapshot } from '../snapshot/unpack.ts';
import { BUILDER, type Task, type TaskResults } from './tasks.ts';

/**
 * Starts to load the current snapshot while the modules of the server are still being imported, if this
 * version of the program built it, and for this origin. A failure gives null: the server loads the
 * snapshot again, and reports the error then.
 */
export function preloadSnapshot(
  databaseUrl: string,
  origin: string | null,
  signal?: AbortSignal,
): TakePreloaded {
  const wanted = { builder: BUILDER, origin };
  let loaded = runInThread({ kind: 'load', databaseUrl, wanted }, signal).catch(() => null);
  return () => {
    const taken = loaded;
    loaded = Promise.resolve(null);
    return taken;
  };
}

/** Gives a snapshot that is being loaded, and null from the second call on, so the memory can be freed. */
export type TakePreloaded = () => Promise<LoadedSnapshot | null>;

/** An abort ends the thread and rejects. @throws what the task throws, in another class */
export async function runInThread<Kind extends Task['kind']>(
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
