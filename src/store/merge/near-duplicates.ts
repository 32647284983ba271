// New reviews that are probably another copy of one that is known: by the same author, within days, with nearly
// the same words. They are reported, not merged.

import { sql } from 'kysely';
import { fold } from '../../model/fold.ts';
import type { Executor } from '../engine.ts';
import { partsOf } from '../parts.ts';

/** Days between the dates of near duplicates. */
export const NEAR_DAYS = 3;
const REPORTED_DUPLICATES = 100;
/** Pairs that are compared: names such as "A Google User" have many. */
const COMPARED_PAIRS = 20_000;
/** Pairs whose texts are in memory at a time. */
const PAIRS_AT_ONCE = 500;
/** The beginning of a text that is compared; hardly any review is longer. */
const COMPARED_CHARACTERS = 5_000;
const SHOWN_CHARACTERS = 40;
/** Words that two texts share, of those that either has. */
const LEAST_SHARED = 0.6;

/** A new review that is like another one. */
export interface NearDuplicate {
  readonly id: string;
  readonly of: string;
}

/** With what tells the two apart: both are by the author. */
export interface NamedDuplicate extends NearDuplicate {
  readonly author: string;
  readonly source: string;
  readonly other_source: string;
  /** The beginnings of their texts. */
  readonly words: string | null;
  readonly other_words: string | null;
  /** Of the other row, if it is a staged one too. */
  readonly other_sequence: number | null;
}

interface Pair extends NamedDuplicate {
  readonly sequence: number;
  readonly same_day: number;
  readonly same_rating: number;
}

/**
 * The first near duplicates of the reviews that the planned merge adds.
 *
 * @param how Which stored reviews the merge deletes, so that new ones are not compared with them: all, or those of the same
 * sources that are not staged.
 */
export async function findNearDuplicates(
  executor: Executor,
  { replacesStored, prune }: { readonly replacesStored: boolean; readonly prune: boolean },
): Promise<NamedDuplicate[]> {
  const isNew = (alias: string) =>
    sql`not exists (select 1 from known_reviews as k where k.id = ${sql.ref(`${alias}.id`)})`;
  const shown = sql`substr(s.text, 1, ${sql.lit(SHOWN_CHARACTERS)}) as words,
    substr(r.text, 1, ${sql.lit(SHOWN_CHARACTERS)}) as other_words`;
  const sameBranch = sql`coalesce(r.location, s.location, '') = coalesce(s.location, r.location, '')`;
  const isKept = prune
    ? sql`(r.source not in (select source from staged_reviews)
        or exists (select 1 from staged_reviews as o where o.id = r.id))`
    : sql`1 = 1`;
  const { rows: pairs } =
    await sql<Pair>`select s.id as id, r.id as of, s.author as author, s.source as source,
      r.source as other_source, ${shown}, s.sequence as sequence, null as other_sequence,
      case when r.date = s.date then 1 else 0 end as same_day,
      case when r.rating = s.rating then 1 else 0 end as same_rating
    from staged_reviews as s
    join reviews as r on r.author = s.author and r.date between s.near_from and s.near_to
      and r.id <> s.id and ${sameBranch}
    where ${replacesStored ? sql`1 = 0` : isNew('s')} and ${isKept}
    union all
    select s.id, r.id, s.author, s.source, r.source, ${shown}, s.sequence, r.sequence, case when r.date = s.date then 1 else 0 end,
      case when r.rating = s.rating then 1 else 0 end
    from staged_reviews as s
    join staged_reviews as r on r.author = s.author and r.date between s.near_from and s.near_to
      and r.sequence < s.sequence and ${sameBranch}
    where ${isNew('s')} and ${isNew('r')}
    limit ${sql.lit(COMPARED_PAIRS)}`.execute(executor);
  const found = new Map<string, NamedDuplicate>();
  let words: Words = new Map();
  for (const part of partsOf(pairs, PAIRS_AT_ONCE)) {
    const some = part.filter(({ id }) => !found.has(id));
    words = await loadWords(executor, some, words);
    for (const pair of some) {
      if (found.size === REPORTED_DUPLICATES) return [...found.values()];
      if (!found.has(pair.id) && isNear(pair, words)) found.set(pair.id, pair);
    }
  }
  return [...found.values()];
}

/** The words of texts, by the keys of their rows; null without a text. */
type Words = ReadonlyMap<string | number, ReadonlySet<string> | null>;

const otherKey = ({ of, other_sequence }: Pair) => other_sequence ?? of;

/** The words of all rows of some pairs; those that are `known` are not read again. */
async function loadWords(executor: Executor, pairs: readonly Pair[], known: Words): Promise<Words> {
  const keys = new Set(pairs.flatMap((pair) => [pair.sequence, otherKey(pair)]));
  const missing = [...keys].filter((key) => !known.has(key));
  const staged = missing.filter((key) => typeof key === 'number');
  const stored = missing.filter((key) => typeof key === 'string');
  const texts = [
    ...(await loadTexts(executor, 'staged_reviews', 'sequence', staged)),
    ...(await loadTexts(executor, 'reviews', 'id', stored)),
  ];
  const words = new Map([...known].filter(([key]) => keys.has(key)));
  for (const { key, text } of texts) words.set(key, text === null ? null : wordsOf(text));
  return words;
}

async function loadTexts<Key extends string | number>(
  executor: Executor,
  table: string,
  column: string,
  keys: readonly Key[],
): Promise<readonly { readonly key: Key; readonly text: string | null }[]> {
  // PostgreSQL takes no empty list.
  if (keys.length === 0) return [];
  const { rows } = await sql<{ key: Key; text: string | null }>`select ${sql.ref(column)} as key,
      substr(text, 1, ${sql.lit(COMPARED_CHARACTERS)}) as text
    from ${sql.table(table)} where ${sql.ref(column)} in (${sql.join(keys)})`.execute(executor);
  return rows;
}

function isNear(pair: Pair, known: Words): boolean {
  const [words, others] = [known.get(pair.sequence), known.get(otherKey(pair))];
  if (!words || !others) return pair.same_day === 1 && pair.same_rating === 1;
  if (Math.min(words.size, others.size) < LEAST_SHARED * Math.max(words.size, others.size)) {
    return false;
  }
  let shared = 0;
  for (const word of words) if (others.has(word)) shared += 1;
  const all = words.size + others.size - shared;
  return all > 0 && shared / all >= LEAST_SHARED;
}

function wordsOf(text: string): Set<string> {
  return new Set(fold(text).match(/[\p{L}\p{N}]+/gu));
}
