// The handlers of routes, their input and their options.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { HeaderList } from '../model/http-seam.ts';

/** A request for data of the current snapshot, with all that its answer may depend on. */
export interface ReadContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly snapshot: Snapshot;
  /** Parameters of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly cacheControl: string;
  /** Headers of this answer alone. */
  readonly extra: HeaderList;
}

/**
 * Writes the answer to a GET or HEAD.
 *
 * @throws {Refusal} before anything is written.
 */
export type ReadHandler = (context: ReadContext) => void;

/** Answers through the framework. */
export type ReplyHandler = (request: FastifyRequest, reply: FastifyReply) => unknown;

export interface ReadOptions {
  /** False for what machines poll: a rate limit must not make the server look dead. */
  readonly isLimited?: boolean;
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
  /** Requests of one client address per minute; 0 is no limit. */
  readonly perMinute: number;
}
