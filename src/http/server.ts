// The HTTP server: the snapshot that it serves, and how routes are added to it.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { REFUSALS, Refusal } from '../errors.ts';
import { Cosignatures } from '../snapshot/cosignatures.ts';
import { linksOf } from '../snapshot/documents.ts';
import type { Document, Snapshot } from '../snapshot/snapshot.ts';
import { accessLog } from './access-log.ts';
import { Admission, type AdmissionParts } from './admission/admission.ts';
import { preflightHeaders, setHeaders } from './answer.ts';
import { createSocketServer, type Timeouts, TIMEOUTS } from './connections.ts';
import { createFramework } from './framework.ts';
import type {
  ExportedRoute,
  FormOptions,
  ReadContext,
  ReadHandler,
  ReadOptions,
  RoutedHandler,
  StreamHandler,
} from './handlers.ts';
import type { PublishHealth, StoreHealth } from '../model/health.ts';
import type { Metrics } from './metrics.ts';
import { sendFault, sendRefusal } from './problems.ts';
import { requestId } from './request-ids.ts';
import { OperatorNetworks } from './operators.ts';
import { RequestRouter, type Serving } from './request-router.ts';
import { wantsPage } from './requests.ts';
import { Resource } from './resource.ts';

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
  /** The routes whose answers an export writes to files. */
  readonly exported: ExportedRoute[] = [];
  readonly admission: Admission;
  readonly router: RequestRouter;
  #framework: RequestListener = () => undefined;
  readonly #paths: RoutedPath[] = [];
  /** Answers browsers with a page where no route matches. */
  #missing: RoutedHandler | null = null;

  constructor(
    config: Config,
    logger: FastifyBaseLogger,
    metrics: Metrics,
    // What tests and workers replace.
    { timeouts = TIMEOUTS, ...parts }: AdmissionParts & { readonly timeouts?: Timeouts } = {},
  ) {
    this.config = config;
    this.metrics = metrics;
    const onShed = (status: number) => metrics.countRequest('shed', status);
    this.admission = new Admission(config, onShed, parts);
    this.router = new RequestRouter({
      cacheControl: config.cacheControl,
      metrics,
      admission: this.admission,
      serving: () => this.#serving,
      logAccess: config.accessLog
        ? accessLog(logger.child({}, { level: 'info' }), this.admission)
        : undefined,
      onFault(request, response, error) {
        const id = requestId(request);
        logger.error({ err: error, reqId: id }, 'a request failed');
        sendFault(request, response, id);
      },
    });
    this.operators = new OperatorNetworks(config.operatorNetworks, config.baseUrl);
    this.app = createFramework(
      logger,
      (framework) => this.#createServer(framework, timeouts),
      (status) => metrics.countRequest('unknown', status),
    );
    // Before the type of the body is checked, which does not matter without a route.
    this.app.addHook('onRequest', (request, reply, done) => {
      if (!request.is404) return done();
      const path = this.#pathOf(request);
      if (path) answerOther(path, request, reply);
      else void this.#answerMissing(request, reply, done);
    });
    this.app.addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? this.#pathOf(request)?.path ?? 'unknown';
      metrics.countRequest(route, reply.statusCode);
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

  onSnapshot(listener: (snapshot: Snapshot) => void): void {
    this.#listeners.push(listener);
  }

  show(snapshot: Snapshot): void {
    for (const listener of this.#listeners) listener(snapshot);
    const { cacheControl } = this.config;
    const documents = new Map(
      [...snapshot.documents.values()].map((document) => [
        document.path as string,
        resourceOf(document, snapshot.origin, cacheControl),
      ]),
    );
    this.#serving = { snapshot, documents };
    this.metrics.showSnapshot(snapshot.number, snapshot.reviewCount);
  }

  /** Answers a request, of whatever connection. The framework has to be ready. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    this.router.handle(request, response, this.#framework);
  }

  /** Sets the handler of GET requests of browsers that match no route. */
  routeMissing(handler: RoutedHandler): void {
    this.#missing = handler;
  }

  /** Browsers get a page, others an error in JSON. */
  async #answerMissing(
    request: FastifyRequest,
    reply: FastifyReply,
    refuse: (error: Error) => void,
  ): Promise<void> {
    try {
      if (!wantsPage(request.raw)) throw new Refusal('not_found');
      if (!this.#serving) throw new Refusal('not_ready');
      await this.#missing?.(request, reply.raw);
      reply.hijack();
    } catch (error) {
      refuse(error as Error);
    }
  }

  /** Routes GET and HEAD of a path to a handler of the current snapshot. */
  routeRead(path: string, handler: ReadHandler, options: ReadOptions = {}): void {
    this.router.addRead(path, handler);
    this.routeReply(
      path,
      (request, response) => handler(this.contextOf(request, response)),
      options,
    );
  }

  /** Routes GET and HEAD of a path to a handler that may take its time. */
  routeReply(path: string, handler: RoutedHandler, { paths }: ReadOptions = {}): void {
    if (paths) this.exported.push({ path, paths });
    const method = ['GET', 'HEAD'];
    this.app.route({ method, url: path, exposeHeadRoute: false, handler: hijacked(handler) });
    this.#addPath(path, 'method_not_allowed');
  }

  /** @throws {Refusal} before there is a snapshot. */
  contextOf(request: FastifyRequest, response: ServerResponse): ReadContext {
    return {
      request: request.raw,
      response,
      snapshot: this.serving.snapshot,
      parameters: request.params as ReadContext['parameters'],
      cacheControl: this.config.cacheControl,
    };
  }

  /** Routes POST of a path for bodies of one type, passed as a Buffer. Errors are a line of text. */
  routeForm(path: string, { type, maxBytes }: FormOptions, handler: RoutedHandler): void {
    this.app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    const config = { errorsAsText: true };
    this.app.route({
      method: 'POST',
      url: path,
      bodyLimit: maxBytes,
      config,
      onRequest: async (request, reply) => {
        const { headers, waitSeconds } = await this.admission.countForm(request.raw);
        setHeaders(reply.raw, headers);
        if (waitSeconds > 0) throw new Refusal('rate_limited');
      },
      handler: hijacked(handler),
    });
    this.#addPath(path, 'post_only', config);
  }

  /** Routes POST and DELETE of a path to a handler that reads the request and writes the answer itself. */
  routeStream(path: string, allowedHeaders: readonly string[], handler: StreamHandler): void {
    this.router.addStream(path, handler);
    // Of URLs that need decoding, and DELETE.
    this.app.route({
      method: ['POST', 'DELETE'],
      url: path,
      // Before the body is checked.
      preParsing: (request, reply, payload, done) => {
        if (!this.#serving) return done(new Refusal('not_ready'));
        reply.hijack();
        this.router.stream(handler, request.raw, reply.raw);
        done(null, payload);
      },
      handler: () => undefined,
    });
    this.#addPath(path, 'post_or_delete', { allowedHeaders });
  }

  /** `refusal` names the methods that the path takes. Routes for all others would take a megabyte. */
  #addPath(path: string, refusal: RoutedPath['refusal'], options: PathOptions = {}): void {
    const parts = path
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]*' : part === '*' ? '.*' : RegExp.escape(part)));
    this.#paths.push({ path, refusal, ...options, pattern: new RegExp(`^${parts.join('/')}$`) });
  }

  /** The path of a request that no route takes; undefined if there is none. */
  #pathOf({ url }: FastifyRequest): RoutedPath | undefined {
    const [path = ''] = url.split(/[?#]/, 1);
    return this.#paths.find(({ pattern }) => pattern.test(decodeURI(path)));
  }

  #createServer(framework: RequestListener, timeouts: Timeouts): Server {
    this.#framework = framework;
    return createSocketServer(this.config, timeouts, {
      onRequest: (request, response) => this.handle(request, response),
      onRefused: (reason) => this.metrics.countRefusedConnection(reason),
    });
  }
}

