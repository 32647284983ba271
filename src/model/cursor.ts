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
  /** What the reviews are sorted by before their dates: stars or relevance. Null if by date alone. */
  readonly rank: number | null;

  constructor(date: string, id: string, rank: number | null = null) {
    this.date = date;
    this.id = id;
    this.rank = rank;
  }

  toString(): string {
    const place = `${this.date}.${this.id}`;
    return this.rank === null ? place : `${this.rank}.${place}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

const RANK = /^(?:0|[1-9]\d{0,8})$/;

function parseCursor(text: string): Cursor | null {
  const parts = text.split('.');
  const [id = '', date = '', rank, ...rest] = parts.toReversed();
  if (rest.length > 0 || (rank !== undefined && !RANK.test(rank))) return null;
  if (!isDate(date) || !isUlid(id)) return null;
  return new Cursor(date, id, rank === undefined ? null : Number(rank));
}

export const CURSOR_DESCRIPTION =
  'next_cursor of the previous page, such as "2026-01-31.01KGA7V5G0AB12CD34EF56GH78"; all other ' +
  'parameters must stay the same';

export const cursorTextSchema = z
  .string(expected('a next_cursor'))
  .refine((text) => parseCursor(text) !== null, expected('a next_cursor of an earlier answer'))
  .meta({
    description: CURSOR_DESCRIPTION,
    pattern: `^(?:${RANK.source.slice(1, -1)}\\.)?${DATE_PATTERN.source.slice(1, -1)}\\.${ULID_PATTERN.source.slice(1)}`,
  });

export const cursorSchema = cursorTextSchema.transform((text) => parseCursor(text) as Cursor);
