// Stage 3: serves the current snapshot, as the only process or as one of several workers.

import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { openMcp } from './mcp.ts';
import { keepLogSmall, watchFile } from './checkpoints.ts';
import { type Config, storeName } from '../config.ts';
import { chooseOrigin } from '../model/origin.ts';
import { DEFAULT_PEOPLE } from '../model/people.ts';
import type { Costs } from '../http/admission/client-costs.ts';
import type { Overload } from '../http/admission/overload.ts';
import { Metrics } from '../http/metrics.ts';
import { listenOn } from '../http/port.ts';
import { HttpServer } from '../http/server.ts';
import { AddressPolicy } from '../hub/addresses.ts';
import { CallbackClient } from '../hub/callback.ts';
import { HubEndpoint } from '../hub/endpoint.ts';
import type { CallLimits } from '../hub/call-limits.ts';
import { HubMetrics } from '../hub/metrics.ts';
import { NameResolver, remembering, type Resolve } from '../hub/resolver.ts';
import { Dispatcher } from '../hub/dispatcher.ts';
import { finishErasures } from './erasures.ts';
import { findObstacle } from '../publishing/log.ts';
import { PublishAttempts } from '../publishing/run/1-attempts.ts';
import { type RefresherParts, SnapshotRefresher } from './refresher.ts';
import { currentManifest } from '../publishing/load.ts';
import type { Group } from './workers/group.ts';
import { addRoutes } from './routes.ts';
import { Database } from '../store/database.ts';
import { holdPresence } from '../store/presence.ts';
import { removeExample } from '../store/state.ts';
import { loadState, requestPublish, saveAuthors, saveOrigin } from '../store/state.ts';
import { parentFor, removeLeft } from '../store/temporary-files.ts';
import { publishPending } from '../publishing/run/2-claim.ts';
import type { TakePreloaded } from '../publishing/task-threads.ts';
import { runProposals } from './proposals.ts';
import { runSources, type syncInProcess } from './sources.ts';
import { showStore } from './store-metrics.ts';
import { runWitnesses } from './witnesses.ts';
import { VERSION } from '../version.ts';

/** How long answers and deliveries under way may take when the server closes. Docker kills after 10 s. */
const CLOSING_MS = 8_000;
/** Part of that which the hub needs to record its last deliveries. */
const LAST_RECORD_MS = 1_000;

export interface RunningServer {
  /** For clients on this machine. */
  readonly url: string;
  /** Stops listening, and ends after the answers and deliveries under way. */
  close(): Promise<void>;
}

/** The server of one store. */
export interface StoreServer extends RunningServer {
  readonly http: HttpServer;
}

/** What the sites of a process share. */
export interface SharedBySites {
  readonly overload: Overload;
  readonly costs: Costs;
  readonly calls: CallLimits;
  readonly resolve: Resolve;
}

export interface ServeOptions {
  /** Imports the example business into an empty store; otherwise removes it from a store that has it. */
  readonly example: boolean;
  /** The workers that this process belongs to; null if it is the only one. */
  readonly group: Group | null;
  /** What it shares with the other sites of this process, which hands it their requests; absent if it listens itself. */
  readonly shared?: SharedBySites;
  readonly preloaded?: TakePreloaded;
  /** Connections that are still open so long after `close` are closed. */
  readonly closingMs?: number;
  /** Publishes what is pending; by default in a publish process. */
  readonly publish?: typeof publishPending;
  /** Imports what is new at a source; by default in a process. */
  readonly sync?: typeof syncInProcess;
}

type ServerParts = Pick<
  RefresherParts,
  'databaseUrl' | 'logger' | 'server' | 'database' | 'signal'
> & {
  readonly config: Config;
  readonly isLead: boolean;
};

/**
 * Starts the server. When this returns, it listens and serves the current snapshot; it answers 503 if the
 * first publish failed, until one succeeds.
 */
