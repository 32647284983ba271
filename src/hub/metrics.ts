// What the hub has done, and what it still has to, as Prometheus reads it.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Database } from '../store/database.ts';
import { countSubscriptions, type SubscriptionCounts } from '../store/subscriptions.ts';

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
    // Each counts for itself: the registry asks all metrics at once, and waits for each alone.
    const subscriptions: Gauge<'topic'> = new Gauge({
      name: 'public_reviews_hub_subscriptions',
      help: 'Active subscriptions, by topic.',
      labelNames: ['topic'],
      registers,
      collect: () => show(subscriptions, counts, ({ active }) => active),
    });
    const pending: Gauge<'topic'> = new Gauge({
      name: 'public_reviews_hub_pending_deliveries',
      help: 'Active subscriptions that have not acknowledged the newest content, by topic.',
      labelNames: ['topic'],
      registers,
      collect: () => show(pending, counts, (each) => each.pending),
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

/** Counts are kept this many times as long as counting took, so it takes 2% of the time at most. */
const KEPT_RATIO = 50;

/** Counts of subscriptions, which are taken anew when they are old for what they cost. */
export class RecentCounts {
  readonly #count: () => Promise<SubscriptionCounts[]>;
  readonly #nowMs: () => number;
  #latest: Promise<SubscriptionCounts[]> | null = null;
  #keptUntilMs = 0;

  /** `nowMs` is a clock that never goes back. */
  constructor(count: () => Promise<SubscriptionCounts[]>, nowMs: () => number) {
    this.#count = count;
    this.#nowMs = nowMs;
  }

  /** Empty while the store is away. */
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

/** Sets a gauge for every topic. It has no values while the store is away: none is not zero. */
async function show(
  gauge: Gauge<'topic'>,
  recent: RecentCounts,
  valueOf: (counts: SubscriptionCounts) => number,
): Promise<void> {
  gauge.reset();
  for (const counts of await recent.get()) gauge.set({ topic: counts.topic }, valueOf(counts));
}
