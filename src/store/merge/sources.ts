// The state of sources that are kept in step: what was last seen of them, when, and who looks now.

import type { ExpressionBuilder } from 'kysely';
import { MS_PER_DAY } from '../../model/date.ts';
import { isOver } from '../clock.ts';
import type { Database } from '../database.ts';
import type { Executor } from '../engine.ts';
import { type Schema, type SourceRow, UNCLAIMED } from '../schema.ts';

/** A claim that is not renewed lasts this long. */
export const SOURCE_CLAIM_MS = 60_000;
/** The longest time between two looks at a source. */
const LONGEST_WAIT_MS = 32 * MS_PER_DAY;
const LONGEST_ERROR = 1_000;

export function loadSources(executor: Executor): Promise<SourceRow[]> {
  return executor.selectFrom('sources').selectAll().orderBy('name').execute();
}

/**
 * The sources among `names` that are due and that nobody looks at: those that the store does not know yet, and then
 * those that have waited longest.
 */
export async function findDue(
  executor: Executor,
  names: readonly string[],
  nowMs: number,
): Promise<readonly string[]> {
  const known = await executor
    .selectFrom('sources')
    .select((where) => [
      'name',
      where
        .and([isFree(where, nowMs), isOver(where, 'next_at', nowMs, LONGEST_WAIT_MS)])
        .as('is_due'),
    ])
    .orderBy('next_at')
    .execute();
  const isNew = (name: string) => known.every((row) => row.name !== name);
  const due = known.filter(({ name, is_due }) => is_due && names.includes(name));
  return [...names.filter(isNew), ...due.map(({ name }) => name)];
}

function isFree(where: ExpressionBuilder<Schema, 'sources'>, nowMs: number) {
  return where.or([
    where('claimed_by', 'is', null),
    isOver(where, 'claimed_until', nowMs, SOURCE_CLAIM_MS),
  ]);
}

/**
 * Claims the right to look at a source, so that one process does. Null if another process holds it, or if
 * `mustBeDue` and it is too early.
 */
export function claimSource(
  database: Database,
  name: string,
  owner: string,
  { nowMs, mustBeDue }: { readonly nowMs: number; readonly mustBeDue: boolean },
): Promise<SourceRow | null> {
  return database.write(async (transaction) => {
    await transaction
      .insertInto('sources')
      .values({
        name,
        seen: null,
        checked_at: null,
        succeeded_at: null,
        failures: 0,
        error: null,
        next_at: 0,
        ...UNCLAIMED,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const row = await transaction
      .updateTable('sources')
      .set({ claimed_by: owner, claimed_until: nowMs + SOURCE_CLAIM_MS })
      .where('name', '=', name)
      .where((where) => isFree(where, nowMs))
      .$if(mustBeDue, (query) =>
        query.where((where) => isOver(where, 'next_at', nowMs, LONGEST_WAIT_MS)),
      )
      .returningAll()
      .executeTakeFirst();
    return row ?? null;
  });
}

/** Keeps a claim for longer. */
export async function renewSource(
  database: Database,
  name: string,
  owner: string,
  nowMs: number,
): Promise<void> {
  await database.write(async (transaction) => {
    await transaction
      .updateTable('sources')
      .set({ claimed_until: nowMs + SOURCE_CLAIM_MS })
      .where('name', '=', name)
      .where('claimed_by', '=', owner)
      .execute();
  });
}

/** What a look at a source found. */
export interface SourceOutcome {
  readonly nowMs: number;
  readonly nextAtMs: number;
  /** What was seen, as JSON; absent if nothing new is to be remembered. */
  readonly seen?: string;
  /** Absent after a success. */
  readonly error?: string;
  /** Whether it neither succeeded nor failed, because a file is being written. */
  readonly isPostponed?: boolean;
}

/** Records the outcome and releases the claim, unless it was lost. */
export async function recordSource(
  database: Database,
  name: string,
  owner: string,
  { nowMs, nextAtMs, seen, error, isPostponed = false }: SourceOutcome,
): Promise<void> {
  const result =
    error !== undefined
      ? { error: error.slice(0, LONGEST_ERROR) }
      : isPostponed
        ? {}
        : { error: null, succeeded_at: nowMs };
  await database.write(async (transaction) => {
    await transaction
      .updateTable('sources')
      .set((set) => ({
        checked_at: nowMs,
        next_at: nextAtMs,
        ...UNCLAIMED,
        ...(seen === undefined ? {} : { seen }),
        ...(isPostponed ? {} : { failures: error === undefined ? 0 : set('failures', '+', 1) }),
        ...result,
      }))
      .where('name', '=', name)
      .where('claimed_by', '=', owner)
      .execute();
  });
}
