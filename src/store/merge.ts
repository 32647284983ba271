// The way of an import into the store: its rows staged in a temporary table, and merged in one
// transaction.

import { type Expression, type SqlBool, sql } from 'kysely';
import type { Business } from '../model/business.ts';
import type { Database, Executor } from './database.ts';
import type { StagedRow } from './schema.ts';

/** Rows in one INSERT: SQLite takes 32,766 values in a statement. */
const BATCH = 500;

/** What an import did to the store; with the refused rows they add up to the rows of the file. */
export interface MergeCounts {
  added: number;
  updated: number;
  unchanged: number;
  /** Rows whose review came again later in the same import. */
  duplicate: number;
  removed: number;
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
  /** Who publishes what is merged; believed until `publisherUntil` (ms since 1970). */
  readonly publisher: string;
  readonly publisherUntil: number;
}

const CONTENT = [
  'source',
  'author',
  'author_avatar_url',
  'rating',
  'date',
  'text',
  'source_url',
  'owner_reply_text',
  'owner_reply_date',
  'verified_by',
] as const;
const COLUMNS = ['id', 'identity', ...CONTENT] as const;

/** Rows of an import on their way in: in a temporary table, out of the way of every other reader. */
export class Staging {
  readonly #database: Database;
  #batch: StagedRow[] = [];
  #sequence = 0;

  private constructor(database: Database) {
    this.#database = database;
  }

  static async open(database: Database): Promise<Staging> {
    const { schema } = database.read;
    await schema.dropTable('temp.staged_reviews').ifExists().execute();
    let table = schema
      .createTable('staged_reviews')
      .temporary()
      .addColumn('sequence', 'integer', (column) => column.primaryKey())
      .addColumn('verified', 'integer');
    for (const column of COLUMNS) {
      table = table.addColumn(column, column === 'rating' ? 'integer' : 'text');
    }
    await table.execute();
    return new Staging(database);
  }

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

  /** Merges what was staged. Of rows for the same review the last one counts. */
  async merge(options: MergeOptions): Promise<MergeCounts> {
    await this.#flush();
    const { read } = this.#database;
    await read.schema
      .createIndex('temp.staged_identity')
      .on('staged_reviews')
      .column('identity')
      .execute();
    let duplicate = await keepLast(read, 'identity');
    await read.schema.createIndex('temp.staged_id').on('staged_reviews').column('id').execute();
    try {
      return await this.#database.write(async (transaction) => {
        const counts = await merge(transaction, options);
        duplicate += counts.duplicate;
        if (options.dryRun) throw new DryRun({ ...counts, duplicate });
        return { ...counts, duplicate };
      });
    } catch (error) {
      if (error instanceof DryRun) return error.counts;
      throw error;
    }
  }
}

/** Rolls a transaction back that did everything but last. */
class DryRun extends Error {
  readonly counts: MergeCounts;

  constructor(counts: MergeCounts) {
    super('dry run');
    this.counts = counts;
  }
}

