// The metrics of all workers as one: what they count is summed, and stays counted when one of them ends.

import { AggregatorRegistry } from 'prom-client';
import type { MetricList } from './messages.ts';

/** What only ever grows: a sum that fell would look like a program that has started anew. */
const GROWING: ReadonlySet<unknown> = new Set(['counter', 'histogram', 'summary']);

export class GroupMetrics {
  /** Of each worker, as it last told them. */
  readonly #told = new Map<number, MetricList>();
  /** What those have counted that are no more. */
  #ended: Promise<MetricList> = Promise.resolve([]);

  /** Keeps what a worker has told. */
  keep(worker: number, metrics: MetricList): void {
    this.#told.set(worker, metrics);
  }

  /** Goes on without a worker: what it had counted when it last told stays in the sums. */
  end(worker: number): void {
    const last = this.#told.get(worker) ?? [];
    this.#told.delete(worker);
    const growing = last.filter(({ type }) => GROWING.has(type));
    this.#ended = this.#ended.then((before) => aggregate([before, growing]).getMetricsAsJSON());
  }

  async render(): Promise<string> {
    return aggregate([await this.#ended, ...this.#told.values()]).metrics();
  }
}

function aggregate(lists: readonly MetricList[]) {
  return AggregatorRegistry.aggregate([...lists]);
}
