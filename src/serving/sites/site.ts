// A site among others of a process: asleep until somebody asks or work is due, and awake it is served like one alone.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { Registry } from 'prom-client';
import type { Config } from '../../config.ts';
import { Refusal } from '../../errors.ts';
import { sendRefusal } from '../../http/problems.ts';
import { forSite } from '../../model/command-name.ts';
import { addGauge } from '../../metrics.ts';
import { Database } from '../../store/database.ts';
import { holdPresence } from '../../store/presence.ts';
import { findOutstanding } from '../../store/outstanding.ts';
import type { YoungSpace } from '../young-space.ts';
import { type StoreServer, serve, type ServeOptions } from '../serve.ts';
import { showStore } from '../store-metrics.ts';

/** A site that nobody asked for so long sleeps, unless it has work. */
const IDLE_MS = 300_000;
/** Work of the hub that waits is looked at again after this. */
const BUSY_MS = 30_000;
/** A site whose store failed is not tried again before. */
const FAILED_MS = 10_000;
/** A store is looked at so often though nothing was stored. */
const LOOK_MS = 900_000;
/** What a site that is awake takes beside its snapshot. */
const AWAKE_BYTES = 4 * 1024 * 1024;

type Shared = Required<Pick<ServeOptions, 'shared' | 'publish' | 'sync'>> & {
  readonly youngSpace: YoungSpace;
  readonly name: string;
};

export class Site {
  readonly config: Config;
  readonly #logger: FastifyBaseLogger;
  readonly #shared: Shared;
  readonly #onSleep: (server: StoreServer) => Promise<void>;
  #server: StoreServer | null = null;
  #starting: Promise<StoreServer> | null = null;
  #closing: Promise<void> = Promise.resolve();
  #inFlight = 0;
  #askedAtMs = performance.now();
  #failedAtMs = -Infinity;
  /** The store while the site sleeps, so that changes are seen, and what it had at the last look. */
  #database: Database | null = null;
  #seen: string | null = null;
  #endPresence: () => Promise<void> | void = () => undefined;
  /** When it has to be looked at, by `Date.now`. */
  #dueAtMs = 0;
  /** Whether a look is under way, or waits for its turn. */
  isLooking = false;
  #isClosed = false;

  /** `onSleep` is called with a server that ends. */
  constructor(
    config: Config,
    logger: FastifyBaseLogger,
    shared: Shared,
    onSleep: (server: StoreServer) => Promise<void>,
  ) {
    this.config = config;
    this.#logger = logger;
    this.#shared = shared;
    this.#onSleep = onSleep;
  }

  /** Its server while it is awake. */
  get server(): StoreServer | null {
    return this.#server;
  }

  /** What it takes of the memory for sites. */
  get bytes(): number {
    return this.#server ? AWAKE_BYTES + (this.#server.http.snapshot?.bytes ?? 0) : 0;
  }

  /** When somebody last asked, by `performance.now`; Infinity while a request is answered. */
  get askedAtMs(): number {
    return this.#inFlight > 0 ? Infinity : this.#askedAtMs;
  }

  /** Answers a request, and wakes the site for it. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#askedAtMs = performance.now();
    this.#server?.http.handle(request, response);
    // Most answers are complete at once.
    if (response.writableEnded) return;
    this.#inFlight += 1;
    response.once('close', () => {
      this.#inFlight -= 1;
    });
    if (this.#server) return;
    this.wake().then(
      ({ http }) => http.handle(request, response),
      () => sendRefusal(request, response, new Refusal('site_failing')),
    );
  }

  /** @throws if its store failed, now or some seconds ago. */
  wake(): Promise<StoreServer> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  async #start(): Promise<StoreServer> {
    try {
      await this.#closing;
      // Files that were replaced are opened anew.
      await this.#open().catch(() => null);
      if (this.#isClosed || performance.now() - this.#failedAtMs < FAILED_MS)
        throw new Refusal('site_failing');
      const options = { ...this.#shared, example: false, group: null };
      const server = await this.#shared.youngSpace.hold(() =>
        forSite(this.#shared.name, () => serve(this.config, this.#logger, options)),
      );
      this.#failedAtMs = -Infinity;
      this.#askedAtMs = performance.now();
      this.#server = server;
      // It has the store open itself.
      await this.#release();
      return server;
    } catch (error) {
      this.#starting = null;
      if (!(error instanceof Refusal)) {
        this.#logger.error(
          { err: error },
          'the site cannot be served; it is tried again when asked',
        );
        this.fail();
      }
      throw error;
    }
  }

