// The answers about health, readiness and metrics, for operators and their machines.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Health, PublishHealth, Readiness, StoreHealth } from '../model/health.ts';
import { JSON_TYPE } from '../snapshot/documents.ts';
import { answer, answerUnstored } from './answer.ts';
import type { Metrics } from './metrics.ts';

export function answerHealth(request: IncomingMessage, response: ServerResponse): void {
  const health: Health = { status: 'ok' };
  answerUnstored(request, response, 200, JSON_TYPE, JSON.stringify(health));
}

/** 200 once a snapshot is loaded: readers are answered even while the store is away or publishing fails. */
export function answerReadiness(
  request: IncomingMessage,
  response: ServerResponse,
  snapshotNumber: number | null,
  { store, publishing }: { readonly store: StoreHealth; readonly publishing: PublishHealth },
): void {
  const readiness: Readiness = {
    status: snapshotNumber === null ? 'starting' : 'ready',
    snapshot: snapshotNumber,
    store: { status: store.reachable ? 'ok' : 'unreachable', ...detailOf(store) },
    publishing: { status: publishing.status, ...detailOf(publishing) },
  };
  const status = snapshotNumber === null ? 503 : 200;
  answerUnstored(request, response, status, JSON_TYPE, JSON.stringify(readiness));
}

function detailOf({ detail }: { readonly detail: string | null }): { detail?: string } {
  return detail === null ? {} : { detail };
}

export async function answerMetrics(
  request: IncomingMessage,
  response: ServerResponse,
  metrics: Metrics,
): Promise<void> {
  const text = await metrics.render();
  // Without the header that lets pages of other sites read it: an operator's browser may open any site.
  const headers = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'];
  const type = ['Content-Type', metrics.registry.contentType];
  answer(request, response, [...headers, ...type], [Buffer.from(text)]);
}
