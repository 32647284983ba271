// Work of many sites, of which so many run at once, in the order in which it came.

export class Lanes<Lane extends object> {
  readonly #free: Lane[];
  readonly #waiting: ((lane: Lane) => void)[] = [];

  constructor(lanes: readonly Lane[]) {
    this.#free = [...lanes];
  }

  async run<T>(work: (lane: Lane) => Promise<T>): Promise<T> {
    const [first] = this.#free.splice(0, 1);
    const lane = first ?? (await new Promise<Lane>((resolve) => this.#waiting.push(resolve)));
    try {
      return await work(lane);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(lane);
      else this.#free.push(lane);
    }
  }
}
