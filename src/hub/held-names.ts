// Addresses of host names, held for the requests that use them: what a request was counted for is what it
// connects to, whatever DNS says a moment later.

import type { Address, Resolve } from './resolver.ts';

/** A request that begins later asks anew. */
const LONGEST_MS = 10_000;
/** A name with more is not called: every address is counted and compared. */
const MOST_ADDRESSES = 32;

interface Held {
  readonly answer: Promise<readonly Address[]>;
  readonly since: number;
  users: number;
}

export class HeldNames {
  readonly #ask: Resolve;
  readonly #elapsed: () => number;
  readonly #held = new Map<string, Held>();

  /** `elapsed` is a clock in ms that is never set back. */
  constructor(ask: Resolve, elapsed: () => number) {
    this.#ask = ask;
    this.#elapsed = elapsed;
  }

  /** Resolves a name, and holds its addresses until the release that `use` returns is called. */
  use(hostname: string): { readonly answer: Promise<readonly Address[]>; release(): void } {
    const held = this.#freshOf(hostname) ?? this.#askFor(hostname);
    held.users += 1;
    return {
      answer: held.answer,
      release: () => {
        held.users -= 1;
        if (held.users === 0) this.#forget(hostname, held);
      },
    };
  }

  /** The addresses that are held for a name, else those that it has now. */
  readonly resolve: Resolve = (hostname) => this.#held.get(hostname)?.answer ?? this.#ask(hostname);

  #freshOf(hostname: string): Held | undefined {
    const held = this.#held.get(hostname);
    return held && this.#elapsed() - held.since < LONGEST_MS ? held : undefined;
  }

  #askFor(hostname: string): Held {
    const answer = this.#ask(hostname).then((addresses) => {
      if (addresses.length > MOST_ADDRESSES) throw new Error('the name has too many addresses');
      return addresses;
    });
    const held = { answer, since: this.#elapsed(), users: 0 };
    this.#held.set(hostname, held);
    // Each user hears of the failure; the next one asks again.
    answer.catch(() => this.#forget(hostname, held));
    return held;
  }

  #forget(hostname: string, held: Held): void {
    if (this.#held.get(hostname) === held) this.#held.delete(hostname);
  }
}
