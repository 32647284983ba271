// How many requests each client address has sent to the hub in its minute, for all servers of the store
// together.

import { isOver } from './clock.ts';
import type { Database } from './database.ts';
import type { Executor } from './engine.ts';

/** The minute of a client; times are in ms since 1970. */
export interface ClientMinute {
  readonly count: number;
  readonly until: number;
}

export interface CountingLimits {
  readonly nowMs: number;
  /** When a minute that begins now is over. */
  readonly untilMs: number;
  /** Clients that are kept: one that is new beyond that is not counted here. */
  readonly maxClients: number;
}

/**
 * Adds requests to the minutes of their clients, and forgets the minutes that are over. The count of a
 * client includes those that were added; a client that found no place is missing.
 */
export async function countHubRequests(
  database: Database,
  requests: ReadonlyMap<string, number>,
  { nowMs, untilMs, maxClients }: CountingLimits,
): Promise<Map<string, ClientMinute>> {
  const clients = [...requests.keys()];
  return database.write(
    async (transaction) => {
      await deleteMinutesThatAreOver(transaction, nowMs, untilMs - nowMs);
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
      let places = Math.max(maxClients - all, 0);
      const counted = clients.filter((client) => isKnown.has(client) || places-- > 0);
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
      return new Map(rows.map(({ client, count, until: end }) => [client, { count, until: end }]));
    },
    // A power cut may forget a minute. One after another, so that no more clients are kept than may be.
    { waitForDisk: false, lock: { exclusive: 'hub clients' } },
  );
}

/** Forgets the minutes that are over, or end later than one of this length can. */
export async function deleteEndedClientMinutes(
  database: Database,
  nowMs: number,
  minuteMs: number,
): Promise<void> {
  await database.write((transaction) => deleteMinutesThatAreOver(transaction, nowMs, minuteMs), {
    waitForDisk: false,
    lock: { exclusive: 'hub clients' },
  });
}

async function deleteMinutesThatAreOver(
  transaction: Executor,
  nowMs: number,
  minuteMs: number,
): Promise<void> {
  await transaction
    .deleteFrom('hub_clients')
    .where((where) => isOver(where, 'until', nowMs, minuteMs))
    .execute();
}
