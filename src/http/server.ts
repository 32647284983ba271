// The HTTP server: documents by one lookup of the URL, other reads on the fast path, the rest by the framework.

import type { RequestListener, Server } from 'node:http';
import rateLimit from '@fastify/rate-limit';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { Refusal } from '../errors.ts';
import { Cosignatures } from '../snapshot/cosignatures.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { listOf, preflightHeaders } from './answer.ts';
import { callerAt, type RawHandler } from './callers.ts';
import { DocumentSet } from './documents.ts';
import { FastPath } from './fast-path.ts';
import { createFramework } from './framework.ts';
import type {
  ExportedRoute,
  FormOptions,
  ReadContext,
  ReadHandler,
  ReadOptions,
  ReplyHandler,
} from './handlers.ts';
import type { PublishHealth, StoreHealth } from '../model/health.ts';
import type { Metrics } from './metrics.ts';
import { type MissingHandler, MissingRoutes } from './missing.ts';
import { OperatorNetworks } from './operators.ts';
import { Overload } from './overload.ts';
import { RequestRouter, type Serving } from './request-router.ts';
import { hideLimits, limitStore, MINUTE_MS, type RequestCounters } from './request-limits.ts';
import { ROUTED_METHODS } from './requests.ts';
import { createSocketServer, type Timeouts, TIMEOUTS } from './sockets.ts';

export class HttpServer {
  readonly app: FastifyInstance;
  readonly config: Config;
  readonly metrics: Metrics;
  readonly operators: OperatorNetworks;
  store: StoreHealth = { reachable: true, detail: null };
  publishing: PublishHealth = { status: 'ok', detail: null };
  cosignatures = new Cosignatures();
  /** Whether the server waits for others before it reports itself ready. */
  isAwaitingOthers = false;
  #serving: Serving | null = null;
  readonly #listeners: ((snapshot: Snapshot) => void)[] = [];
  readonly #exported: ExportedRoute[] = [];
  readonly #raw = new Map<string, RawHandler>();
  readonly fastPath = new FastPath();
  readonly overload: Overload;
  readonly #router: RequestRouter;
  readonly #missing = new MissingRoutes(() => this.#serving !== null);

