// New reviews that are probably another copy of one that is known: by the same author, within days, with nearly
// the same words. They are reported, not merged.

import { sql } from 'kysely';
import { fold } from '../model/fold.ts';
import type { Executor } from './engine.ts';

/** Days between the dates of near duplicates. */
export const NEAR_DAYS = 3;
/** Near duplicates that a report names. */
export const REPORTED_DUPLICATES = 100;
/** Pairs that are compared: names such as "A Google User" have many. */
const COMPARED_PAIRS = 20_000;
/** Words that two texts share, of those that either has. */
const LEAST_SHARED = 0.6;

/** A new review that is like another one. */
export interface NearDuplicate {
  readonly id: string;
  readonly of: string;
}

interface Pair extends NearDuplicate {
  readonly text: string | null;
  readonly other: string | null;
  readonly same_day: number;
  readonly same_rating: number;
}

/**
 * The first near duplicates of the reviews that the planned merge adds.
 *
 * @param replacesStored Whether the merge deletes all stored reviews, so that new ones are not compared with them.
 */
export async function findNearDuplicates(
  executor: Executor,
  replacesStored: boolean,
): Promise<NearDuplicate[]> {
  const isNew = (alias: string) =>
    sql`not exists (select 1 from known_reviews as k where k.id = ${sql.ref(`${alias}.id`)})`;
  const pairs = await sql<Pair>`select s.id as id, r.id as of, s.text as text, r.text as other,
      case when r.date = s.date then 1 else 0 end as same_day,
      case when r.rating = s.rating then 1 else 0 end as same_rating
    from staged_reviews as s
    join reviews as r on r.author = s.author and r.date between s.near_from and s.near_to
      and r.id <> s.id
    where ${replacesStored ? sql`1 = 0` : isNew('s')}
    union all
    select s.id, r.id, s.text, r.text, case when r.date = s.date then 1 else 0 end,
      case when r.rating = s.rating then 1 else 0 end
    from staged_reviews as s
    join staged_reviews as r on r.author = s.author and r.date between s.near_from and s.near_to
      and r.sequence < s.sequence
    where ${isNew('s')} and ${isNew('r')}
    limit ${sql.lit(COMPARED_PAIRS)}`.execute(executor);
  const found = new Map<string, NearDuplicate>();
  for (const pair of pairs.rows) {
    if (found.size === REPORTED_DUPLICATES) break;
    if (!found.has(pair.id) && isNear(pair)) found.set(pair.id, { id: pair.id, of: pair.of });
  }
  return [...found.values()];
}

function isNear({ text, other, same_day, same_rating }: Pair): boolean {
  if (text === null || other === null) return same_day === 1 && same_rating === 1;
  const [words, others] = [wordsOf(text), wordsOf(other)];
  const shared = [...words].filter((word) => others.has(word)).length;
  const all = words.size + others.size - shared;
  return all > 0 && shared / all >= LEAST_SHARED;
}

function wordsOf(text: string): Set<string> {
  return new Set(fold(text).match(/[\p{L}\p{N}]+/gu));
}
