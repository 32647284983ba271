// Which requests to callbacks may be in flight at once: so many in all, of each registrable domain and of
// each network so many, and callbacks that may hang never all of them.

import type { HubConfig } from '../config.ts';
import type { BusyDestinations } from '../store/deliveries.ts';
import type { CallLimits } from './call-limits.ts';
import { isProven, type Job, keyOf } from './job.ts';

/** Many domains share an address behind a content delivery network. */
const DOMAINS_PER_NETWORK = 4;
/** Places that one statement can exclude; taking a slot decides in any case. */
const MOST_EXCLUDED = 10_000;

/**
 * What a request may use. A quarter of all slots is kept for places with nothing in flight, and half of
 * that quarter for those of them that have acknowledged a delivery before.
 */
export type Tier = 'shared' | 'idle' | 'established';

const SHARES: Readonly<Record<Tier, number>> = { shared: 3 / 4, idle: 7 / 8, established: 1 };

interface Count {
  readonly all: number;
  readonly unproven: number;
}

const NONE: Count = { all: 0, unproven: 0 };

/** A job in flight, and the networks that its host has resolved to. */
export type Running = readonly [job: Job, networks: readonly string[]];

export class Slots {
  readonly #hub: HubConfig;
  readonly #calls: CallLimits;
  readonly #keys = new Set<string>();
  readonly #domains = new Map<string, Count>();
  readonly #networks = new Map<string, Count>();
  #taken: Count = NONE;

  constructor(hub: HubConfig, calls: CallLimits, running: Iterable<Running>) {
    this.#hub = hub;
    this.#calls = calls;
    for (const [job, networks] of running) this.#add(job, networks);
  }

  /** Slots that are free; a half of each share is for callbacks that have shown that they answer. */
  free(tier: Tier, isUnproven: boolean): number {
    const { concurrency } = this.#hub;
    const all = shareOf(tier, concurrency) - this.#taken.all;
    if (!isUnproven) return all;
    return Math.min(all, shareOf(tier, half(concurrency)) - this.#taken.unproven);
  }

  /** Places of which no further request may be in flight in a tier. */
  busy(tier: Tier, isUnproven: boolean): BusyDestinations {
    const { domains, networks } = this.#calls.exhausted(isUnproven);
    const busyOf = (
      counts: ReadonlyMap<string, Count>,
      most: number,
      exhausted: readonly string[],
    ) =>
      [...counts]
        .flatMap(([name, count]) => (this.#isFull(count, most, tier, isUnproven) ? name : []))
        .concat(exhausted)
        .slice(0, MOST_EXCLUDED);
    return {
      domains: busyOf(this.#domains, this.#mostOfDomain, domains),
      networks: busyOf(this.#networks, this.#mostOfNetwork, networks),
    };
  }

  /**
   * False, and nothing taken, where the job's place has all that it may have, or the job is in flight: a
   * process that was paused may find a claim of its own run out.
   */
  take(job: Job, tier: Tier): boolean {
    const networks = job.network === null ? [] : [job.network];
    const isUnproven = !isProven(job);
    const domain = this.#domains.get(job.domain) ?? NONE;
    if (this.#keys.has(keyOf(job)) || this.free(tier, isUnproven) <= 0) return false;
    if (this.#isFull(domain, this.#mostOfDomain, tier, isUnproven)) return false;
    if (this.#fullNetwork(networks, tier, isUnproven) !== undefined) return false;
    if (this.#calls.hasExhausted(job.domain, isUnproven)) return false;
    if (this.#calls.exhaustedNetwork(networks, isUnproven) !== undefined) return false;
    this.#add(job, networks);
    return true;
  }

  /** The first of these networks that may have no further request in flight. */
  fullNetwork(networks: readonly string[], isUnproven: boolean): string | undefined {
    return this.#fullNetwork(networks, 'shared', isUnproven);
  }

  #fullNetwork(networks: readonly string[], tier: Tier, isUnproven: boolean): string | undefined {
    return networks.find((network) =>
      this.#isFull(this.#networks.get(network) ?? NONE, this.#mostOfNetwork, tier, isUnproven),
    );
  }

  get #mostOfDomain(): number {
    return this.#hub.concurrencyPerHost;
  }

  get #mostOfNetwork(): number {
    return DOMAINS_PER_NETWORK * this.#hub.concurrencyPerHost;
  }

  #isFull({ all, unproven }: Count, most: number, tier: Tier, isUnproven: boolean): boolean {
    if (tier !== 'shared' && all > 0) return true;
    return all >= most || (isUnproven && unproven >= half(most));
  }

  #add(job: Job, networks: readonly string[]): void {
    const more = { all: 1, unproven: isProven(job) ? 0 : 1 };
    const sum = (count: Count = NONE) => ({
      all: count.all + more.all,
      unproven: count.unproven + more.unproven,
    });
    this.#keys.add(keyOf(job));
    this.#domains.set(job.domain, sum(this.#domains.get(job.domain)));
    for (const network of networks) this.#networks.set(network, sum(this.#networks.get(network)));
    this.#taken = sum(this.#taken);
  }
}

function shareOf(tier: Tier, most: number): number {
  return Math.ceil(most * SHARES[tier]);
}

function half(most: number): number {
  return Math.ceil(most / 2);
}
