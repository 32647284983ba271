// Chooses what the worker does next: the oldest first, but no host and no failing callback may take
// the places of the others.

import type { HubConfig } from '../config.ts';
import type { Document, Snapshot } from '../snapshot/snapshot.ts';
import type { Executor } from '../store/database.ts';
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
  | { readonly kind: 'tell'; readonly host: string; readonly denial: ClaimedDenial }
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

/** The requests that may be in flight, and those that are. */
export class Slots {
  readonly #perHost: number;
  readonly #hosts = new Map<string, number>();
  readonly #keys = new Set<string>();
  #free: number;
  #freeForStrangers: number;

  constructor(hub: HubConfig, running: Iterable<Job>) {
    this.#perHost = hub.concurrencyPerHost;
    this.#free = hub.concurrency;
    // Callbacks that may hang share half of all: those that failed before or were never asked.
    this.#freeForStrangers = Math.ceil(hub.concurrency / 2);
    for (const job of running) this.take(job);
  }

  get free(): number {
    return this.#free;
  }

  /** For requests whose callback has not shown that it answers. */
  get freeForStrangers(): number {
    return Math.min(this.#free, this.#freeForStrangers);
  }

  /** Hosts that have all the requests that one host may have. */
  get busyHosts(): string[] {
    return [...this.#hosts].flatMap(([host, count]) => (count >= this.#perHost ? host : []));
  }

  /** False, and nothing taken, where the host has all that it may have, or the job is under way: a
   * process that was paused may find a claim of its own run out. */
  take(job: Job): boolean {
    const count = this.#hosts.get(job.host) ?? 0;
    if (count >= this.#perHost || this.#keys.has(keyOf(job))) return false;
    this.#hosts.set(job.host, count + 1);
    this.#free -= 1;
    this.#keys.add(keyOf(job));
    if (!isTrusted(job)) this.#freeForStrangers -= 1;
    return true;
  }
}

/** Whether its callback has shown that it answers. */
function isTrusted(job: Job): boolean {
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
    select: (busy, limit) => selectIntents(transaction, readiness.now, busy, limit),
    jobOf: (intent) => ({ kind: 'verify', host: intent.host, intent }),
    claim: (rows) =>
      claimIntents(
        transaction,
        rows.map(({ number }) => number),
        brief,
      ),
  };
  const tell: Source<ClaimedDenial> = {
    select: (busy, limit) => selectDenials(transaction, readiness.now, busy, limit),
    jobOf: (denial) => ({ kind: 'tell', host: denial.host, denial }),
    claim: (rows) =>
      claimDenials(
        transaction,
        rows.map(({ number }) => number),
        brief,
      ),
  };
  return [
    ...(await fill(verify, slots, () => slots.freeForStrangers)),
    ...(await fill(deliver('first'), slots, () => slots.free)),
    ...(await fill(deliver('again'), slots, () => slots.freeForStrangers)),
    ...(await fill(tell, slots, () => slots.freeForStrangers)),
  ];
}

interface Source<Row> {
  readonly select: (busyHosts: readonly string[], limit: number) => Promise<Row[]>;
  readonly jobOf: (row: Row) => Job;
  readonly claim: (rows: readonly Row[]) => Promise<void>;
}

/**
 * Takes rows until there is no slot or no row. What was claimed and the hosts that are full are not
 * selected again, so every round gets further.
 */
async function fill<Row>(
  { select, jobOf, claim }: Source<Row>,
  slots: Slots,
  free: () => number,
): Promise<Job[]> {
  const jobs: Job[] = [];
  while (free() > 0) {
    const wanted = free();
    const rows = await select(slots.busyHosts, wanted);
    const taken = rows.filter((row) => {
      const job = jobOf(row);
      const hasSlot = slots.take(job);
      if (hasSlot) jobs.push(job);
      return hasSlot;
    });
    if (taken.length > 0) await claim(taken);
    if (rows.length < wanted || taken.length === 0) break;
  }
  return jobs;
}

function deliveryJob(delivery: ClaimedDelivery, snapshot: Snapshot): Job {
  const document = documentOf(snapshot, delivery.topic);
  return { kind: 'deliver', host: delivery.host, delivery, document, origin: snapshot.origin };
}

function documentOf(snapshot: Snapshot, topic: string): Document {
  const document = snapshot.documents.get(topic as Document['path']);
  if (!document) throw new Error(`no document of the snapshot is the topic ${topic}`);
  return document;
}

/** Each topic has another size, and so another time that its deliveries may take. */
async function claimEachTopic(
  transaction: Executor,
  { worker, hub, readiness, snapshot }: Claimant,
  rows: readonly ClaimedDelivery[],
): Promise<void> {
  for (const [topic, ofTopic] of Map.groupBy(rows, (row) => row.topic)) {
    const { body } = documentOf(snapshot, topic);
    const until = readiness.now + timeoutMs(hub, body.length) + CLAIM_MARGIN_MS;
    const ids = ofTopic.map(({ id }) => id);
    await claimDeliveries(transaction, ids, snapshot.number, { worker, until });
  }
}
