// The hub's Prometheus metrics: its requests to callbacks, and its subscriptions.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Database } from '../store/database.ts';
import { countSubscriptions, type SubscriptionCounts } from '../store/hub/subscriptions.ts';

export class HubMetrics {
  readonly #verifications: Counter<'mode' | 'outcome'>;
  readonly #deliveries: Counter<'topic' | 'outcome'>;
  readonly #duration: Histogram;

  constructor(registry: Registry, database: Database) {
    const registers = [registry];
    const counts = new RecentCounts(
      () => countSubscriptions(database.read, Date.now()),
      () => performance.now(),
    );
    this.#verifications = new Counter({
      name: 'public_reviews_hub_verifications_total',
      help: 'Challenges sent to callbacks, by mode and outcome.',
      labelNames: ['mode', 'outcome'],
      registers,
    });
    this.#deliveries = new Counter({
      name: 'public_reviews_hub_deliveries_total',
      help: 'Deliveries to callbacks, by topic and outcome.',
      labelNames: ['topic', 'outcome'],
      registers,
    });
    this.#duration = new Histogram({
      name: 'public_reviews_hub_delivery_seconds',
      help: 'How long callbacks took to answer a delivery.',
      buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
      registers,
    });
    // The registry collects both gauges at once; they share one count.
    const subscriptions: Gauge<'topic'> = new Gauge({
      name: 'public_reviews_hub_subscriptions',
      help: 'Active subscriptions, by topic.',
      labelNames: ['topic'],
      registers,
      collect: () => setGauge(subscriptions, counts, ({ active }) => active),
    });
    const pending: Gauge<'topic'> = new Gauge({
      name: 'public_reviews_hub_pending_deliveries',
      help: 'Active subscriptions that have not acknowledged the newest content, by topic.',
      labelNames: ['topic'],
      registers,
      collect: () => setGauge(pending, counts, (each) => each.pending),
    });
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
