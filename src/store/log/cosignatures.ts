// Cosignatures: those of witnesses for this store's log, and the trees of other logs that this store's witness
// cosigned.

import type { CosignedTrees } from '../../log/witness.ts';
import type { TreeHead } from '../../log/merkle.ts';
import type { Database } from '../database.ts';
import type { Executor } from '../engine.ts';
import type { LogCosignatureRow } from '../schema.ts';
import { createSecret } from '../secrets.ts';

export function loadCosignatures(executor: Executor): Promise<LogCosignatureRow[]> {
  return executor.selectFrom('log_cosignatures').selectAll().orderBy('witness').execute();
}

/** Replaces the witness's cosignature, unless the stored one is for a larger tree. */
export async function saveCosignature(
  database: Database,
  cosignature: Readonly<LogCosignatureRow>,
): Promise<void> {
  const { witness: _, ...values } = cosignature;
  await database.write(
    async (transaction) => {
      await transaction
        .insertInto('log_cosignatures')
        .values(cosignature)
        .onConflict((conflict) =>
          conflict
            .column('witness')
            .doUpdateSet(values)
            .where('log_cosignatures.size', '<=', cosignature.size),
        )
        .execute();
    },
    { notifies: 'state' },
  );
}

export function cosignedTrees(database: Database): CosignedTrees {
  return {
    async load(origin) {
      const row = await database.read
        .selectFrom('witnessed_logs')
        .select(['size', 'root'])
        .where('origin', '=', origin)
        .executeTakeFirst();
      return row ? { size: row.size, root: Buffer.from(row.root, 'base64') } : null;
    },
    replace: (origin, known, next) =>
      database.write(async (transaction) => replace(transaction, origin, known, next)),
  };
}

async function replace(
  transaction: Executor,
  origin: string,
  known: TreeHead | null,
  next: TreeHead,
): Promise<boolean> {
  const values = { size: next.size, root: textOf(next) };
  const { numInsertedOrUpdatedRows: count } = await transaction
    .insertInto('witnessed_logs')
    .values({ origin, ...values })
    .onConflict((conflict) =>
      conflict
        .column('origin')
        .doUpdateSet(values)
        .where('witnessed_logs.size', '=', known?.size ?? -1)
        .where('witnessed_logs.root', '=', known ? textOf(known) : ''),
    )
    .executeTakeFirstOrThrow();
  return count === 1n;
}

function textOf({ root }: TreeHead): string {
  return Buffer.from(root).toString('base64');
}

/** Returns the stored seed of the witness. If there is none yet, stores and returns the proposed one. */
export function loadWitnessSeed(database: Database, proposed: string): Promise<string> {
  return database.write((transaction) => createSecret(transaction, 'witness_key', proposed));
}
