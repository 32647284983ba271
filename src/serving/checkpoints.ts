// Moves writes from SQLite's log to the database file, and checks that file, in threads: both would stop the event loop.

import type { FastifyBaseLogger } from 'fastify';
import { messageOf } from '../errors.ts';
import { runInThread } from '../publishing/task-threads.ts';
import type { Database } from '../store/database.ts';
import { pause } from '../model/pause.ts';

/** How often the size of the log is checked. */
const POLL_MS = 5_000;
/** A write is checkpointed within this time. */
const CHECKPOINT_MS = 600_000;
/** A log that grew by more is checkpointed at once. */
const LOG_GROWTH_BYTES = 32 * 1024 * 1024;

/** How often the file is checked for damage, which takes some seconds for a million reviews. */
const CHECK_MS = 900_000;

interface CheckpointParts {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
  /** Stops the loop. */
  readonly signal: AbortSignal;
}

/** Keeps the log of the database small until the signal stops it. Does nothing on a database without one. */
export async function keepLogSmall(parts: CheckpointParts): Promise<void> {
  const { database, databaseUrl, logger, signal } = parts;
  let checkpointedWrites = 0;
  let bytesAfterCheckpoint = 0;
  let nextCheckpointMs = performance.now() + CHECKPOINT_MS;
  while (!signal.aborted) {
    await pause(POLL_MS, signal);
    const { writes, walBytes } = database;
    // The log shrinks when another process runs a checkpoint.
    bytesAfterCheckpoint = Math.min(bytesAfterCheckpoint, walBytes);
    const isDue = writes !== checkpointedWrites && performance.now() >= nextCheckpointMs;
    const hasGrown = walBytes - bytesAfterCheckpoint >= LOG_GROWTH_BYTES;
    if (signal.aborted || (!isDue && !hasGrown)) continue;
    try {
      await runInThread({ kind: 'checkpoint', databaseUrl }, signal);
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, 'a checkpoint of the database failed');
    }
    checkpointedWrites = writes;
    // If a reader kept the log from being emptied, try again when it has grown as much again.
    bytesAfterCheckpoint = database.walBytes;
    nextCheckpointMs = performance.now() + CHECKPOINT_MS;
  }
}

/** Looks for damage, of which neither readers nor imports of other rows tell, until the signal stops it. */
export async function watchFile(parts: CheckpointParts, everyMs = CHECK_MS): Promise<void> {
  const { database, databaseUrl, signal } = parts;
  while (!signal.aborted && database.kind === 'sqlite') {
    await pause(everyMs, signal);
    if (signal.aborted) return;
    const found = await runInThread({ kind: 'check', databaseUrl }, signal).catch(messageOf);
    // A file that is missing or locked is not damaged.
    database.damage = found?.includes(' is damaged (') ? found : null;
  }
}
