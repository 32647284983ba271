// The metrics of all workers as one. Counts are summed, and stay in the sums after a worker has ended.

import { AggregatorRegistry } from 'prom-client';
import type { MetricList } from './messages.ts';

/** Types that never decrease: a smaller sum would look like a restart of the program. */
const MONOTONIC: ReadonlySet<unknown> = new Set(['counter', 'histogram', 'summary']);

export class GroupMetrics {
  /** The last metrics of each worker, by its id. */
  readonly #latest = new Map<number, MetricList>();
  /** The counts of workers that have ended. */
  #ended: Promise<MetricList> = Promise.resolve([]);

  update(workerId: number, metrics: MetricList): void {
    // Each process has a limit of its own.
    const perProcess = metrics.filter(({ name }) => /^process_\w+_fds$/.test(name));
    for (const metric of perProcess) metric.aggregator = 'max';
    this.#latest.set(workerId, metrics);
  }

  /** Removes a worker that has ended. Its last counts stay in the sums. */
  end(workerId: number): void {
    const last = this.#latest.get(workerId) ?? [];
    this.#latest.delete(workerId);
    const counts = last.filter(({ type }) => MONOTONIC.has(type));
    this.#ended = this.#ended.then((before) => aggregate([before, counts]).getMetricsAsJSON());
  }

  async render(): Promise<string> {
    return aggregate([await this.#ended, ...this.#latest.values()]).metrics();
  }
}

function aggregate(lists: readonly MetricList[]) {
  return AggregatorRegistry.aggregate([...lists]);
}
