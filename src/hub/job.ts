// A job: one request to a callback that the store says is due.

import type { Document } from '../snapshot/snapshot.ts';
import type { ClaimedDelivery, ClaimedDenial, ClaimedIntent } from '../store/hub/deliveries.ts';

/** With the row that says where the request goes: those with the same domain or network share limits. */
export type Job =
  | { readonly kind: 'verify'; readonly row: ClaimedIntent }
  | { readonly kind: 'deny'; readonly row: ClaimedDenial }
  | {
      readonly kind: 'deliver';
      readonly row: ClaimedDelivery;
      readonly document: Document;
      readonly origin: string;
    };

/** Whether the last request to the callback succeeded quickly. */
export function isProven(job: Job): boolean {
  return job.kind === 'deliver' && job.row.unproven === 0;
}

/** Equal for two jobs of the same row of the store. */
export function keyOf(job: Job): string {
  return job.kind === 'deliver' ? job.row.id : `${job.kind} ${job.row.number}`;
}
