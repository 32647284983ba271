// The cursor of a page of reviews: its text is parsed here when a request arrives, and written here when an
// answer leaves.

import { z } from 'zod';
import { DATE_PATTERN, isDate } from './date.ts';
import { expected } from './issues.ts';
import { isUlid, ULID_PATTERN } from './ulid.ts';

/** Orders of the reviews in an answer. Equal ones are newest first, in `oldest` oldest first. */
export const SORTS = ['newest', 'oldest', 'highest', 'lowest', 'relevance'] as const;
export type Sort = (typeof SORTS)[number];

/** Names the last review of a page, so it stays valid when reviews are added or removed. */
export class Cursor {
  readonly date: string;
  readonly id: string;
  readonly sort: Sort;
  /** What the reviews are sorted by before their dates: stars or relevance. Null if by date alone. */
  readonly rank: number | null;

  constructor(date: string, id: string, sort: Sort = 'newest', rank: number | null = null) {
    this.date = date;
    this.id = id;
    this.sort = sort;
    this.rank = rank;
  }

  toString(): string {
    const { sort, rank, date, id } = this;
    return [sort === 'newest' ? [] : sort, rank ?? [], date, id].flat().join('.');
  }

  toJSON(): string {
    return this.toString();
  }
}

/** The order, and in orders by stars or relevance the rank; the standard order has none. */
const ORDER = /^(?:(oldest)\.|(highest|lowest|relevance)\.(0|[1-9]\d{0,8})\.)?/;

function parseCursor(text: string): Cursor | null {
  const [order = '', oldest, ranked, rank] = ORDER.exec(text) ?? [];
  const [date = '', id = '', ...rest] = text.slice(order.length).split('.');
  if (rest.length > 0 || !isDate(date) || !isUlid(id)) return null;
  const sort = (oldest ?? ranked ?? 'newest') as Sort;
  return new Cursor(date, id, sort, rank === undefined ? null : Number(rank));
}

export const CURSOR_DESCRIPTION =
  'next_cursor of the previous page, such as "2026-01-31.01KGA7V5G0AB12CD34EF56GH78"; the ' +
  'other parameters stay as they were';

export const cursorTextSchema = z
  .string(expected('a next_cursor'))
  .refine((text) => parseCursor(text) !== null, expected('a next_cursor of an earlier answer'))
  .meta({
    description: CURSOR_DESCRIPTION,
    pattern: `${ORDER.source}${DATE_PATTERN.source.slice(1, -1)}\\.${ULID_PATTERN.source.slice(1)}`,
  });

export const cursorSchema = cursorTextSchema.transform((text) => parseCursor(text) as Cursor);
