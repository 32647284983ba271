// Counts requests to the hub by client address and minute, for all servers that share the store.

import { isOver } from '../clock.ts';
import type { Database } from '../database.ts';
import type { Executor } from '../engine.ts';

/** Requests of a client in its current minute. */
export interface ClientMinute {
  readonly count: number;
  /** End of the minute, ms since 1970. */
  readonly untilMs: number;
}

export interface CountingLimits {
  readonly nowMs: number;
  /** End of a minute that begins now. */
  readonly untilMs: number;
  /** Maximum number of stored clients. Further new clients are not counted. */
  readonly maxClients: number;
}

/**
 * Adds request counts by client, and deletes minutes that have ended. The result has the new count of
 * each client; clients beyond `maxClients` are missing from it.
 */
export async function countHubRequests(
  database: Database,
  requests: ReadonlyMap<string, number>,
  { nowMs, untilMs, maxClients }: CountingLimits,
): Promise<Map<string, ClientMinute>> {
  const clients = [...requests.keys()];
  return database.write(
    async (transaction) => {
      await deleteEndedMinutes(transaction, nowMs, untilMs - nowMs);
      const known = await transaction
        .selectFrom('hub_clients')
        .select('client')
        .where('client', 'in', clients)
        .execute();
      const { all } = await transaction
        .selectFrom('hub_clients')
        .select((select) => select.fn.countAll<number>().as('all'))
        .executeTakeFirstOrThrow();
      const isKnown = new Set(known.map(({ client }) => client));
      let free = Math.max(maxClients - all, 0);
      const counted = clients.filter((client) => isKnown.has(client) || free-- > 0);
      if (counted.length === 0) return new Map();
      const rows = await transaction
        .insertInto('hub_clients')
        .values(
          counted.map((client) => ({
            client,
            count: requests.get(client) as number,
            until: untilMs,
          })),
        )
        .onConflict((conflict) =>
          conflict.column('client').doUpdateSet((set) => ({
            count: set('hub_clients.count', '+', set.ref('excluded.count')),
          })),
        )
        .returning(['client', 'count', 'until'])
        .execute();
      return new Map(
        rows.map(({ client, count, until: end }) => [client, { count, untilMs: end }]),
      );
    },
    // Counts may be lost in a power cut. The lock keeps the number of clients within its limit.
    { waitForDisk: false, lock: { exclusive: 'hub clients' } },
  );
}

/** Deletes minutes that have ended, or whose end is invalid for minutes of `minuteMs` (see clock.ts). */
export async function deleteEndedClientMinutes(
  database: Database,
  nowMs: number,
  minuteMs: number,
): Promise<void> {
  await database.write((transaction) => deleteEndedMinutes(transaction, nowMs, minuteMs), {
    waitForDisk: false,
    lock: { exclusive: 'hub clients' },
  });
}

async function deleteEndedMinutes(
  transaction: Executor,
  nowMs: number,
  minuteMs: number,
): Promise<void> {
  await transaction
    .deleteFrom('hub_clients')
    .where((where) => isOver(where, 'until', nowMs, minuteMs))
    .execute();
}

/** Whether requests of a client address are counted. */
export async function isHubClient(executor: Executor, client: string): Promise<boolean> {
  const row = await executor
    .selectFrom('hub_clients')
    .select('client')
    .where('client', '=', client)
    .executeTakeFirst();
  return row !== undefined;
}
