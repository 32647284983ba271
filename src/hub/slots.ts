// Limits the requests that are in flight at once: in all, to one registrable domain, and to one network. A
// request that is in flight takes a slot. Unproven callbacks, which may hang, get at most half of each limit.

import type { HubConfig } from '../config.ts';
import type { BusyDestinations } from '../store/hub/deliveries.ts';
import type { CallLimits } from './call-limits.ts';
import { isProven, type Job, keyOf } from './job.ts';
import { DOMAINS_PER_NETWORK } from './limits.ts';

/** Names that one SQL statement can exclude. Beyond this, `take` still refuses the job. */
const MAX_EXCLUDED = 10_000;

/**
 * Which slots a request may use: `shared` the first three quarters; `idle`, for destinations with nothing in
 * flight, half of the rest too; `established`, for those that also have acknowledged a delivery before, all.
 */
export type Tier = 'shared' | 'idle' | 'established';

const SHARES: Readonly<Record<Tier, number>> = { shared: 3 / 4, idle: 7 / 8, established: 1 };

interface Count {
  readonly all: number;
  readonly unproven: number;
}

const NONE: Count = { all: 0, unproven: 0 };

/** A job in flight, and the networks that its host resolved to. */
export type Running = readonly [job: Job, networks: readonly string[]];

export class Slots {
  readonly #hub: HubConfig;
  readonly #calls: CallLimits;
  readonly #keys = new Set<string>();
  readonly #domains = new Map<string, Count>();
  readonly #networks = new Map<string, Count>();
  #taken: Count = NONE;

  /** Those that run for other sites take slots of their domains and networks only. */
  constructor(
    hub: HubConfig,
    calls: CallLimits,
    running: Iterable<Running>,
    elsewhere: Iterable<Running> = [],
  ) {
    this.#hub = hub;
    this.#calls = calls;
    for (const [job, networks] of running) this.#add(job, networks);
    for (const [job, networks] of elsewhere) this.#addDestination(job, networks);
  }

  /** The number of free slots in a tier. Unproven callbacks may use half of a tier. */
  free(tier: Tier, isUnproven: boolean): number {
    const { concurrency } = this.#hub;
    const all = shareOf(tier, concurrency) - this.#taken.all;
    if (!isUnproven) return all;
    return Math.min(all, shareOf(tier, half(concurrency)) - this.#taken.unproven);
  }

  /** Domains and networks to which no further request may be sent in a tier. */
  busy(tier: Tier, isUnproven: boolean): BusyDestinations {
    const { domains, networks } = this.#calls.exhausted(isUnproven);
    const busyOf = (
      counts: ReadonlyMap<string, Count>,
      limit: number,
      exhausted: readonly string[],
    ) =>
      [...counts]
        .flatMap(([name, count]) => (this.#isFull(count, limit, tier, isUnproven) ? name : []))
        .concat(exhausted)
        .slice(0, MAX_EXCLUDED);
    return {
      domains: busyOf(this.#domains, this.#perDomain, domains),
      networks: busyOf(this.#networks, this.#perNetwork, networks),
    };
  }

  /**
   * Takes a slot. False if the job's destination is at a limit, or the job is already in flight: after a
   * pause, a process may find that its own claim has expired.
   */
  take(job: Job, tier: Tier): boolean {
    const networks = job.row.network === null ? [] : [job.row.network];
    const isUnproven = !isProven(job);
    const domain = this.#domains.get(job.row.domain) ?? NONE;
    if (this.#keys.has(keyOf(job)) || this.free(tier, isUnproven) <= 0) return false;
    if (this.#isFull(domain, this.#perDomain, tier, isUnproven)) return false;
    if (this.#busyNetwork(networks, tier, isUnproven) !== undefined) return false;
    if (this.#calls.hasExhausted(job.row.domain, isUnproven)) return false;
    if (this.#calls.exhaustedNetwork(networks, isUnproven) !== undefined) return false;
    this.#add(job, networks);
    return true;
  }

  /** The first of these networks that has all its slots taken. */
  busyNetwork(networks: readonly string[], isUnproven: boolean): string | undefined {
    return this.#busyNetwork(networks, 'shared', isUnproven);
  }

  #busyNetwork(networks: readonly string[], tier: Tier, isUnproven: boolean): string | undefined {
    return networks.find((network) =>
      this.#isFull(this.#networks.get(network) ?? NONE, this.#perNetwork, tier, isUnproven),
    );
  }

  get #perDomain(): number {
    return this.#hub.concurrencyPerHost;
  }

  get #perNetwork(): number {
    return DOMAINS_PER_NETWORK * this.#hub.concurrencyPerHost;
  }

  #isFull({ all, unproven }: Count, limit: number, tier: Tier, isUnproven: boolean): boolean {
    if (tier !== 'shared' && all > 0) return true;
    return all >= limit || (isUnproven && unproven >= half(limit));
  }

  #add(job: Job, networks: readonly string[]): void {
    this.#keys.add(keyOf(job));
    this.#addDestination(job, networks);
    this.#taken = withOne(job, this.#taken);
  }

  #addDestination(job: Job, networks: readonly string[]): void {
    const { domain } = job.row;
    this.#domains.set(domain, withOne(job, this.#domains.get(domain)));
    for (const network of networks)
      this.#networks.set(network, withOne(job, this.#networks.get(network)));
  }
}

function withOne(job: Job, { all, unproven }: Count = NONE): Count {
  return { all: all + 1, unproven: unproven + (isProven(job) ? 0 : 1) };
}

function shareOf(tier: Tier, limit: number): number {
  return Math.ceil(limit * SHARES[tier]);
}

function half(limit: number): number {
  return Math.ceil(limit / 2);
}
