// Claims and retry delays store their end by the clock of the machine that wrote them. If that clock was
// ahead and has been corrected since, the stored end is too far in the future and must be ignored.

import { type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { Schema } from './schema.ts';

/** Maximum clock difference between servers that share a store. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** The latest plausible end of a claim or a delay of at most `longestMs`. A later end is invalid. */
export function latestEnd(nowMs: number, longestMs: number): number {
  return nowMs + longestMs + CLOCK_DIFFERENCE_MS;
}

/** SQL condition: the claim or delay in `column` has ended, or its end is invalid. */
export function isOver<Table extends keyof Schema>(
  where: ExpressionBuilder<Schema, Table>,
  column: Parameters<ExpressionBuilder<Schema, Table>>[0],
  nowMs: number,
  longestMs: number,
): Expression<SqlBool> {
  return where.or([
    where(column, '<=', nowMs as never),
    where(column, '>', latestEnd(nowMs, longestMs) as never),
  ]);
}
