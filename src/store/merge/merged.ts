// The values of a review after a merge, as SQL: of a staged row and a stored review, and of two copies of a review.

import { type RawBuilder, sql } from 'kysely';
import {
  REVIEW_COLUMN_NAMES,
  REVIEW_COLUMNS,
  type ReviewColumn,
} from '../../model/review-columns.ts';

const columnOf = (alias: string, column: string) => sql.ref(`${alias}.${column}`);

const RULED: Readonly<Partial<Record<ReviewColumn, RawBuilder<unknown>>>> = {
  // The export of another instance has the title in the text alone, and does not say how it was verified.
  title: sql`case when s.title is null and s.text is not distinct from r.text then r.title
    else s.title end`,
  verified_by: sql`case when s.verified = 0 then null else
    coalesce(s.verified_by, r.verified_by) end`,
  verified_at: sql`case when s.verified = 0 then null else
    coalesce(s.verified_at, r.verified_at) end`,
  verified: sql`coalesce(s.verified, r.verified, 0)`,
};

/** The value of a column after the merge of a staged row `s` into a stored review `r`, which may be missing. */
export function mergedValue(column: ReviewColumn): RawBuilder<unknown> {
  const staged = columnOf('s', column);
  if (REVIEW_COLUMNS[column].ifAbsent === 'keeps') {
    return sql`coalesce(${staged}, ${columnOf('r', column)})`;
  }
  return RULED[column] ?? staged;
}

/** Assignments of all columns but `verified`: `row`, with what it lacks from `copy`. */
export function filledFrom(row: string, copy: string): RawBuilder<unknown> {
  const columns = REVIEW_COLUMN_NAMES.filter((column) => column !== 'verified');
  return sql.join(
    columns.map((column) => sql`${sql.ref(column)} = ${filledValue(column, row, copy)}`),
  );
}

function filledValue(column: ReviewColumn, row: string, copy: string): RawBuilder<unknown> {
  const own = columnOf(row, column);
  const other = columnOf(copy, column);
  if (column === 'owner_reply_date') {
    return sql`case when ${columnOf(row, 'owner_reply_text')} is null then ${other} else ${own} end`;
  }
  if (column === 'title') {
    return sql`case when ${columnOf(row, 'text')} is not distinct from ${columnOf(copy, 'text')}
      then coalesce(${own}, ${other}) else ${own} end`;
  }
  return REVIEW_COLUMNS[column].ofCopy === 'fills' ? sql`coalesce(${own}, ${other})` : own;
}
