// Stage 3: answers readers from the current snapshot, and keeps it current: it loads what another
// process publishes, and publishes what another process merged and did not live to publish.

import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { openAgents } from './agents.ts';
import type { Config } from './config.ts';
import { InputError } from './errors.ts';
import { Metrics } from './http/health.ts';
import { HttpServer } from './http/server.ts';
import { AddressPolicy } from './hub/addresses.ts';
import { CallbackClient } from './hub/callback.ts';
import { HubEndpoint } from './hub/endpoint.ts';
import { HubMetrics } from './hub/metrics.ts';
import { NameResolver } from './hub/names.ts';
import { HubWorker } from './hub/worker.ts';
import { importExample } from './import.ts';
import {
  BUILDER,
  checkpointInThread,
  loadInThread,
  type Publishing,
  publishOwed,
} from './threads.ts';
import { addRoutes } from './routes.ts';
import type { Manifest } from './snapshot/manifest.ts';
import { Snapshot } from './snapshot/snapshot.ts';
import { Database } from './store/database.ts';
import { removeExample } from './store/merge.ts';
import { loadCurrentManifest, loadState, owePublish, saveOrigin } from './store/snapshots.ts';
import { VERSION } from './version.ts';

/** How often the store is asked for news: a new snapshot is served within two seconds. */
const POLL_MS = 250;
/** How often what the server itself writes, for its hub, is moved from the store's log to its file. */
const CHECKPOINT_MS = 600_000;
/** After a failure: what failed may have been a whole publish. */
const PAUSE_AFTER_FAILURE_MS = 2_000;

/** How long what is under way, answers and deliveries, may still take when the server ends. */
const CLOSING_MS = 10_000;

/** A server that runs. */
export interface RunningServer {
  /** Where it listens, for clients on this machine. */
  readonly url: string;
  /** Ends it: no new connections; answers under way are finished, if their readers take them. */
  close(): Promise<void>;
}

/** Starts the server; it is ready when this returns. With `example`, an empty store is given the
 * example business first; without, a store that has it is emptied. */
export async function serve(
  config: Config,
  logger: FastifyBaseLogger,
  { example }: { readonly example: boolean },
): Promise<RunningServer> {
  const database = await Database.open(config.databaseUrl, 'server');
  const server = new HttpServer(config, logger, new Metrics());
  const stop = new AbortController();
  try {
    await server.limitRate();
    const addresses = new AddressPolicy(config.hub.allowNetworks);
    const agents = await openAgents(config, logger, database, stop.signal);
    addRoutes(server, {
      hub: new HubEndpoint(config.hub, addresses, database),
      mcp: agents.endpoint,
    });
    await listen(server, config);
    const { port } = server.app.server.address() as AddressInfo;
    const origin = config.baseUrl ?? `http://localhost:${port}`;
    const manifest = await currentManifest(database);
    await saveOrigin(database, origin, manifest?.origin);
    const publishing = { publisher: randomUUID(), defaultOrigin: origin };
    if (example) await importExample(database);
    // What nobody asked for any more must not be seen, not even until the next publish.
    const mustPublish = !example && (await removeExample(database));
    const keeper = new SnapshotKeeper(config, logger, server, database, publishing, stop.signal);
    await keeper.makeReady(mustPublish);
    const kept = keeper.run();
    const worker = new HubWorker({
      hub: config.hub,
      database,
      callbacks: new CallbackClient({
        addresses,
        resolve: new NameResolver().resolve,
        userAgent: `public-reviews/${VERSION} (WebSub hub; +${origin})`,
        connections: config.hub.concurrencyPerHost,
      }),
      metrics: new HubMetrics(server.metrics.registry, database),
      logger,
      snapshot: () => server.snapshot,
    });
    worker.start();
    return {
      url: `http://localhost:${port}`,
      async close() {
        stop.abort();
        const { server: sockets } = server.app;
        const patience = setTimeout(() => sockets.closeAllConnections(), CLOSING_MS);
        await Promise.all([agents.close(), server.app.close(), worker.close(CLOSING_MS), kept]);
        clearTimeout(patience);
        await database.close();
      },
    };
  } catch (error) {
    stop.abort();
    await server.app.close();
    await database.close();
    throw error;
  }
}

