// Ring 1 of a publish: the server publishes what imports left pending, and reports how that goes. A publish that
// fails is tried again ever more seldom: it may take a minute of CPU, and would fail again with the same content.
//
//   the server, or a command (from ring 2 on)                     the publish process
//   ┌ 1-attempts.ts: tries again, ever more seldom ──────────┐
//   │ ┌ 2-claim.ts: one process at a time ─────────────────┐ │
//   │ │ ┌ 3-process.ts: kills what makes no progress ────┐ │ │  ┌ 4-program.ts: ends without its parent ────────┐
//   │ │ │                                            job ┼─┼─┼─▶│ ../publish.ts: the stages                     │
//   │ │ │             stages, then the result or failure │◀┼─┼──┤ ┌ 5-review-limit.ts: gives up a long review ┐ │
//   │ │ └────────────────────────────────────────────────┘ │ │  │ └───────────────────────────────────────────┘ │
//   │ └────────────────────────────────────────────────────┘ │  └───────────────────────────────────────────────┘
//   └────────────────────────────────────────────────────────┘

import type { FastifyBaseLogger } from 'fastify';
import { isUnavailable, messageOf } from '../../errors.ts';
import { WaitingChild } from '../../model/child-process.ts';
import type { PublishHealth } from '../../model/health.ts';
import type { PeopleSettings } from '../../model/people.ts';
import type { Manifest } from '../../snapshot/manifest.ts';
import type { Database } from '../../store/database.ts';
import { loadState } from '../../store/state.ts';
import { KeyStore } from '../log-keys.ts';
import type { publishPending } from './2-claim.ts';
import type { Published, Publishing } from './messages.ts';

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 300_000;
/** Another process may publish this long before that is logged. */
const LONG_WAIT_MS = 60_000;

/** `waiting`: another process holds the claim, or more was imported meanwhile. */
type PublishOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'failed'; readonly error: unknown };

interface AttemptParts {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly publishing: Publishing;
  readonly publish: typeof publishPending;
  readonly logger: Pick<FastifyBaseLogger, 'error' | 'info' | 'warn'>;
  /** Gets how long each stage of a publish took. */
  readonly onStages: (stageSeconds: Published['stageSeconds']) => void;
  readonly onHealth: (health: PublishHealth) => void;
  /** Milliseconds of a clock that is never set. */
  readonly elapsedMs: () => number;
  /** Kills a publish that is running. */
  readonly signal: AbortSignal;
}

/** The last failure of the publish of one content version. */
interface Failure {
  readonly contentVersion: number;
  /** Consecutive failures. */
  readonly count: number;
  readonly error: unknown;
  /** By `elapsedMs`. */
  readonly retryAtMs: number;
}

export class PublishAttempts {
  readonly #parts: AttemptParts;
  readonly #child = new WaitingChild();
  #failure: Failure | null = null;
  /** By `elapsedMs`; null unless a publish waits for another process. */
  #waitingSinceMs: number | null = null;
  #isWaitLogged = false;

  constructor(parts: AttemptParts) {
    this.#parts = parts;
  }

  /** The settings for people that a publish follows; null takes those of the current snapshot. */
  get people(): PeopleSettings | null {
    return this.#parts.publishing.people ?? null;
  }

  /** Remembers the log that is served. */
  async remember(manifest: Manifest): Promise<void> {
    const { database, publishing, logger } = this.#parts;
    const keys = new KeyStore(database, publishing.logKeyFile ?? null);
    const warn = (error: unknown) =>
      logger.warn({ err: error }, 'what is signed is not remembered');
    await keys.rememberServed(manifest).catch(warn);
  }

  /**
   * Publishes if a publish is pending and not delayed after a failure. A failed publish is an outcome, not
   * an error.
   *
   * @throws if the store cannot be read, or the signal is aborted.
   */
  async next(): Promise<PublishOutcome> {
    const { database, databaseUrl, publish, publishing, signal } = this.#parts;
    const { contentVersion, publishedVersion } = await loadState(database.read);
    if (publishedVersion >= contentVersion) return this.#done();
    const failure = this.#failure;
    if (failure?.contentVersion === contentVersion && this.#parts.elapsedMs() < failure.retryAtMs) {
      return { kind: 'failed', error: failure.error };
    }
    try {
      const onPublished = (published: Published) => this.#report(published);
      const options = { signal, onPublished, waiting: this.#child };
      const isDone = await publish(database, databaseUrl, publishing, options);
      return isDone ? this.#done() : this.#waiting();
    } catch (error) {
      if (signal.aborted) throw error;
      // A store that is away is no failure of the publish.
      if (isUnavailable(error)) await loadState(database.read);
      return this.#failed(contentVersion, error);
    }
  }

  #report({ omitted, stageSeconds }: Published): void {
    const { logger, onStages } = this.#parts;
    for (const omission of omitted) {
      logger.error(omission, 'a part of the snapshot failed and was left out');
    }
    logger.info({ stageSeconds }, 'published');
    onStages(stageSeconds);
  }

  #done(): PublishOutcome {
    this.#failure = null;
    this.#waitingSinceMs = null;
    this.#isWaitLogged = false;
    this.#parts.onHealth({ status: 'ok', detail: null });
    return { kind: 'done' };
  }

  #waiting(): PublishOutcome {
    this.#waitingSinceMs ??= this.#parts.elapsedMs();
    const waitedMs = this.#parts.elapsedMs() - this.#waitingSinceMs;
    if (waitedMs >= LONG_WAIT_MS) {
      const seconds = Math.floor(waitedMs / 1000);
      const detail = `changes have waited ${seconds} s for another process that holds the claim to publish`;
      if (!this.#isWaitLogged) this.#parts.logger.warn(detail);
      this.#isWaitLogged = true;
      this.#parts.onHealth({ status: 'waiting', detail });
    }
    return { kind: 'waiting' };
  }

  #failed(contentVersion: number, error: unknown): PublishOutcome {
    const before = this.#failure?.contentVersion === contentVersion ? this.#failure.count : 0;
    const retryInMs = Math.min(FIRST_RETRY_MS * 2 ** before, LONGEST_RETRY_MS);
    const retryAtMs = this.#parts.elapsedMs() + retryInMs;
    this.#failure = { contentVersion, count: before + 1, error, retryAtMs };
    this.#waitingSinceMs = null;
    this.#parts.logger.error(
      { err: error, retryInMs },
      'publishing failed; readers are served what was published before',
    );
    const detail = messageOf(error);
    this.#parts.onHealth({ status: 'failing', detail });
    return { kind: 'failed', error };
  }
}
