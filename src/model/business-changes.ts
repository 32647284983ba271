// What a new record of the business changes, in words for operators.

import type { Business } from './business.ts';

/** Longer values are cut. */
const SHOWN_CHARACTERS = 60;

/** A line for each member that changes; `before` is null without a stored business. */
export function businessChanges(before: Business | null, after: Business): string[] {
  if (before === null) return [`business: now ${shown(after.name)}`];
  const old: Readonly<Record<string, unknown>> = { ...before };
  const now: Readonly<Record<string, unknown>> = { ...after };
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...keys]
    .filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]))
    .map((key) => `business: ${key} was ${shown(old[key])}, is now ${shown(now[key])}`);
}

function shown(value: unknown): string {
  const isNothing =
    value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  if (isNothing) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
