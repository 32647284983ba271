// Ring 5 of a publish (see 1-attempts.ts): stops the analysis of a review after a time limit.

import { createContext, Script } from 'node:vm';

const RUN = new Script('work()');

/** Runs work that waits for nothing. Returns false if it was stopped because it took longer than the limit. */
export function runWithin(limitMs: number, work: () => void): boolean {
  try {
    RUN.runInContext(createContext({ work }), { timeout: limitMs });
    return true;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}
