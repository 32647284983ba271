// Answers about the log of a snapshot.

import type { LogSalts, ReviewProof } from '../model/proof.ts';
import type { PublishedLog } from './published-log.ts';
import type { Snapshot } from './snapshot.ts';

/** The proof that the review at a position is in the log. `cosignatures` are lines of witnesses. */
export function renderProof(
  log: PublishedLog,
  position: number,
  cosignatures: string,
): ReviewProof {
  const { index, salt } = log.openingAt(position);
  const { leafHash, proof } = log.proofOf(index);
  return {
    entry: log.entryAt(index).toString(),
    index,
    leaf_hash: leafHash,
    inclusion_proof: proof,
    salt,
    checkpoint: log.manifest.checkpoint + cosignatures,
    keys: [...log.manifest.keys],
  };
}

export function renderSalts(snapshot: Snapshot, log: PublishedLog): string {
  const reviews: LogSalts['reviews'] = {};
  for (let position = 0; position < snapshot.reviewCount; position++) {
    const { index, salt } = log.openingAt(position);
    reviews[snapshot.idAt(position)] = [index, salt];
  }
  return JSON.stringify({ size: log.size, reviews } satisfies LogSalts);
}
