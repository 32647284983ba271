// The statements of a merge: they match staged rows with each other and with stored reviews, and write
// the changes.

import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Executor } from '../engine.ts';
import { isBetterIdentity } from './identities.ts';

/** Columns that an import replaces. */
const CONTENT_COLUMNS = [
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
/** Columns that keep what is stored if an import does not say it. */
const OTHER_COLUMNS = ['title', 'verified_by', 'verified_level', 'verified_at'] as const;
/** The columns of a staged row that are stored with the review, but `verified`. */
export const STAGED_COLUMNS = ['id', 'identity', ...CONTENT_COLUMNS, ...OTHER_COLUMNS] as const;

/** SQL of the values after the merge of a staged row `s` into a stored review `r`, which may be missing. */
const MERGED: Readonly<
  Record<(typeof CONTENT_COLUMNS | typeof OTHER_COLUMNS)[number] | 'verified', RawBuilder<unknown>>
> = {
  ...(Object.fromEntries(
    CONTENT_COLUMNS.map((column) => [column, sql`s.${sql.ref(column)}`]),
  ) as Record<(typeof CONTENT_COLUMNS)[number], RawBuilder<unknown>>),
  // The export of another instance has the title in the text alone, and does not say how it was verified.
  title: sql`case when s.title is null and s.text is not distinct from r.text then r.title
    else s.title end`,
  verified_by: sql`case when s.verified = 0 then null else
    coalesce(s.verified_by, r.verified_by) end`,
  verified_level: sql`coalesce(s.verified_level, r.verified_level)`,
  verified_at: sql`case when s.verified = 0 then null else
    coalesce(s.verified_at, r.verified_at) end`,
  verified: sql`coalesce(s.verified, r.verified, 0)`,
};
/** Every column of a review but its id and identity. */
export const MERGED_COLUMNS = Object.keys(MERGED) as (keyof typeof MERGED)[];

/** Deletes all but the last staged row of each key; returns the number of deleted rows. */
export async function keepLast(executor: Executor, key: 'identity' | 'id'): Promise<number> {
  // Not by a later row of the same key: PostgreSQL would compare each row with all others of its key.
  const { numAffectedRows } = await sql`delete from staged_reviews where sequence in (
    select sequence from (select sequence, max(sequence) over (partition by ${sql.ref(key)}) as last
      from staged_reviews) as keyed where sequence < last)`.execute(executor);
  return Number(numAffectedRows ?? 0);
}

/** Gives staged rows the ids of stored reviews with the same identity, even if date or text changed. */
export async function adoptStoredIds(transaction: Executor): Promise<void> {
  await transaction
    .updateTable('staged_reviews')
    .from('reviews')
    .set((set) => ({ id: set.ref('reviews.id') }))
    .whereRef('reviews.identity', '=', 'staged_reviews.identity')
    .whereRef('reviews.id', '!=', 'staged_reviews.id')
    .execute();
}

/** SQL condition: the staged row changes the stored review. */
function differs(): Expression<SqlBool> {
  const columns = MERGED_COLUMNS.map(
    (column) => sql`(${MERGED[column]}) is distinct from r.${sql.ref(column)}`,
  );
  return sql<SqlBool>`(${sql.join(columns, sql` or `)})`;
}

/** Fills `known_reviews` with the stored reviews that staged rows match. */
export async function matchStored(executor: Executor): Promise<void> {
  await executor
    .insertInto('known_reviews')
    .columns(['id', 'changed', 'verified'])
    .expression((query) =>
      query
        .selectFrom('staged_reviews as s')
        .innerJoin('reviews as r', 'r.id', 's.id')
        .select([
          'r.id',
          sql<number>`case when ${differs()} then 1 when ${isBetterIdentity()} then 2 else 0 end`.as(
            'changed',
          ),
          'r.verified',
        ]),
    )
    .execute();
}

/** The staged rows whose review is unverified after the merge. */
function unverifiedRows(executor: Executor) {
  return executor
    .selectFrom('staged_reviews as s')
    .leftJoin('known_reviews as k', 'k.id', 's.id')
    .where(sql<number>`coalesce(s.verified, k.verified, 0)`, '=', 0);
}

/** Counts the staged rows whose review is unverified after the merge. */
export async function countUnverified(executor: Executor): Promise<number> {
  const { unverified } = await unverifiedRows(executor)
    .select(({ fn }) => fn.countAll<number>().as('unverified'))
    .executeTakeFirstOrThrow();
  return unverified;
}

/** Counts the staged rows whose review is hidden, and verified after the merge. */
export async function countHidden(executor: Executor): Promise<number> {
  const { hidden } = await executor
    .selectFrom('staged_reviews as s')
    .innerJoin('hidden_reviews as h', 'h.review_id', 's.id')
    .leftJoin('known_reviews as k', 'k.id', 's.id')
    .where(sql<number>`coalesce(s.verified, k.verified, 0)`, '=', 1)
    .select(({ fn }) => fn.countAll<number>().as('hidden'))
    .executeTakeFirstOrThrow();
  return hidden;
}

/** Sequence numbers of the staged rows that leave their review unverified, ascending. */
export async function listUnverified(executor: Executor): Promise<number[]> {
  const rows = await unverifiedRows(executor).select('s.sequence').orderBy('s.sequence').execute();
  return rows.map(({ sequence }) => sequence);
}

/** Inserts new reviews and updates changed ones. */
export async function upsertChanged(transaction: Executor): Promise<void> {
  await transaction
    .insertInto('reviews')
    .columns(['id', 'identity', ...MERGED_COLUMNS])
    .expression((query) =>
      query
        .selectFrom('staged_reviews as s')
        .leftJoin('known_reviews as k', 'k.id', 's.id')
        .leftJoin('reviews as r', 'r.id', 'k.id')
        .select([
          's.id',
          sql<string>`case when ${isBetterIdentity()} then s.identity else
            coalesce(r.identity, s.identity) end`.as('identity'),
          ...MERGED_COLUMNS.map((column) => MERGED[column].as(column)),
        ])
        .where((where) => where.or([where('k.id', 'is', null), where('k.changed', '>', 0)]))
        // In primary key order, which is by date: appending is fast.
        .orderBy('s.id'),
    )
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((set) =>
          Object.fromEntries(
            (['identity', ...MERGED_COLUMNS] as const).map((column) => [
              column,
              set.ref(`excluded.${column}`),
            ]),
          ),
        ),
    )
    .execute();
}

/** Deletes stored reviews of the staged sources that are not staged; returns their number. */
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
