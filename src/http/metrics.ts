// What the server counts, and what it shows of itself.

import {
  collectDefaultMetrics,
  type Counter,
  type Gauge,
  type Histogram,
  Registry,
} from 'prom-client';
import { addCounter, addGauge, addHistogram } from '../metrics.ts';
import type { PublishHealth, StoreHealth } from '../model/health.ts';
import { REFUSAL_REASONS, type RefusalReason } from './connections.ts';

export class Metrics {
  readonly registry = new Registry();
  /** By route, then by status. Counting is on the hot path, rendering is not. */
  readonly #requests = new Map<string, Map<number, number>>();
  readonly #snapshotNumber: Gauge;
  readonly #reviews: Gauge;
  readonly #refusedConnections: Counter<'limit'>;
  readonly #publishStages: Histogram<'stage'>;
  readonly #render: () => Promise<string>;
  #hasProcess: boolean;

  /** `render` merges the metrics of all worker processes; by default those of this process. `isCollecting`: those of Node too. */
  constructor(render?: () => Promise<string>, isCollecting = true) {
    this.#render = render ?? (() => this.collecting().metrics());
    this.#hasProcess = !isCollecting;
    addCounter(this.registry, 'requests', (counter) => {
      counter.reset();
      for (const [route, counts] of this.#requests) {
        for (const [status, count] of counts) counter.inc({ route, status }, count);
      }
    });
    this.#refusedConnections = addCounter(this.registry, 'refusedConnections');
    for (const limit of REFUSAL_REASONS) this.#refusedConnections.inc({ limit }, 0);
    this.#snapshotNumber = addGauge(this.registry, 'snapshotNumber');
    this.#reviews = addGauge(this.registry, 'publishedReviews');
    this.#publishStages = addHistogram(this.registry, 'publishStageSeconds');
  }

  /** Shows what `read` returns whenever the metrics are collected. */
  showHealth(
    read: () => { readonly store: StoreHealth; readonly publishing: PublishHealth },
  ): void {
    addGauge(this.registry, 'storeReachable', (gauge) => gauge.set(read().store.reachable ? 1 : 0));
    addGauge(this.registry, 'publishFailing', (gauge) =>
      gauge.set(read().publishing.status === 'failing' ? 1 : 0),
    );
  }

  /** `route` is a path of model/routes.ts, "unknown", "shed" or "rate-limited", never one that a client chose. */
  countRequest(route: string, status: number): void {
    let counts = this.#requests.get(route);
    if (!counts) {
      counts = new Map();
      this.#requests.set(route, counts);
    }
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }

  observePublish(stageSeconds: Readonly<Record<string, number>>): void {
    for (const [stage, seconds] of Object.entries(stageSeconds)) {
      this.#publishStages.observe({ stage }, seconds);
    }
  }

  countRefusedConnection(limit: RefusalReason): void {
    this.#refusedConnections.inc({ limit });
  }

  /** The registry with the metrics of Node: their histogram wakes a process up a hundred times a second, so it begins when asked for. */
  collecting(): Registry {
    if (!this.#hasProcess) collectDefaultMetrics({ register: this.registry });
    this.#hasProcess = true;
    return this.registry;
  }

  /** All metrics in the text format of Prometheus. */
  render(): Promise<string> {
    return this.#render();
  }

  showSnapshot(number: number, reviewCount: number): void {
    this.#snapshotNumber.set(number);
    this.#reviews.set(reviewCount);
  }
}
