// Copies a whole store from one database to another, SQLite or PostgreSQL. Documents are copied byte for
// byte, so the copy serves the same ETags.

import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Executor } from '../engine.ts';
import type { Schema, StateRow } from '../schema.ts';
import { markErasing } from '../reviews/erasures.ts';
import { closeMissing, loadLogKeys, putLogKeys } from '../log/log.ts';
import { loadState, requestPublishIn } from '../state.ts';
import copiedTables from './copied-tables.json' with { type: 'json' };

/** `state` is copied apart; the target has its migrations already. */
type OtherTable =
  | 'log_state'
  | 'state'
  | 'kysely_migration'
  | 'staged_reviews'
  | 'staged_identities'
  | 'known_reviews';

/** Every copied table, and its rows per INSERT; one of `snapshot_parts` has up to 4 MiB. */
const TABLES = copiedTables satisfies Record<Exclude<keyof Schema, OtherTable>, number>;

type CopiedTable = keyof typeof TABLES;

type CopyCounts = Readonly<Record<CopiedTable, number>>;

/** What a target keeps that keeps its transparency log, beside the keys. */
const LOG_TABLES = new Set<CopiedTable>(['log_bundles', 'log_reviews', 'log_cosignatures']);

export const TABLE_NAMES = Object.keys(TABLES) as CopiedTable[];
const NUMBERED = ['intents', 'denials', 'imports', 'review_history'] as const;

/** Whether the store is empty: nothing was ever imported, published or recorded. */
export async function isPristine(executor: Executor): Promise<boolean> {
  const { contentVersion, publishedVersion, origin } = await loadState(executor);
  if (contentVersion > 1 || publishedVersion > 0 || origin !== null) return false;
  const counts = Object.values(await countRows(executor));
  return counts.every((count) => count === 0);
}

/** Whether nothing was committed to an SQLite file: also while a transaction of this process fills it. */
export function isEmptyFile(path: string): boolean {
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    const counts = TABLE_NAMES.map((table) => `exists (select 1 from "${table}")`);
    return file.prepare(`select ${counts.join(' or ')} as filled`).get()?.['filled'] === 0;
  } catch (error) {
    return String(error).includes('no such table');
  } finally {
    file.close();
  }
}

export type CopyListener = (rows: number, totalRows: number) => void;

interface CopyOptions {
  /** Whether a target that is not empty is emptied first. */
  readonly replace?: boolean;
  /** Whether the target keeps its own log; a publish is pending then. */
  readonly keepsLog?: (target: Executor, source: Executor) => Promise<boolean>;
}

/**
 * Copies everything in one transaction. If the target is not empty and must not be emptied, it returns null and copies
 * nothing.
 */
export async function copyStore(
  from: Database,
  to: Database,
  onProgress: CopyListener,
  { replace = false, keepsLog = () => Promise.resolve(false) }: CopyOptions = {},
): Promise<CopyCounts | null> {
  return from.readConsistently((source) =>
    to.write(
      async (target) => {
        const keptKeys = (await keepsLog(target, source)) ? await loadLogKeys(target) : undefined;
        const tables = TABLE_NAMES.filter(
          (table) => keptKeys === undefined || !LOG_TABLES.has(table),
        );
        if (!(await isPristine(target))) {
          if (!replace) return null;
          for (const table of tables) await target.deleteFrom(table).execute();
        }
        const counts = await countRows(source);
        const totalRows = Object.values(counts).reduce((sum, count) => sum + count, 0);
        let rows = 0;
        for (const table of tables) {
          await copyTable(source, target, table, (count) => {
            rows += count;
            onProgress(rows, totalRows);
          });
        }
        const { erasingVersion } = await loadState(target);
        await target
          .updateTable('state')
          .set(await loadCopiedState(source))
          .execute();
        // What the target removed is still in its files.
        if (erasingVersion !== null) await markErasing(target);
        if (keptKeys === undefined) {
          const log = await source.selectFrom('log_state').selectAll().executeTakeFirstOrThrow();
          await target.updateTable('log_state').set(log).execute();
        } else {
          await putLogKeys(target, keptKeys);
          await closeMissing(target);
          await requestPublishIn(target);
        }
        for (const table of NUMBERED) await to.continueNumbers(target, table);
        return counts;
      },
      { lock: { exclusive: 'content' }, notifies: 'state' },
    ),
  );
}

export async function countRows(executor: Executor): Promise<CopyCounts> {
  const counts: Partial<Record<CopiedTable, number>> = {};
  for (const table of TABLE_NAMES) {
    const { rows } = await sql<{ count: number }>`select count(*) as count
      from ${sql.table(table)}`.execute(executor);
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts as CopyCounts;
}

async function copyTable(
  source: Executor,
  target: Executor,
  table: CopiedTable,
  onRows: (count: number) => void,
): Promise<void> {
  let batch: never[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    await target.insertInto(table).values(batch).execute();
    onRows(batch.length);
    batch = [];
  };
  // Source and target have the same schema, so the row type does not matter here.
  for await (const row of streamRows(source, table)) {
    batch.push(row as never);
    if (batch.length === TABLES[table]) await flush();
  }
  await flush();
}

export function streamRows(
  source: Executor,
  table: CopiedTable,
): AsyncIterableIterator<Record<string, unknown>> {
  return source.selectFrom(table).selectAll().stream(TABLES[table]) as never;
}

/** The state row without its publish claim and its backup: a copy has neither. */
export async function loadCopiedState(source: Executor): Promise<StateRow> {
  const state = await source.selectFrom('state').selectAll().executeTakeFirstOrThrow();
  const none = { publisher: null, publisher_until: 0, backed_up_at: null, backed_up_to: null };
  return { ...state, ...none };
}
