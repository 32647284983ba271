// Decides what answers a request, from top to bottom: a refusal; bytes that are ready; a stream; a handler in a turn of
// the event loop, which the framework finds where this table has no route.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Refusal } from '../errors.ts';
import type { HeaderList } from '../model/http-seam.ts';
import { ROUTES } from '../model/routes.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { setHeaders } from './answer.ts';
import type { Admission } from './admission/admission.ts';
import type { Rate } from './admission/rate-limit.ts';
import type { ReadContext, ReadHandler, ReadyAnswer, StreamHandler } from './handlers.ts';
import type { Metrics } from './metrics.ts';
import { sendRefusal, sendUnrouted } from './problems.ts';
import { normalizeTarget } from './request-lines.ts';
import { isRead, takeMethod } from './requests.ts';
import type { Resource } from './resource.ts';

/** What the server serves now. Each request reads it once. */
export interface Serving {
  readonly snapshot: Snapshot;
  /** By path. */
  readonly documents: ReadonlyMap<string, Resource>;
}

interface RouterParts {
  readonly cacheControl: string;
  readonly metrics: Metrics;
  readonly admission: Admission;
  readonly serving: () => Serving | null;
  /** Logs each answer, if that is wanted. */
  readonly logAccess?: RequestListener | undefined;
  readonly onFault: (request: IncomingMessage, response: ServerResponse, error: unknown) => void;
}

interface ReadRoute {
  readonly path: string;
  /** Name of the parameter at the end of the path; null if it has none. */
  readonly parameter: string | null;
  readonly handler: ReadHandler;
}

interface FoundRoute {
  readonly route: ReadRoute;
  readonly parameters: ReadContext['parameters'];
}

const NO_PARAMETERS = {};
/** What operators must see in any state. */
const OPERATING_PATHS: ReadonlySet<string> = new Set(
  Object.values(ROUTES).flatMap(({ group, path }) => (group === 'Operating' ? path : [])),
);

export class RequestRouter {
  readonly #parts: RouterParts;
  readonly #ready: ReadyAnswer[] = [];
  /** By path. */
  readonly #streams = new Map<string, StreamHandler>();
  /** By the whole path, or for paths that end in a parameter by what is before it. */
  readonly #reads = new Map<string, ReadRoute>();

  constructor(parts: RouterParts) {
    this.#parts = parts;
  }

  addReady(answer: ReadyAnswer): void {
    this.#ready.push(answer);
  }

  addStream(path: string, handler: StreamHandler): void {
    this.#streams.set(path, handler);
  }

  /** Paths with a parameter elsewhere than at the end are left to the framework. */
  addRead(path: string, handler: ReadHandler): void {
    const [folder = '', parameter = null, ...more] = path.split(/(?<=\/):/);
    const isAtEnd = more.length === 0 && !(parameter ?? '').includes('/');
    if (isAtEnd) this.#reads.set(folder, { path, parameter, handler });
  }

  handle(request: IncomingMessage, response: ServerResponse, framework: RequestListener): void {
    const { admission, metrics, logAccess, onFault } = this.#parts;
    // Whatever answers, and before that changes the request.
    logAccess?.(request, response);
    takeMethod(request);
    const refusal = normalizeTarget(request);
    if (refusal) {
      sendUnrouted(request, response, refusal);
      metrics.countRequest('unknown', refusal.status);
      return;
    }
    const path = pathOf(request);
    // The hub counts its forms.
    const isForm = request.method === 'POST' && path === ROUTES.requestSubscription.path;
    if (isForm || OPERATING_PATHS.has(path)) {
      this.#answer(request, response, framework, null);
      return;
    }
    const admit = (rate: Rate): void => {
      if (rate.waitSeconds === 0) this.#answer(request, response, framework, rate);
      else this.#refuse(request, response, 'rate_limited', rate.headers);
    };
    const rate = admission.countRead(request);
    if (rate instanceof Promise) {
      rate.then(admit).catch((error: unknown) => onFault(request, response, error));
    } else {
      admit(rate);
    }
  }

