// The plan of a merge: staged rows are matched with each other and with the stored reviews, and counted.

import { countRows, type Executor } from '../engine.ts';
import { matchCopies } from './identities.ts';
import type { MergeCounts } from './imports.ts';
import { findNearDuplicates, type NamedDuplicate } from './near-duplicates.ts';
import {
  adoptStoredIds,
  countHidden,
  countUnverified,
  describeEdits,
  describeGone,
  type Gone,
  keepLast,
  listGone,
  matchStored,
} from './staged.ts';
import { loadState } from '../state.ts';
import { dropSuppressed } from '../reviews/suppressions.ts';

/** What the merge will do; valid while the store has this content version. */
export interface MergePlan extends Readonly<Omit<MergeCounts, 'removed'>> {
  readonly contentVersion: number;
  readonly hasExample: boolean;
  readonly replacesExample: boolean;
  /** Unchanged reviews that get another identity. */
  readonly renamed: number;
  /** What would be pruned; empty if nothing is. */
  readonly gone: readonly Gone[];
  readonly nearDuplicates: readonly NamedDuplicate[];
  /** What the updates change, in words. */
  readonly edits: readonly string[];
}

/** Matches the staged rows with the stored reviews and counts the changes; `isWhole` if no row was refused. */
export async function makePlan(
  executor: Executor,
  isWhole: boolean,
  { business, example, prune }: Record<'example' | 'prune', boolean> & { business: unknown },
  disagreed: number,
): Promise<MergePlan> {
  const { contentVersion, example: hasExample } = await loadState(executor);
  const suppressed = await dropSuppressed(executor);
  const staged = await countRows(executor.selectFrom('staged_reviews'));
  // The first non-empty real import replaces the whole example business.
  const replacesExample = hasExample && !example && (staged > 0 || business !== null);
  await executor.deleteFrom('known_reviews').execute();
  if (!replacesExample) await adoptStoredIds(executor);
  const copies = replacesExample ? 0 : await matchCopies(executor);
  const duplicate = copies + (await keepLast(executor, 'id'));
  if (!replacesExample) await matchStored(executor);
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
    gone: prune && !replacesExample ? await listGone(executor) : [],
    nearDuplicates: await findNearDuplicates(executor, { replacesStored: replacesExample, prune }),
    edits: [
      ...(updated > 0 ? await describeEdits(executor) : []),
      ...(isWhole ? await describeGone(executor, known, disagreed) : []),
    ],
    added: staged - duplicate - known,
    updated,
    renamed,
    unchanged: known - updated,
    unverified: await countUnverified(executor),
    hidden: await countHidden(executor),
    duplicate,
    suppressed,
  };
}
