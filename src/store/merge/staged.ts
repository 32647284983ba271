// The statements of a merge: they match staged rows with each other and with stored reviews, and write
// the changes.

import { type Expression, type SqlBool, sql } from 'kysely';
import { show } from '../../errors.ts';
import type { HidingReason } from '../../model/removal.ts';
import { REVIEW_COLUMN_NAMES } from '../../model/review-columns.ts';
import { methodOf } from '../../model/verification.ts';
import { countRows, type Executor } from '../engine.ts';
import { isBetterIdentity } from './identities.ts';
import { mergedValue } from './merged.ts';

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
  // One row adopts a review that was stored before its branch was known.
  await sql`update staged_reviews set id = r.id from reviews as r
    where r.identity = staged_reviews.unplaced
      and (r.location is null or r.location = staged_reviews.location)
      and staged_reviews.sequence in (select min(s.sequence) from staged_reviews as s
        join reviews as known on known.identity = s.unplaced
        where known.location is null or known.location = s.location group by s.unplaced)`.execute(
    transaction,
  );
}

/** SQL condition: the staged row changes the stored review. */
function differs(): Expression<SqlBool> {
  const columns = REVIEW_COLUMN_NAMES.map(
    (column) => sql`(${mergedValue(column)}) is distinct from r.${sql.ref(column)}`,
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

/** What an edit of a review can change that its readers see, as the report of an import calls it. */
const EDITS = { reply: 'owner_reply_text', words: 'text', stars: 'rating' } as const;

/** How many of the reviews that change get another reply, other words or other stars, in words; none if none does. */
export async function describeEdits(executor: Executor): Promise<string[]> {
  const edits = Object.entries(EDITS).map(([name, column]) => {
    const isEdited = sql`((${mergedValue(column)}) is distinct from r.${sql.ref(column)})`;
    return [name, isEdited] as const;
  });
  const other = sql`not (${sql.join(Object.values(Object.fromEntries(edits)), sql` or `)})`;
  const counts = [...edits, ['other details', other] as const].map(([name, is]) =>
    sql<number>`sum(case when ${is} then 1 else 0 end)`.as(name),
  );
  const found = await changed(executor).select(counts).executeTakeFirstOrThrow();
  const named = Object.entries(found)
    .filter(([, count]) => count > 0)
    .map(([name, n]) => `${name} ${n}`)
    .join(', ');
  const proofs = await changed(executor)
    .where('r.verified', '=', 1)
    .whereRef('s.verified_by', '!=', 'r.verified_by')
    .select(['r.verified_by as before', 's.verified_by as now', sql<number>`count(*)`.as('n')])
    .groupBy(['s.verified_by', 'r.verified_by'])
    .orderBy('n', 'desc')
    .limit(3)
    .execute();
  return [
    ...(named === '' ? [] : [`of the updated, changed: ${named}`]),
    ...proofs.flatMap(({ n, ...words }) => {
      // As they are published: the words themselves may name a customer.
      const [before, now] = [words.before, words.now].map((how) => show(methodOf(how ?? '')));
      return before === now ? [] : [`verified_by: ${n} said ${before}, and say ${now} now`];
    }),
  ];
}

/** The reviews that change: `s` as staged, `r` as stored. */
function changed(executor: Executor) {
  return executor
    .selectFrom('known_reviews as k')
    .innerJoin('staged_reviews as s', 's.id', 'k.id')
    .innerJoin('reviews as r', 'r.id', 'k.id')
    .where('k.changed', '=', 1);
}

function unverifiedRows(executor: Executor) {
  return executor
    .selectFrom('staged_reviews as s')
    .leftJoin('known_reviews as k', 'k.id', 's.id')
    .where(sql<number>`coalesce(s.verified, k.verified, 0)`, '=', 0);
}

export function countUnverified(executor: Executor): Promise<number> {
  return countRows(unverifiedRows(executor));
}

export function countHidden(executor: Executor): Promise<number> {
  return countRows(
    executor
      .selectFrom('staged_reviews as s')
      .innerJoin('hidden_reviews as h', 'h.review_id', 's.id')
      .leftJoin('known_reviews as k', 'k.id', 's.id')
      .where(sql<number>`coalesce(s.verified, k.verified, 0)`, '=', 1),
  );
}

/** Keeps new reviews from being published until they are shown. */
export async function hideNew(transaction: Executor): Promise<void> {
  const reason: HidingReason = 'not_agreed';
  await transaction
    .insertInto('hidden_reviews')
    .columns(['review_id', 'reason'])
    .expression((query) =>
      query
        .selectFrom('staged_reviews as s')
        .leftJoin('known_reviews as k', 'k.id', 's.id')
        .where('k.id', 'is', null)
        .select(['s.id', sql.lit(reason).as('reason')]),
    )
    .execute();
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
    .columns(['id', 'identity', ...REVIEW_COLUMN_NAMES])
    .expression((query) =>
      query
        .selectFrom('staged_reviews as s')
        .leftJoin('known_reviews as k', 'k.id', 's.id')
        .leftJoin('reviews as r', 'r.id', 'k.id')
        .select([
          's.id',
          sql<string>`case when ${isBetterIdentity()} then s.identity else
            coalesce(r.identity, s.identity) end`.as('identity'),
          ...REVIEW_COLUMN_NAMES.map((column) => mergedValue(column).as(column)),
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
            (['identity', ...REVIEW_COLUMN_NAMES] as const).map((column) => [
              column,
              set.ref(`excluded.${column}`),
            ]),
          ),
        ),
    )
    .execute();
}

/** SQL condition: a stored review of the staged sources that is not staged. */
const IS_GONE = sql<SqlBool>`source in (select distinct source from staged_reviews)
  and not exists (select 1 from staged_reviews as s where s.id = reviews.id)`;

/** How many reviews are gone from an export that has most of them, and all places of them, in words; `disagreed` are hidden. */
export async function describeGone(
  executor: Executor,
  known: number,
  disagreed: number,
): Promise<string[]> {
  const most = Math.floor(known / 2);
  const placed = sql`select location from staged_reviews where location is not null`;
  const rows = await executor
    .selectFrom('reviews')
    .where(IS_GONE)
    .select(sql<SqlBool>`location is not null and location not in (${placed})`.as('elsewhere'))
    .limit(most + disagreed + 1)
    .execute();
  const gone = rows.length - disagreed;
  const isPart = gone > most || rows.some(({ elsewhere }) => elsewhere);
  if (isPart || gone <= 0) return [];
  return [`known, but no longer in these files: ${gone}; if deleted there, add --prune`];
}

/** What a prune removes of the stored reviews of a source. */
export interface Gone {
  readonly source: string;
  readonly removed: number;
  readonly stored: number;
}

/** The staged sources of which stored reviews are not staged. */
export async function listGone(executor: Executor): Promise<Gone[]> {
  const sources = await executor
    .selectFrom('reviews')
    .select(({ fn }) => [
      'source',
      fn.countAll<number>().filterWhere(IS_GONE).as('removed'),
      fn.countAll<number>().as('stored'),
    ])
    .groupBy('source')
    .execute();
  return sources.filter(({ removed }) => removed > 0);
}

/** Deletes stored reviews of the staged sources that are not staged; returns their number. */
export async function prune(transaction: Executor): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('reviews')
    .where(IS_GONE)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
