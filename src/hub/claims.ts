// Claims the jobs that the dispatcher does next. Domains take turns, and neither one destination nor failing
// callbacks can take all slots.

import type { HubConfig } from '../config.ts';
import type { Document, Snapshot } from '../snapshot/snapshot.ts';
import type { Executor } from '../store/engine.ts';
import {
  type BusyDestinations,
  type ClaimedDelivery,
  claimDeliveries,
  type ClaimCriteria,
  claimNumbers,
  selectDeliveries,
  selectWaiting,
  type Waiting,
} from '../store/hub/deliveries.ts';
import type { Job } from './job.ts';
import type { Slots, Tier } from './slots.ts';

/** Added to the time limit of a request, so that an outcome recorded late is still within its claim. */
const CLAIM_MARGIN_MS = 5_000;
/** Subscriptions of each domain that may use the tiers beyond the shared one. */
const RESERVED_RANKS = 2;

/** The time limit of a request to a callback: one second more for each MiB of the body. */
export function timeoutMs(hub: HubConfig, bodyBytes: number): number {
  return 1000 * (hub.timeoutSeconds + Math.floor(bodyBytes / 2 ** 20));
}

export function longestClaimMs(hub: HubConfig, snapshot: Snapshot): number {
  const sizes = [...snapshot.documents.values()].map(({ body }) => body.length);
  return timeoutMs(hub, Math.max(...sizes)) + CLAIM_MARGIN_MS;
}

interface ClaimContext {
  readonly ownerId: string;
  readonly turn: number;
  readonly hub: HubConfig;
  readonly criteria: ClaimCriteria;
  readonly snapshot: Snapshot;
}

/** Claims jobs for all free slots, and takes the slots. */
export async function claimJobs(
  transaction: Executor,
  context: ClaimContext,
  slots: Slots,
): Promise<Job[]> {
  const { criteria, snapshot, turn, ownerId, hub } = context;
  const { nowMs } = criteria;
  const claim = { ownerId, untilMs: nowMs + timeoutMs(hub, 0) + CLAIM_MARGIN_MS };
  const deliver = (isUnproven: boolean): Source<ClaimedDelivery> => ({
    isUnproven,
    tiers: isUnproven ? ['shared', 'idle'] : ['shared', 'idle', 'established'],
    select: (tier, busy, limit) => {
      const ranks = tier === 'shared' ? {} : { maxRank: RESERVED_RANKS };
      const filter = { isUnproven, isEstablished: tier === 'established', ...ranks };
      return selectDeliveries(transaction, criteria, filter, busy, limit);
    },
    jobOf: (row) => deliveryJob(row, snapshot),
    claim: (rows) => claimEachTopic(transaction, context, rows),
  });
  const askAll = <Table extends keyof Waiting>(
    table: Table,
    jobOf: (row: Waiting[Table]) => Job,
  ): Source<Waiting[Table]> => ({
    isUnproven: true,
    tiers: ['shared', 'idle'],
    select: (_tier, busy, limit) => selectWaiting(transaction, table, criteria, busy, limit),
    jobOf,
    claim: (rows) => {
      const numbers = rows.map(({ number }) => number);
      return claimNumbers(transaction, table, numbers, claim);
    },
  });
  const verify = askAll('intents', (row) => ({ kind: 'verify', row }));
  const deny = askAll('denials', (row) => ({ kind: 'deny', row }));
  const deliveries = [
    () => fill(deliver(false), slots),
    () => fill(deliver(true), slots),
    () => fill(deny, slots),
  ];
  const verifications = () => fill(verify, slots);
  // The order alternates, so that neither a flood of requests nor many failing callbacks delay the other.
  const sources = turn % 2 === 0 ? [verifications, ...deliveries] : [...deliveries, verifications];
  const jobs: Job[] = [];
  for (const claimSome of sources) jobs.push(...(await claimSome()));
  return jobs;
}

interface Source<Row> {
  /** Whether its callbacks are unproven, so may hang. */
  readonly isUnproven: boolean;
  /** The tiers that it may use, in order. */
  readonly tiers: readonly Tier[];
  readonly select: (tier: Tier, busy: BusyDestinations, limit: number) => Promise<Row[]>;
  readonly jobOf: (row: Row) => Job | null;
  readonly claim: (rows: readonly Row[]) => Promise<void>;
}

async function fill<Row>(source: Source<Row>, slots: Slots): Promise<Job[]> {
  const jobs: Job[] = [];
  for (const tier of source.tiers) {
    if (await fillTier(source, tier, slots, jobs)) break;
  }
  return jobs;
}

/**
 * Claims rows until there is no slot or no row left; true if there is no row. Claimed rows and busy
 * destinations are not selected again, so every round makes progress.
 */
async function fillTier<Row>(
  { isUnproven, select, jobOf, claim }: Source<Row>,
  tier: Tier,
  slots: Slots,
  jobs: Job[],
): Promise<boolean> {
  for (;;) {
    const wanted = slots.free(tier, isUnproven);
    if (wanted <= 0) return false;
    const rows = await select(tier, slots.busy(tier, isUnproven), wanted);
    const taken = rows.filter((row) => {
      const job = jobOf(row);
      if (job === null || !slots.take(job, tier)) return false;
      jobs.push(job);
      return true;
    });
    if (taken.length > 0) await claim(taken);
    if (rows.length < wanted) return true;
    if (taken.length === 0) return false;
  }
}

/** Null for a topic that this version does not have; another version accepted the subscription. */
function deliveryJob(row: ClaimedDelivery, snapshot: Snapshot): Job | null {
  const document = documentOf(row.topic, snapshot);
  return document ? { kind: 'deliver', row, document, origin: snapshot.origin } : null;
}

function documentOf(topic: string, snapshot: Snapshot): Document | undefined {
  return snapshot.documents.get(topic as Document['path']);
}

/** Claims deliveries by topic, because the time limit depends on the size of the content. */
async function claimEachTopic(
  transaction: Executor,
  { ownerId, hub, criteria, snapshot }: ClaimContext,
  rows: readonly ClaimedDelivery[],
): Promise<void> {
  for (const [topic, ofTopic] of Map.groupBy(rows, (row) => row.topic)) {
    const bodyBytes = documentOf(topic, snapshot)?.body.length ?? 0;
    const untilMs = criteria.nowMs + timeoutMs(hub, bodyBytes) + CLAIM_MARGIN_MS;
    const ids = ofTopic.map(({ id }) => id);
    await claimDeliveries(transaction, ids, snapshot.number, { ownerId, untilMs });
  }
}
