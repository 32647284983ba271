// Erases what a removal left whose command was interrupted, in a thread: rewriting the database takes long.

import type { FastifyBaseLogger } from 'fastify';
import { pause } from '../model/pause.ts';
import { canErase } from '../publishing/erase.ts';
import { runInThread } from '../publishing/task-threads.ts';
import type { Database } from '../store/database.ts';
import { loadState } from '../store/state.ts';

/** On PostgreSQL a look is a query. */
const POLL_MS = { sqlite: 2_000, postgres: 10_000 };
/**
 * The command that removes erases too: this long after the publish it is taken for interrupted. If it is not, because
 * the store is large, both rewrite the files, one after the other.
 */
const TAKEOVER_MS = 3_000;
const PAUSE_AFTER_FAILURE_MS = 60_000;

interface ErasureParts {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly logger: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  /** Whether another worker does it. */
  readonly isLead: boolean;
  /** Stops the loop. */
  readonly signal: AbortSignal;
  readonly takeoverMs?: number;
}

/** Finishes interrupted removals until the signal stops it: one from before the start at once. */
export async function finishErasures(parts: ErasureParts): Promise<void> {
  const { database, databaseUrl, logger, signal, isLead, takeoverMs = TAKEOVER_MS } = parts;
  if (!isLead) return;
  let isFirst = true;
  let sinceMs: number | null = null;
  // What the store had when there was nothing to erase.
  let settled: string | null = null;
  while (!signal.aborted) {
    let pauseMs: number = POLL_MS[database.kind];
    try {
      const { version } = database;
      if (version !== null && version === settled) {
        await pause(pauseMs, signal);
        continue;
      }
      const state = await loadState(database.read);
      const nowMs = performance.now();
      if (!canErase(state)) sinceMs = null;
      else sinceMs ??= isFirst ? -Infinity : nowMs;
      isFirst &&= state.erasingVersion !== null;
      settled = state.erasingVersion === null ? version : null;
      if (sinceMs !== null && nowMs - sinceMs >= takeoverMs) {
        if (await runInThread({ kind: 'erase', databaseUrl }, signal)) {
          logger.info('erased what an interrupted removal left');
        } else pauseMs = PAUSE_AFTER_FAILURE_MS;
      }
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ err: error }, 'erasing what an interrupted removal left failed');
      pauseMs = PAUSE_AFTER_FAILURE_MS;
    }
    await pause(pauseMs, signal);
  }
}
