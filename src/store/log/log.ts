// The stored transparency log: its entries, the salts of published reviews, and why reviews left.

import type { Bundle } from '../../log/bundles.ts';
import type { Opening } from '../../log/plan.ts';
import { type HidingReason, isRemovalReason, type RemovalReason } from '../../model/removal.ts';
import { WITHHELD_REASONS, type WithheldReason } from '../../model/verification.ts';
import type { Database } from '../database.ts';
import type { Executor } from '../engine.ts';
import { partsOf, ROWS } from '../parts.ts';
import { saveBundle } from './log-bundles.ts';
import { createSecret, loadSecret } from '../secrets.ts';
import { assertClaim, ClaimLost } from '../snapshots/snapshots.ts';

export interface LogState {
  /** Entries. */
  readonly size: number;
  /** Whether it is the log of the example business, which a real one replaces. */
  readonly example: boolean;
}

export async function loadLogState(executor: Executor): Promise<LogState> {
  const { size, example } = await executor
    .selectFrom('log_state')
    .select(['size', 'example'])
    .executeTakeFirstOrThrow();
  return { size, example: example === 1 };
}

/** What the log needs to know of the reviews, by their ids. */
export interface LogReviews {
  readonly openings: ReadonlyMap<string, Opening>;
  /** Of reviews that are not published any more. */
  readonly reasons: ReadonlyMap<string, RemovalReason>;
  /** Verified reviews of which the business says how they were verified. */
  readonly methodStated: ReadonlySet<string>;
}

export async function loadLogReviews(executor: Executor): Promise<LogReviews> {
  const openings = new Map<string, Opening>();
  const reasons = new Map<string, RemovalReason>();
  const unverified = await executor
    .selectFrom('reviews')
    .innerJoin('log_reviews', 'log_reviews.review_id', 'reviews.id')
    .select('id')
    .where('verified', '=', 0)
    .execute();
  for (const { id } of unverified) reasons.set(id, 'failed_verification');
  const rows = executor
    .selectFrom('log_reviews')
    .select(['review_id', 'salt', 'first', 'last', 'reason'])
    .stream(ROWS);
  for await (const { review_id: id, salt, first, last, reason } of rows) {
    openings.set(id, { salt: salt ?? '', first, last });
    if (reason !== null && isRemovalReason(reason)) reasons.set(id, reason);
  }
  const stated = await executor
    .selectFrom('reviews')
    .select('id')
    .where('verified', '=', 1)
    .where('verified_by', 'is not', null)
    .execute();
  return { openings, reasons, methodStated: new Set(stated.map(({ id }) => id)) };
}

/** Stored reviews that are not published, and why. */
interface WithheldCount {
  readonly source: string;
  readonly rating: number;
  readonly reason: WithheldReason;
  readonly count: number;
}

/** Counts the stored reviews that are not published; a hidden one that is not verified is not verified. */
export async function countWithheld(executor: Executor): Promise<WithheldCount[]> {
  const rows = await executor
    .selectFrom('reviews as r')
    .leftJoin('hidden_reviews as h', 'h.review_id', 'r.id')
    .select(({ fn }) => [
      'r.source',
      'r.rating',
      'r.verified',
      'h.reason',
      fn.countAll<number>().as('count'),
    ])
    .where((where) => where.or([where('r.verified', '=', 0), where('h.reason', 'is not', null)]))
    .groupBy(['r.source', 'r.rating', 'r.verified', 'h.reason'])
    .execute();
  return rows.map(({ verified, reason, ...row }) => ({
    ...row,
    reason: WITHHELD_REASONS.find((one) => verified === 1 && one === reason) ?? 'not_verified',
  }));
}

/** What a publish adds to the log. */
interface LogGrowth {
  /** The size of the log that the publish has read. */
  readonly before: number;
  readonly after: number;
  /** Changed and new bundles. */
  readonly bundles: readonly Bundle[];
  readonly opened: ReadonlyMap<string, Opening>;
  /** Ids whose salts are destroyed. */
  readonly closed: readonly string[];
  readonly example: boolean;
  /** Whether the log before was that of the example business and is replaced. */
  readonly isReset: boolean;
}

