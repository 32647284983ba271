// The answers about health, readiness and metrics, for operators and their machines.

import type { FastifyReply } from 'fastify';
import type { Health, PublishHealth, Readiness, StoreHealth } from '../model/health.ts';
import { answerJson } from './answer.ts';
import type { Metrics } from './metrics.ts';

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
