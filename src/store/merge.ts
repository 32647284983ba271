// The way of an import into the store: its rows staged in a temporary table, and merged in one
// transaction.

import type { Business } from '../model/business.ts';
import type { Database } from './database.ts';
import type { Executor } from './engine.ts';
import { hasContent } from './reviews.ts';
import type { StagedRow } from './schema.ts';
import { loadState } from './snapshots.ts';
import {
  COLUMNS,
  countUnverified,
  findKnown,
  keepLast,
  listUnverified,
  prune,
  takeKnownIds,
  upsertChanged,
} from './staged.ts';

/** Held by whoever changes reviews or the business, from reading what there is until it is changed. */
const CONTENT = { alone: 'content' };
/** Rows in one INSERT: SQLite takes 32,766 values in a statement, PostgreSQL 65,535. */
const BATCH = 500;

/** What an import did to the store; with the refused rows they add up to the rows of the file. */
export interface MergeCounts {
  added: number;
  updated: number;
  unchanged: number;
  /** Rows whose review came again later in the same import. */
  duplicate: number;
  removed: number;
  /** Reviews of the import that are not verified now, and so not published. */
  unverified: number;
}

export interface MergeOptions {
  /** Replaces the stored business; null keeps it. */
  readonly business: Business | null;
  /** Removes reviews of the import's own sources that the import does not have. */
  readonly prune: boolean;
  /** Counts what would happen, and lets nothing happen. */
  readonly dryRun: boolean;
  /** Whether this is the example business. */
  readonly example: boolean;
}

/** Rows of an import on their way in: in a temporary table, out of the way of every other reader. */
export class Staging {
  readonly #database: Database;
  #batch: StagedRow[] = [];
  #sequence = 0;

  private constructor(database: Database) {
    this.#database = database;
  }

