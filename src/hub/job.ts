// One request to a callback, as the store says that it is due.

import type { Document } from '../snapshot/snapshot.ts';
import type { ClaimedDelivery, ClaimedDenial, ClaimedIntent } from '../store/deliveries.ts';

/** Where a request leads: what shares its slots with it. */
interface Place {
  /** Registrable domain of the callback's host. */
  readonly domain: string;
  /** The network that it last had to wait for; null where that is not known. */
  readonly network: string | null;
}

export type Job = Place &
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

/** Whether its callback has shown that it answers, and soon. */
export function isProven(job: Job): boolean {
  return job.kind === 'deliver' && job.delivery.unproven === 0;
}

/** Equal for two requests that are due for the same reason. */
export function keyOf(job: Job): string {
  if (job.kind === 'deliver') return job.delivery.id;
  return `${job.kind} ${job.kind === 'verify' ? job.intent.number : job.denial.number}`;
}