async function listen(server: HttpServer, { host, port }: Config): Promise<void> {
  try {
    await server.app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new InputError(
        `PORT: expected a port that is free, got ${port}, which another program has; ` +
          'choose another, or 0 for any',
        { cause: error },
      );
    }
    if (code === 'EACCES') {
      throw new InputError(
        `PORT: expected a port that this user may listen on, got ${port}; choose one from 1024 on`,
        { cause: error },
      );
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new InputError(`HOST: expected an address of this machine, got "${host}"`, {
        cause: error,
      });
    }
    throw error;
  }
}

async function currentManifest(database: Database): Promise<Manifest | null> {
  const manifest = await loadCurrentManifest(database.read);
  return manifest === null ? null : (JSON.parse(manifest) as Manifest);
}

/** Keeps the snapshot of a server current. */
class SnapshotKeeper {
  readonly #databaseUrl: string;
  readonly #logger: FastifyBaseLogger;
  readonly #server: HttpServer;
  readonly #database: Database;
  readonly #publishing: Publishing;
  readonly #signal: AbortSignal;
  #writesInFile = 0;
  #checkpointAt = performance.now() + CHECKPOINT_MS;

  constructor(
    config: Config,
    logger: FastifyBaseLogger,
    server: HttpServer,
    database: Database,
    publishing: Publishing,
    signal: AbortSignal,
  ) {
    this.#databaseUrl = config.databaseUrl;
    this.#logger = logger;
    this.#server = server;
    this.#database = database;
    this.#publishing = publishing;
    this.#signal = signal;
  }

  /**
   * Serves the current snapshot, or the next, where there is none yet or the current one was made by
   * another version of the program or for another origin; with `mustPublish` the next in any case.
   */
  async makeReady(mustPublish: boolean): Promise<void> {
    if (mustPublish) while (!(await this.#publish())) await sleep(POLL_MS);
    while (!(await this.#isOurs())) {
      if (!(await this.#publish())) await sleep(POLL_MS);
      // Nothing is owed, and yet what is current was made by another program or for another origin.
      else if (!(await this.#isOurs())) await owePublish(this.#database);
    }
    await this.#load();
  }

  async #isOurs(): Promise<boolean> {
    const manifest = await currentManifest(this.#database);
    // The recorded origin: another server that started meanwhile may have another than this one.
    const { origin } = await loadState(this.#database.read);
    return manifest?.builder === BUILDER && manifest.origin === origin;
  }

  /** Looks for news until it is stopped. A failure is logged, and tried again. */
  async run(): Promise<void> {
    while (!this.#signal.aborted) {
      let pause = POLL_MS;
      try {
        await this.#publish();
        await this.#load();
        await this.#checkpoint();
        this.#server.store = { reachable: true, detail: null };
      } catch (error) {
        if (this.#signal.aborted) return;
        if (this.#server.store.reachable) {
          this.#logger.error({ err: error }, 'the store failed; readers are served what is loaded');
        }
        const detail = error instanceof Error ? error.message : String(error);
        this.#server.store = { reachable: false, detail };
        pause = PAUSE_AFTER_FAILURE_MS;
      }
      await sleep(pause, undefined, { signal: this.#signal }).catch(() => undefined);
    }
  }

  async #checkpoint(): Promise<void> {
    const { writes } = this.#database;
    const now = performance.now();
    if (writes === this.#writesInFile || now < this.#checkpointAt) return;
    await checkpointInThread(this.#databaseUrl, this.#signal);
    this.#writesInFile = writes;
    this.#checkpointAt = now + CHECKPOINT_MS;
  }

  #publish(): Promise<boolean> {
    return publishOwed(this.#database, this.#databaseUrl, this.#publishing, this.#signal);
  }

  async #load(): Promise<void> {
    const { snapshotNumber } = await loadState(this.#database.read);
    if (snapshotNumber === null || snapshotNumber === this.#server.snapshot?.number) return;
    const loaded = await loadInThread(this.#databaseUrl, this.#signal);
    if (!loaded) return;
    const snapshot = new Snapshot(loaded);
    this.#server.show(snapshot);
    this.#logger.info(
      { snapshot: snapshot.number, reviews: snapshot.reviewCount },
      'serving a new snapshot',
    );
  }
}