interface PathOptions {
  /** Whether errors are a line of text. */
  readonly errorsAsText?: boolean;
  readonly allowedHeaders?: readonly string[];
}

interface RoutedPath extends PathOptions {
  readonly path: string;
  readonly pattern: RegExp;
  readonly refusal: 'method_not_allowed' | 'post_only' | 'post_or_delete';
}

/** Answers the preflight of a path, and refuses the methods that it does not take. */
function answerOther(
  { refusal, errorsAsText, allowedHeaders }: RoutedPath,
  { raw: request, method }: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.hijack();
  if (method !== 'OPTIONS')
    return sendRefusal(request, reply.raw, new Refusal(refusal), [], errorsAsText);
  const headers = preflightHeaders(REFUSALS[refusal].allow, allowedHeaders);
  reply.raw.writeHead(204, [...headers]).end();
}

/** Has the framework leave the answer to a handler, unless that throws. */
function hijacked(handler: RoutedHandler) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await handler(request, reply.raw);
    reply.hijack();
  };
}

function resourceOf(document: Document, origin: string, cacheControl: string): Resource {
  const { path, body: content, isTopic, ...rest } = document;
  const headers = isTopic ? ['Link', linksOf(path, origin)] : [];
  return new Resource({ ...rest, content, headers, cacheControl });
}
