// Health, readiness and metrics, for operators and their machines.

import type { FastifyReply } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Health, PublishHealth, Readiness, StoreHealth } from '../model/health.ts';
import { REQUESTS_METRIC } from '../model/limit.ts';
import { answerJson } from './answer.ts';
import { REFUSAL_REASONS, type RefusalReason } from './connections.ts';
import { REFUSED_CONNECTIONS_METRIC } from './limits.ts';

export class Metrics {
  readonly registry = new Registry();
  /** By route, then by status. Counting is on the hot path, rendering is not. */
  readonly #requests = new Map<string, Map<number, number>>();
  readonly #snapshotNumber: Gauge;
  readonly #reviews: Gauge;
  readonly #refusedConnections: Counter<'limit'>;
  readonly #render: () => Promise<string>;

  /** `render` merges the metrics of all worker processes; by default those of this process. `isCollecting`: those of Node too. */
  constructor(render?: () => Promise<string>, isCollecting = true) {
    this.#render = render ?? (() => this.registry.metrics());
    // Its histogram of the event loop wakes the process up a hundred times a second.
    if (isCollecting) collectDefaultMetrics({ register: this.registry });
    const registers = [this.registry];
    const requests = this.#requests;
    // The registry holds the reference.
    void new Counter({
      name: REQUESTS_METRIC,
      help: 'Requests answered, by route and status.',
      labelNames: ['route', 'status'],
      registers,
      collect() {
        this.reset();
        for (const [route, counts] of requests) {
          for (const [status, count] of counts) this.inc({ route, status }, count);
        }
      },
    });
    this.#refusedConnections = new Counter({
      name: REFUSED_CONNECTIONS_METRIC,
      help: 'Connections that were closed because they reached a limit, by limit.',
      labelNames: ['limit'],
      registers,
    });
    for (const limit of REFUSAL_REASONS) this.#refusedConnections.inc({ limit }, 0);
    this.#snapshotNumber = new Gauge({
      name: 'public_reviews_snapshot_number',
      help: 'Number of the snapshot that is served.',
      // With several processes, the snapshot that all have reached.
      aggregator: 'min',
      registers,
    });
    this.#reviews = new Gauge({
      name: 'public_reviews_published_reviews',
      help: 'Verified reviews in the snapshot that is served.',
      aggregator: 'min',
      registers,
    });
  }

  /** Shows what `read` returns whenever the metrics are collected. */
  showHealth(
    read: () => { readonly store: StoreHealth; readonly publishing: PublishHealth },
  ): void {
    const registers = [this.registry];
    // With several processes, the worst of all. The registry holds the references.
    void new Gauge({
      name: 'public_reviews_store_reachable',
      help: '1 if the store answered when it was last asked, else 0.',
      aggregator: 'min',
      registers,
      collect() {
        this.set(read().store.reachable ? 1 : 0);
      },
    });
    void new Gauge({
      name: 'public_reviews_publish_failing',
      help: '1 if the last publish failed, else 0.',
      aggregator: 'max',
      registers,
      collect() {
        this.set(read().publishing.status === 'failing' ? 1 : 0);
      },
    });
  }

  /** `route` is a path of model/routes.ts, "unknown" or "shed", never one that a client chose. */
  countRequest(route: string, status: number): void {
    let counts = this.#requests.get(route);
    if (!counts) {
      counts = new Map();
      this.#requests.set(route, counts);
    }
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }

  countRefusedConnection(limit: RefusalReason): void {
    this.#refusedConnections.inc({ limit });
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

export function answerHealth(reply: FastifyReply): FastifyReply {
  const health: Health = { status: 'ok' };
  return answerJson(reply, 200, health);
}

/** 200 once a snapshot is loaded: readers are answered even while the store is away or publishing fails. */
export function answerReadiness(
  reply: FastifyReply,
  snapshotNumber: number | null,
  { store, publishing }: { readonly store: StoreHealth; readonly publishing: PublishHealth },
): FastifyReply {
  const readiness: Readiness = {
    status: snapshotNumber === null ? 'starting' : 'ready',
    snapshot: snapshotNumber,
    store: { status: store.reachable ? 'ok' : 'unreachable', ...detailOf(store) },
    publishing: { status: publishing.status, ...detailOf(publishing) },
  };
  return answerJson(reply, snapshotNumber === null ? 503 : 200, readiness);
}

function detailOf({ detail }: { readonly detail: string | null }): { detail?: string } {
  return detail === null ? {} : { detail };
}

export async function answerMetrics(reply: FastifyReply, metrics: Metrics): Promise<FastifyReply> {
  // Without the header that lets pages of other sites read it: an operator's browser may open any site.
  return reply
    .header('Cache-Control', 'no-store')
    .header('X-Content-Type-Options', 'nosniff')
    .type(metrics.registry.contentType)
    .send(await metrics.render());
}
