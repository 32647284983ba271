// Pending erasures: the transaction of a removal marks that its texts are still in replaced documents and in the
// files. Whoever erases them takes the mark back, so that an interrupted removal is finished by the next process.

import { foldAuthor } from '../../model/fold.ts';
import type { Database } from '../database.ts';
import type { Executor } from '../engine.ts';
import { loadState } from '../state.ts';
import { keyedDigest } from './suppressions.ts';

/** Marks an erasure as pending. `forgotten` is the author that `forget` was asked for; null for other removals. */
export async function markErasing(
  transaction: Executor,
  forgotten: string | null = null,
): Promise<void> {
  const digest = forgotten === null ? null : await authorDigest(transaction, forgotten);
  await transaction
    .updateTable('state')
    .set((set) => ({ erasing_version: set.ref('content_version'), forgotten: digest }))
    .execute();
}

/** Takes the mark of a content version back, unless a later removal has marked its own. */
export async function markErased(database: Database, contentVersion: number): Promise<void> {
  await database.write(async (transaction) => {
    await transaction
      .updateTable('state')
      .set({ erasing_version: null })
      .where('erasing_version', '=', contentVersion)
      .execute();
  });
}

/** Whether a `forget` of this author removed reviews and was interrupted, and was not repeated since. */
export async function isForgotten(executor: Executor, author: string): Promise<boolean> {
  const digest = await authorDigest(executor, author);
  const row = await executor
    .selectFrom('state')
    .select('id')
    .where('forgotten', '=', digest)
    .executeTakeFirst();
  return digest !== null && row !== undefined;
}

/** A `forget` has ended: nothing is kept of its author. */
export async function endForgetting(database: Database): Promise<void> {
  const { erasingVersion } = await loadState(database.read);
  if (erasingVersion !== null) return;
  await database.write(async (transaction) => {
    await transaction
      .updateTable('state')
      .set({ forgotten: null })
      .where('erasing_version', 'is', null)
      .execute();
  });
}

function authorDigest(executor: Executor, author: string): Promise<string | null> {
  return keyedDigest(executor, `forgotten ${foldAuthor(author)}`);
}
