// Keeps the store in step with the sources of the settings while the server runs. Each look is a process of its
// own; a claim in the store keeps other servers from looking at the same source.

import { randomUUID } from 'node:crypto';
import { hostname, tmpdir } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import type { SyncResult } from '../intake/sync/sync.ts';
import type { SyncAnswer, SyncJob } from '../intake/sync/sync-process.ts';
import { runChild } from '../model/child-process.ts';
import { pause } from '../model/pause.ts';
import type { GoogleAccess, ImportSource } from '../model/import-source.ts';
import { moduleBeside } from '../model/program-files.ts';
import type { Silence } from '../model/signs-of-life.ts';
import type { Database } from '../store/database.ts';
import { findDue } from '../store/merge/sources.ts';
import { removeLeft } from '../store/temporary-files.ts';

const POLL_MS = 1_000;
/** Ten minutes: one statement of a large import may take long. */
const SILENCE: Silence = { maxIntervals: 60 };
/** Sources that are looked at at the same time. */
const CONCURRENCY = 2;
/** Of them, those that are known to be slow: one that drips its answer must not delay the others. */
const SLOW_CONCURRENCY = 1;
/** A look that takes longer makes its source slow. */
const SLOW_MS = 30_000;
/** A source counts as slow for so long after a slow look. */
const SLOW_MEMORY_MS = 24 * 3_600_000;

interface SourcesParts {
  readonly sources: readonly ImportSource[];
  readonly databaseUrl: string;
  readonly reviewDateEarliest: string;
  readonly google: GoogleAccess;
  readonly database: Database;
  readonly logger: FastifyBaseLogger;
  /** Whether this process looks at sources. */
  readonly isLead: boolean;
  readonly signal: AbortSignal;
  /** Looks at one source; by default in a process. */
  readonly sync?: typeof syncInProcess;
  /** Monotonic, in ms. */
  readonly elapsedMs?: () => number;
  readonly pollMs?: number;
}

/** Runs until the signal aborts. Does nothing without sources. */
export async function runSources(parts: SourcesParts): Promise<void> {
  const { sources, isLead, signal, database, pollMs = POLL_MS } = parts;
  if (!isLead || sources.length === 0) return;
  const names = sources.map(({ name }) => name);
  const running = new Map<string, Promise<void>>();
  const slow = new SlowSources(parts.elapsedMs ?? (() => performance.now()));
  while (!signal.aborted) {
    // The refresher reports a store that fails.
    const due = await findDue(database.read, names, Date.now()).catch(() => []);
    for (const name of due) {
      if (running.has(name) || running.size >= CONCURRENCY) continue;
      const slowOnes = [...running.keys()].filter((other) => slow.has(other));
      if (slow.has(name) && slowOnes.length >= SLOW_CONCURRENCY) continue;
      const source = sources.find((each) => each.name === name) as ImportSource;
      const look = slow.time(name, () => lookAt(source, parts)).finally(() => running.delete(name));
      running.set(name, look);
    }
    await pause(pollMs, signal);
  }
  await Promise.all(running.values());
}

/** Remembers which sources took long. */
class SlowSources {
  readonly #elapsedMs: () => number;
  /** When a look last took long, by the name of the source. */
  readonly #slowAtMs = new Map<string, number>();

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  has(name: string): boolean {
    const atMs = this.#slowAtMs.get(name);
    return atMs !== undefined && this.#elapsedMs() - atMs < SLOW_MEMORY_MS;
  }

  async time(name: string, look: () => Promise<void>): Promise<void> {
    const startedAtMs = this.#elapsedMs();
    await look();
    const nowMs = this.#elapsedMs();
    if (nowMs - startedAtMs > SLOW_MS) this.#slowAtMs.set(name, nowMs);
  }
}

async function lookAt(source: ImportSource, parts: SourcesParts): Promise<void> {
  const { databaseUrl, reviewDateEarliest, google, logger, signal, sync = syncInProcess } = parts;
  const { pollMs = POLL_MS } = parts;
  const { name } = source;
  try {
    const result = await sync(
      {
        databaseUrl,
        source,
        options: {
          owner: randomUUID(),
          operator: `serve@${hostname()}`,
          reviewDateEarliest,
          google,
          mustBeDue: true,
        },
      },
      signal,
    );
    if (result.outcome === 'failed') {
      logger.warn({ source: name, reason: result.error }, 'a source could not be imported');
    } else if (result.outcome === 'imported') {
      const { added, updated, removed, hidden, refused, number, remarks } = result.report;
      logger.info(
        { source: name, added, updated, removed, hidden, refused, number, remarks },
        'imported a source',
      );
    }
  } catch (error) {
    if (!signal.aborted)
      logger.error({ err: error, source: name }, 'a source could not be imported');
    // The claim of a process that was killed has not ended yet.
    await pause(pollMs, signal);
  }
}

/** Looks at a source in a process, which ends with this one; an abort kills it. */
export async function syncInProcess(
  job: SyncJob,
  signal: AbortSignal,
  silence = SILENCE,
): Promise<SyncResult> {
  try {
    const module = moduleBeside(import.meta.url, '../intake/sync/sync-process');
    const { last, end, wasSilent } = await runChild<SyncAnswer>(module, job, { signal, silence });
    if (last?.kind === 'synced') return last.result;
    if (wasSilent) throw new Error('the import did not respond and was killed');
    throw new Error(last?.message ?? `the import ended with ${end}`);
  } finally {
    await removeLeft(tmpdir());
  }
}