  /** Gives work a staging of its own, on a connection of its own. */
  static async use<T>(database: Database, work: (staging: Staging) => Promise<T>): Promise<T> {
    return database.withConnection(async (connection) => work(await Staging.#open(connection)));
  }

  static async #open(database: Database): Promise<Staging> {
    const { schema } = database.read;
    await schema.dropTable('staged_reviews').ifExists().execute();
    await schema.dropTable('known_reviews').ifExists().execute();
    let table = schema
      .createTable('staged_reviews')
      .temporary()
      .addColumn('sequence', 'integer', (column) => column.primaryKey())
      .addColumn('verified', 'integer');
    for (const column of COLUMNS) {
      table = table.addColumn(column, column === 'rating' ? 'integer' : 'text');
    }
    await table.execute();
    await schema
      .createTable('known_reviews')
      .temporary()
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('changed', 'integer')
      .addColumn('verified', 'integer')
      .execute();
    return new Staging(database);
  }

  /** Stages a row; the first gets sequence number 1. */
  async add(row: Omit<StagedRow, 'sequence'>): Promise<void> {
    this.#sequence += 1;
    this.#batch.push({ sequence: this.#sequence, ...row });
    if (this.#batch.length === BATCH) await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#batch.length === 0) return;
    await this.#database.read.insertInto('staged_reviews').values(this.#batch).execute();
    this.#batch = [];
  }

  /**
   * Merges what was staged; of rows for the same review the last one counts. All that can be found
   * out beforehand is, so that the transaction that others wait for only writes.
   */
  async merge(options: MergeOptions): Promise<MergeCounts> {
    await this.#flush();
    const { schema } = this.#database.read;
    await schema.createIndex('staged_identity').on('staged_reviews').column('identity').execute();
    await this.#database.analyse('staged_reviews');
    let duplicate = await keepLast(this.#database.read, 'identity');
    await schema.createIndex('staged_id').on('staged_reviews').column('id').execute();
    for (;;) {
      const plan = await makePlan(this.#database.read, options);
      duplicate += plan.duplicate;
      // Something real may have come between the decision for the example and this.
      if (options.example && !plan.hasExample && (await hasContent(this.#database.read))) {
        return { added: 0, updated: 0, unchanged: 0, duplicate: 0, removed: 0, unverified: 0 };
      }
      const counts = await this.#carryOut(plan, options);
      if (counts) return { ...counts, duplicate };
    }
  }

  /** Sequence numbers of the rows that leave their review unverified, ascending. After `merge` only. */
  unverified(): Promise<number[]> {
    return listUnverified(this.#database.read);
  }

  /** Null where another merge came between, and the plan has to be made again. */
  async #carryOut(
    plan: MergePlan,
    options: MergeOptions,
  ): Promise<Omit<MergeCounts, 'duplicate'> | null> {
    try {
      return await this.#database.write(
        async (transaction) => {
          const { contentVersion } = await loadState(transaction);
          if (contentVersion !== plan.contentVersion) return null;
          const counts = await merge(transaction, plan, options);
          if (options.dryRun) throw new DryRun(counts);
          return counts;
        },
        { lock: CONTENT, tells: 'state' },
      );
    } catch (error) {
      if (error instanceof DryRun) return error.counts;
      throw error;
    }
  }
}

/** What merging will do, as long as the content is of this version. */
interface MergePlan {
  readonly contentVersion: number;
  readonly hasExample: boolean;
  readonly replacesExample: boolean;
  readonly added: number;
  readonly updated: number;
  /** Of the unchanged, those that get another identity. */
  readonly renamed: number;
  readonly unchanged: number;
  readonly unverified: number;
  /** Rows left out, because a later one turned out to be of the same review. */
  readonly duplicate: number;
}

/** Rolls a transaction back that did everything but last. */
class DryRun extends Error {
  readonly counts: Omit<MergeCounts, 'duplicate'>;

  constructor(counts: Omit<MergeCounts, 'duplicate'>) {
    super('dry run');
    this.counts = counts;
  }
}

/** Finds the staged rows that are known already, and those of them that would change something. */
async function makePlan(
  executor: Executor,
  { business, example }: MergeOptions,
): Promise<MergePlan> {
  const { contentVersion, example: hasExample } = await loadState(executor);
  const { staged } = await executor
    .selectFrom('staged_reviews')
    .select(({ fn }) => fn.countAll<number>().as('staged'))
    .executeTakeFirstOrThrow();
  // The first real import that brings anything replaces the example business whole.
  const replacesExample = hasExample && !example && (staged > 0 || business !== null);
  await executor.deleteFrom('known_reviews').execute();
  if (!replacesExample) await takeKnownIds(executor);
  const duplicate = await keepLast(executor, 'id');
  if (!replacesExample) await findKnown(executor);
  const { known, updated, renamed } = await executor
    .selectFrom('known_reviews')
    .select(({ fn }) => [
      fn.countAll<number>().as('known'),
      fn.countAll<number>().filterWhere('changed', '=', 1).as('updated'),
      fn.countAll<number>().filterWhere('changed', '=', 2).as('renamed'),
    ])
    .executeTakeFirstOrThrow();
  return {
    contentVersion,
    hasExample,
    replacesExample,
    added: staged - duplicate - known,
    updated,
    renamed,
    unchanged: known - updated,
    unverified: await countUnverified(executor),
    duplicate,
  };
}

async function merge(
  transaction: Executor,
  { replacesExample, added, updated, renamed, unchanged, unverified }: MergePlan,
  options: MergeOptions,
): Promise<Omit<MergeCounts, 'duplicate'>> {
  if (replacesExample) {
    await transaction.deleteFrom('reviews').execute();
    await transaction.deleteFrom('business').execute();
  }
  if (added + updated + renamed > 0) await upsertChanged(transaction);
  const removed = options.prune ? await prune(transaction) : 0;
  const newBusiness =
    options.business !== null && (await saveBusiness(transaction, options.business));
  // Another identity changes nothing that is published, but what others plan to merge.
  if (added + updated + renamed + removed > 0 || newBusiness || replacesExample) {
    await transaction
      .updateTable('state')
      .set((set) => ({
        content_version: set('content_version', '+', 1),
        example: options.example ? 1 : 0,
      }))
      .execute();
  }
  return { added, updated, unchanged, removed, unverified };
}

/** Empties a store that has the example business; returns whether it had. */
export async function removeExample(database: Database): Promise<boolean> {
  return database.write(
    async (transaction) => {
      const { example } = await loadState(transaction);
      if (!example) return false;
      await transaction.deleteFrom('reviews').execute();
      await transaction.deleteFrom('business').execute();
      await transaction
        .updateTable('state')
        .set((set) => ({ content_version: set('content_version', '+', 1), example: 0 }))
        .execute();
      return true;
    },
    { lock: CONTENT, tells: 'state' },
  );
}

/** Returns whether it is another than the one that was stored. */
async function saveBusiness(transaction: Executor, business: Business): Promise<boolean> {
  const record = JSON.stringify(business);
  const known = await transaction.selectFrom('business').select('record').executeTakeFirst();
  if (known?.record === record) return false;
  await transaction
    .insertInto('business')
    .values({ id: 1, record })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ record }))
    .execute();
  return true;
}
