// What a language model proposed for reviews, and who asks it about which. Claims refer to places in texts, so no
// text is stored here.

import { sql } from 'kysely';
import { isOver, latestEnd } from '../clock.ts';
import type { Database } from '../database.ts';
import type { Executor } from '../engine.ts';
import { partsOf } from '../parts.ts';
import { UNCLAIMED } from '../schema.ts';
import { requestPublishIn } from '../state.ts';

/** A request that is not answered is given up after this time, and by then another process may ask. */
export const PROPOSAL_CLAIM_MS = 600_000;

interface ProposalState {
  /** Requests that asked for it and got an answer that cannot be used, or none because the process was killed. */
  readonly attempts: number;
  readonly isAnswered: boolean;
  /** Whether a process is waiting for an answer. */
  readonly isClaimed: boolean;
}

/** What the store knows, by key. */
export async function loadProposalStates(
  executor: Executor,
  nowMs: number,
): Promise<ReadonlyMap<string, ProposalState>> {
  const rows = await executor
    .selectFrom('proposals')
    .select((where) => [
      'key',
      'attempts',
      'claimed_until',
      where('claims', 'is not', null).as('is_answered'),
    ])
    .execute();
  return new Map(
    rows.map(({ key, attempts, is_answered, claimed_until: untilMs }) => [
      key,
      {
        attempts,
        isAnswered: Boolean(is_answered),
        isClaimed: untilMs > nowMs && untilMs <= latestEnd(nowMs, PROPOSAL_CLAIM_MS),
      },
    ]),
  );
}

export interface Proposals {
  readonly proposer: string | null;
  /** Claims as JSON, by key; null while there is no answer. */
  readonly claims: ReadonlyMap<string, string | null>;
}

export async function loadProposals(executor: Executor): Promise<Proposals> {
  const rows = await executor
    .selectFrom('proposals')
    .select(['key', 'proposer', 'claims'])
    .execute();
  return {
    proposer: rows[0]?.proposer ?? null,
    claims: new Map(rows.map(({ key, claims }) => [key, claims])),
  };
}

/** Claims the right to ask about reviews, and counts an attempt. Returns the keys that no other process holds. */
export function claimProposals(
  database: Database,
  owner: string,
  proposer: string,
  keys: readonly string[],
  nowMs: number,
): Promise<string[]> {
  return database.write(async (transaction) => {
    const rows = keys.map((key) => ({
      key,
      proposer,
      claims: null,
      attempts: 0,
      is_published: 1,
      ...UNCLAIMED,
    }));
    await transaction
      .insertInto('proposals')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const claimed = await transaction
      .updateTable('proposals')
      .set((set) => ({
        claimed_by: owner,
        claimed_until: nowMs + PROPOSAL_CLAIM_MS,
        attempts: set('attempts', '+', 1),
      }))
      .where('key', 'in', keys)
      .where('claims', 'is', null)
      .where((where) => isOver(where, 'claimed_until', nowMs, PROPOSAL_CLAIM_MS))
      .returning('key')
      .execute();
    return claimed.map(({ key }) => key);
  });
}

/**
 * Records answers, as JSON by key, and releases the claims of the others. `isUndone` takes their attempt back, because
 * the model was not reached.
 */
export async function releaseProposals(
  database: Database,
  owner: string,
  keys: readonly string[],
  answers: ReadonlyMap<string, string>,
  isUndone = false,
): Promise<void> {
  const released = { ...UNCLAIMED };
  await database.write(async (transaction) => {
    for (const [key, claims] of answers) {
      await transaction
        .updateTable('proposals')
        .set({ ...released, claims, is_published: claims === '[]' ? 1 : 0 })
        .where('key', '=', key)
        .where('claims', 'is', null)
        .execute();
    }
    await transaction
      .updateTable('proposals')
      .set((set) => ({ ...released, attempts: set('attempts', '-', isUndone ? 1 : 0) }))
      .where('key', 'in', keys)
      .where('claimed_by', '=', owner)
      .execute();
  });
}

/** Requests a publish if there are claims that no publish was requested for. */
export async function publishProposals(database: Database): Promise<boolean> {
  const isOpen = await database.read
    .selectFrom('proposals')
    .select('key')
    .where('is_published', '=', 0)
    .limit(1)
    .executeTakeFirst();
  if (!isOpen) return false;
  return database.write(
    async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('proposals')
        .set({ is_published: 1 })
        .where('is_published', '=', 0)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) await requestPublishIn(transaction);
      return numUpdatedRows > 0n;
    },
    { notifies: 'state' },
  );
}

/** Deletes what others than `proposer` proposed; all of it for null. Requests a publish if claims were deleted. */
export async function keepProposer(database: Database, proposer: string | null): Promise<void> {
  const stale = await database.read
    .selectFrom('proposals')
    .select('key')
    .where('proposer', 'is distinct from', proposer)
    .limit(1)
    .executeTakeFirst();
  if (!stale) return;
  await database.write(
    async (transaction) => {
      const had = await transaction
        .deleteFrom('proposals')
        .where('proposer', 'is distinct from', proposer)
        .returning(sql<number>`claims is not null and claims <> '[]'`.as('counted'))
        .execute();
      if (had.some(({ counted }) => Boolean(counted))) await requestPublishIn(transaction);
    },
    { notifies: 'state' },
  );
}

export async function deleteProposals(database: Database, keys: readonly string[]): Promise<void> {
  for (const some of partsOf(keys)) {
    await database.write(async (transaction) => {
      await transaction.deleteFrom('proposals').where('key', 'in', some).execute();
    });
  }
}
