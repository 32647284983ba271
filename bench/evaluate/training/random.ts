// Random numbers of a fixed sequence (mulberry32), so that training gives the same weights every time.

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Of a normal distribution around 0 (Box and Muller). */
  gauss(deviation: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()));
    return radius * Math.cos(2 * Math.PI * this.next()) * deviation;
  }

  /** Shuffles in place (Fisher and Yates). */
  shuffle(list: unknown[]): void {
    for (let at = list.length - 1; at > 0; at -= 1) {
      const other = Math.floor(this.next() * (at + 1));
      [list[at], list[other]] = [list[other], list[at]];
    }
  }
}
