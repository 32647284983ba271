// The cursor of a page of reviews: its text is parsed here when a request arrives, and written here when an
// answer leaves.

import { z } from 'zod';
import { DATE_PATTERN, isDate } from './date.ts';
import { expected } from './issues.ts';
import { isUlid, ULID_PATTERN } from './ulid.ts';

/** Names the last review of a page, so it stays valid when reviews are added or removed. */
export class Cursor {
  readonly date: string;
  readonly id: string;

  constructor(date: string, id: string) {
    this.date = date;
    this.id = id;
  }

  toString(): string {
    return `${this.date}.${this.id}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

function parseCursor(text: string): Cursor | null {
  const [date, id, ...rest] = text.split('.');
  if (date === undefined || id === undefined || rest.length > 0) return null;
  return isDate(date) && isUlid(id) ? new Cursor(date, id) : null;
}

export const CURSOR_DESCRIPTION =
  'next_cursor of the previous page, such as "2026-01-31.01KGA7V5G0AB12CD34EF56GH78"; all other ' +
  'parameters must stay the same';

/** The text of a cursor, as in requests and answers. */
export const cursorTextSchema = z
  .string(expected('a next_cursor'))
  .refine((text) => parseCursor(text) !== null, expected('a next_cursor of an earlier answer'))
  .meta({
    description: CURSOR_DESCRIPTION,
    pattern: `${DATE_PATTERN.source.slice(0, -1)}\\.${ULID_PATTERN.source.slice(1)}`,
  });

/** Parses the text of a cursor. */
export const cursorSchema = cursorTextSchema.transform((text) => parseCursor(text) as Cursor);
