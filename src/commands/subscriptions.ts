// `subscriptions`: lists the subscriptions of the hub, and removes one.

import type { Config } from '../config.ts';
import { InputError, show } from '../errors.ts';
import { withoutQuery } from '../hub/callback-url.ts';
import {
  listSubscriptions,
  type ListedSubscription,
  removeSubscription,
} from '../store/hub/subscriptions.ts';
import type { Subscription } from '../model/subscription.ts';
import { withDatabase } from './store/store.ts';
import { renderTable } from './terminal/table.ts';

/** Prints a table of all subscriptions. Secrets and the query strings of callbacks are left out. */
export async function listAll(config: Config): Promise<void> {
  const nowMs = Date.now();
  await withDatabase(config, async (database) => {
    const subscriptions = await listSubscriptions(database.read, nowMs);
    const rows = subscriptions.map((each) => cellsOf(each, nowMs));
    process.stdout.write(rows.length === 0 ? 'there are no subscriptions\n' : renderTable(rows));
  });
}

function cellsOf({ topic, callback, subscription }: ListedSubscription, nowMs: number) {
  const acknowledgedAt = subscription?.acknowledged_at;
  return {
    ID: subscription?.id ?? '-',
    STATE: subscription ? 'active' : 'pending',
    TOPIC: topic,
    CALLBACK: withoutQuery(callback),
    'LEASE LEFT': subscription ? timeLeft(subscription.expires_at - nowMs) : '-',
    ACKNOWLEDGED: acknowledgedAt ? new Date(acknowledgedAt).toISOString() : '-',
    PENDING: subscription ? pendingOf(subscription, nowMs) : '-',
    FAILURES: subscription ? String(subscription.failures) : '-',
    'LAST ERROR': subscription?.last_error ?? '-',
  };
}

/** How long a change waits for its delivery, or when a failed delivery is tried again. */
function pendingOf(subscription: Subscription, nowMs: number): string {
  if (subscription.pending_snapshot <= subscription.acknowledged_snapshot) return '-';
  if (subscription.claimed_snapshot > 0) return 'being delivered';
  if (subscription.retry_at > nowMs) return `retry in ${timeLeft(subscription.retry_at - nowMs)}`;
  return `for ${timeLeft(nowMs - subscription.pending_since)}`;
}

const SECONDS_OF = { day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;

/** The two largest units, such as "9 days 23 hours". */
function timeLeft(ms: number): string {
  let seconds = Math.max(1, Math.floor(ms / 1000));
  const parts = Object.entries(SECONDS_OF).flatMap(([unit, length]) => {
    const count = Math.floor(seconds / length);
    seconds -= count * length;
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`];
  });
  return parts.slice(0, 2).join(' ');
}

/**
 * Removes a subscription. The server then notifies its subscriber.
 *
 * @throws {InputError} if no subscription has this id.
 */
export async function removeOne(config: Config, id: string): Promise<void> {
  const reason = 'the operator of the hub has ended the subscription';
  const isRemoved = await withDatabase(config, (database) =>
    removeSubscription(database, id, reason, Date.now()),
  );
  if (!isRemoved) {
    throw new InputError(
      `expected the ID of a subscription, as "subscriptions list" shows it, got ${show(id)}`,
    );
  }
  process.stdout.write(`removed ${id}\n`);
}