export async function serve(
  config: Config,
  logger: FastifyBaseLogger,
  options: ServeOptions,
): Promise<StoreServer> {
  const { group, shared, closingMs = CLOSING_MS } = options;
  const { databaseUrl } = config;
  const isLead = group?.assignment.isLead ?? true;
  const database = await Database.open(databaseUrl, 'server');
  if (database.isNew) logger.info({ store: storeName(databaseUrl) }, 'created a new store');
  const endPresence = holdPresence(database);
  const metrics = new Metrics(group ? () => group.metrics() : undefined, config.metrics && !shared);
  const counter = group?.counter(logger);
  const admission = { ...(counter && { counter }), ...shared };
  const server = new HttpServer(config, logger, metrics, admission);
  metrics.showHealth(() => server);
  const stop = new AbortController();
  const parts = { config, databaseUrl, logger, server, database, signal: stop.signal, isLead };
  try {
    const addresses = new AddressPolicy(config.hub.allowNetworks);
    const mcp = await openMcp(config, logger, database);
    const hub = new HubEndpoint(config.hub, addresses, database);
    addRoutes(server, { hub, mcp });
    if (shared) await server.app.ready();
    const port = shared ? config.port : (group?.assignment.port ?? (await listen(server, config)));
    const origin = await originOf(parts, port);
    const refresher = createRefresher(parts, origin, options);
    const mustPublish = isLead && (await prepareStore(parts, origin, options));
    await refresher.makeReady(mustPublish);
    if (group) await joinGroup(group, server, config);
    // One for all workers: its limits are for the whole program.
    const dispatcher = isLead ? createDispatcher(parts, origin, addresses, shared) : null;
    const listener = database.listen((notification) => {
      if (notification !== 'requests') refresher.lookNow();
      if (notification !== 'state') dispatcher?.lookNow();
    });
    const isConnected = () => listener.isConnected;
    dispatcher?.start(isConnected);
    const loops = Promise.all([
      refresher.run({ isConnected, onServed: () => dispatcher?.lookNow() }),
      ...runLoops(parts, options),
    ]);
    return {
      url: `http://localhost:${port}`,
      http: server,
      async close() {
        stop.abort();
        if (!shared) server.admission.close();
        const { server: sockets } = server.app;
        const timer = setTimeout(() => sockets.closeAllConnections(), closingMs);
        await Promise.all([
          mcp.close(),
          server.app.close(),
          dispatcher?.close(closingMs - LAST_RECORD_MS),
          listener.close(),
          loops,
        ]);
        clearTimeout(timer);
        // Before its log goes, which a store with a server has.
        await endPresence();
        await database.close();
      },
    };
  } catch (error) {
    stop.abort();
    await server.app.close();
    await endPresence();
    await database.close();
    throw error;
  }
}

/** A public origin that was recorded stays until BASE_URL names another one: links of readers and the log have it. */
async function originOf(
  { config: { baseUrl }, database, logger, isLead }: ServerParts,
  port: number,
): Promise<string> {
  const { origin: recorded } = await loadState(database.read);
  const known = recorded ?? (await currentManifest(database))?.origin ?? null;
  const local = `http://localhost:${port}`;
  const origin = chooseOrigin(baseUrl, known, local);
  if (isLead && baseUrl === null && origin !== local) {
    logger.warn(
      { origin },
      'the settings have no base_url (BASE_URL): links, feeds and the log keep the recorded address',
    );
  }
  return origin;
}

function createRefresher(
  parts: ServerParts,
  origin: string,
  { group, preloaded, publish = publishPending }: ServeOptions,
): SnapshotRefresher {
  const { config, server, isLead } = parts;
  const attempts = new PublishAttempts({
    ...parts,
    publish,
    publishing: {
      publisherId: randomUUID(),
      defaultOrigin: origin,
      logKeyFile: config.logKeyFile,
      siteLanguage: config.siteLanguage,
      people: config.people ?? DEFAULT_PEOPLE,
    },
    elapsedMs: () => performance.now(),
    onStages: (stageSeconds) => server.metrics.observePublish(stageSeconds),
    onHealth(health) {
      server.publishing = health;
      group?.reportPublishHealth(health);
    },
  });
  const { siteLanguage } = config;
  return new SnapshotRefresher({
    ...parts,
    attempts: isLead ? attempts : null,
    siteLanguage,
    preloaded: preloaded ?? null,
  });
}

