// The thread beside the event loop: loads a snapshot and hands it over, or tends the store; or publishes, in
// a process of its own (see publisher.ts).

import { parentPort, workerData } from 'node:worker_threads';
import { load } from './load.ts';
import type { LoadedSnapshot } from './snapshot/snapshot.ts';
import { Database } from './store/database.ts';
import type { Task, TaskResult } from './threads.ts';

const task = workerData as Task;
const database = await Database.open(task.databaseUrl, 'thread');
try {
  if (task.kind === 'publish') {
    const { publish } = await import('./publish.ts');
    const omitted = await publish(database, task.publishing, Date.now() / 1000);
    send({ kind: 'published', omitted }, []);
  } else if (task.kind === 'checkpoint') {
    await database.checkpoint();
    send({ kind: 'done' }, []);
  } else {
    const snapshot = await load(database, task.wanted);
    send({ kind: 'loaded', snapshot }, snapshot ? memoryOf(snapshot) : []);
  }
} finally {
  await database.close();
}

function send(result: TaskResult, transfer: ArrayBuffer[]): void {
  parentPort?.postMessage(result, transfer);
}

/** The memory that is handed over rather than copied; that of the index is shared. */
function memoryOf({ bodies }: LoadedSnapshot): ArrayBuffer[] {
  return [...bodies.values()].map(({ buffer }) => buffer as ArrayBuffer);
}
