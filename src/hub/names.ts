// Host names to addresses, without letting the names that never answer hold up the others.

import { lookup as lookupInSystem, Resolver } from 'node:dns/promises';

/** What a name resolves to. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

export type Resolve = (hostname: string) => Promise<readonly Address[]>;

/** Lookups of the system that may run at once: each holds one of the few threads of the process. */
const SYSTEM_LOOKUPS = 2;

/** What DNS says of a name that it does not know, and what is said where there is no DNS. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'ESERVFAIL']);

/**
 * Asks DNS first, which needs no thread and gives up in time; the system's own lookup, which does
 * neither, only for names that DNS cannot know or does not, as those of the hosts file.
 */
export class NameResolver {
  readonly #resolver = new Resolver({ timeout: 2_000, tries: 2 });
  readonly #underWay = new Map<string, Promise<readonly Address[]>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** `servers` are asked instead of those of the system: address and port each. */
  constructor(servers: readonly string[] = []) {
    if (servers.length > 0) this.#resolver.setServers(servers);
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
    const answers = await Promise.allSettled([
      this.#resolver.resolve4(hostname),
      this.#resolver.resolve6(hostname),
    ]);
    const addresses = answers.flatMap((answer, place) =>
      answer.status === 'rejected'
        ? []
        : answer.value.map((address) => ({ address, family: place === 0 ? 4 : 6 }) as const),
    );
    if (addresses.length > 0) return addresses;
    for (const answer of answers) {
      if (answer.status === 'rejected' && !UNKNOWN.has(codeOf(answer.reason))) throw answer.reason;
    }
    return this.#askSystem(hostname);
  }

  async #askSystem(hostname: string): Promise<readonly Address[]> {
    if (this.#running >= SYSTEM_LOOKUPS) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
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
