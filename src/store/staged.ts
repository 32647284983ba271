// The statements that merge staged rows: which are of the same review, which the store knows, and
// what is written of them.

import { type Expression, type SqlBool, sql } from 'kysely';
import type { Executor } from './engine.ts';

/** What the reviewer and the owner wrote. */
const WRITTEN = [
  'source',
  'author',
  'author_avatar_url',
  'rating',
  'date',
  'text',
  'source_url',
  'owner_reply_text',
  'owner_reply_date',
] as const;
export const COLUMNS = ['id', 'identity', ...WRITTEN, 'verified_by'] as const;

/** Deletes all but the last staged row of each key; returns how many went. */
export async function keepLast(executor: Executor, key: 'identity' | 'id'): Promise<number> {
  const { numDeletedRows } = await executor
    .deleteFrom('staged_reviews as row')
    .where((where) =>
      where.exists(
        where
          .selectFrom('staged_reviews as later')
          .select('later.sequence')
          .whereRef(`later.${key}`, '=', `row.${key}`)
          .whereRef('later.sequence', '>', 'row.sequence'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** A review that was imported before keeps its id, whatever date or words it has now. */
export async function takeKnownIds(transaction: Executor): Promise<void> {
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
  const columns = WRITTEN.map(
    (column) => sql`s.${sql.ref(column)} is distinct from r.${sql.ref(column)}`,
  );
  return sql<SqlBool>`(${sql.join(columns, sql` or `)} or (s.verified is not null and
    (s.verified <> r.verified or coalesce(s.verified_by, r.verified_by) is distinct from
      r.verified_by)))`;
}

/** Whether a staged row tells by what a review is known that so far only a mirror brought. */
function namesSource(): Expression<SqlBool> {
  return sql<SqlBool>`substr(r.identity, 1, 3) = 'id:' and substr(s.identity, 1, 3) <> 'id:'`;
}

export async function findKnown(executor: Executor): Promise<void> {
  await executor
    .insertInto('known_reviews')
    .columns(['id', 'changed', 'verified'])
    .expression((query) =>
      query
        .selectFrom('staged_reviews as s')
        .innerJoin('reviews as r', 'r.id', 's.id')
        .select([
          'r.id',
          sql<number>`case when ${differs()} then 1 when ${namesSource()} then 2 else 0 end`.as(
            'changed',
          ),
          'r.verified',
        ]),
    )
    .execute();
}

/** The staged rows that leave their review unverified. */
function unverifiedRows(executor: Executor) {
  return executor
    .selectFrom('staged_reviews as s')
    .leftJoin('known_reviews as k', 'k.id', 's.id')
    .where(sql<number>`coalesce(s.verified, k.verified, 0)`, '=', 0);
}

export async function countUnverified(executor: Executor): Promise<number> {
  const { unverified } = await unverifiedRows(executor)
    .select(({ fn }) => fn.countAll<number>().as('unverified'))
    .executeTakeFirstOrThrow();
  return unverified;
}

/** Sequence numbers of the staged rows that leave their review unverified, ascending. */
export async function listUnverified(executor: Executor): Promise<number[]> {
  const rows = await unverifiedRows(executor).select('s.sequence').orderBy('s.sequence').execute();
  return rows.map(({ sequence }) => sequence);
}

export async function upsertChanged(transaction: Executor): Promise<void> {
  await transaction
    .insertInto('reviews')
    .columns([...COLUMNS, 'verified'])
    .expression((query) =>
      query
        .selectFrom('staged_reviews as s')
        .leftJoin('known_reviews as k', 'k.id', 's.id')
        .leftJoin('reviews as r', 'r.id', 'k.id')
        .select([
          's.id',
          sql<string>`case when ${namesSource()} then s.identity else
            coalesce(r.identity, s.identity) end`.as('identity'),
          ...WRITTEN.map((column) => `s.${column}` as const),
          // A mirror says that a review is verified, and not how: what is known of that stays.
          sql<string>`case when s.verified = 0 then null else
            coalesce(s.verified_by, r.verified_by) end`.as('verified_by'),
          sql<number>`coalesce(s.verified, r.verified, 0)`.as('verified'),
        ])
        .where((where) => where.or([where('k.id', 'is', null), where('k.changed', '>', 0)]))
        // In the order of the key, which is that of the dates: appending is quick.
        .orderBy('s.id'),
    )
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((set) =>
          Object.fromEntries(
            (['identity', ...WRITTEN, 'verified_by', 'verified'] as const).map((column) => [
              column,
              set.ref(`excluded.${column}`),
            ]),
          ),
        ),
    )
    .execute();
}

export async function prune(transaction: Executor): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('reviews')
    .where('source', 'in', (query) =>
      query.selectFrom('staged_reviews').select('source').distinct(),
    )
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('staged_reviews')
            .select('staged_reviews.id')
            .whereRef('staged_reviews.id', '=', 'reviews.id'),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
