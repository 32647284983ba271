// Stage 3: answers readers from the current snapshot, alone or as one of several workers.

import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { openAgents } from './mcp.ts';
import { keepLogSmall } from './checkpoints.ts';
import { type Config, storeName } from '../config.ts';
import { Metrics } from '../http/health.ts';
import { listenOn } from '../http/port.ts';
import { MemoryCounter } from '../http/request-limits.ts';
import { HttpServer } from '../http/server.ts';
import { AddressPolicy } from '../hub/addresses.ts';
import { CallbackClient } from '../hub/callback.ts';
import { HubClientCounter } from '../hub/client-counter.ts';
import { HubEndpoint } from '../hub/endpoint.ts';
import { HubMetrics } from '../hub/metrics.ts';
import { NameResolver } from '../hub/resolver.ts';
import { Dispatcher } from '../hub/dispatcher.ts';
import { currentManifest, type RefresherParts, SnapshotRefresher } from './refresher.ts';
import type { Group } from './workers/group.ts';
import { addRoutes } from './routes.ts';
import { Database } from '../store/database.ts';
import { removeExample } from '../store/merge.ts';
import { saveOrigin } from '../store/snapshots.ts';
import type { EarlySnapshot } from '../publishing/threads.ts';
import { VERSION } from '../version.ts';

/** How long what is under way, answers and deliveries, may still take when the server ends. */
const CLOSING_MS = 10_000;

/** A server that runs. */
export interface RunningServer {
  /** Where it listens, for clients on this machine. */
  readonly url: string;
  /** Ends it: no new connections; answers under way are finished, if their readers take them. */
  close(): Promise<void>;
}

export interface ServeOptions {
  /** Gives an empty store the example business first; without, a store that has it is emptied. */
  readonly example: boolean;
  /** The workers that this process is one of; null where it is alone. */
  readonly group: Group | null;
  /** The current snapshot, which is being loaded already; null where it has to be loaded. */
  readonly early?: EarlySnapshot;
}

/** Starts the server; it is ready when this returns. */
export async function serve(
  config: Config,
  logger: FastifyBaseLogger,
  { example, group, early }: ServeOptions,
): Promise<RunningServer> {
  const isLead = group?.assignment.isLead ?? true;
  const database = await Database.open(config.databaseUrl, 'server');
  if (database.isNew) {
    logger.info({ store: storeName(config.databaseUrl) }, 'created a new store');
  }
  const metrics = new Metrics(group ? () => group.metrics() : undefined);
  const server = new HttpServer(config, logger, metrics);
  const stop = new AbortController();
  const hubClients = new HubClientCounter({
    database,
    limit: config.hub.requestsPerMinute,
    local: new MemoryCounter(),
    nowMs: Date.now,
  });
  try {
    const reads = group?.counter ?? new MemoryCounter();
    await server.limitRate({ reads, forms: hubClients });
    const addresses = new AddressPolicy(config.hub.allowNetworks);
    const agents = await openAgents(config, logger, database, stop.signal);
    addRoutes(server, {
      hub: new HubEndpoint(config.hub, addresses, database),
      mcp: agents.endpoint,
    });
    const port = group?.assignment.port ?? (await listen(server, config));
    const origin = config.baseUrl ?? `http://localhost:${port}`;
    const publishing = { publisher: randomUUID(), defaultOrigin: origin };
    const parts = { config, logger, server, database, signal: stop.signal };
    const keeper = new SnapshotRefresher({
      ...parts,
      publishing: isLead ? publishing : null,
      early: early ?? null,
    });
    let mustPublish = false;
    if (isLead) {
      const manifest = await currentManifest(database);
      await saveOrigin(database, origin, manifest?.origin);
      if (example) {
        // What reads files takes memory, which a server needs for this alone.
        const { importExample } = await import('../intake/example.ts');
        await importExample(database);
      } else {
        // What nobody asked for any more must not be seen, not even until the next publish.
        mustPublish = await removeExample(database);
      }
    }
    await keeper.makeReady(mustPublish);
    if (group) await joinOthers(group, server, config);
    // Only in the lead: the limits of requests in flight are for the whole program.
    const dispatcher = isLead ? openDispatcher({ ...parts, addresses, origin }) : null;
    dispatcher?.start();
    const listener = database.listen((news) => {
      if (news !== 'requests') keeper.lookNow();
      if (news !== 'state') dispatcher?.lookNow();
    });
    const kept = Promise.all([
      keeper.run({ isHearing: () => listener.isConnected }),
      keepLogSmall({ ...parts, databaseUrl: config.databaseUrl }),
    ]);
    return {
      url: `http://localhost:${port}`,
      async close() {
        stop.abort();
        hubClients.close();
        const { server: sockets } = server.app;
        const patience = setTimeout(() => sockets.closeAllConnections(), CLOSING_MS);
        await Promise.all([
          agents.close(),
          server.app.close(),
          dispatcher?.close(CLOSING_MS),
          listener.close(),
          kept,
        ]);
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

/** Listens, and returns the port. */
async function listen(
  server: HttpServer,
  place: Pick<Config, 'host' | 'port'>,
  reusePort = false,
): Promise<number> {
  const { host, port } = place;
  // The framework hands all options on to Node, and its type knows most of them.
  const options = { host, port, reusePort };
  await listenOn(place, () => server.app.listen(options));
  return (server.app.server.address() as AddressInfo).port;
}

/** Begins to answer beside the other workers. Whoever asks whether the program is ready is told so when
 * all of them are. */
async function joinOthers(group: Group, server: HttpServer, { host }: Config): Promise<void> {
  server.isAwaitingOthers = true;
  group.setCallbacks(
    () => server.metrics.registry.getMetricsAsJSON(),
    () => {
      server.isAwaitingOthers = false;
    },
  );
  const { port, reusesPort } = group.assignment;
  await listen(server, { host, port }, reusesPort);
  group.reportReady();
}

function openDispatcher({
  config,
  logger,
  server,
  database,
  addresses,
  origin,
}: Omit<RefresherParts, 'publishing' | 'early'> & {
  readonly addresses: AddressPolicy;
  readonly origin: string;
}): Dispatcher {
  return new Dispatcher({
    clock: { nowMs: Date.now, elapsedMs: () => performance.now() },
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
}
