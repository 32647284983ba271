// Keeps the served snapshot current: publishes what is pending, and loads what is published.

import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { HttpServer } from '../http/server.ts';
import { currentManifest, loadSnapshot } from '../publishing/load.ts';
import type { TakePreloaded } from '../publishing/task-threads.ts';
import { pause } from '../model/pause.ts';
import { describePeople } from '../model/people.ts';
import { BUILDER, SNAPSHOT_FORMAT } from '../publishing/tasks.ts';
import type { Manifest } from '../snapshot/manifest.ts';
import { commandName } from '../model/command-name.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import { type LoadedSnapshot } from '../snapshot/unpack.ts';
import type { Database } from '../store/database.ts';
import { loadSnapshotIdentity } from '../store/snapshots/snapshots.ts';
import { loadState, requestPublish } from '../store/state.ts';
import type { PublishAttempts } from '../publishing/run/1-attempts.ts';
import { collectReplaced } from './replaced-memory.ts';

/** How often the store is asked for a new snapshot, which has to be served within two seconds. */
const POLL_MS = 250;
/** How often if the store sends notifications; on PostgreSQL a look is a query. */
const POLL_WITH_NOTIFICATIONS_MS = { sqlite: 2_000, postgres: 10_000 };
const PAUSE_AFTER_FAILURE_MS = 2_000;
/** A start waits so long for a snapshot of this version and origin, if there is another that can be served. */
const WAIT_FOR_OWN_MS = 5_000;

export interface RefresherParts {
  readonly databaseUrl: string;
  readonly logger: FastifyBaseLogger;
  readonly server: HttpServer;
  readonly database: Database;
  /** Null if another worker publishes. */
  readonly attempts: PublishAttempts | null;
  /** The operator's choice of language; null follows the country of the business. */
  readonly siteLanguage: string | null;
  /** The snapshot that was current when the program started; null if it is not being loaded. */
  readonly preloaded: TakePreloaded | null;
  /** Stops the refresher. */
  readonly signal: AbortSignal;
}

interface RefresherEvents {
  /** Whether `lookNow` is called when something was stored. */
  readonly isConnected: () => boolean;
  /** Called after another snapshot was shown. */
  readonly onServed: () => void;
}

/** Whether this version of the program can read a snapshot. */
function isReadable({ builder }: Manifest): boolean {
  return builder.startsWith(`${SNAPSHOT_FORMAT} `);
}

export class SnapshotRefresher {
  readonly #parts: RefresherParts;
  #notified = new AbortController();
  /** The publish of the start, which may go on after it. */
  #first: Promise<void> = Promise.resolve();
  /** The number of a snapshot in another format, and what to report about it. */
  #foreign: { readonly number: number; readonly detail: string } | null = null;
  /** What the store said of the served snapshot. */
  #identity: string | null = null;

  constructor(parts: RefresherParts) {
    this.#parts = parts;
  }

  /**
   * Serves the current snapshot. If there is none yet, or one without reviews while some wait, or another version of
   * the program built it, or it was built for another origin or in another language, the next is published first; with
   * `mustPublish` always. If that fails or takes long, the current snapshot is served, or none: `run` goes on.
   *
   * @throws if the store fails, or if a publish with `mustPublish` fails.
   */
  async makeReady(mustPublish: boolean, waitMs = WAIT_FOR_OWN_MS): Promise<void> {
    const { attempts, signal } = this.#parts;
    if (attempts) {
      const done = new AbortController();
      const first = this.#publishFirst(attempts, mustPublish).finally(() => done.abort());
      this.#first = first.catch(() => undefined);
      const isServable = !mustPublish && (await this.#isServable());
      await (isServable ? pause(waitMs, AbortSignal.any([signal, done.signal])) : first);
    }
    await this.#load();
  }

  /** Whether the current snapshot can be read, has reviews, and shows the people that it may show. */
  async #isServable(): Promise<boolean> {
    const manifest = await currentManifest(this.#parts.database);
    if (manifest === null || !isReadable(manifest)) return false;
    return manifest.days.length > 0 && this.#showsPeople(manifest);
  }

  #showsPeople(manifest: Manifest): boolean {
    const people = this.#parts.attempts?.people ?? null;
    return people === null || manifest.people === describePeople(people);
  }

