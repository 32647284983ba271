// Messages of schemas: what was expected, and what was given.

import type { z } from 'zod';
import { type Issue, show } from '../errors.ts';

/** An error option of zod: "expected `what`, got ...". */
export function expected(what: string): { error: (issue: { input?: unknown }) => string } {
  return { error: ({ input }) => `expected ${what}, got ${show(input)}` };
}

/** The issues of a failed zod parse in the shape of the contract, without duplicates. */
export function issuesOf(error: z.ZodError | undefined): Issue[] {
  const issues = new Map<string, Issue>();
  for (const issue of error?.issues ?? []) {
    const { code, path } = issue;
    const of = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
    const { message } = of ?? issue;
    const keys = path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    // Two failed checks of one value may have the same message.
    const known = JSON.stringify([keys, message]);
    if (!issues.has(known)) issues.set(known, { code, path: keys, message });
  }
  return [...issues.values()];
}
