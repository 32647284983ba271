// Limits the requests per minute that the hub sends to one domain and one network, of all kinds, for all
// subscribers and all sites, so that nobody can use the hub to flood a third party.

import type { HubConfig } from '../config.ts';
import type { BusyDestinations } from '../store/hub/deliveries.ts';
import type { Job } from './job.ts';
import { CALLS_PER_SUBSCRIPTION, DOMAINS_PER_NETWORK } from './limits.ts';

const MINUTE_MS = 60_000;
/** The sliding minute has steps of this length; a step counts until its end is a minute old. */
const STEP_MS = 5_000;

/** Counts requests by name in a sliding minute. */
class RecentCalls {
  readonly #limit: number;
  /** Requests by name in each step of the last minute, oldest step first. */
  readonly #steps: { readonly step: number; readonly counts: Map<string, number> }[] = [];
  readonly #sums = new Map<string, number>();
  readonly #exhausted = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(name: string, elapsedMs: number): void {
    const step = Math.floor(elapsedMs / STEP_MS);
    let last = this.#steps.at(-1);
    if (last?.step !== step) {
      last = { step, counts: new Map() };
      this.#steps.push(last);
    }
    last.counts.set(name, (last.counts.get(name) ?? 0) + 1);
    const sum = (this.#sums.get(name) ?? 0) + 1;
    this.#sums.set(name, sum);
    if (sum >= this.#limit) this.#exhausted.add(name);
  }

  /** Names that have reached the limit. */
  exhausted(elapsedMs: number): ReadonlySet<string> {
    const first = Math.floor((elapsedMs - MINUTE_MS) / STEP_MS);
    while (this.#steps[0] && this.#steps[0].step < first) {
      for (const [name, count] of this.#steps.shift()?.counts ?? []) this.#subtract(name, count);
    }
    return this.#exhausted;
  }

  #subtract(name: string, count: number): void {
    const sum = (this.#sums.get(name) ?? 0) - count;
    if (sum > 0) this.#sums.set(name, sum);
    else this.#sums.delete(name);
    if (sum < this.#limit) this.#exhausted.delete(name);
  }
}

interface Limits {
  readonly all: RecentCalls;
  readonly unproven: RecentCalls;
}

export class CallLimits {
  /** Of all sites, with the networks that they connect to. */
  readonly inFlight = new Map<Job, readonly string[]>();
  readonly #elapsedMs: () => number;
  readonly #domains: Limits;
  readonly #networks: Limits;

  /** `elapsedMs` is a monotonic clock. */
  constructor({ maxSubscriptionsPerHost }: HubConfig, elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
    const perDomain = CALLS_PER_SUBSCRIPTION * (maxSubscriptionsPerHost || Infinity);
    const limits = (all: number) => ({
      all: new RecentCalls(all),
      unproven: new RecentCalls(Math.ceil(all / 2)),
    });
    this.#domains = limits(perDomain);
    this.#networks = limits(DOMAINS_PER_NETWORK * perDomain);
  }

  /** Domains and networks that have reached their limit for this minute. */
  exhausted(isUnproven: boolean): BusyDestinations {
    const elapsedMs = this.#elapsedMs();
    const namesOf = ({ all, unproven }: Limits) => [
      ...all.exhausted(elapsedMs),
      ...(isUnproven ? unproven.exhausted(elapsedMs) : []),
    ];
    return { domains: namesOf(this.#domains), networks: namesOf(this.#networks) };
  }

  hasExhausted(domain: string, isUnproven: boolean): boolean {
    return this.#has(this.#domains, domain, isUnproven);
  }

  /** The first of these networks that has reached its limit for this minute. */
  exhaustedNetwork(networks: readonly string[], isUnproven: boolean): string | undefined {
    return networks.find((network) => this.#has(this.#networks, network, isUnproven));
  }

  count(domain: string, networks: readonly string[], isUnproven: boolean): void {
    const elapsedMs = this.#elapsedMs();
    for (const kind of isUnproven ? (['all', 'unproven'] as const) : (['all'] as const)) {
      this.#domains[kind].add(domain, elapsedMs);
      for (const network of networks) this.#networks[kind].add(network, elapsedMs);
    }
  }

  #has({ all, unproven }: Limits, name: string, isUnproven: boolean): boolean {
    const elapsedMs = this.#elapsedMs();
    return (
      all.exhausted(elapsedMs).has(name) || (isUnproven && unproven.exhausted(elapsedMs).has(name))
    );
  }
}
