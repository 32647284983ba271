// Moves what the server writes from SQLite's log to the database file. The server itself never does: a
// checkpoint would stop its event loop.

import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../store/database.ts';
import { checkpointInThread } from '../publishing/task-threads.ts';

/** How often the size of the log is looked at. */
const POLL_MS = 1_000;
/** How often any write is checkpointed. */
const CHECKPOINT_MS = 600_000;
/** How much the log may grow in between. */
const LOG_BYTES = 32 * 1024 * 1024;

export interface CheckpointParts {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Keeps the log of the database small until it is stopped. Databases without a log need nothing. */
export async function keepLogSmall(parts: CheckpointParts): Promise<void> {
  const { database, databaseUrl, logger, signal } = parts;
  let writesInFile = 0;
  let bytesAfter = 0;
  let checkpointAt = performance.now() + CHECKPOINT_MS;
  while (!signal.aborted) {
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    const { writes, logBytes } = database;
    // It shrinks when another process checkpoints.
    bytesAfter = Math.min(bytesAfter, logBytes);
    const isDue = writes !== writesInFile && performance.now() >= checkpointAt;
    if (signal.aborted || (!isDue && logBytes - bytesAfter < LOG_BYTES)) continue;
    try {
      await checkpointInThread(databaseUrl, signal);
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, 'a checkpoint of the database failed');
    }
    writesInFile = writes;
    // A reader may have kept it from becoming empty. Then it is tried again when it has grown as much again.
    bytesAfter = database.logBytes;
    checkpointAt = performance.now() + CHECKPOINT_MS;
  }
}
