// The thread that runs a task: it loads a snapshot into shared memory, runs a checkpoint, or publishes
// within the publish process (see process.ts).

import { parentPort, workerData } from 'node:worker_threads';
import { Database } from '../store/database.ts';
import { eraseRemoved } from './erase.ts';
import { load } from './load.ts';
import { Progress } from './progress.ts';
import type { TaskResult, ThreadData } from './tasks.ts';

const { task, progress } = workerData as ThreadData;
const steps = progress && new Progress(progress);
steps?.begin('opening the database');
const purpose = task.kind === 'load' ? 'load' : 'thread';
const database = await Database.open(task.databaseUrl, purpose);
try {
  if (task.kind === 'publish') {
    steps?.begin('loading the program');
    const { publish } = await import('./publish.ts');
    const omitted = await publish(database, task.publishing, Date.now() / 1000, (step) =>
      steps?.begin(step),
    );
    send({ kind: 'published', omitted });
  } else if (task.kind === 'checkpoint') {
    await database.checkpoint();
    send({ kind: 'done' });
  } else if (task.kind === 'erase') {
    send({ kind: 'erased', isComplete: await eraseRemoved(database) });
  } else {
    send({ kind: 'loaded', snapshot: await load(database, task.wanted) });
  }
} finally {
  await database.close();
}

function send(result: TaskResult): void {
  parentPort?.postMessage(result, []);
}