  /** Frees its memory, unless a request is being answered. */
  async sleep(): Promise<void> {
    const server = this.#server;
    if (!server || this.#inFlight > 0) return;
    this.#server = null;
    this.#starting = null;
    this.#closing = this.#onSleep(server).then(() => server.close());
    await this.#closing;
    // From the next look on changes are seen.
    this.#dueAtMs = 0;
  }

  /** Whether `look` has something to do. Costs some microseconds. */
  isDue(nowMs: number): boolean {
    const { analyser, logWitnesses } = this.config;
    if (this.isLooking) return false;
    if (this.#server) {
      const canSleep = analyser === null && logWitnesses.length === 0;
      return canSleep && performance.now() - this.askedAtMs > IDLE_MS;
    }
    return nowMs >= this.#dueAtMs || this.#seen !== (this.#database?.version ?? null);
  }

  /** Its store failed when it was looked at or served: the next look tries to serve it. */
  fail(): void {
    this.#failedAtMs = performance.now();
    this.#dueAtMs = Date.now() + BUSY_MS;
  }

  /** What operators should know of it while it sleeps. */
  async metrics() {
    const registry = new Registry();
    addGauge(registry, 'storeReachable', (gauge) => gauge.set(this.#failedAtMs > 0 ? 0 : 1));
    const database = this.#database;
    if (database) showStore(registry, { ...this.config, database });
    return registry.getMetricsAsJSON();
  }

  /** Wakes the site if it has work or has failed, and puts it to sleep if it has no work and nobody asks. */
  async look(): Promise<void> {
    const nowMs = Date.now();
    this.#dueAtMs = nowMs + LOOK_MS;
    const database = await this.#open();
    const version = database?.version ?? null;
    // A new site has no store before somebody imports or asks.
    if (!database) return void (this.#dueAtMs = nowMs + BUSY_MS);
    const names = this.config.sources.map(({ name }) => name);
    const found = await findOutstanding(database.read, names);
    this.#dueAtMs = Math.min(this.#dueAtMs, found.sourcesAtMs);
    this.#seen = version;
    const isFailing = this.#failedAtMs > 0 && !this.#server;
    if (!found.isBusy && !isFailing && found.sourcesAtMs > nowMs) return this.sleep();
    // Again, if it cannot be served yet.
    this.#dueAtMs = nowMs + FAILED_MS;
    await this.wake();
    this.#askedAtMs = performance.now() - IDLE_MS + BUSY_MS;
  }

  /** Ends it: it is not served any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const server = await this.#starting?.catch(() => null);
    await this.#closing;
    if (this.#server && server) await this.#onSleep(server).then(() => server.close());
    await this.#release();
  }

  /** The store, open as long as its files are in place, so that changes are seen; null if there is none. */
  async #open(): Promise<Database | null> {
    try {
      this.#database?.assertFileInPlace();
    } catch {
      await this.#release();
    }
    if (this.#isClosed) return null;
    if (this.#database === null && (await Database.exists(this.config.databaseUrl))) {
      this.#database = await Database.open(this.config.databaseUrl, 'thread');
      this.#endPresence = holdPresence(this.#database, () => {
        this.#dueAtMs = 0;
      });
    }
    return this.#database;
  }

  async #release(): Promise<void> {
    const database = this.#database;
    this.#database = null;
    this.#seen = null;
    const end = this.#endPresence;
    this.#endPresence = () => undefined;
    await end();
    await database?.close();
  }
}
