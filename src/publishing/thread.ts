// The thread that runs a task beside the event loop.

import { parentPort, workerData } from 'node:worker_threads';
import { Database } from '../store/database.ts';
import { checkIntegrity } from '../store/inspect.ts';
import { damagedFile } from '../store/sqlite/sqlite-errors.ts';
import { eraseRemoved } from './erase.ts';
import { load } from './load.ts';
import type { Task, TaskResult } from './tasks.ts';

const task = workerData as Task;
const purpose = task.kind === 'load' ? 'load' : 'thread';
const database = await Database.open(task.databaseUrl, purpose);
try {
  if (task.kind === 'checkpoint') {
    await database.checkpoint();
    send({ kind: 'done' });
  } else if (task.kind === 'check') {
    const damage = await checkIntegrity(database.read);
    if (damage !== null) throw damagedFile(task.databaseUrl.slice('sqlite:'.length), damage);
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
