// The thread that runs a task beside the event loop.

import { parentPort, workerData } from 'node:worker_threads';
import { Database } from '../store/database.ts';
import { checkIntegrity } from '../store/inspect.ts';
import { damagedFile } from '../store/sqlite/sqlite-errors.ts';
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
  else if (task.kind === 'checkpoint') result = await database.checkpoint();
  else {
    const damage = await checkIntegrity(database.read);
    if (damage !== null) throw damagedFile(task.databaseUrl.slice('sqlite:'.length), damage);
  }
  parentPort?.postMessage({ result }, []);
} finally {
  await database.close();
}
