// Claims and waits name the time at which they end, by the clock of the machine that made them. If that clock
// was ahead and was set right since, they must not last until then.

import { type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { Schema } from './schema.ts';

/** How far apart the clocks of the servers of one store may be. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** The latest end that a claim or a wait of this length can have; one that ends later is void. */
export function latestEnd(nowMs: number, longestMs: number): number {
  return nowMs + longestMs + CLOCK_DIFFERENCE_MS;
}

/** Whether a claim or a wait has ended, or is void. */
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
