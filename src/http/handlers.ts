// The handlers of routes, their input and their options.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Caller } from '../model/http-seam.ts';

/** A request for data of the current snapshot, with all that its answer may depend on. */
export interface ReadContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly snapshot: Snapshot;
  readonly parameters: Readonly<Record<string, string>>;
  readonly cacheControl: string;
}

/** Writes the answer to a GET or HEAD. @throws {Refusal} before anything is written. */
export type ReadHandler = (context: ReadContext) => void;

/** Answers from a cache and returns its route; null, with nothing written, if it has no answer. */
export type ReadyAnswer = (request: IncomingMessage, response: ServerResponse) => string | null;

/** Reads the request and writes the answer, perhaps for long. */
export type StreamHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
) => void;

/** Answers a request that the framework routed. @throws {Refusal} before anything is written. */
export type RoutedHandler = (
  request: FastifyRequest,
  response: ServerResponse,
) => void | Promise<void>;

export interface ReadOptions {
  /** The paths that an export writes to files. */
  readonly paths?: () => Iterable<string>;
}

/** A route whose answers depend only on the snapshot, so that an export can write them to files. */
export interface ExportedRoute {
  /** As in model/routes.ts. */
  readonly path: string;
  readonly paths: () => Iterable<string>;
}

export interface FormOptions {
  /** Media type of the accepted bodies. */
  readonly type: string;
  readonly maxBytes: number;
}