/**
 * Records the settings that publishes of other processes follow, and imports or removes the example business.
 * Returns whether the current snapshot must not be served any more.
 */
async function prepareStore(
  { config, database, databaseUrl, logger }: ServerParts,
  origin: string,
  { example }: ServeOptions,
): Promise<boolean> {
  await removeLeft(parentFor(databaseUrl));
  const manifest = await currentManifest(database);
  // The publish fails, and says why; else a log that was rolled back would be served until the next import.
  if ((await findObstacle(database, config.logKeyFile)) !== null) await requestPublish(database);
  await saveOrigin(database, origin, manifest?.origin);
  const mustHideNames = await saveAuthors(database, config.authors);
  const { authors } = await loadState(database.read);
  if (config.authors === null && authors !== 'full')
    logger.info('authors are shown by initials, as was set before; "authors": "full" ends that');
  if (!example) return (await removeExample(database)) || mustHideNames;
  // Imported here, because a server needs the import stage for nothing else.
  const { importExample } = await import('../intake/example.ts');
  await importExample(database);
  return mustHideNames;
}

/** What runs beside the refresher until the signal aborts. */
function runLoops(parts: ServerParts, { sync }: ServeOptions): Promise<void>[] {
  const { sources, reviewDateEarliest, google, logWitnesses: witnesses, analyser } = parts.config;
  const { registry } = parts.server.metrics;
  // Workers would add up what all of them read.
  if (parts.isLead) showStore(registry, { ...parts, sources });
  return [
    keepLogSmall(parts),
    ...(parts.isLead ? [watchFile(parts)] : []),
    finishErasures(parts),
    runSources({ ...parts, ...(sync && { sync }), sources, reviewDateEarliest, google }),
    runWitnesses({ ...parts, witnesses }),
    runProposals({ ...parts, analyser, registry }),
  ];
}

/** Listens, and returns the port. */
async function listen(
  server: HttpServer,
  address: Pick<Config, 'host' | 'port'>,
  reusePort = false,
): Promise<number> {
  const { host, port } = address;
  // Fastify passes all options to Node, but its type lacks `reusePort`.
  const options = { host, port, reusePort };
  await listenOn(address, () => server.app.listen(options));
  return (server.app.server.address() as AddressInfo).port;
}

/** Listens on the port of all workers. `/readyz` answers 200 when all of them are ready. */
async function joinGroup(group: Group, server: HttpServer, { host }: Config): Promise<void> {
  server.isAwaitingOthers = true;
  group.setCallbacks({
    collectMetrics: () => server.metrics.collecting().getMetricsAsJSON(),
    onAllReady() {
      server.isAwaitingOthers = false;
    },
    onPublishHealth(health) {
      server.publishing = health;
    },
  });
  const { port, reusesPort } = group.assignment;
  await listen(server, { host, port }, reusesPort);
  group.reportReady();
}

function createDispatcher(
  { config, logger, server, database }: ServerParts,
  origin: string,
  addresses: AddressPolicy,
  shared?: SharedBySites,
): Dispatcher {
  return new Dispatcher({
    clock: { nowMs: Date.now, elapsedMs: () => performance.now() },
    hub: config.hub,
    database,
    callbacks: new CallbackClient({
      addresses,
      resolve: shared?.resolve ?? remembering(new NameResolver().resolve),
      userAgent: `public-reviews/${VERSION} (WebSub hub; +${origin})`,
      connections: config.hub.concurrencyPerHost,
    }),
    metrics: new HubMetrics(server.metrics.registry, database),
    logger,
    snapshot: () => server.snapshot,
    ...(shared && { calls: shared.calls }),
  });
}
