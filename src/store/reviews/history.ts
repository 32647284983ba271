// The history of reviews: the versions that imports replaced.

import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { REVIEW_COLUMN_NAMES } from '../../model/review-columns.ts';
import type { Executor } from '../engine.ts';
import type { HistoryRow, ReviewRow } from './review-rows.ts';

/** Older versions of a review are deleted. */
const KEPT_VERSIONS = 50;

/** Keeps the stored versions that the planned merge replaces. Call it before the reviews are changed. */
export async function keepReplaced(transaction: Executor, replacedAtMs: number): Promise<void> {
  await transaction
    .insertInto('review_history')
    .columns(['review_id', 'replaced_at', ...REVIEW_COLUMN_NAMES])
    .expression((query) =>
      query
        .selectFrom('reviews as r')
        .innerJoin('known_reviews as k', 'k.id', 'r.id')
        .where('k.changed', '=', 1)
        .select([
          'r.id',
          sql<number>`${sql.lit(replacedAtMs)}`.as('replaced_at'),
          ...REVIEW_COLUMN_NAMES.map((column) => `r.${column}` as const),
        ]),
    )
    .execute();
  await sql`delete from review_history where number in (select number from (
    select number, row_number() over (partition by review_id order by number desc) as age
    from review_history where review_id in (select id from known_reviews where changed = 1)
  ) as versions where age > ${sql.lit(KEPT_VERSIONS)})`.execute(transaction);
}

/** A stored review with its earlier versions, oldest first. */
export interface ReviewHistory {
  readonly review: ReviewRow;
  readonly versions: readonly Selectable<HistoryRow>[];
  readonly hidden: string | null;
  readonly identities: readonly string[];
}

/** Null if no review with the id is stored. */
export async function loadHistory(executor: Executor, id: string): Promise<ReviewHistory | null> {
  const review = await executor
    .selectFrom('reviews')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!review) return null;
  const versions = await executor
    .selectFrom('review_history')
    .selectAll()
    .where('review_id', '=', id)
    .orderBy('number')
    .execute();
  const hidden = await executor
    .selectFrom('hidden_reviews')
    .select('reason')
    .where('review_id', '=', id)
    .executeTakeFirst();
  const identities = await executor
    .selectFrom('review_identities')
    .select('identity')
    .where('review_id', '=', id)
    .orderBy('identity')
    .execute();
  return {
    review,
    versions,
    hidden: hidden?.reason ?? null,
    identities: identities.map(({ identity }) => identity),
  };
}
