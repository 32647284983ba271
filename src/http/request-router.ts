// Decides what answers a request: a document or a cached page at once; in a turn of the event loop a handler of
// the fast path, or the framework.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Config } from '../config.ts';
import { Refusal } from '../errors.ts';
import { ROUTES } from '../model/routes.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Caller } from '../model/http-seam.ts';
import { callerAt, type RawHandler } from './callers.ts';
import { ClientAddresses } from './client-addresses.ts';
import type { DocumentSet } from './documents.ts';
import type { FastPath, FastRoute } from './fast-path.ts';
import type { Metrics } from './metrics.ts';
import type { Overload } from './overload.ts';
import { sendRefusal, sendUnrouted } from './problems.ts';
import { normalizeTarget } from './request-lines.ts';
import { isRead, takeMethod } from './requests.ts';
import { Turns } from './turns.ts';

/** What the server serves now. Each request reads it once. */
export interface Serving {
  readonly snapshot: Snapshot;
  readonly documents: DocumentSet;
}

interface RouterParts {
  readonly config: Config;
  readonly metrics: Metrics;
  readonly overload: Overload;
  readonly fastPath: FastPath;
  /** By path. */
  readonly raw: ReadonlyMap<string, RawHandler>;
  readonly serving: () => Serving | null;
  /** The clock of turns. */
  readonly nowMs?: () => number;
}

/** What operators must see in any state. */
const OPERATING_PATHS: ReadonlySet<string> = new Set(
  Object.values(ROUTES).flatMap(({ group, path }) => (group === 'Operating' ? path : [])),
);

export class RequestRouter {
  readonly #parts: RouterParts;
  readonly #turns: Turns;

  constructor(parts: RouterParts) {
    this.#parts = parts;
    const { config, metrics, nowMs } = parts;
    this.#turns = new Turns({
      clients: new ClientAddresses(config.trustProxy),
      onRefused: (status) => metrics.countRequest('shed', status),
      ...(nowMs && { nowMs }),
    });
  }

  handle(request: IncomingMessage, response: ServerResponse, framework: RequestListener): void {
    const { config, metrics, overload, fastPath, raw } = this.#parts;
    takeMethod(request);
    const refusal = normalizeTarget(request);
    if (refusal) {
      sendUnrouted(request, response, refusal);
      metrics.countRequest('unknown', refusal.status);
      return;
    }
    const serving = this.#parts.serving();
    const url = request.url as string;
    // A rate limit has to count every request.
    const isFast = serving !== null && config.rateLimitPerMinute === 0;
    const isFastRead = isFast && isRead(request);
    if (isFastRead && serving.documents.answer(url, request, response)) {
      metrics.countRequest(url, response.statusCode);
      return;
    }
    const found = isFastRead ? fastPath.find(url) : null;
    const kept = isFastRead && found === null ? fastPath.answerKept(request, response) : null;
    if (kept !== null) {
      metrics.countRequest(kept, response.statusCode);
      return;
    }
    const path = url.split('?', 1)[0] as string;
    const isCheap = OPERATING_PATHS.has(path) || serving?.documents.has(path) === true;
    if (overload.isOverloaded && !isCheap && this.#turns.isToBlame(request)) {
      sendRefusal(request, response, new Refusal('overloaded'));
      metrics.countRequest('shed', response.statusCode);
      return;
    }
    const handler = raw.get(url);
    // Raw handlers take their turns after the body has arrived.
    if (handler !== undefined && request.method === 'POST') {
      // Behind a proxy the framework determines the client.
      if (!isFast || config.trustProxy !== false) framework(request, response);
      else this.#handleRaw(request, response, handler);
    } else if (isCheap) {
      if (!this.#answerFast(request, response, found)) framework(request, response);
    } else {
      this.#turns.take(request, response, (turn) => {
        if (turn === null) return;
        if (this.#answerFast(request, response, found)) turn.end();
        // It may continue later: it has the rest of this turn.
        else framework(request, response);
      });
    }
  }

  /** The turns of a request. */
  turnsOf(request: IncomingMessage, response: ServerResponse): Caller['takeTurn'] {
    return () =>
      new Promise((resolve) => {
        this.#turns.take(request, response, resolve);
      });
  }

  #handleRaw(request: IncomingMessage, response: ServerResponse, handler: RawHandler): void {
    const url = request.url as string;
    const { metrics } = this.#parts;
    response.once('finish', () => metrics.countRequest(url, response.statusCode));
    const address = request.socket.remoteAddress ?? '';
    handler(request, response, callerAt(address, this.turnsOf(request, response)));
  }

  /** Answers by a handler; false, with nothing written, leaves it to the framework. */
  #answerFast(
    request: IncomingMessage,
    response: ServerResponse,
    found: FastRoute | null,
  ): boolean {
    const serving = this.#parts.serving();
    if (found === null || serving === null) return false;
    const { fastPath, config, metrics } = this.#parts;
    const { snapshot } = serving;
    const { cacheControl } = config;
    const context = { request, response, snapshot, cacheControl, extra: [] };
    const isAnswered = fastPath.answer(context, found);
    if (isAnswered) metrics.countRequest(found.route.path, response.statusCode);
    return isAnswered;
  }
}
