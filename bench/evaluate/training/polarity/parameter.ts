// A matrix of weights with its gradient, updated by Adam.

import type { Random } from './random.ts';

const MOMENTUM = 0.9;
const SQUARES = 0.999;
const TINY = 1e-8;

/** The rate of a step of Adam and its number, from 1. */
export interface Step {
  readonly rate: number;
  readonly number: number;
}

export class Parameter {
  readonly values: Float32Array;
  readonly gradient: Float32Array;
  readonly #momentum: Float32Array;
  readonly #squares: Float32Array;

  /** Begins with random weights of a normal distribution. */
  constructor(size: number, deviation: number, random: Random) {
    this.values = new Float32Array(size);
    this.gradient = new Float32Array(size);
    this.#momentum = new Float32Array(size);
    this.#squares = new Float32Array(size);
    if (deviation === 0) return;
    for (let at = 0; at < size; at += 1) this.values[at] = random.gauss(deviation);
  }

  /** Updates the weights [from, to) and clears their gradient. */
  update({ rate, number }: Step, from = 0, to = this.values.length): void {
    const momentumSeen = 1 - MOMENTUM ** number;
    const squaresSeen = 1 - SQUARES ** number;
    for (let at = from; at < to; at += 1) {
      const gradient = this.gradient[at] as number;
      const momentum = MOMENTUM * this.#momentum[at]! + (1 - MOMENTUM) * gradient;
      const squares = SQUARES * this.#squares[at]! + (1 - SQUARES) * gradient * gradient;
      this.#momentum[at] = momentum;
      this.#squares[at] = squares;
      this.values[at]! -=
        (rate * (momentum / momentumSeen)) / (Math.sqrt(squares / squaresSeen) + TINY);
      this.gradient[at] = 0;
    }
  }
}
