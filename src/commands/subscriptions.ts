// What an operator sees of the hub's subscribers, and the one thing that can be done to them.

import { formatDuration } from 'date-fns/formatDuration';
import { intervalToDuration } from 'date-fns/intervalToDuration';
import { InputError, show } from '../errors.ts';
import { withoutQuery } from '../hub/callback-url.ts';
import type { Database } from '../store/database.ts';
import {
  listSubscriptions,
  type ListedSubscription,
  removeSubscription,
} from '../store/subscriptions.ts';

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

/** A table of all subscriptions, a line each; secrets and the queries of callbacks are not shown. */
export async function renderSubscriptions(database: Database, now: number): Promise<string> {
  const rows = (await listSubscriptions(database.read, now)).map((each) => cellsOf(each, now));
  if (rows.length === 0) return 'nobody has subscribed\n';
  const widths = COLUMNS.map((column, place) =>
    Math.max(column.length, ...rows.map((row) => (row[place] as string).length)),
  );
  const lines = [COLUMNS, ...rows].map((row) =>
    row
      .map((cell, place) => cell.padEnd(widths[place] as number))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function cellsOf({ id, state, topic, callback, lease }: ListedSubscription, now: number): string[] {
  return [
    id ?? '-',
    state,
    topic,
    withoutQuery(callback),
    lease ? timeLeft(lease.expiresAtMs - now) : '-',
    lease?.acknowledgedAtMs ? new Date(lease.acknowledgedAtMs).toISOString() : '-',
    lease ? String(lease.failures) : '-',
    lease?.lastError ?? '-',
  ];
}

/** The two largest units, as in "9 days 23 hours". */
function timeLeft(ms: number): string {
  const duration = intervalToDuration({ start: 0, end: Math.max(ms, 1000) });
  return formatDuration(duration, { format: ['months', 'days', 'hours', 'minutes', 'seconds'] })
    .split(' ')
    .slice(0, 4)
    .join(' ');
}

/**
 * Ends a subscription; the server tells its subscriber.
 *
 * @throws {InputError} where there is none of this id.
 */
export async function endSubscription(database: Database, id: string): Promise<void> {
  const reason = 'the operator of the hub has ended the subscription';
  if (await removeSubscription(database, id, reason, Date.now())) return;
  throw new InputError(
    `expected the ID of a subscription, as "subscriptions list" shows it, got ${show(id)}`,
  );
}