  /** Answers with a stream, which reads the request, and takes turns and writes by itself. */
  stream(handler: StreamHandler, request: IncomingMessage, response: ServerResponse): void {
    handler(request, response, this.#parts.admission.callerOf(request, response));
  }

  #answer(
    request: IncomingMessage,
    response: ServerResponse,
    framework: RequestListener,
    rate: Rate | null,
  ): void {
    const { admission, metrics } = this.#parts;
    const serving = this.#parts.serving();
    const url = request.url as string;
    const isRouted = serving !== null && isRead(request);
    const found = isRouted ? this.#find(url) : null;
    const sent = isRouted ? this.#sendReady(serving, found, request, response) : null;
    if (sent !== null) {
      metrics.countRequest(sent, response.statusCode);
      return;
    }
    const path = pathOf(request);
    const isCheap = OPERATING_PATHS.has(path) || serving?.documents.has(path) === true;
    if (!isCheap && admission.isOverloadedBy(request)) {
      this.#refuse(request, response, 'overloaded');
      return;
    }
    const stream = this.#streams.get(path);
    // Nobody keeps the answers of streams for others.
    if (stream && rate) setHeaders(response, rate.headers);
    if (stream && request.method === 'POST' && serving !== null) {
      response.once('finish', () => metrics.countRequest(path, response.statusCode));
      this.stream(stream, request, response);
      return;
    }
    if (isCheap) {
      if (!this.#run(found, request, response)) framework(request, response);
      return;
    }
    admission.takeTurn(request, response, (turn) => {
      if (turn === null) return;
      if (this.#run(found, request, response)) turn.end();
      // It may continue later: it has the rest of this turn.
      else framework(request, response);
    });
  }

  /** Sends a document or what is cached, and returns its route; null, with nothing written, if neither is ready. */
  #sendReady(
    { documents }: Serving,
    found: FoundRoute | null,
    request: IncomingMessage,
    response: ServerResponse,
  ): string | null {
    const url = request.url as string;
    if (documents.get(url)?.answerReady(request, response)) return url;
    if (found !== null) return null;
    for (const answer of this.#ready) {
      const route = answer(request, response);
      if (route !== null) return route;
    }
    return null;
  }

  #refuse(
    request: IncomingMessage,
    response: ServerResponse,
    code: 'rate_limited' | 'overloaded',
    headers: HeaderList = [],
  ): void {
    sendRefusal(request, response, new Refusal(code), headers);
    const route = code === 'overloaded' ? 'shed' : 'rate-limited';
    this.#parts.metrics.countRequest(route, response.statusCode);
  }

  #find(url: string): FoundRoute | null {
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    if (path.includes('%') || path.includes('#')) return null;
    const exact = this.#reads.get(path);
    if (exact?.parameter === null) return { route: exact, parameters: NO_PARAMETERS };
    const start = path.lastIndexOf('/') + 1;
    const route = start === path.length ? undefined : this.#reads.get(path.slice(0, start));
    if (route === undefined || route.parameter === null) return null;
    return { route, parameters: { [route.parameter]: path.slice(start) } };
  }

  /** Answers by the handler of a route; false, with nothing written, leaves it to the framework. */
  #run(found: FoundRoute | null, request: IncomingMessage, response: ServerResponse): boolean {
    const serving = this.#parts.serving();
    if (found === null || serving === null) return false;
    const { cacheControl, metrics } = this.#parts;
    const { snapshot } = serving;
    const { route, parameters } = found;
    try {
      route.handler({ request, response, snapshot, parameters, cacheControl });
    } catch (error) {
      if (response.headersSent) throw error;
      // The framework logs faults under the id of a request.
      if (!(error instanceof Refusal)) return false;
      sendRefusal(request, response, error);
    }
    metrics.countRequest(route.path, response.statusCode);
    return true;
  }
}

function pathOf(request: IncomingMessage): string {
  return (request.url as string).split('?', 1)[0] as string;
}
