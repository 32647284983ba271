// The filter of a search: its parameters, their limits, and the cursor of the next page.

import { z } from 'zod';
import type { Issue, Parsed } from '../errors.ts';
import { DATE_PATTERN, dateSchema, isDate } from './date.ts';
import { expected, issuesOf } from './issues.ts';
import { isUlid, ULID_PATTERN } from './ulid.ts';

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

export const cursorSchema = z
  .string(expected('a next_cursor'))
  .refine((text) => parseCursor(text) !== null, expected('a next_cursor of an earlier answer'))
  .meta({
    description:
      'next_cursor of the previous page, such as "2026-01-31.01KGA7V5G0AB12CD34EF56GH78"; all other ' +
      'parameters must stay the same',
    pattern: `${DATE_PATTERN.source.slice(0, -1)}\\.${ULID_PATTERN.source.slice(1)}`,
  });

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
  cursor: cursorSchema.optional(),
});

/** A parsed filter; answers repeat it as `filters`. */
export type SearchFilter = z.infer<typeof searchFilterSchema>;

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

/** The position of a review in the order "newest first". */
export interface CursorPosition {
  readonly date: string;
  readonly id: string;
}

/** A cursor names the last review of a page, so it stays valid when reviews are added or removed. */
export function formatCursor({ date, id }: CursorPosition): string {
  return `${date}.${id}`;
}

/** The position that a cursor names; null if the cursor is invalid. */
export function parseCursor(cursor: string): CursorPosition | null {
  const [date, id, ...rest] = cursor.split('.');
  if (date === undefined || id === undefined || rest.length > 0) return null;
  return isDate(date) && isUlid(id) ? { date, id } : null;
}
