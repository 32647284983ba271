// The server of connections with their limits: in time, in number, of requests that wait for earlier answers, and of
// slow readers. What a request may cost is admission's.

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config.ts';
import { clientOf, isPublicAddress, parseAddress } from '../model/addresses.ts';
import { HTTP_LIMITS } from './limits.ts';
import { givenId, REQUEST_ID_HEADER } from './request-ids.ts';

/** The limits that close a connection: of all connections, of its client, of waiting requests, of speed. */
export const REFUSAL_REASONS = ['all', 'client', 'pipeline', 'stalled'] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export interface Timeouts {
  readonly requestMs: number;
  readonly idleMs: number;
  readonly checkMs: number;
  readonly drainMs: number;
}

export const TIMEOUTS: Timeouts = {
  requestMs: HTTP_LIMITS.requestMs,
  idleMs: HTTP_LIMITS.idleMs,
  checkMs: 5_000,
  drainMs: 60_000,
};

interface Handlers {
  readonly onRequest: RequestListener;
  /** Called when a connection is closed for a limit other than a time limit. */
  readonly onRefused: (reason: RefusalReason) => void;
}

type Limits = Pick<Config, 'maxConnections' | 'maxConnectionsPerClient' | 'trustProxy'>;

export function createSocketServer(
  config: Limits,
  { requestMs, idleMs, checkMs, drainMs }: Timeouts,
  { onRequest, onRefused }: Handlers,
): Server {
  const pipelines = new Pipelines(() => onRefused('pipeline'));
  const options = {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: checkMs,
  };
  const server = createServer(options, (request, response) => {
    const id = givenId(request);
    if (id !== null) response.setHeader(REQUEST_ID_HEADER, id);
    // Node assigns the connection to a response when the answers before it are sent.
    if (response.socket !== null) onRequest(request, response);
    else pipelines.add(request, response, () => onRequest(request, response));
  });
  limitConnections(server, config, onRefused);
  closeStalled(server, drainMs, () => onRefused('stalled'));
  return server;
}

/** Closes new connections beyond the limits; `onRefused` is called for each. 0 means unlimited. */
export function limitConnections(
  server: Server,
  { maxConnections, maxConnectionsPerClient, trustProxy }: Limits,
  onRefused: (reason: RefusalReason) => void,
): void {
  if (maxConnections > 0) server.maxConnections = maxConnections;
  server.on('drop', () => onRefused('all'));
  // The connections of a trusted proxy belong to many clients.
  if (trustProxy !== false || maxConnectionsPerClient === 0) return;
  const counts = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const address = parseAddress(socket.remoteAddress ?? '');
    // Other addresses are those of proxies and gateways, whose connections belong to many clients.
    if (address === null || !isPublicAddress(address)) return;
    const client = clientOf(address.toString());
    const count = (counts.get(client) ?? 0) + 1;
    if (count > maxConnectionsPerClient) {
      socket.destroy();
      onRefused('client');
      return;
    }
    counts.set(client, count);
    socket.once('close', () => {
      const left = (counts.get(client) ?? 0) - 1;
      if (left > 0) counts.set(client, left);
      else counts.delete(client);
    });
  });
}

/**
 * Requests that a client sends before it has the answers to the earlier ones of its connection. They are handled
 * one after the other, with other connections in between: Node would handle all that one packet brings at once.
 */
class Pipelines {
  readonly #waiting = new WeakMap<Socket, number>();
  readonly #onRefused: () => void;

  /** `onRefused` is called when a connection with too many waiting requests is closed. */
  constructor(onRefused: () => void) {
    this.#onRefused = onRefused;
  }

  /** Handles a pipelined request after the answers before it. */
  add({ socket }: IncomingMessage, response: ServerResponse, handle: () => void): void {
    const waiting = this.#waiting.get(socket) ?? 0;
    if (socket.destroyed) return;
    if (waiting >= HTTP_LIMITS.pipelined) {
      socket.destroy();
      this.#onRefused();
      return;
    }
    this.#waiting.set(socket, waiting + 1);
    response.once('socket', () => {
      this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1);
      setImmediate(() => {
        if (!socket.destroyed) handle();
      });
    });
  }
}

/** Checks of slow readers per window. */
const CHECKS = 4;

/**
 * Closes connections that drain slower than 256 KB per window while data is pending, because each holds its snapshot
 * in memory; `onClosed` is called for each. A timer per request would cost a tenth of a request.
 */
export function closeStalled(server: Server, windowMs: number, onClosed: () => void): void {
  // They begin when nothing was pending, or when enough had drained since the last window.
  const windows = new Map<Socket, { readonly drainedBytes: number; readonly startMs: number }>();
  server.on('connection', (socket: Socket) => {
    windows.set(socket, { drainedBytes: 0, startMs: performance.now() });
    socket.once('close', () => windows.delete(socket));
  });
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const [socket, { drainedBytes, startMs }] of windows) {
      const drainedNow = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || drainedNow - drainedBytes >= HTTP_LIMITS.drainBytes) {
        windows.set(socket, { drainedBytes: drainedNow, startMs: nowMs });
      } else if (nowMs - startMs >= windowMs) {
        socket.destroy();
        onClosed();
      }
    }
  }, windowMs / CHECKS);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
