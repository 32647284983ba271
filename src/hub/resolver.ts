// Host names to addresses, without letting the names that never answer hold up the others.

import { lookup as lookupInSystem, Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a name resolves to. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

export type Resolve = (hostname: string) => Promise<readonly Address[]>;

/** Lookups of the system that may run at once: each holds one of the few threads of the process. */
const SYSTEM_LOOKUPS = 2;

/** Lookups of the system that may wait for others; beyond, a name that hangs hides behind them. */
const MOST_WAITING = 50;
/** How long a second family of addresses is waited for when the first one is known. */
const SECOND_FAMILY_MS = 1_000;

/** What DNS says of a name that it does not know, and what is said where there is no DNS. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'ESERVFAIL']);

/**
 * Asks DNS first, which needs no thread and gives up in time; the system's own lookup, which does
 * neither, only for names that DNS cannot know or does not, as those of the hosts file.
 */
export class NameResolver {
  readonly #servers: readonly string[];
  readonly #secondFamilyMs: number;
  readonly #underWay = new Map<string, Promise<readonly Address[]>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** `servers` are asked instead of those of the system: address and port each. */
  constructor(servers: readonly string[] = [], secondFamilyMs = SECOND_FAMILY_MS) {
    this.#servers = servers;
    this.#secondFamilyMs = secondFamilyMs;
  }

  /** Every address of a name; at least one. */
  readonly resolve: Resolve = (hostname) => {
    const known = this.#underWay.get(hostname);
    if (known) return known;
    const answer = this.#resolve(hostname).finally(() => this.#underWay.delete(hostname));
    this.#underWay.set(hostname, answer);
    return answer;
  };

  async #resolve(hostname: string): Promise<readonly Address[]> {
    if (!/[^.]\.[^.]/.test(hostname)) return this.#askSystem(hostname);
    const { addresses, errors } = await this.#askDns(hostname);
    if (addresses.length > 0) return addresses;
    for (const error of errors) if (!UNKNOWN.has(codeOf(error))) throw error;
    return this.#askSystem(hostname);
  }

  async #askDns(hostname: string): Promise<{ addresses: Address[]; errors: unknown[] }> {
    // A new one for each name: it reads the system's name servers once, and they may change.
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (this.#servers.length > 0) resolver.setServers(this.#servers);
    const addresses: Address[] = [];
    const errors: unknown[] = [];
    const ask = async (family: 4 | 6) => {
      try {
        const found = await (family === 4
          ? resolver.resolve4(hostname)
          : resolver.resolve6(hostname));
        addresses.push(...found.map((address) => ({ address, family })));
      } catch (error) {
        errors.push(error);
      }
    };
    const both = [ask(4), ask(6)];
    await Promise.race(both);
    const patience = sleep(this.#secondFamilyMs, undefined, { ref: false });
    await (addresses.length > 0 ? Promise.race([Promise.all(both), patience]) : Promise.all(both));
    resolver.cancel();
    return { addresses: [...addresses], errors };
  }

  async #askSystem(hostname: string): Promise<readonly Address[]> {
    if (this.#running < SYSTEM_LOOKUPS) this.#running += 1;
    else if (this.#waiting.length < MOST_WAITING) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else throw new Error('too many names wait to be looked up');
    try {
      const found = await lookupInSystem(hostname, { all: true });
      return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code);
}