  constructor(
    config: Config,
    logger: FastifyBaseLogger,
    metrics: Metrics,
    { timeouts = TIMEOUTS, overload = new Overload(), nowMs }: ServerParts = {},
  ) {
    this.config = config;
    this.metrics = metrics;
    this.overload = overload;
    this.#router = new RequestRouter({
      config,
      metrics,
      overload,
      fastPath: this.fastPath,
      raw: this.#raw,
      serving: () => this.#serving,
      ...(nowMs && { nowMs }),
    });
    this.operators = new OperatorNetworks(config.operatorNetworks, config.baseUrl);
    this.app = createFramework(
      config,
      logger,
      (framework) => this.#createServer(framework, timeouts),
      (status) => metrics.countRequest('unknown', status),
    );
    // Before the type of the body is checked, which does not matter without a route.
    this.app.addHook('onRequest', (request, reply, done) => {
      if (request.is404) void this.#missing.answer(request, reply, done);
      else done();
    });
    this.app.addHook('onResponse', (request, reply, done) => {
      metrics.countRequest(request.routeOptions.url ?? 'unknown', reply.statusCode);
      done();
    });
  }

  /** @throws {Refusal} before there is a snapshot. */
  get serving(): Serving {
    if (!this.#serving) throw new Refusal('not_ready');
    return this.#serving;
  }

  /** The current snapshot; null before there is one. */
  get snapshot(): Snapshot | null {
    return this.#serving?.snapshot ?? null;
  }

  /** The number of the current snapshot; null until the server is ready. */
  get readySnapshot(): number | null {
    return this.isAwaitingOthers ? null : (this.snapshot?.number ?? null);
  }

  /** Calls a listener with every new snapshot, before it is served. */
  onSnapshot(listener: (snapshot: Snapshot) => void): void {
    this.#listeners.push(listener);
  }

  /** The routes whose answers an export writes to files. */
  get exported(): readonly ExportedRoute[] {
    return this.#exported;
  }

  /** Serves a snapshot from the next request on. */
  show(snapshot: Snapshot): void {
    for (const listener of this.#listeners) listener(snapshot);
    const documents = new DocumentSet(snapshot, this.config.cacheControl);
    this.#serving = { snapshot, documents };
    this.metrics.showSnapshot(snapshot.number, snapshot.reviewCount);
  }

  /** Sets the handler of GET requests of browsers that match no route. */
  routeMissing(handler: MissingHandler): void {
    this.#missing.page = handler;
  }

  /** Must be called before the routes are added. */
  async limitRate(counters: RequestCounters): Promise<void> {
    await this.app.register(rateLimit, {
      global: this.config.rateLimitPerMinute > 0,
      max: this.config.rateLimitPerMinute,
      timeWindow: MINUTE_MS,
      store: limitStore(counters),
      errorResponseBuilder: () => new Refusal('rate_limited'),
    });
    // Requests without a route are limited separately.
    if (this.config.rateLimitPerMinute > 0) this.#missing.limit = this.app.rateLimit();
  }

  /** Routes GET and HEAD of a path to a handler of the current snapshot, also on the fast path. */
  routeRead(path: string, handler: ReadHandler, options: ReadOptions = {}): void {
    this.fastPath.add(path, handler);
    const answer: ReplyHandler = (request, reply) => {
      handler(this.contextOf(request, reply));
      reply.hijack();
    };
    this.routeReply(path, answer, options);
  }

  /** Routes GET and HEAD of a path to a handler that answers through the framework. */
  routeReply(
    path: string,
    handler: ReplyHandler,
    { isLimited = true, paths }: ReadOptions = {},
  ): void {
    if (paths) this.#exported.push({ path, paths });
    const config = isLimited ? {} : { rateLimit: false as const };
    this.app.route({
      method: ['GET', 'HEAD'],
      url: path,
      exposeHeadRoute: false,
      config,
      preHandler: (_request, reply, done) => {
        hideLimits(reply);
        done();
      },
      handler,
    });
    this.#routeOthers(path, READ_METHODS, new Refusal('method_not_allowed'), config);
  }

  /** @throws {Refusal} before there is a snapshot. */
  contextOf(request: FastifyRequest, reply: FastifyReply): ReadContext {
    return {
      request: request.raw,
      response: reply.raw,
      snapshot: this.serving.snapshot,
      parameters: request.params as ReadContext['parameters'],
      cacheControl: this.config.cacheControl,
      extra: listOf(reply.getHeaders()),
    };
  }

  /** Routes POST of a path for bodies of one type, passed as a Buffer. Errors are a line of text. */
  routeForm(path: string, { type, maxBytes, perMinute }: FormOptions, handler: ReplyHandler): void {
    this.app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    const limit = perMinute > 0 ? { max: perMinute, timeWindow: MINUTE_MS } : (false as const);
    const config = { rateLimit: limit, errorsAsText: true };
    this.app.route({ method: 'POST', url: path, bodyLimit: maxBytes, config, handler });
    this.#routeOthers(path, ['POST', 'OPTIONS'], new Refusal('post_only'), config);
  }

  /**
   * Routes POST and DELETE of a path to a handler that reads the request and writes the answer itself.
   * Without a rate limit and a proxy, POST bypasses the framework.
   */
  routeRaw(path: string, allowedHeaders: readonly string[], handler: RawHandler): void {
    this.#raw.set(path, handler);
    const count = this.config.rateLimitPerMinute > 0 ? this.app.createRateLimit() : null;
    this.app.route({
      method: ['POST', 'DELETE'],
      url: path,
      // Before the body is checked, and after the rate limit.
      preParsing: (request, reply, payload, done) => {
        if (!this.#serving) return done(new Refusal('not_ready'));
        reply.hijack();
        const headers = listOf(reply.getHeaders());
        handler(
          request.raw,
          reply.raw,
          callerAt(request.ip, this.#router.turnsOf(request.raw, reply.raw), headers, () =>
            count?.(request),
          ),
        );
        done(null, payload);
      },
      handler: () => undefined,
    });
    const taken = ['POST', 'DELETE', 'OPTIONS'];
    this.#routeOthers(path, taken, new Refusal('post_or_delete'), {}, allowedHeaders);
  }

  /** Answers the preflight of a path and refuses the methods that it does not take. */
  #routeOthers(
    url: string,
    taken: readonly string[],
    refusal: Refusal,
    config: object,
    allowedHeaders?: readonly string[],
  ): void {
    const headers = preflightHeaders(taken.join(', '), allowedHeaders);
    this.app.route({
      method: 'OPTIONS',
      url,
      onRequest: (_request, reply, done) => {
        reply.hijack();
        reply.raw.writeHead(204, [...headers]).end();
        done();
      },
      handler: () => undefined,
    });
    this.app.route({
      method: ROUTED_METHODS.filter((method) => !taken.includes(method)),
      url,
      config,
      // Before the body is checked.
      onRequest: (_request, _reply, done) => done(refusal),
      handler: () => undefined,
    });
  }

  #createServer(framework: RequestListener, timeouts: Timeouts): Server {
    return createSocketServer(this.config, timeouts, {
      onRequest: (request, response) => this.#router.handle(request, response, framework),
      onRefused: (reason) => this.metrics.countRefusedConnection(reason),
    });
  }
}

/** What tests replace. */
interface ServerParts {
  readonly timeouts?: Timeouts;
  readonly overload?: Overload;
  /** The clock of turns. */
  readonly nowMs?: () => number;
}

const READ_METHODS = ['GET', 'HEAD', 'OPTIONS'];
