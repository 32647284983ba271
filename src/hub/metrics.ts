// The hub's Prometheus metrics: its requests to callbacks, and its subscriptions.

import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { addCounter, addGauge, addHistogram } from '../metrics.ts';
import type { Database } from '../store/database.ts';
import { countSubscriptions, type SubscriptionCounts } from '../store/hub/subscriptions.ts';

export class HubMetrics {
  readonly #verifications: Counter<'mode' | 'outcome'>;
  readonly #deliveries: Counter<'topic' | 'outcome'>;
  readonly #duration: Histogram;

  constructor(registry: Registry, database: Database) {
    const counts = new RecentCounts(
      () => countSubscriptions(database.read, Date.now()),
      () => performance.now(),
    );
    this.#verifications = addCounter(registry, 'hubVerifications');
    this.#deliveries = addCounter(registry, 'hubDeliveries');
    this.#duration = addHistogram(registry, 'hubDeliverySeconds');
    // The registry collects both gauges at once; they share one count.
    addGauge(registry, 'hubSubscriptions', (gauge) =>
      setGauge(gauge, counts, ({ active }) => active),
    );
    addGauge(registry, 'hubPendingDeliveries', (gauge) =>
      setGauge(gauge, counts, ({ pending }) => pending),
    );
  }

  countVerification(mode: 'subscribe' | 'unsubscribe', outcome: 'confirmed' | 'unconfirmed'): void {
    this.#verifications.inc({ mode, outcome });
  }

  countDelivery(
    topic: string,
    outcome: 'acknowledged' | 'not_acknowledged' | 'gone',
    seconds: number,
  ): void {
    this.#deliveries.inc({ topic, outcome });
    this.#duration.observe(seconds);
  }
}

/** Counts are kept for 50 times as long as counting took, so that counting takes at most 2% of the time. */
const KEPT_RATIO = 50;

/** Counts of subscriptions, cached for longer the longer counting takes. */
export class RecentCounts {
  readonly #count: () => Promise<SubscriptionCounts[]>;
  readonly #nowMs: () => number;
  #latest: Promise<SubscriptionCounts[]> | null = null;
  #keptUntilMs = 0;

  /** `nowMs` is a monotonic clock. */
  constructor(count: () => Promise<SubscriptionCounts[]>, nowMs: () => number) {
    this.#count = count;
    this.#nowMs = nowMs;
  }

  /** Empty while the store is unavailable. */
  get(): Promise<SubscriptionCounts[]> {
    if (!this.#latest || this.#nowMs() >= this.#keptUntilMs) {
      this.#keptUntilMs = Infinity;
      this.#latest = this.#take();
    }
    return this.#latest;
  }

  async #take(): Promise<SubscriptionCounts[]> {
    const startMs = this.#nowMs();
    const counts = await this.#count().catch(() => []);
    const endMs = this.#nowMs();
    this.#keptUntilMs = endMs + (endMs - startMs) * KEPT_RATIO;
    return counts;
  }
}

/** Sets a gauge for every topic. While the store is unavailable it has no values, rather than zeros. */
async function setGauge(
  gauge: Gauge<'topic'>,
  recent: RecentCounts,
  valueOf: (counts: SubscriptionCounts) => number,
): Promise<void> {
  gauge.reset();
  for (const counts of await recent.get()) gauge.set({ topic: counts.topic }, valueOf(counts));
}
