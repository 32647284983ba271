// Many sites behind one listener: a request goes to the site of its host. The sites share what publishes and syncs, the
// watch over the event loop, the limits of the hub by callback, and the memory for snapshots; nothing of one is in
// another's store.

import { statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { type Config, loadSiteConfig, SETTINGS_FILE, siteNames } from '../../config.ts';
import { InputError, messageOf, Refusal } from '../../errors.ts';
import { proxyTest } from '../../http/admission/admission.ts';
import { ClientCosts, costsOf } from '../../http/admission/client-costs.ts';
import { Overload } from '../../http/admission/overload.ts';
import { answerUnstored } from '../../http/answer.ts';
import { createSocketServer, TIMEOUTS } from '../../http/connections.ts';
import { answerHealth, answerMetrics } from '../../http/health.ts';
import { Metrics } from '../../http/metrics.ts';
import { OperatorNetworks } from '../../http/operators.ts';
import { listenOn } from '../../http/port.ts';
import { answerUnreadable, sendRefusal } from '../../http/problems.ts';
import { CallLimits } from '../../hub/call-limits.ts';
import { NameResolver, remembering } from '../../hub/resolver.ts';
import { WaitingChild } from '../../model/child-process.ts';
import { hostnameOf, isTrustedName } from '../../model/host-names.ts';
import { METRIC_TEXTS } from '../../model/metrics.ts';
import { ROUTES } from '../../model/routes.ts';
import { publishPending } from '../../publishing/run/2-claim.ts';
import { JSON_TYPE } from '../../snapshot/documents.ts';
import type { RunningServer, StoreServer } from '../serve.ts';
import { syncInProcess } from '../sources.ts';
import { YoungSpace } from '../young-space.ts';
import type { MetricList } from '../workers/messages.ts';
import { GroupMetrics } from '../workers/metrics.ts';
import { Lanes } from './lanes.ts';
import { Site } from './site.ts';

const CLOCK_MS = 1_000;
/** Ticks of the clock in which the folder is read once, and each site is looked at once. */
const ROUND = 4;
/** Publish processes, each of which waits for the next site: one that hangs must not stop all. */
const PUBLISHERS = 2;
/** Looks at sources at the same time. */
const SYNCS = 2;
/** Looks at stores that changed, each of which may wake its site: one that hangs must not stop all. */
const LOOKS = 4;
const MB = 1_000_000;
/** Whether a host is one of this server: Caddy asks before it obtains a certificate. */
const TLS_ASK = '/.well-known/public-reviews/tls-ask';

interface Entry {
  readonly number: number;
  readonly site: Site;
  /** The times of the settings of all and of the site: others mean other settings. */
  readonly settings: string;
}

interface Host {
  readonly site: Site;
  /** Whether readers are redirected to the origin of the site. */
  readonly isAlias: boolean;
}

export class SitesServer implements RunningServer {
  readonly #folder: string;
  readonly #config: Config;
  readonly #logger: FastifyBaseLogger;
  readonly #metrics: Metrics;
  readonly #ofSites = new GroupMetrics();
  readonly #operators: OperatorNetworks;
  readonly #isProxy: (address: string, hop: number) => boolean;
  readonly #stop = new AbortController();
  readonly #shared;
  /** By the name of the folder. */
  readonly #entries = new Map<string, Entry>();
  /** Settings that cannot be used, by the name of the folder, so that each is logged once. */
  readonly #refused = new Map<string, string>();
  #hosts: ReadonlyMap<string, Host> = new Map();
  /** 0 is this process itself. */
  #numbers = 1;
  #ticks = 0;
  readonly #looks = new Lanes(Array.from({ length: LOOKS }, () => ({})));
  #clock: NodeJS.Timeout | undefined;
  readonly #sockets;

  /** Serves the sites in a folder, and those that come, change or go. @throws {InputError} if it cannot listen. */
  static async start(
    folder: string,
    config: Config,
    logger: FastifyBaseLogger,
  ): Promise<SitesServer> {
    const server = new SitesServer(folder, config, logger);
    const { host, port } = config;
    await listenOn(
      config,
      () =>
        new Promise<void>((resolve, reject) => {
          server.#sockets.once('error', reject).listen({ host, port }, resolve);
        }),
    );
    server.#tick();
    server.#clock = setInterval(() => server.#tick(), CLOCK_MS);
    return server;
  }

  private constructor(folder: string, config: Config, logger: FastifyBaseLogger) {
    this.#folder = folder;
    this.#config = config;
    this.#logger = logger;
    this.#metrics = new Metrics(() => this.#renderMetrics(), config.metrics);
    // This process publishes nothing itself.
    for (const { name } of [METRIC_TEXTS.snapshotNumber, METRIC_TEXTS.publishedReviews])
      this.#metrics.registry.removeSingleMetric(name);
    this.#operators = new OperatorNetworks(config.operatorNetworks, null);
    this.#isProxy = proxyTest(config.trustProxy);
    this.#sockets = createSocketServer(config, TIMEOUTS, {
      onRequest: (request, response) => this.#handle(request, response),
      onRefused: (reason) => this.#metrics.countRefusedConnection(reason),
    });
    this.#sockets.on('clientError', (error, socket) => {
      this.#metrics.countRequest('unknown', answerUnreadable(error as never, socket as never));
    });
    const publishers = new Lanes(Array.from({ length: PUBLISHERS }, () => new WaitingChild()));
    const syncs = new Lanes(Array.from({ length: SYNCS }, () => ({})));
    const { signal } = this.#stop;
    const publish: typeof publishPending = (database, url, publishing, options) =>
      // The process is not the site's: it lives on when that sleeps.
      publishers.run((waiting) =>
        publishPending(database, url, publishing, { ...options, signal, waiting }),
      );
    const sync: typeof syncInProcess = (...job) => syncs.run(() => syncInProcess(...job));
    const shared = {
      overload: new Overload(),
      costs: new ClientCosts(() => performance.now()),
      calls: new CallLimits(config.hub, () => performance.now()),
      resolve: remembering(new NameResolver().resolve),
    };
    this.#shared = { shared, publish, sync, youngSpace: new YoungSpace() };
  }

  /** For clients on this machine. */
  get url(): string {
    return `http://localhost:${(this.#sockets.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    clearInterval(this.#clock);
    this.#stop.abort();
    const closed = new Promise((resolve) => this.#sockets.close(resolve));
    this.#sockets.closeIdleConnections();
    await Promise.all([...this.#entries.values()].map(({ site }) => site.close()));
    this.#shared.shared.overload.close();
    this.#sockets.closeAllConnections();
    await closed;
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const named = this.#nameOf(request);
    // As most clients write it.
    const host = this.#hosts.get(named) ?? this.#hosts.get(hostnameOf(`http://${named}`) ?? '');
    if (host === undefined) return this.#answerOther(request, response);
    const { site, isAlias } = host;
    if (isAlias) {
      const { baseUrl: origin } = site.config;
      const target = request.url?.startsWith('/') === true ? request.url : '/';
      const body = JSON.stringify({ location: origin });
      const headers = ['Location', `${origin}${target}`];
      return answerUnstored(request, response, 308, JSON_TYPE, body, headers);
    }
    const wasAwake = site.server !== null;
    site.handle(request, response);
    if (wasAwake) return;
    site.wake().then(
      () => this.#keepWithin(site),
      () => undefined,
    );
  }

  /** The host that the client named: to the nearest proxy, if that is trusted. */
  #nameOf({ headers, socket }: IncomingMessage): string {
    const forwarded = headers['x-forwarded-host'];
    const isForwarded = forwarded !== undefined && this.#isProxy(socket.remoteAddress ?? '', 0);
    const named = isForwarded ? [forwarded].flat().at(-1)?.split(',').at(-1)?.trim() : headers.host;
    return named ?? '';
  }

  /** Hosts of no site learn nothing. Operators ask this process by an address or a name without a dot. */
  #answerOther(request: IncomingMessage, response: ServerResponse): void {
    const [pathname, query] = (request.url ?? '').split('?', 2);
    const refuse = (refusal: Refusal) => {
      this.#metrics.countRequest('unknown', refusal.status);
      sendRefusal(request, response, refusal);
    };
    const { getHealth, getReadiness, getMetrics } = ROUTES;
    const name = hostnameOf(`http://${this.#nameOf(request)}`) ?? '';
    // Who watches the address of a site that is not served learns that.
    const isReady = pathname === getReadiness.path && isTrustedName(name, '');
    if (pathname === getHealth.path || isReady) return answerHealth(request, response);
    const isMetrics = pathname === getMetrics.path && this.#config.metrics;
    if (!isMetrics && pathname !== TLS_ASK) return refuse(new Refusal('misdirected'));
    if (!this.#operators.include(request)) return refuse(new Refusal('operators_only'));
    if (isMetrics) {
      answerMetrics(request, response, this.#metrics).catch(() => refuse(new Refusal('not_ready')));
      return;
    }
    const domain = new URLSearchParams(query).get('domain') ?? '';
    if (!this.#hosts.has(domain)) return refuse(new Refusal('not_found'));
    answerUnstored(request, response, 200, JSON_TYPE, '{}');
  }

  /** Takes up what changed in the folder, and looks at the sites that are due. */
  #tick(): void {
    this.#ticks += 1;
    try {
      if (this.#ticks % ROUND === 1) this.#readFolder();
    } catch (error) {
      if (!this.#refused.has(''))
        this.#logger.error(`the sites cannot be read: ${messageOf(error)}`);
      this.#refused.set('', '');
    }
    const nowMs = Date.now();
    for (const [name, { number, site }] of this.#entries) {
      if (number % ROUND === this.#ticks % ROUND && site.isDue(nowMs))
        void this.#lookAt(number, name, site);
    }
  }

  async #lookAt(number: number, name: string, site: Site): Promise<void> {
    site.isLooking = true;
    await this.#looks.run(async () => {
      // A store that fails says so when it is served.
      await site.look().catch(() => site.fail());
      const metrics = await site.metrics();
      const isThere = this.#entries.get(name)?.site === site;
      if (isThere && !site.server) this.#update(number, name, metrics);
    });
    site.isLooking = false;
    this.#keepWithin(site);
  }

  #readFolder(): void {
    const names = siteNames(this.#folder);
    const ofAll = timeOf(this.#folder);
    const found = new Map(
      names.map((name) => [name, `${ofAll},${timeOf(join(this.#folder, name))}`] as const),
    );
    const before = [...this.#entries];
    const gone = before.filter(
      ([name, entry]) => found.get(name) !== entry.settings && !this.#goesOn(name, found.get(name)),
    );
    // One that is gone may have had the host of one that was refused.
    if (gone.length > 0) this.#refused.clear();
    for (const [name, { number, site }] of gone) {
      this.#entries.delete(name);
      void site.close().then(() => this.#ofSites.end(number));
    }
    const added = [...found].filter(
      ([name, settings]) => !this.#entries.has(name) && this.#refused.get(name) !== settings,
    );
    if (gone.length + added.length === 0) return;
    for (const [name, settings] of added) this.#add(name, settings);
    const sites = [...this.#entries.values()].map(({ site }) => site);
    this.#hosts = new Map<string, Host>([
      ...sites.flatMap((site) =>
        site.config.aliases.map((host): [string, Host] => [host, { site, isAlias: true }]),
      ),
      ...sites.map((site): [string, Host] => [hostOf(site), { site, isAlias: false }]),
    ]);
    this.#logger.info({ sites: this.#entries.size }, 'the sites are read');
  }

  /** Whether a site keeps its settings, because the new ones are wrong. */
  #goesOn(name: string, settings: string | undefined): boolean {
    if (settings === undefined) return false;
    if (this.#refused.get(name) === settings) return true;
    try {
      this.#configOf(name);
      return false;
    } catch (error) {
      this.#refused.set(name, settings);
      this.#logger.error(`the site ${name} goes on with its old settings: ${messageOf(error)}`);
      return true;
    }
  }

  /** @throws {InputError} if its settings are wrong, or if another site has its host */
  #configOf(name: string): Config {
    const config = loadSiteConfig({ folder: this.#folder, name });
    const host = new URL(config.baseUrl as string).hostname;
    const [other] =
      [...this.#entries].find(([own, { site }]) => own !== name && hostOf(site) === host) ?? [];
    if (other === undefined) return config;
    throw new InputError(`expected a host of its own, got ${host}, which ${other} has`);
  }

  #add(name: string, settings: string): void {
    try {
      const config = this.#configOf(name);
      const number = this.#numbers++;
      const logger = this.#logger.child({ site: name });
      const { shared, ...work } = this.#shared;
      const own = { ...work, name, shared: { ...shared, costs: costsOf(name, shared.costs) } };
      const site = new Site(config, logger, own, async (server) => {
        this.#update(number, name, await metricsOf(server));
        this.#ofSites.end(number);
      });
      this.#entries.set(name, { number, site, settings });
    } catch (error) {
      this.#refused.set(name, settings);
      this.#logger.error(`the site ${name} is not served: ${messageOf(error)}`);
    }
  }

  /** Puts those to sleep that were asked longest ago, until the others fit into the memory for sites. */
  #keepWithin(newest: Site): void {
    const sites = [...this.#entries.values()].map(({ site }) => site);
    let bytes = sites.reduce((sum, site) => sum + site.bytes, 0);
    const idle = sites.filter(
      (site) => site !== newest && site.server && site.askedAtMs < Infinity,
    );
    for (const site of idle.toSorted((a, b) => a.askedAtMs - b.askedAtMs)) {
      if (bytes <= this.#config.sitesMemory * MB) return;
      bytes -= site.bytes;
      void site.sleep();
    }
  }

  async #renderMetrics(): Promise<string> {
    for (const [name, { number, site }] of this.#entries) {
      if (site.server) this.#update(number, name, await metricsOf(site.server));
    }
    const own = await this.#metrics.collecting().getMetricsAsJSON();
    this.#ofSites.update(0, own);
    return this.#ofSites.render();
  }

  #update(number: number, name: string, metrics: MetricList): void {
    for (const value of metrics.flatMap(({ values }) => values)) {
      Object.assign(value.labels, { site: name });
    }
    this.#ofSites.update(number, metrics);
  }
}

const metricsOf = ({ http }: StoreServer) => http.metrics.registry.getMetricsAsJSON();

/** When the settings in a folder changed; undefined if it has none. */
function timeOf(folder: string): number | undefined {
  return statSync(join(folder, SETTINGS_FILE), { throwIfNoEntry: false })?.mtimeMs;
}

function hostOf({ config: { baseUrl } }: Site): string {
  return new URL(baseUrl as string).hostname;
}
