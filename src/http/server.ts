// The HTTP server: documents are answered before the framework, from one lookup by the raw path;
// everything else is routed by it.

import { createServer, maxHeaderSize, METHODS, type Server } from 'node:http';
import rateLimit from '@fastify/rate-limit';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Config } from '../config.ts';
import { Refusal } from '../errors.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { listOf, preflightHeaders } from './answer.ts';
import { callerAt, type RawHandler } from './callers.ts';
import { FastPath } from './fast-path.ts';
import { DocumentSet } from './documents.ts';
import type { Metrics, PublishHealth, StoreHealth } from './health.ts';
import { OperatorNetworks } from './operators.ts';
import { answerError, answerUnreadable, answerUnrouted } from './problems.ts';
import { normalizeTarget } from './request-lines.ts';
import type { FormOptions, ReadOptions, ReadRoute } from './route-options.ts';
import { isRead, parseQuery, trustOf, wantsPage } from './requests.ts';
import { hideLimits, limitStore, MINUTE_MS, type RequestCounters } from './request-limits.ts';
import { endStalled } from './stalled.ts';

/** What the server serves now; each request reads it once. */
export interface Serving {
  readonly snapshot: Snapshot;
  readonly documents: DocumentSet;
}

export class HttpServer {
  readonly app: FastifyInstance;
  readonly config: Config;
  readonly metrics: Metrics;
  readonly operators: OperatorNetworks;
  store: StoreHealth = { reachable: true, detail: null };
  publishing: PublishHealth = { status: 'ok', detail: null };
  /** Whether more than this server has to be ready, and is not. */
  isAwaitingOthers = false;
  #serving: Serving | null = null;
  readonly #others: ((snapshot: Snapshot) => void)[] = [];
  readonly #reads: ReadRoute[] = [];
  readonly #raw = new Map<string, RawHandler>();
  /** What is asked before the framework is. */
  readonly fastPath = new FastPath();
  #missing: MissingHandler | null = null;
  #limitMissing: MissingHandler | null = null;

  constructor(config: Config, logger: FastifyBaseLogger, metrics: Metrics) {
    this.config = config;
    this.metrics = metrics;
    this.operators = new OperatorNetworks(config.operatorNetworks);
    this.app = Fastify({
      loggerInstance: logger,
      logController: new LogController({ disableRequestLogging: true }),
      trustProxy: trustOf(config.trustProxy),
      // Requests that come while the server closes still get their answer.
      return503OnClosing: false,
      frameworkErrors: answerError,
      clientErrorHandler: answerUnreadable,
      // No shorter than a URL can be: a malformed date has its own answer, however long it is.
      routerOptions: { maxParamLength: maxHeaderSize, querystringParser: parseQuery },
      serverFactory: (framework) => this.#createServer(framework),
    });
    for (const method of METHODS) {
      if (method !== 'CONNECT' && !this.app.supportedMethods.includes(method)) {
        this.app.addHttpMethod(method);
      }
    }
    // No body is parsed but those of the type that a route reads.
    this.app.removeAllContentTypeParsers();
    this.app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    this.app.setErrorHandler(answerError);
    // Before the type of a body is looked at, which does not matter where nothing is.
    this.app.addHook('onRequest', (request, reply, done) => {
      if (request.is404) void this.#answerMissing(request, reply, done);
      else done();
    });
    this.app.addHook('onResponse', (request, reply, done) => {
      metrics.countRequest(request.routeOptions.url ?? 'unknown', reply.statusCode);
      done();
    });
  }

