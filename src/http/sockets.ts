// The server of connections: its time limits, its limits of connections, and pipelined requests.

import { createServer, type RequestListener, type Server } from 'node:http';
import type { Config } from '../config.ts';
import { limitConnections, type RefusalReason } from './connections.ts';
import { HTTP_LIMITS } from './limits.ts';
import { isPipelined, Pipelines } from './pipelines.ts';
import { givenId, REQUEST_ID_HEADER } from './request-ids.ts';
import { closeStalled } from './stalled.ts';

export interface Timeouts {
  readonly requestMs: number;
  readonly idleMs: number;
  /** How often these are checked. */
  readonly checkMs: number;
  /** The window of `drainBytes`. */
  readonly drainMs: number;
}

export const TIMEOUTS: Timeouts = {
  requestMs: HTTP_LIMITS.requestMs.value,
  idleMs: HTTP_LIMITS.idleMs.value,
  checkMs: 5_000,
  drainMs: 60_000,
};

interface Handlers {
  readonly onRequest: RequestListener;
  /** Called when a connection is closed for a limit other than a time limit. */
  readonly onRefused: (reason: RefusalReason) => void;
}

export function createSocketServer(
  config: Config,
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
    if (!isPipelined(response)) onRequest(request, response);
    else pipelines.add(request, response, () => onRequest(request, response));
  });
  limitConnections(server, config, onRefused);
  closeStalled(server, drainMs, () => onRefused('stalled'));
  return server;
}
