// The filter of a search: its parameters and their limits.

import { z } from 'zod';
import type { Issue, Parsed } from '../errors.ts';
import { CURSOR_DESCRIPTION, cursorSchema, cursorTextSchema } from './cursor.ts';
import { dateSchema } from './date.ts';
import { expected, issuesOf } from './issues.ts';

const integer = (low: number, high: number) => {
  const message = expected(`an integer from ${low} to ${high}`);
  return z.int(message).min(low, message).max(high, message);
};
const number = (low: number, high: number) => {
  const message = expected(`a number from ${low} to ${high}`);
  return z.number(message).min(low, message).max(high, message);
};
const words = z.string(expected('text'));

/** Maximum reviews of a page. */
export const limitSchema = integer(1, 100)
  .default(20)
  .describe('maximum number of reviews to return: 1 to 100, default 20');

/** The search parameters as JSON. An absent parameter does not filter. */
export const searchFilterSchema = z.strictObject({
  rating: integer(1, 5).optional().describe('number of stars, an integer from 1 to 5'),
  min_rating: number(1, 5).optional().describe('minimum number of stars, a number from 1 to 5'),
  since: dateSchema.optional().describe('first day, YYYY-MM-DD'),
  until: dateSchema.optional().describe('last day, YYYY-MM-DD'),
  query: words.optional().describe('text that the review contains; case and accents do not matter'),
  mentions_technician: words.optional().describe("a technician's name, alias or id"),
  mentions_service: words.optional().describe("a service's id, label or alias"),
  source: words.optional().describe('source of the review, such as "google"'),
  limit: limitSchema,
  cursor: cursorSchema.optional().describe(CURSOR_DESCRIPTION),
});

/** A parsed filter; answers repeat it as `filters`. */
export type SearchFilter = z.infer<typeof searchFilterSchema>;

/** The filter as answers repeat it. */
export const appliedFilterSchema = searchFilterSchema.extend({
  cursor: cursorTextSchema.optional(),
});

const NUMBERS = new Set(['rating', 'min_rating', 'limit']);
/** Parameters that count as absent when empty; other empty parameters are invalid. */
export const EMPTY_IS_ABSENT: ReadonlySet<string> = new Set([
  'query',
  'mentions_technician',
  'mentions_service',
  'source',
]);
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/**
 * Parses the query parameters of a URL. Unknown parameters are ignored; a repeated one is an issue.
 * Returns all issues at once.
 */
export function parseSearchParameters(
  parameters: Readonly<Record<string, string | readonly string[] | undefined>>,
): Parsed<SearchFilter> {
  const repeated: Issue[] = [];
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(searchFilterSchema.shape)) {
    const value = parameters[name];
    if (value === undefined) continue;
    if (typeof value !== 'string') {
      repeated.push({
        code: 'repeated',
        path: [name],
        message: `expected ${name} once, got it ${value.length} times`,
      });
    } else {
      values[name] = NUMBERS.has(name) && DECIMAL.test(value) ? Number(value) : value;
    }
  }
  const result = searchFilterSchema.safeParse(withoutEmpty(values));
  if (result.success && repeated.length === 0) return { ok: true, value: result.data };
  return { ok: false, issues: [...repeated, ...issuesOf(result.error)] };
}

/** The values without the empty ones that count as absent. */
function withoutEmpty(
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const isEmpty = ([name, value]: [string, unknown]) => value === '' && EMPTY_IS_ABSENT.has(name);
  const entries = Object.entries(values);
  return entries.some(isEmpty)
    ? Object.fromEntries(entries.filter((entry) => !isEmpty(entry)))
    : values;
}
