// The thread that runs a task beside the event loop.

import { parentPort, workerData } from 'node:worker_threads';
import { Database } from '../store/database.ts';
import { eraseRemoved } from './erase.ts';
import { load } from './load.ts';
import type { Task } from './tasks.ts';

const task = workerData as Task;
const purpose = task.kind === 'load' ? 'load' : 'thread';
const database = await Database.open(task.databaseUrl, purpose);
try {
  let result;
  if (task.kind === 'load') result = await load(database, task.wanted);
  else if (task.kind === 'erase') result = await eraseRemoved(database);
  else result = await database.checkpoint();
  parentPort?.postMessage({ result }, []);
} finally {
  await database.close();
}
