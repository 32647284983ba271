// Holds the addresses of a host name while requests use them, so that a request connects to the addresses
// that it was counted for, even if DNS answers differently a moment later.

import { HUB_LIMITS } from './limits.ts';
import type { Address, Resolve } from './resolver.ts';

/** A request that starts later resolves the name again. */
const MAX_AGE_MS = 10_000;
/** Names with more addresses are refused, because each address is checked and counted. */
const MAX_ADDRESSES = HUB_LIMITS.addresses.value;

interface Held {
  readonly answer: Promise<readonly Address[]>;
  readonly sinceMs: number;
  users: number;
}

export class HeldNames {
  readonly #source: Resolve;
  readonly #elapsedMs: () => number;
  readonly #held = new Map<string, Held>();

  /** `elapsedMs` is a monotonic clock. */
  constructor(source: Resolve, elapsedMs: () => number) {
    this.#source = source;
    this.#elapsedMs = elapsedMs;
  }

  /** Resolves a name and holds its addresses until `release` is called. */
  use(hostname: string): { readonly answer: Promise<readonly Address[]>; release(): void } {
    const held = this.#fresh(hostname) ?? this.#request(hostname);
    held.users += 1;
    return {
      answer: held.answer,
      release: () => {
        held.users -= 1;
        if (held.users === 0) this.#forget(hostname, held);
      },
    };
  }

  /** The held addresses of a name, or else its current ones. */
  readonly resolve: Resolve = (hostname) =>
    this.#held.get(hostname)?.answer ?? this.#source(hostname);

  #fresh(hostname: string): Held | undefined {
    const held = this.#held.get(hostname);
    return held && this.#elapsedMs() - held.sinceMs < MAX_AGE_MS ? held : undefined;
  }

  #request(hostname: string): Held {
    const answer = this.#source(hostname).then((addresses) => {
      if (addresses.length > MAX_ADDRESSES) throw new Error('the name has too many addresses');
      return addresses;
    });
    const held = { answer, sinceMs: this.#elapsedMs(), users: 0 };
    this.#held.set(hostname, held);
    // Every waiting user gets the failure; the next one resolves the name again.
    answer.catch(() => this.#forget(hostname, held));
    return held;
  }

  #forget(hostname: string, held: Held): void {
    if (this.#held.get(hostname) === held) this.#held.delete(hostname);
  }
}
