// What the hub has done, and what it still has to, as Prometheus reads it.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Database } from '../store/database.ts';
import { countSubscriptions } from '../store/subscriptions.ts';

export class HubMetrics {
  readonly #verifications: Counter<'mode' | 'outcome'>;
  readonly #deliveries: Counter<'topic' | 'outcome'>;
  readonly #duration: Histogram;
  readonly #subscriptions: Gauge<'topic'>;
  readonly #owed: Gauge<'topic'>;

  constructor(registry: Registry, database: Database) {
    const registers = [registry];
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
    this.#subscriptions = new Gauge({
      name: 'public_reviews_hub_subscriptions',
      help: 'Active subscriptions, by topic.',
      labelNames: ['topic'],
      registers,
      collect: () => this.#count(database),
    });
    this.#owed = new Gauge({
      name: 'public_reviews_hub_owed_deliveries',
      help: 'Active subscriptions that have not acknowledged the newest content, by topic.',
      labelNames: ['topic'],
      registers,
    });
  }

  /** Sets both gauges, which have no values while the store is away: none is not zero. */
  async #count(database: Database): Promise<void> {
    this.#subscriptions.reset();
    this.#owed.reset();
    const counts = await countSubscriptions(database.read, Date.now()).catch(() => []);
    for (const { topic, active, owed } of counts) {
      this.#subscriptions.set({ topic }, active);
      this.#owed.set({ topic }, owed);
    }
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
