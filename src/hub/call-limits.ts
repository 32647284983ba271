// How many requests the hub sends to one place in a minute, whoever asked for them and whatever they are
// for: strangers must not be able to make it flood a third party.

import type { HubConfig } from '../config.ts';
import type { BusyDestinations } from '../store/deliveries.ts';

const MINUTE_MS = 60_000;
/** The minute is counted in steps of this length; a step counts until all of it is a minute ago. */
const STEP_MS = 5_000;
/** Requests in a minute to a domain, for each subscription that a host may have. */
const CALLS_PER_SUBSCRIPTION = 6;
/** Many domains share an address behind a content delivery network. */
const DOMAINS_PER_NETWORK = 4;

/** Counts requests by name over the last minute. */
class RecentCalls {
  readonly #most: number;
  /** The steps of the last minute, oldest first, and how often each name came in them. */
  readonly #steps: { readonly step: number; readonly counts: Map<string, number> }[] = [];
  readonly #sums = new Map<string, number>();
  readonly #exhausted = new Set<string>();

  constructor(most: number) {
    this.#most = most;
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
    if (sum >= this.#most) this.#exhausted.add(name);
  }

  /** Names that have come as often as they may. */
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
    if (sum < this.#most) this.#exhausted.delete(name);
  }
}

interface Limits {
  readonly all: RecentCalls;
  /** Of callbacks that have not shown that they answer. */
  readonly unproven: RecentCalls;
}

export class CallLimits {
  readonly #elapsed: () => number;
  readonly #domains: Limits;
  readonly #networks: Limits;

  /** `elapsed` is a clock in ms that is never set back. */
  constructor({ maxSubscriptionsPerHost }: HubConfig, elapsed: () => number) {
    this.#elapsed = elapsed;
    const most = CALLS_PER_SUBSCRIPTION * (maxSubscriptionsPerHost || Infinity);
    const limits = (all: number) => ({
      all: new RecentCalls(all),
      unproven: new RecentCalls(Math.ceil(all / 2)),
    });
    this.#domains = limits(most);
    this.#networks = limits(DOMAINS_PER_NETWORK * most);
  }

  /** Domains and networks that have had all their requests of this minute. */
  exhausted(isUnproven: boolean): BusyDestinations {
    const elapsedMs = this.#elapsed();
    const namesOf = ({ all, unproven }: Limits) => [
      ...all.exhausted(elapsedMs),
      ...(isUnproven ? unproven.exhausted(elapsedMs) : []),
    ];
    return { domains: namesOf(this.#domains), networks: namesOf(this.#networks) };
  }

  hasExhausted(domain: string, isUnproven: boolean): boolean {
    return this.#has(this.#domains, domain, isUnproven);
  }

  /** The first of these networks that has had all its requests of this minute. */
  exhaustedNetwork(networks: readonly string[], isUnproven: boolean): string | undefined {
    return networks.find((network) => this.#has(this.#networks, network, isUnproven));
  }

  /** Counts a request that is sent now. */
  count(domain: string, networks: readonly string[], isUnproven: boolean): void {
    const elapsedMs = this.#elapsed();
    for (const kind of isUnproven ? (['all', 'unproven'] as const) : (['all'] as const)) {
      this.#domains[kind].add(domain, elapsedMs);
      for (const network of networks) this.#networks[kind].add(network, elapsedMs);
    }
  }

  #has({ all, unproven }: Limits, name: string, isUnproven: boolean): boolean {
    const elapsedMs = this.#elapsed();
    return (
      all.exhausted(elapsedMs).has(name) || (isUnproven && unproven.exhausted(elapsedMs).has(name))
    );
  }
}
