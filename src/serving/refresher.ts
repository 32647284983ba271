// Keeps the snapshot of a server current: loads what another process publishes, and publishes what
// another process merged and did not live to publish.

import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { HttpServer } from '../http/server.ts';
import type { Manifest } from '../snapshot/manifest.ts';
import { type LoadedSnapshot, Snapshot } from '../snapshot/snapshot.ts';
import type { Database } from '../store/database.ts';
import { loadCurrentManifest, loadState, requestPublish } from '../store/snapshots.ts';
import {
  BUILDER,
  type EarlySnapshot,
  loadInThread,
  type Publishing,
  publishPending,
} from '../publishing/threads.ts';

/** How often the store is asked for news: a new snapshot is served within two seconds. */
const POLL_MS = 250;
/** How often where it tells of them itself. */
const POLL_HEARING_MS = 2_000;
/** After a failure: what failed may have been a whole publish. */
const PAUSE_AFTER_FAILURE_MS = 2_000;

/** How long another process may publish before it is said that changes wait for it. */
const PATIENCE_WITH_OTHERS_MS = 60_000;

export interface RefresherParts {
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  readonly server: HttpServer;
  readonly database: Database;
  /** Null where another worker of this program publishes. */
  readonly publishing: Publishing | null;
  /** The snapshot that was current when the program started, if it is being loaded already. */
  readonly early: EarlySnapshot | null;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** The manifest of the current snapshot; null before the first publish. */
export async function currentManifest(database: Database): Promise<Manifest | null> {
  const manifest = await loadCurrentManifest(database.read);
  return manifest === null ? null : (JSON.parse(manifest) as Manifest);
}

export class SnapshotRefresher {
  readonly #databaseUrl: string;
  readonly #logger: FastifyBaseLogger;
  readonly #server: HttpServer;
  readonly #database: Database;
  readonly #publishing: Publishing | null;
  readonly #signal: AbortSignal;
  readonly #early: EarlySnapshot | null;
  #told = new AbortController();
  /** Since when a publish has been owed that another process holds the claim to; null where none is. */
  #waitingSince: number | null = null;
  #isWaitTold = false;

  constructor({ config, logger, server, database, publishing, early, signal }: RefresherParts) {
    this.#databaseUrl = config.databaseUrl;
    this.#logger = logger;
    this.#server = server;
    this.#database = database;
    this.#publishing = publishing;
    this.#early = early;
    this.#signal = signal;
  }

  /**
   * Serves the current snapshot, or the next, where there is none yet or the current one was made by
   * another version of the program or for another origin; with `mustPublish` the next in any case.
   * Whoever does not publish serves what there is.
   */
  async makeReady(mustPublish: boolean): Promise<void> {
    if (!this.#publishing) {
      while (!this.#server.snapshot) {
        await this.#load();
        if (!this.#server.snapshot) await sleep(POLL_MS);
      }
      return;
    }
    if (mustPublish) {
      void this.#early?.take();
      while (!(await this.#publish())) await sleep(POLL_MS);
    }
    while (!(await this.#isOurs())) {
      // What was loaded early is of no use, and is not kept while another is made.
      void this.#early?.take();
      if (!(await this.#publish())) await sleep(POLL_MS);
      // Nothing is owed, and yet what is current was made by another program or for another origin.
      else if (!(await this.#isOurs())) await requestPublish(this.#database);
    }
    await this.#load();
  }

  async #isOurs(): Promise<boolean> {
    const manifest = await currentManifest(this.#database);
    // The recorded origin: another server that started meanwhile may have another than this one.
    const { origin } = await loadState(this.#database.read);
    return manifest?.builder === BUILDER && manifest.origin === origin;
  }

  /** Looks for news at once. */
  lookNow(): void {
    this.#told.abort();
  }

  /** Looks for news until it is stopped. A failure is logged, and tried again. */
  async run({ isHearing }: { readonly isHearing: () => boolean }): Promise<void> {
    while (!this.#signal.aborted) {
      let pause = isHearing() ? POLL_HEARING_MS : POLL_MS;
      try {
        this.#database.assertFileInPlace();
        await this.#publish();
        const detail = (await this.#load()) ?? this.#wait();
        this.#server.store = { reachable: true, detail };
      } catch (error) {
        if (this.#signal.aborted) return;
        if (this.#server.store.reachable) {
          this.#logger.error({ err: error }, 'the store failed; readers are served what is loaded');
        }
        const detail = error instanceof Error ? error.message : String(error);
        this.#server.store = { reachable: false, detail };
        pause = PAUSE_AFTER_FAILURE_MS;
      }
      const signal = AbortSignal.any([this.#signal, this.#told.signal]);
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      this.#told = new AbortController();
    }
  }

  /** True when nothing is owed any more, as far as that is this one's concern. */
  async #publish(): Promise<boolean> {
    if (!this.#publishing) return true;
    const isDone = await publishPending(this.#database, this.#databaseUrl, this.#publishing, {
      signal: this.#signal,
      onOmitted: (omission) => {
        this.#logger.error(omission, 'a part of the snapshot failed and was left out');
      },
    });
    this.#waitingSince = isDone ? null : (this.#waitingSince ?? performance.now());
    const wait = this.#wait();
    if (wait !== null && !this.#isWaitTold) this.#logger.warn(wait);
    this.#isWaitTold = wait !== null;
    return isDone;
  }

  /** What to say of changes that have waited long for another process to publish them. */
  #wait(): string | null {
    const waitedMs = this.#waitingSince === null ? 0 : performance.now() - this.#waitingSince;
    if (waitedMs < PATIENCE_WITH_OTHERS_MS) return null;
    const seconds = Math.floor(waitedMs / 1000);
    return `changes have waited ${seconds} s for another process that holds the claim to publish`;
  }

  /** The snapshot of a number, or a later one. What was loaded early is looked at once, and let go
   * before another is loaded. */
  async #take(number: number): Promise<LoadedSnapshot | null> {
    return (await this.#takeEarly(number)) ?? loadInThread(this.#databaseUrl, this.#signal);
  }

  async #takeEarly(number: number): Promise<LoadedSnapshot | null> {
    const early = await this.#early?.take();
    return early?.manifest.number === number ? early : null;
  }

  /** Serves what is current, unless that is older than what is served; returns what to say of that. */
  async #load(): Promise<string | null> {
    const { snapshotNumber } = await loadState(this.#database.read);
    const served = this.#server.snapshot?.number ?? 0;
    // Readers have seen the newer one, and subscribers were delivered it.
    if ((snapshotNumber ?? 0) < served) {
      return (
        `the store has snapshot ${snapshotNumber}, which is older than what is served, ` +
        `${served}: after a restore, start all servers again`
      );
    }
    if (snapshotNumber === null || snapshotNumber === served) return null;
    const loaded = await this.#take(snapshotNumber);
    if (!loaded || loaded.manifest.number <= served) return null;
    const snapshot = new Snapshot(loaded);
    this.#server.show(snapshot);
    this.#logger.info(
      { snapshot: snapshot.number, reviews: snapshot.reviewCount },
      'serving a new snapshot',
    );
    return null;
  }
}
