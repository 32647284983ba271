// The same review from several places. A review has an identity: the id at its source (`source:`), what it says
// (`content:`), or the id that another instance gave it (`id:`). Copies with identities of different kinds are one
// review if source, author, date and text are equal; two ids of a source are two reviews. The better identity is
// kept, and the other one is remembered. A copy fills what the review lacks, and changes nothing else, so that the
// order of imports does not matter.

import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Executor } from '../engine.ts';
import type { ImportedReview } from '../reviews/review-rows.ts';
import { filledFrom } from './merged.ts';

/** SQL: 2 for the id at the source, 1 for what the review says, 0 for the id of another instance. */
function rankOf(alias: string): RawBuilder<number> {
  const identity = sql.ref(`${alias}.identity`);
  return sql<number>`(case when substr(${identity}, 1, 3) = 'id:' then 0
    when substr(${identity}, 1, 8) = 'content:' then 1 else 2 end)`;
}

/** SQL condition: the staged row `s` has a better identity than the stored review `r`. */
export function isBetterIdentity(): Expression<SqlBool> {
  return sql<SqlBool>`${rankOf('s')} > ${rankOf('r')}`;
}

/** Merges staged rows that are copies of each other; returns the number of rows that were deleted. */
export async function mergeStagedCopies(executor: Executor): Promise<number> {
  const kinds = await sql<{ rank: number }>`select distinct ${rankOf('s')} as rank
    from staged_reviews as s`.execute(executor);
  if (kinds.rows.length < 2) return 0;
  // Sorts the rows once: comparing each with all others would take hours for a file with one author and one day.
  await sql`insert into staged_identities (identity, sequence)
    select identity, best from (select s.identity as identity, ${rankOf('s')} as rank,
        first_value(s.sequence) over copies as best,
        first_value(${rankOf('s')}) over copies as best_rank
      from staged_reviews as s
      window copies as (partition by s.source, s.author, s.date, s.text
        order by ${rankOf('s')} desc, s.identity)) as ranked
    where rank < best_rank`.execute(executor);
  // One kind after another: a row that several others match is updated from only one of them.
  for (const rank of [1, 0]) {
    await sql`update staged_reviews set ${filledFrom('staged_reviews', 'c')},
        verified = case when staged_reviews.verified = 0 or c.verified = 0 then 0
          else coalesce(staged_reviews.verified, c.verified) end
      from staged_identities as i, staged_reviews as c
      where i.sequence = staged_reviews.sequence and c.identity = i.identity
        and ${rankOf('c')} = ${sql.lit(rank)}`.execute(executor);
  }
  const { numAffectedRows } = await sql`delete from staged_reviews
    where identity in (select identity from staged_identities)`.execute(executor);
  return Number(numAffectedRows ?? 0);
}

/**
 * Matches staged rows with stored reviews that they are copies of, and gives them the values of the review where
 * it has any. Call it after the rows with stored identities have their ids. Returns the number of rows that were
 * deleted, because the import also has the review itself.
 */
export async function matchCopies(executor: Executor): Promise<number> {
  await sql`update staged_reviews set id = i.review_id, is_copy = 1
    from review_identities as i
    where i.identity = staged_reviews.identity and is_copy = 0`.execute(executor);
  await matchContent(executor);
  const { numAffectedRows } = await sql`delete from staged_reviews where sequence in (
    select sequence from (select sequence, is_copy, min(is_copy) over (partition by id) as least
      from staged_reviews) as keyed where is_copy > least)`.execute(executor);
  await sql`update staged_reviews set ${filledFrom('r', 'staged_reviews')}
    from reviews as r where r.id = staged_reviews.id and staged_reviews.is_copy = 1`.execute(
    executor,
  );
  return Number(numAffectedRows ?? 0);
}

/**
 * Matches new staged rows with stored reviews that say the same and have an identity of another kind: of several
 * staged rows the first by identity, with the first review by id. Compares groups, not pairs.
 */
async function matchContent(executor: Executor): Promise<void> {
  const first = (a: string, b: string) =>
    sql`case when ${sql.ref(a)} is null or ${sql.ref(b)} < ${sql.ref(a)} then ${sql.ref(b)}
      else ${sql.ref(a)} end`;
  await sql`with days as (
      select distinct s.author, s.date from staged_reviews as s
      where s.is_copy = 0 and not exists (select 1 from reviews as r where r.id = s.id)
    ), rows_of_days as (
      select s.source, s.author, s.date, s.text, s.identity, null as id, null as rank
      from days cross join staged_reviews as s where s.author = days.author and s.date = days.date
      union all
      select r.source, r.author, r.date, r.text, null, r.id, ${rankOf('r')}
      from days cross join reviews as r where r.author = days.author and r.date = days.date
    ), same as (
      select min(identity) as identity, min(case when rank = 0 then id end) as id0,
        min(case when rank = 1 then id end) as id1, min(case when rank = 2 then id end) as id2
      from rows_of_days group by source, author, date, text
    ), matched as (
      select identity, case ${rankOf('same')} when 0 then ${first('id1', 'id2')}
        when 1 then ${first('id0', 'id2')} else ${first('id0', 'id1')} end as id
      from same where identity is not null
    )
    update staged_reviews set is_copy = 1, id = matched.id from matched
    where matched.identity = staged_reviews.identity and matched.id is not null
      and staged_reviews.is_copy = 0
      and not exists (select 1 from reviews as r where r.id = staged_reviews.id)`.execute(executor);
}

/** The ids of the stored reviews that a row is a copy of: by an identity, or because they say the same. */
export async function findCopies(
  executor: Executor,
  { identity, unplaced, source, author, date, text }: ImportedReview,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from reviews
      where identity in (${identity}, ${unplaced ?? identity})
    union select review_id from review_identities where identity = ${identity}
    union select id from reviews where author = ${author} and date = ${date}
      and source = ${source} and text is not distinct from ${text}`.execute(executor);
  return rows.map(({ id }) => id);
}

/** Remembers the identities of copies. Call it in the transaction of the merge, before reviews are changed. */
export async function rememberIdentities(transaction: Executor): Promise<void> {
  await sql`insert into review_identities (identity, review_id)
    select case when ${isBetterIdentity()} then r.identity else s.identity end, r.id
    from staged_reviews as s join reviews as r on r.id = s.id
    where s.is_copy = 1 and s.identity <> r.identity
    on conflict do nothing`.execute(transaction);
  await sql`insert into review_identities (identity, review_id)
    select i.identity, s.id from staged_identities as i
    join staged_reviews as s on s.sequence = i.sequence
    where true on conflict do nothing`.execute(transaction);
}

/** Deletes what is kept beside reviews that are not stored any more: identities and history. */
export async function deleteOrphans(transaction: Executor): Promise<void> {
  for (const table of ['review_identities', 'review_history'] as const) {
    await transaction
      .deleteFrom(table)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('reviews')
              .select('id')
              .whereRef('reviews.id', '=', `${table}.review_id`),
          ),
        ),
      )
      .execute();
  }
}
