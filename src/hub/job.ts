// A job: one request to a callback that the store says is due.

import type { Document } from '../snapshot/snapshot.ts';
import type { ClaimedDelivery, ClaimedDenial, ClaimedIntent } from '../store/hub/deliveries.ts';

/** Where a request goes. Requests with the same domain or network share limits. */
interface Destination {
  /** Registrable domain of the callback's host. */
  readonly domain: string;
  /** The network for which it last had to wait; null if not known. */
  readonly network: string | null;
}

export type Job = Destination &
  (
    | { readonly kind: 'verify'; readonly intent: ClaimedIntent }
    | { readonly kind: 'deny'; readonly denial: ClaimedDenial }
    | {
        readonly kind: 'deliver';
        readonly delivery: ClaimedDelivery;
        readonly document: Document;
        readonly origin: string;
      }
  );

/** Whether the last request to the callback succeeded quickly. */
export function isProven(job: Job): boolean {
  return job.kind === 'deliver' && job.delivery.unproven === 0;
}

/** Equal for two jobs of the same row of the store. */
export function keyOf(job: Job): string {
  if (job.kind === 'deliver') return job.delivery.id;
  return `${job.kind} ${job.kind === 'verify' ? job.intent.number : job.denial.number}`;
}