/**
 * Appends to the log, if it still has the size that the publish has read. So two processes never append
 * to the same tree, even if a claim was lost unnoticed.
 *
 * @throws {ClaimLost}
 */
export async function appendToLog(
  database: Database,
  publisherId: string,
  growth: LogGrowth,
): Promise<void> {
  await database.write(async (transaction) => {
    await assertClaim(transaction, publisherId);
    const { numUpdatedRows } = await transaction
      .updateTable('log_state')
      .set({ size: growth.after, example: growth.example ? 1 : 0 })
      .where('size', '=', growth.before)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) throw new ClaimLost('another process appended to the log');
    if (growth.isReset) await clearLog(transaction);
    for (const bundle of growth.bundles) await saveBundle(transaction, bundle);
    await saveOpenings(transaction, growth);
  });
}

/** Deletes all entries, so that the next publish logs everything anew. */
export async function restartLog(database: Database): Promise<void> {
  await database.write(async (transaction) => {
    await clearLog(transaction);
    await transaction.updateTable('log_state').set({ size: 0 }).execute();
  });
}

async function clearLog(transaction: Executor): Promise<void> {
  await transaction.deleteFrom('log_bundles').execute();
  await transaction.deleteFrom('log_reviews').execute();
  await transaction.deleteFrom('log_cosignatures').execute();
}

async function saveOpenings(
  transaction: Executor,
  { opened, closed }: Pick<LogGrowth, 'opened' | 'closed'>,
): Promise<void> {
  for (const ids of partsOf(closed)) {
    await transaction.deleteFrom('log_reviews').where('review_id', 'in', ids).execute();
  }
  const rows = Array.from(opened, ([id, opening]) => ({ review_id: id, ...opening, reason: null }));
  for (const some of partsOf(rows)) {
    await transaction
      .insertInto('log_reviews')
      .values(some)
      .onConflict((conflict) =>
        conflict.column('review_id').doUpdateSet((set) => ({
          salt: set.ref('excluded.salt'),
          first: set.ref('excluded.first'),
          last: set.ref('excluded.last'),
          reason: null,
        })),
      )
      .execute();
  }
}

/**
 * Notes why reviews leave, and destroys their salts at once. Call it in the transaction that deletes the
 * reviews or makes them unpublished; the next publish logs the reason.
 */
export async function closeReviews(
  transaction: Executor,
  ids: readonly string[],
  why: HidingReason,
): Promise<void> {
  const reason: RemovalReason = why === 'not_agreed' ? 'customer_request' : why;
  for (const some of partsOf(ids)) {
    await transaction
      .updateTable('log_reviews')
      .set({ reason, salt: null })
      .where('review_id', 'in', some)
      .execute();
  }
}

/** Notes that reviews which the log says are published, and which are not stored, were published in error. */
export async function closeMissing(transaction: Executor): Promise<void> {
  await transaction
    .updateTable('log_reviews')
    .set({ reason: 'error' satisfies RemovalReason, salt: null })
    .where('reason', 'is', null)
    .where('review_id', 'not in', transaction.selectFrom('reviews').select('id'))
    .execute();
}

const KEYS = 'log_keys';

/** The stored keys, as JSON; null before the first publish, and if a file has them. */
export function loadLogKeys(executor: Executor): Promise<string | null> {
  return loadSecret(executor, KEYS);
}

/** Returns the stored keys. If there are none yet, stores and returns the proposed ones. */
export function createLogKeys(database: Database, proposed: string): Promise<string> {
  return database.write((transaction) => createSecret(transaction, KEYS, proposed));
}

/** Null deletes them. */
export async function saveLogKeys(database: Database, value: string | null): Promise<void> {
  await database.write((transaction) => putLogKeys(transaction, value));
}

/** Replaces the stored keys within a transaction; null deletes them. */
export async function putLogKeys(transaction: Executor, value: string | null): Promise<void> {
  await transaction.deleteFrom('secrets').where('name', '=', KEYS).execute();
  if (value !== null) {
    await transaction.insertInto('secrets').values({ name: KEYS, value }).execute();
  }
}
