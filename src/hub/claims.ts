// Chooses what the worker does next: the oldest first, but no host and no failing callback may take
// the places of the others.

import type { HubConfig } from '../config.ts';
import type { Document, Snapshot } from '../snapshot/snapshot.ts';
import type { Executor } from '../store/engine.ts';
import {
  type ClaimedDelivery,
  type ClaimedDenial,
  type ClaimedIntent,
  claimDeliveries,
  claimDenials,
  claimIntents,
  type Readiness,
  selectDeliveries,
  selectDenials,
  selectIntents,
} from '../store/deliveries.ts';

/** Beyond the time limit of a request: what is recorded late is still recorded under its claim. */
const CLAIM_MARGIN_MS = 5_000;

/** One request to a callback. */
export type Job =
  | { readonly kind: 'verify'; readonly host: string; readonly intent: ClaimedIntent }
  | { readonly kind: 'deny'; readonly host: string; readonly denial: ClaimedDenial }
  | {
      readonly kind: 'deliver';
      readonly host: string;
      readonly delivery: ClaimedDelivery;
      readonly document: Document;
      readonly origin: string;
    };

/** ms that a request to a callback may take: a larger body has more time. */
export function timeoutMs(hub: HubConfig, bodyBytes: number): number {
  return 1000 * (hub.timeoutSeconds + Math.floor(bodyBytes / 2 ** 20));
}

/** ms that a worker claims anything for, at most. */
export function longestClaimMs(hub: HubConfig, snapshot: Snapshot): number {
  const sizes = [...snapshot.documents.values()].map(({ body }) => body.length);
  return timeoutMs(hub, Math.max(...sizes)) + CLAIM_MARGIN_MS;
}

/** The requests that may be in flight, and those that are. */
export class Slots {
  readonly #hub: HubConfig;
  readonly #keys = new Set<string>();
  readonly #hosts = new Map<string, { all: number; unproven: number }>();
  readonly #taken = { all: 0, unproven: 0 };

  constructor(hub: HubConfig, running: Iterable<Job>) {
    this.#hub = hub;
    for (const job of running) this.take(job);
  }

  get free(): number {
    return this.#hub.concurrency - this.#taken.all;
  }