  async #answerMissing(
    request: FastifyRequest,
    reply: FastifyReply,
    refuse: (error: Error) => void,
  ): Promise<void> {
    try {
      await this.#limitMissing?.(request, reply);
      hideLimits(reply);
      if (this.#serving && wantsPage(request.raw)) await this.#missing?.(request, reply);
      else refuse(new Refusal('not_found'));
    } catch (error) {
      refuse(error as Error);
    }
  }

  /** The current snapshot and its documents, or the refusal that there is none yet. */
  get serving(): Serving {
    if (!this.#serving) throw new Refusal('not_ready');
    return this.#serving;
  }

  /** The current snapshot; null before there is one. */
  get snapshot(): Snapshot | null {
    return this.#serving?.snapshot ?? null;
  }

  /** The number of the current snapshot, once this server may be taken for ready. */
  get readySnapshot(): number | null {
    return this.isAwaitingOthers ? null : (this.snapshot?.number ?? null);
  }

  /** Shows every snapshot to another surface too. */
  onSnapshot(show: (snapshot: Snapshot) => void): void {
    this.#others.push(show);
  }

  /** The routes that read, each with the paths whose answers could as well be files. */
  get reads(): readonly ReadRoute[] {
    return this.#reads;
  }

  /** Serves another snapshot from the next request on. */
  show(snapshot: Snapshot): void {
    for (const show of this.#others) show(snapshot);
    const documents = new DocumentSet(snapshot, this.config.cacheControl);
    this.#serving = { snapshot, documents };
    this.metrics.showSnapshot(snapshot.number, snapshot.reviewCount);
  }

  /** Hands what browsers ask for in vain to a handler that answers. */
  routeMissing(handler: MissingHandler): void {
    this.#missing = handler;
  }

  /** Must come before the routes that it limits. */
  async limitRate(counters: RequestCounters): Promise<void> {
    await this.app.register(rateLimit, {
      global: this.config.rateLimitPerMinute > 0,
      max: this.config.rateLimitPerMinute,
      timeWindow: MINUTE_MS,
      store: limitStore(counters),
      errorResponseBuilder: () => new Refusal('rate_limited'),
    });
    // What is missing has no route that could be limited.
    if (this.config.rateLimitPerMinute > 0) this.#limitMissing = this.app.rateLimit();
  }

  /**
   * Routes GET and HEAD of a path, answers its preflight, and refuses its other methods. Not limited
   * is what machines ask: one that asks too often must not take the server for dead.
   */
  routeRead(
    url: string,
    handler: RouteHandler,
    { isLimited = true, paths = () => (url.includes(':') ? [] : [url]) }: ReadOptions = {},
  ): void {
    this.#reads.push({ url, paths });
    const config = isLimited ? {} : { rateLimit: false as const };
    this.app.route({
      method: ['GET', 'HEAD'],
      url,
      exposeHeadRoute: false,
      config,
      preHandler: (_request, reply, done) => {
        hideLimits(reply);
        done();
      },
      handler,
    });
    this.#routeOthers(url, READ_METHODS, new Refusal('method_not_allowed'), config);
  }

  /**
   * Routes POST of a path for bodies of one type, which reach the handler as a Buffer, and refuses
   * its other methods. Errors are answered in a line of text.
   */
  routeForm(url: string, { type, mostBytes, perMinute }: FormOptions, handler: RouteHandler): void {
    this.app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    const limit = perMinute > 0 ? { max: perMinute, timeWindow: MINUTE_MS } : (false as const);
    const config = { rateLimit: limit, errorsAsText: true };
    this.app.route({ method: 'POST', url, bodyLimit: mostBytes, config, handler });
    this.#routeOthers(url, ['POST', 'OPTIONS'], new Refusal('post_only'), config);
  }

  /**
   * Hands POST and DELETE of a path to a handler that reads the request and writes the answer itself,
   * once there is a snapshot. Where nothing has to be counted first, that is before the framework.
   */
  routeRaw(url: string, allowedHeaders: readonly string[], handler: RawHandler): void {
    this.#raw.set(url, handler);
    const count = this.config.rateLimitPerMinute > 0 ? this.app.createRateLimit() : null;
    this.app.route({
      method: ['POST', 'DELETE'],
      url,
      // Before the body is looked at, and after the limit of requests.
      preParsing: (request, reply, payload, done) => {
        if (!this.#serving) return done(new Refusal('not_ready'));
        reply.hijack();
        const headers = listOf(reply.getHeaders());
        handler(
          request.raw,
          reply.raw,
          callerAt(request.ip, headers, () => count?.(request)),
        );
        done(null, payload);
      },
      handler: () => undefined,
    });
    const taken = ['POST', 'DELETE', 'OPTIONS'];
    this.#routeOthers(url, taken, new Refusal('post_or_delete'), {}, allowedHeaders);
  }

  /** Answers the preflight of a path, and refuses the methods that it does not take. */
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
      method: this.app.supportedMethods.filter((method) => !taken.includes(method)),
      url,
      config,
      // Before the body is looked at.
      onRequest: (_request, _reply, done) => done(refusal),
      handler: () => undefined,
    });
  }

  #createServer(framework: Parameters<typeof createServer>[1]): Server {
    // A limit on requests has to see them all.
    const isDirect = this.config.rateLimitPerMinute === 0;
    // Behind a proxy the framework finds out who the client is.
    const isRawDirect = isDirect && this.config.trustProxy === false;
    const server = createServer({ requestTimeout: 30_000 }, (request, response) => {
      const refusal = normalizeTarget(request);
      if (refusal) {
        this.metrics.countRequest('unknown', refusal.status);
        answerUnrouted(response, refusal);
        return;
      }
      if (isDirect && this.#serving && isRead(request)) {
        const path = request.url as string;
        const isDocument = this.#serving.documents.answer(path, request, response);
        const route = isDocument ? path : this.fastPath.answer(request, response);
        if (route !== null) {
          this.metrics.countRequest(route, response.statusCode);
          return;
        }
      } else if (isRawDirect && this.#serving && request.method === 'POST') {
        const route = request.url as string;
        const handler = this.#raw.get(route);
        if (handler) {
          response.once('finish', () => this.metrics.countRequest(route, response.statusCode));
          handler(request, response, callerAt(request.socket.remoteAddress ?? ''));
          return;
        }
      }
      framework?.(request, response);
    });
    endStalled(server);
    return server;
  }
}

type MissingHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => unknown;

const READ_METHODS = ['GET', 'HEAD', 'OPTIONS'];
