// The filter of a search: its parameters, their bounds, and the cursor that a walk is resumed from.

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

/** How many reviews a page has at most. */
export const limitSchema = integer(1, 100)
  .default(20)
  .describe('how many reviews to return at most: 1 to 100, default 20');

export const cursorSchema = z
  .string(expected('a next_cursor'))
  .refine((text) => parseCursor(text) !== null, expected('a next_cursor of an earlier answer'))
  .meta({
    description:
      'next_cursor of the answer before, a date and an id as in ' +
      '"2026-01-31.01KGA7V5G0AB12CD34EF56GH78", for the next page; all else must stay the same',
    pattern: `${DATE_PATTERN.source.slice(0, -1)}\\.${ULID_PATTERN.source.slice(1)}`,
  });

/** The search parameters as JSON has them. Absent means: not filtered by this. */
export const searchFilterSchema = z.strictObject({
  rating: integer(1, 5).optional().describe('exactly so many stars, an integer from 1 to 5'),
  min_rating: number(1, 5).optional().describe('at least so many stars, a number from 1 to 5'),
  since: dateSchema.optional().describe('YYYY-MM-DD, first day included'),
  until: dateSchema.optional().describe('YYYY-MM-DD, last day included'),
  query: words
    .optional()
    .describe('words as they stand in the text, in this order; case and accents do not matter'),
  mentions_technician: words.optional().describe("a technician's name, alias or id"),
  mentions_service: words.optional().describe("a service's id, label or alias"),
  source: words.optional().describe('where the review was written, such as "google"'),
  limit: limitSchema,
  cursor: cursorSchema.optional(),
});

/** A filter that was parsed. Its JSON form is also what an answer repeats as `filters`. */
export type SearchFilter = z.infer<typeof searchFilterSchema>;

const NUMBERS = new Set(['rating', 'min_rating', 'limit']);
/** Empty, these are filters not given; the others are invalid when empty. */
export const EMPTY_IS_ABSENT: ReadonlySet<string> = new Set([
  'query',
  'mentions_technician',
  'mentions_service',
  'source',
]);
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/**
 * Parses the parameters of a URL's query. Unknown ones are ignored; a repeated one is an issue. All
 * issues of a request come at once.
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

/** The values without the empty ones that are filters not given. */
function withoutEmpty(
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const isEmpty = ([name, value]: [string, unknown]) => value === '' && EMPTY_IS_ABSENT.has(name);
  const entries = Object.entries(values);
  return entries.some(isEmpty)
    ? Object.fromEntries(entries.filter((entry) => !isEmpty(entry)))
    : values;
}

/** The place of a review in the order "newest first". */
export interface CursorPosition {
  readonly date: string;
  readonly id: string;
}

/** A cursor names the last review returned, so that it stays good when reviews come and go. */
export function formatCursor(place: CursorPosition): string {
  return `${place.date}.${place.id}`;
}

/** The place that a cursor names, null if it is none of ours. */
export function parseCursor(cursor: string): CursorPosition | null {
  const [date, id, ...rest] = cursor.split('.');
  if (date === undefined || id === undefined || rest.length > 0) return null;
  return isDate(date) && isUlid(id) ? { date, id } : null;
}