  /** For requests whose callback has not shown that it answers: half of all, as they may all hang. */
  get freeForUnproven(): number {
    return Math.min(this.free, half(this.#hub.concurrency) - this.#taken.unproven);
  }

  /** Hosts that have all the requests that one host may have, or all that may be unproven. */
  busyHosts(isForUnproven: boolean): string[] {
    const { concurrencyPerHost: most } = this.#hub;
    return [...this.#hosts].flatMap(([host, { all, unproven }]) =>
      all >= most || (isForUnproven && unproven >= half(most)) ? host : [],
    );
  }

  /** False, and nothing taken, where the host has all that it may have, or the job is under way: a
   * process that was paused may find a claim of its own run out. */
  take(job: Job): boolean {
    const { concurrencyPerHost: most } = this.#hub;
    const host = this.#hosts.get(job.host) ?? { all: 0, unproven: 0 };
    const unproven = isProven(job) ? 0 : 1;
    const isFull = host.all >= most || host.unproven + unproven > half(most);
    if (isFull || this.#keys.has(keyOf(job))) return false;
    this.#keys.add(keyOf(job));
    this.#hosts.set(job.host, { all: host.all + 1, unproven: host.unproven + unproven });
    this.#taken.all += 1;
    this.#taken.unproven += unproven;
    return true;
  }
}

function half(most: number): number {
  return Math.ceil(most / 2);
}

/** Whether its callback has shown that it answers. */
function isProven(job: Job): boolean {
  return job.kind === 'deliver' && job.delivery.failures === 0;
}

function keyOf(job: Job): string {
  if (job.kind === 'deliver') return job.delivery.id;
  return `${job.kind} ${job.kind === 'verify' ? job.intent.number : job.denial.number}`;
}

export interface Claimant {
  readonly worker: string;
  readonly hub: HubConfig;
  readonly readiness: Readiness;
  readonly snapshot: Snapshot;
}

/** Claims as much as there are slots for, and takes the slots. */
export async function claimJobs(
  transaction: Executor,
  claimant: Claimant,
  slots: Slots,
): Promise<Job[]> {
  const { readiness, snapshot } = claimant;
  const deliver = (tries: 'first' | 'again'): Source<ClaimedDelivery> => ({
    select: (busy, limit) => selectDeliveries(transaction, readiness, tries, busy, limit),
    jobOf: (delivery) => deliveryJob(delivery, snapshot),
    claim: (rows) => claimEachTopic(transaction, claimant, rows),
  });
  const { worker, hub } = claimant;
  const brief = { worker, until: readiness.now + timeoutMs(hub, 0) + CLAIM_MARGIN_MS };
  const verify: Source<ClaimedIntent> = {
    select: (busy, limit) => selectIntents(transaction, readiness, busy, limit),
    jobOf: (intent) => ({ kind: 'verify', host: intent.host, intent }),
    claim: (rows) =>
      claimIntents(
        transaction,
        rows.map(({ number }) => number),
        brief,
      ),
  };
  const deny: Source<ClaimedDenial> = {
    select: (busy, limit) => selectDenials(transaction, readiness, busy, limit),
    jobOf: (denial) => ({ kind: 'deny', host: denial.host, denial }),
    claim: (rows) =>
      claimDenials(
        transaction,
        rows.map(({ number }) => number),
        brief,
      ),
  };
  return [
    ...(await fill(verify, slots, true)),
    ...(await fill(deliver('first'), slots, false)),
    ...(await fill(deliver('again'), slots, true)),
    ...(await fill(deny, slots, true)),
  ];
}

interface Source<Row> {
  readonly select: (busyHosts: readonly string[], limit: number) => Promise<Row[]>;
  readonly jobOf: (row: Row) => Job | null;
  readonly claim: (rows: readonly Row[]) => Promise<void>;
}

/**
 * Takes rows until there is no slot or no row. What was claimed and the hosts that are full are not
 * selected again, so every round gets further.
 */
async function fill<Row>(
  { select, jobOf, claim }: Source<Row>,
  slots: Slots,
  isUnproven: boolean,
): Promise<Job[]> {
  const jobs: Job[] = [];
  for (;;) {
    const wanted = isUnproven ? slots.freeForUnproven : slots.free;
    if (wanted <= 0) break;
    const rows = await select(slots.busyHosts(isUnproven), wanted);
    const taken = rows.filter((row) => {
      const job = jobOf(row);
      if (job === null || !slots.take(job)) return false;
      jobs.push(job);
      return true;
    });
    if (taken.length > 0) await claim(taken);
    if (rows.length < wanted || taken.length === 0) break;
  }
  return jobs;
}

/** Null for a topic that this program does not have: another version took the subscription. */
function deliveryJob(delivery: ClaimedDelivery, snapshot: Snapshot): Job | null {
  const document = documentOf(delivery.topic, snapshot);
  if (!document) return null;
  return { kind: 'deliver', host: delivery.host, delivery, document, origin: snapshot.origin };
}

function documentOf(topic: string, snapshot: Snapshot): Document | undefined {
  return snapshot.documents.get(topic as Document['path']);
}

/** Each topic has another size, and so another time that its deliveries may take. */
async function claimEachTopic(
  transaction: Executor,
  { worker, hub, readiness, snapshot }: Claimant,
  rows: readonly ClaimedDelivery[],
): Promise<void> {
  for (const [topic, ofTopic] of Map.groupBy(rows, (row) => row.topic)) {
    const bodyBytes = documentOf(topic, snapshot)?.body.length ?? 0;
    const until = readiness.now + timeoutMs(hub, bodyBytes) + CLAIM_MARGIN_MS;
    const ids = ofTopic.map(({ id }) => id);
    await claimDeliveries(transaction, ids, snapshot.number, { worker, until });
  }
}