  async #publishFirst(attempts: PublishAttempts, mustPublish: boolean): Promise<void> {
    let isRequired = mustPublish;
    while (isRequired || !(await this.#isOurs())) {
      // Discard the preloaded snapshot: its memory is needed for the next.
      void this.#parts.preloaded?.();
      const outcome = await attempts.next();
      if (outcome.kind === 'failed') {
        // The current snapshot has the example business, which must not be shown any more.
        if (isRequired) throw outcome.error;
        return;
      }
      if (outcome.kind === 'waiting') {
        await sleep(POLL_MS);
        continue;
      }
      isRequired = false;
      // Nothing is pending, but another version of the program published, or for another origin.
      if (!(await this.#isOurs())) await requestPublish(this.#parts.database);
    }
  }

  async #isOurs(): Promise<boolean> {
    const { database, siteLanguage } = this.#parts;
    const manifest = await currentManifest(database);
    // A server that started meanwhile may have recorded another origin than this one's.
    const { origin, contentVersion, publishedVersion } = await loadState(database.read);
    if (manifest?.builder !== BUILDER || manifest.origin !== origin) return false;
    // Pages without a review are not shown while the first ones wait.
    if (manifest.days.length === 0 && publishedVersion < contentVersion) return false;
    return manifest.siteLanguage === siteLanguage && this.#showsPeople(manifest);
  }

  /** Ends the current pause between two looks at the store. */
  lookNow(): void {
    this.#notified.abort();
  }

  /** Publishes and loads until the signal stops it. A store that fails is logged once, and tried again. */
  async run({ isConnected, onServed }: RefresherEvents): Promise<void> {
    const { database, logger, server, attempts, signal: stop } = this.#parts;
    // What the store had when there was nothing to do.
    let settled: string | null = null;
    await this.#first;
    while (!stop.aborted) {
      let pauseMs = isConnected() ? POLL_WITH_NOTIFICATIONS_MS[database.kind] : POLL_MS;
      try {
        database.assertFileInPlace();
        const { version } = database;
        if (version === null || version !== settled) {
          const outcome = await attempts?.next();
          const served = server.snapshot;
          const detail = await this.#load();
          if (server.snapshot !== served) onServed();
          const isSettled = (outcome?.kind ?? 'done') === 'done' && detail === null;
          settled = isSettled ? version : null;
          if (!server.store.reachable) logger.info('the store answers again');
          server.store = { reachable: true, detail: detail ?? null };
        }
      } catch (error) {
        if (stop.aborted) return;
        settled = null;
        if (server.store.reachable) {
          logger.error({ err: error }, 'the store failed; readers are served what is loaded');
        }
        const detail = error instanceof Error ? error.message : String(error);
        server.store = { reachable: false, detail };
        pauseMs = PAUSE_AFTER_FAILURE_MS;
      }
      const signal = AbortSignal.any([stop, this.#notified.signal]);
      await pause(pauseMs, signal);
      this.#notified = new AbortController();
    }
  }

  /**
   * Serves the current snapshot, unless an older one than is served. Returns what operators should know
   * about a snapshot that is not served; undefined if another one has to be looked for.
   */
  async #load(): Promise<string | null | undefined> {
    const { attempts, database, server, logger, signal } = this.#parts;
    const { snapshotNumber } = await loadState(database.read);
    const identity = await loadSnapshotIdentity(database.read);
    const served = server.snapshot?.number ?? 0;
    // Readers have seen the newer one, and subscribers were delivered it.
    if ((snapshotNumber ?? 0) < served) {
      return (
        `the store has snapshot ${snapshotNumber}, which is older than what is served, ` +
        `${served}: after a restore, start all servers again`
      );
    }
    if (snapshotNumber === null) return null;
    if (snapshotNumber === served) {
      if (identity === this.#identity) return null;
      // Published after a restore, under a number that was published before it.
      const detail = `the store has another snapshot ${served} than what is served, as after a restore: it is being loaded`;
      logger.warn(detail);
      server.store = { reachable: true, detail };
    }
    if (this.#foreign?.number !== snapshotNumber) this.#foreign = await this.#findForeign();
    if (this.#foreign) return this.#foreign.detail;
    const loaded = await this.#take(snapshotNumber);
    if (!loaded || loaded.manifest.number < served) return undefined;
    const snapshot = new Snapshot(loaded);
    server.show(snapshot);
    this.#identity = identity;
    await attempts?.remember(loaded.manifest);
    void collectReplaced(loaded.memory.buffer.byteLength, signal);
    const { hiddenCount: hidden } = snapshot;
    const next = hidden > 0 ? `show, which lists the ${hidden} hidden ones` : 'import FILE';
    logger.info(
      { snapshot: snapshot.number, reviews: snapshot.reviewCount },
      snapshot.reviewCount > 0
        ? 'serving a new snapshot'
        : `serving no reviews yet; next: ${commandName()} ${next}`,
    );
    return null;
  }

  /** The current snapshot, if it is in a format that this version of the program cannot read. */
  async #findForeign(): Promise<{ number: number; detail: string } | null> {
    const manifest = await currentManifest(this.#parts.database);
    if (manifest === null || isReadable(manifest)) return null;
    const { number, builder } = manifest;
    const detail = `snapshot ${number} is not served: another version of this program made it (${builder})`;
    return { number, detail };
  }

  async #take(number: number): Promise<LoadedSnapshot | null> {
    const { databaseUrl, preloaded, signal } = this.#parts;
    const taken = await preloaded?.();
    return taken?.manifest.number === number ? taken : loadSnapshot(databaseUrl, signal);
  }
}
