// The time that each client's requests took lately.

/** Times older than this are forgotten, at the latest after twice as long. */
const PERIOD_MS = 5_000;
/** The part of all time from which on a client's share is large. */
const LARGE = 0.1;

export type Costs = Pick<ClientCosts, 'add' | 'isLarge'>;

export class ClientCosts {
  readonly #nowMs: () => number;
  #sinceMs = -Infinity;
  #before = new Period();
  #now = new Period();

  /** `nowMs` is monotonic. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  add(client: string, ms: number): void {
    const nowMs = this.#nowMs();
    if (nowMs - this.#sinceMs > PERIOD_MS) {
      this.#before = nowMs - this.#sinceMs > 2 * PERIOD_MS ? new Period() : this.#now;
      this.#now = new Period();
      this.#sinceMs = nowMs;
    }
    this.#now.add(client, ms);
  }

  /** Whether a client took much of the time; each did if many took a little. */
  isLarge(client: string): boolean {
    const periods = [this.#before, this.#now];
    const least = LARGE * periods.reduce((sum, { all }) => sum + all, 0);
    const own = periods.reduce((sum, period) => sum + period.of(client), 0);
    return own >= least || periods.every(({ most }) => most < least);
  }
}

/** The part of one site in what the clients of all take. */
export function costsOf(site: string, all: Costs): Costs {
  return {
    add: (client, ms) => all.add(`${site} ${client}`, ms),
    isLarge: (client) => all.isLarge(`${site} ${client}`),
  };
}

class Period {
  /** The time of all clients, and of the one that took most. */
  all = 0;
  most = 0;
  readonly #clients = new Map<string, number>();

  add(client: string, ms: number): void {
    const own = this.of(client) + ms;
    this.#clients.set(client, own);
    this.all += ms;
    this.most = Math.max(this.most, own);
  }

  of(client: string): number {
    return this.#clients.get(client) ?? 0;
  }
}
