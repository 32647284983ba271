// Schemas speak to people: what was expected, and what came.

import type { z } from 'zod';
import { type Issue, show } from '../errors.ts';

/** The message of a schema, or of one of its checks. */
export function expected(what: string): { error: (issue: { input?: unknown }) => string } {
  return { error: ({ input }) => `expected ${what}, got ${show(input)}` };
}

/** The issues of a failed zod parse in the shape of the contract, each once. */
export function issuesOf(error: z.ZodError | undefined): Issue[] {
  const issues = new Map<string, Issue>();
  for (const { code, path, message } of error?.issues ?? []) {
    const keys = path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    // A number can break two rules that are told in the same words.
    const known = JSON.stringify([keys, message]);
    if (!issues.has(known)) issues.set(known, { code, path: keys, message });
  }
  return [...issues.values()];
}