/** Deletes all but the last staged row of each key; returns how many went. */
async function keepLast(executor: Executor, key: 'identity' | 'id'): Promise<number> {
  const { numDeletedRows } = await executor
    .deleteFrom('staged_reviews')
    .where('sequence', 'in', (query) =>
      query
        .selectFrom('staged_reviews as row')
        .innerJoin('staged_reviews as later', (join) =>
          join
            .onRef(`later.${key}`, '=', `row.${key}`)
            .onRef('later.sequence', '>', 'row.sequence'),
        )
        .select('row.sequence'),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function merge(transaction: Executor, options: MergeOptions): Promise<MergeCounts> {
  const clearedExample = await clearExample(transaction, options.example);
  await takeKnownIds(transaction);
  const duplicate = await keepLast(transaction, 'id');
  const { total, known, updated } = await classify(transaction);
  const added = total - known;
  if (added + updated > 0) await upsertChanged(transaction);
  const removed = options.prune ? await prune(transaction) : 0;
  const newBusiness =
    options.business !== null && (await saveBusiness(transaction, options.business));
  if (added + updated + removed > 0 || newBusiness || clearedExample) {
    await transaction
      .updateTable('state')
      .set((set) => ({
        content_version: set('content_version', '+', 1),
        example: options.example ? 1 : 0,
        publisher: options.publisher,
        publisher_until: options.publisherUntil,
      }))
      .execute();
  }
  return { added, updated, unchanged: known - updated, duplicate, removed };
}

/** The first real import that brings a review replaces the example business whole. */
async function clearExample(transaction: Executor, example: boolean): Promise<boolean> {
  const state = await transaction.selectFrom('state').select('example').executeTakeFirstOrThrow();
  if (example || state.example === 0) return false;
  const staged = await transaction
    .selectFrom('staged_reviews')
    .select('sequence')
    .limit(1)
    .executeTakeFirst();
  if (!staged) return false;
  await transaction.deleteFrom('reviews').execute();
  await transaction.deleteFrom('business').execute();
  return true;
}

/** A review that was imported before keeps its id, whatever date or words it has now. */
async function takeKnownIds(transaction: Executor): Promise<void> {
  await transaction
    .updateTable('staged_reviews')
    .from('reviews')
    .set((set) => ({ id: set.ref('reviews.id') }))
    .whereRef('reviews.identity', '=', 'staged_reviews.identity')
    .whereRef('reviews.id', '!=', 'staged_reviews.id')
    .execute();
}

/** Whether a staged row would change the stored review. No word on verification changes none. */
function differs(): Expression<SqlBool> {
  const columns = CONTENT.filter((column) => column !== 'verified_by').map(
    (column) => sql`s.${sql.ref(column)} is distinct from r.${sql.ref(column)}`,
  );
  return sql<SqlBool>`(${sql.join(columns, sql` or `)} or (s.verified is not null and
    (s.verified <> r.verified or s.verified_by is distinct from r.verified_by)))`;
}

function classify(
  transaction: Executor,
): Promise<{ total: number; known: number; updated: number }> {
  return transaction
    .selectFrom('staged_reviews as s')
    .leftJoin('reviews as r', 'r.id', 's.id')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.count<number>('r.id').as('known'),
      sql<number>`coalesce(sum(case when r.id is not null and ${differs()} then 1 else 0 end), 0)`.as(
        'updated',
      ),
    ])
    .executeTakeFirstOrThrow();
}

async function upsertChanged(transaction: Executor): Promise<void> {
  await transaction
    .insertInto('reviews')
    .columns([...COLUMNS, 'verified'])
    .expression((query) =>
      query
        .selectFrom('staged_reviews as s')
        .leftJoin('reviews as r', 'r.id', 's.id')
        .select([
          's.id',
          sql<string>`coalesce(r.identity, s.identity)`.as('identity'),
          ...CONTENT.filter((column) => column !== 'verified_by').map(
            (column) => `s.${column}` as const,
          ),
          sql<string>`case when s.verified is null then r.verified_by else s.verified_by end`.as(
            'verified_by',
          ),
          sql<number>`coalesce(s.verified, r.verified, 0)`.as('verified'),
        ])
        .where((where) => where.or([where('r.id', 'is', null), differs()]))
        // In the order of the key, which is that of the dates: appending is quick.
        .orderBy('s.id'),
    )
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((set) =>
          Object.fromEntries(
            [...CONTENT, 'verified' as const].map((column) => [
              column,
              set.ref(`excluded.${column}`),
            ]),
          ),
        ),
    )
    .execute();
}

async function prune(transaction: Executor): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('reviews')
    .where('source', 'in', (query) =>
      query.selectFrom('staged_reviews').select('source').distinct(),
    )
    .where('id', 'not in', (query) => query.selectFrom('staged_reviews').select('id'))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
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
