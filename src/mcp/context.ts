// What the definitions of tools, resources and prompts need of the program around them.

import { randomUUID } from 'node:crypto';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Answers } from '../snapshot/queries.ts';

export interface ServerContext {
  /** About the current snapshot; each request asks once. */
  readonly answers: () => Answers;
  readonly version: string;
  /** Tells the log of a fault, under an id that the client may be given. */
  readonly report: (error: unknown, faultId: string) => void;
}

/** Tells the log; returns the id. */
export function reportFault(context: Pick<ServerContext, 'report'>, error: unknown): string {
  const faultId = randomUUID();
  context.report(error, faultId);
  return faultId;
}

/** Runs a handler whose refusals are for the client and whose faults are not. */
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
