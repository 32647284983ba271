// Chooses what the worker does next: domains in turn, and no place and no failing callback may take the
// slots of the others.

import type { HubConfig } from '../config.ts';
import type { Document, Snapshot } from '../snapshot/snapshot.ts';
import type { Executor } from '../store/engine.ts';
import {
  type BusyDestinations,
  type ClaimedDelivery,
  type ClaimedDenial,
  type ClaimedIntent,
  claimDeliveries,
  claimDenials,
  claimIntents,
  type ClaimCriteria,
  selectDeliveries,
  selectDenials,
  selectIntents,
} from '../store/deliveries.ts';
import type { Job } from './job.ts';
import type { Slots, Tier } from './slots.ts';

/** Beyond the time limit of a request: what is recorded late is still recorded under its claim. */
const CLAIM_MARGIN_MS = 5_000;
/** The subscriptions of each domain for which slots are kept. */
const MOST_RANK = 2;

/** ms that a request to a callback may take: a larger body has more time. */
export function timeoutMs(hub: HubConfig, bodyBytes: number): number {
  return 1000 * (hub.timeoutSeconds + Math.floor(bodyBytes / 2 ** 20));
}

/** ms that a worker claims anything for, at most. */
export function longestClaimMs(hub: HubConfig, snapshot: Snapshot): number {
  const sizes = [...snapshot.documents.values()].map(({ body }) => body.length);
  return timeoutMs(hub, Math.max(...sizes)) + CLAIM_MARGIN_MS;
}

export interface Claimant {
  readonly worker: string;
  /** Counts the worker's turns. */
  readonly turn: number;
  readonly hub: HubConfig;
  readonly criteria: ClaimCriteria;
  readonly snapshot: Snapshot;
}

/** Claims as much as there are slots for, and takes the slots. */
export async function claimJobs(
  transaction: Executor,
  claimant: Claimant,
  slots: Slots,
): Promise<Job[]> {
  const { criteria, snapshot, turn, worker, hub } = claimant;
  const { nowMs } = criteria;
  const claim = { ownerId: worker, untilMs: nowMs + timeoutMs(hub, 0) + CLAIM_MARGIN_MS };
  const numbersOf = (rows: readonly { number: number }[]) => rows.map(({ number }) => number);
  const deliver = (isUnproven: boolean): Source<ClaimedDelivery> => ({
    isUnproven,
    tiers: isUnproven ? ['shared', 'idle'] : ['shared', 'idle', 'established'],
    select: (tier, busy, limit) => {
      const few = tier === 'shared' ? {} : { maxRank: MOST_RANK };
      const filter = { isUnproven, isEstablished: tier === 'established', ...few };
      return selectDeliveries(transaction, criteria, filter, busy, limit);
    },
    jobOf: (delivery) => deliveryJob(delivery, snapshot),
    claim: (rows) => claimEachTopic(transaction, claimant, rows),
  });
  const verify: Source<ClaimedIntent> = {
    isUnproven: true,
    tiers: ['shared', 'idle'],
    select: (_tier, busy, limit) => selectIntents(transaction, criteria, busy, limit),
    jobOf: (intent) => ({ kind: 'verify', ...placeOf(intent), intent }),
    claim: (rows) => claimIntents(transaction, numbersOf(rows), claim),
  };
  const deny: Source<ClaimedDenial> = {
    isUnproven: true,
    tiers: ['shared', 'idle'],
    select: (_tier, busy, limit) => selectDenials(transaction, criteria, busy, limit),
    jobOf: (denial) => ({ kind: 'deny', ...placeOf(denial), denial }),
    claim: (rows) => claimDenials(transaction, numbersOf(rows), claim),
  };
  const deliveries = [
    () => fill(deliver(false), slots),
    () => fill(deliver(true), slots),
    () => fill(deny, slots),
  ];
  const verifications = () => fill(verify, slots);
  // In turn, so that neither a flood of requests nor many failing callbacks keep the other waiting.
  const sources = turn % 2 === 0 ? [verifications, ...deliveries] : [...deliveries, verifications];
  const jobs: Job[] = [];
  for (const claimSome of sources) jobs.push(...(await claimSome()));
  return jobs;
}

function placeOf({ domain, network }: { domain: string; network: string | null }) {
  return { domain, network };
}

interface Source<Row> {
  /** Whether its callbacks may hang. */
  readonly isUnproven: boolean;
  /** The slots that it may use, those of the first tier first. */
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
 * Takes rows until there is no slot or no row; true where there is no row. What was claimed and the
 * places that are full are not selected again, so every round gets further.
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

/** Null for a topic that this program does not have: another version took the subscription. */
function deliveryJob(delivery: ClaimedDelivery, snapshot: Snapshot): Job | null {
  const document = documentOf(delivery.topic, snapshot);
  if (!document) return null;
  return { kind: 'deliver', ...placeOf(delivery), delivery, document, origin: snapshot.origin };
}

function documentOf(topic: string, snapshot: Snapshot): Document | undefined {
  return snapshot.documents.get(topic as Document['path']);
}

/** Each topic has another size, and so another time that its deliveries may take. */
async function claimEachTopic(
  transaction: Executor,
  { worker, hub, criteria, snapshot }: Claimant,
  rows: readonly ClaimedDelivery[],
): Promise<void> {
  for (const [topic, ofTopic] of Map.groupBy(rows, (row) => row.topic)) {
    const bodyBytes = documentOf(topic, snapshot)?.body.length ?? 0;
    const untilMs = criteria.nowMs + timeoutMs(hub, bodyBytes) + CLAIM_MARGIN_MS;
    const ids = ofTopic.map(({ id }) => id);
    await claimDeliveries(transaction, ids, snapshot.number, { ownerId: worker, untilMs });
  }
}
