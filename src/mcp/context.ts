// What tools, resources and prompts need from the program.

import { randomUUID } from 'node:crypto';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { SnapshotQueries } from '../snapshot/queries.ts';

export interface ServerContext {
  /** Answers from the current snapshot. Call once per request. */
  readonly queries: () => SnapshotQueries;
  readonly version: string;
  /** Logs a fault with an id that may be sent to the client. */
  readonly report: (error: unknown, faultId: string) => void;
}

/** Logs a fault under a new id and returns the id. */
export function reportFault(context: Pick<ServerContext, 'report'>, error: unknown): string {
  const faultId = randomUUID();
  context.report(error, faultId);
  return faultId;
}

/** Runs a handler: protocol errors pass through; a fault is logged and becomes an internal error. */
export type Guard = <T>(handler: () => T) => T;

export function createGuard(context: ServerContext): Guard {
  return (handler) => {
    try {
      return handler();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const id = reportFault(context, error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, `Internal error ${id}`);
    }
  };
}
