// Resolves host names so that names whose servers never answer do not delay the others.

import { lookup as lookupInSystem, Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { HUB_LIMITS } from './limits.ts';

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

export type Resolve = (hostname: string) => Promise<readonly Address[]>;

/** Concurrent `getaddrinfo` calls. Each blocks one of the few libuv threads. */
const SYSTEM_LOOKUPS = 2;

/** Waiting `getaddrinfo` calls. Beyond this, lookups fail at once. */
const MAX_WAITING = 50;
/** How long to wait for the second address family once the first is known. */
const SECOND_FAMILY_MS = 1_000;

/** A request connects to the addresses that it was counted for, even if DNS answers differently a moment later. */
const ANSWER_AGE_MS = 10_000;
/** More than requests are ever in flight. */
const REMEMBERED_ANSWERS = 10_000;
/** Error codes of a name that DNS does not know, and of a machine without DNS. */
const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'ESERVFAIL']);

/**
 * Queries DNS first, which needs no thread and has a timeout. Falls back to `getaddrinfo`, which has neither
 * advantage, for names that DNS does not know, such as those of the hosts file.
 */
export class NameResolver {
  readonly #servers: readonly string[];
  readonly #secondFamilyMs: number;
  readonly #inFlight = new Map<string, Promise<readonly Address[]>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** `servers` (`address:port`) replace the name servers of the system. */
  constructor(servers: readonly string[] = [], secondFamilyMs = SECOND_FAMILY_MS) {
    this.#servers = servers;
    this.#secondFamilyMs = secondFamilyMs;
  }

  /**
   * All addresses of a name, at least one.
   *
   * @throws {Error} if the name cannot be resolved, or too many lookups wait.
   */
  readonly resolve: Resolve = (hostname) => {
    const known = this.#inFlight.get(hostname);
    if (known) return known;
    const answer = this.#resolve(hostname).finally(() => this.#inFlight.delete(hostname));
    this.#inFlight.set(hostname, answer);
    return answer;
  };

  async #resolve(hostname: string): Promise<readonly Address[]> {
    if (!/[^.]\.[^.]/.test(hostname)) return this.#lookUpInSystem(hostname);
    const { addresses, errors } = await this.#queryDns(hostname);
    if (addresses.length > 0) return addresses;
    for (const error of errors) if (!NOT_FOUND.has(codeOf(error))) throw error;
    return this.#lookUpInSystem(hostname);
  }

  async #queryDns(hostname: string): Promise<{ addresses: Address[]; errors: unknown[] }> {
    // A new one for each name, because it reads the system's name servers only once and they may change.
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (this.#servers.length > 0) resolver.setServers(this.#servers);
    const addresses: Address[] = [];
    const errors: unknown[] = [];
    const query = async (family: 4 | 6) => {
      try {
        const found = await (family === 4
          ? resolver.resolve4(hostname)
          : resolver.resolve6(hostname));
        addresses.push(...found.map((address) => ({ address, family })));
      } catch (error) {
        errors.push(error);
      }
    };
    const both = [query(4), query(6)];
    await Promise.race(both);
    const timeout = sleep(this.#secondFamilyMs, undefined, { ref: false });
    await (addresses.length > 0 ? Promise.race([Promise.all(both), timeout]) : Promise.all(both));
    resolver.cancel();
    return { addresses: [...addresses], errors };
  }

  async #lookUpInSystem(hostname: string): Promise<readonly Address[]> {
    if (this.#running < SYSTEM_LOOKUPS) this.#running += 1;
    else if (this.#waiting.length < MAX_WAITING) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else throw new Error('too many DNS lookups are waiting');
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

/** Remembers the answers for ten seconds. Names with many addresses are refused: each is checked and counted. */
export function remembering(resolve: Resolve): Resolve {
  const answers = new LRUCache<string, readonly Address[]>({
    max: REMEMBERED_ANSWERS,
    ttl: ANSWER_AGE_MS,
    // An evicted lookup still answers those who wait for it.
    ignoreFetchAbort: true,
    async fetchMethod(host) {
      const addresses = await resolve(host);
      // An empty list would make Node throw an error that nobody can catch.
      if (addresses.length === 0) throw new Error('the host of the callback has no address');
      if (addresses.length > HUB_LIMITS.addresses)
        throw new Error('the name has too many addresses');
      return addresses;
    },
  });
  return (host) => answers.forceFetch(host);
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code);
}
