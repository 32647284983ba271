// `subscriptions`: lists the subscriptions of the hub, and removes one.

import { formatDuration } from 'date-fns/formatDuration';
import { intervalToDuration } from 'date-fns/intervalToDuration';
import type { Config } from '../config.ts';
import { InputError, show } from '../errors.ts';
import { withoutQuery } from '../hub/callback-url.ts';
import {
  listSubscriptions,
  type ListedSubscription,
  removeSubscription,
} from '../store/subscriptions.ts';
import { withDatabase } from './store.ts';
import { renderTable } from './table.ts';

const COLUMNS = [
  'ID',
  'STATE',
  'TOPIC',
  'CALLBACK',
  'LEASE LEFT',
  'ACKNOWLEDGED',
  'FAILURES',
  'LAST ERROR',
] as const;

/** Prints a table of all subscriptions. Secrets and the query strings of callbacks are left out. */
export async function listAll({ databaseUrl }: Config): Promise<void> {
  const nowMs = Date.now();
  await withDatabase(databaseUrl, async (database) => {
    const subscriptions = await listSubscriptions(database.read, nowMs);
    const rows = subscriptions.map((each) => cellsOf(each, nowMs));
    process.stdout.write(
      rows.length === 0 ? 'there are no subscriptions\n' : renderTable(COLUMNS, rows),
    );
  });
}

function cellsOf(
  { id, state, topic, callback, lease }: ListedSubscription,
  nowMs: number,
): string[] {
  return [
    id ?? '-',
    state,
    topic,
    withoutQuery(callback),
    lease ? timeLeft(lease.expiresAtMs - nowMs) : '-',
    lease?.acknowledgedAtMs ? new Date(lease.acknowledgedAtMs).toISOString() : '-',
    lease ? String(lease.failures) : '-',
    lease?.lastError ?? '-',
  ];
}

/** The two largest units, such as "9 days 23 hours". */
function timeLeft(ms: number): string {
  const duration = intervalToDuration({ start: 0, end: Math.max(ms, 1000) });
  return formatDuration(duration, { format: ['months', 'days', 'hours', 'minutes', 'seconds'] })
    .split(' ')
    .slice(0, 4)
    .join(' ');
}

/**
 * Removes a subscription. The server then notifies its subscriber.
 *
 * @throws {InputError} if no subscription has this id.
 */
export async function removeOne({ databaseUrl }: Config, id: string): Promise<void> {
  const reason = 'the operator of the hub has ended the subscription';
  const isRemoved = await withDatabase(databaseUrl, (database) =>
    removeSubscription(database, id, reason, Date.now()),
  );
  if (!isRemoved) {
    throw new InputError(
      `expected the ID of a subscription, as "subscriptions list" shows it, got ${show(id)}`,
    );
  }
  process.stdout.write(`removed ${id}\n`);
}
