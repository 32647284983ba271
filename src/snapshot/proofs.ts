// Answers about the log of a snapshot.

import type { BusinessAnswer, ProofAnswer } from '../model/answers.ts';
import type { LogSalts, ReviewProof } from '../model/proof.ts';
import { ROUTES } from '../model/routes.ts';
import { type JsonValue, saltedDigest } from '../log/canonical.ts';
import { parseCheckpoint } from '../log/checkpoint.ts';
import { parseEntry, starsIn, sum } from '../log/entries.ts';
import { isIncluded, leafHash } from '../log/merkle.ts';
import { decodeBase64, parseVerifierKey, signersOf } from '../log/notes.ts';
import type { PublishedLog } from './published-log.ts';
import type { Snapshot } from './snapshot.ts';

/** The proof that the review at a position is in the log. `cosignatures` are lines of witnesses. */
export function renderProof(
  log: PublishedLog,
  position: number,
  cosignatures: string,
): ReviewProof {
  const { index, salt } = log.openingAt(position);
  const { leaf, proof } = log.proofOf(index);
  return {
    entry: log.entryAt(index).toString(),
    index,
    leaf_hash: leaf,
    inclusion_proof: proof,
    salt,
    checkpoint: log.manifest.checkpoint + cosignatures,
    keys: [...log.manifest.keys],
  };
}

/** Reviews in a piece of `/log/salts.json`: a piece takes about 2 ms, all of 100,000 reviews 200 ms. */
const SALTS_PER_PIECE = 1_000;

/** The JSON of `LogSalts` in pieces, each of which is rendered when it is requested. */
export function* renderSalts(
  snapshot: Pick<Snapshot, 'reviewCount' | 'idAt'>,
  log: Pick<PublishedLog, 'size' | 'openingAt'>,
): Generator<string> {
  yield `{"size":${log.size},"reviews":{`;
  for (let first = 0; first < snapshot.reviewCount; first += SALTS_PER_PIECE) {
    const reviews: LogSalts['reviews'] = {};
    const end = Math.min(first + SALTS_PER_PIECE, snapshot.reviewCount);
    for (let position = first; position < end; position++) {
      const { index, salt } = log.openingAt(position);
      reviews[snapshot.idAt(position)] = [index, salt];
    }
    yield (first === 0 ? '' : ',') + JSON.stringify(reviews).slice(1, -1);
  }
  yield '}}';
}

/** Whether the review of an id is in the log. */
export function checkReview(snapshot: Snapshot, id: string): ProofAnswer {
  const position = snapshot.positionOf(id);
  const { log } = snapshot;
  if (position === null) return { verified: null, problem: null, proof: null };
  if (log === null) return { verified: false, problem: 'the log has not begun', proof: null };
  const proof = renderProof(log, position, '');
  const record = JSON.parse(snapshot.reviewAt(position).toString()) as JsonValue;
  const problem = findProblem(record, proof);
  return { verified: problem === null, problem, proof };
}

/** What does not hold in a proof of a record; null if everything does. */
function findProblem(record: JsonValue, proof: ReviewProof): string | null {
  const bytes = Buffer.from(proof.entry);
  const entry = parseEntry(bytes);
  const isOfReview =
    entry !== null && 'digest' in entry && entry.digest === saltedDigest(proof.salt, record);
  if (!isOfReview) return 'the entry is not that of the review';
  const checkpoint = parseCheckpoint(proof.checkpoint);
  const path = proof.inclusion_proof.map((each) => decodeBase64(each) ?? Buffer.alloc(0));
  const isIn =
    checkpoint !== null &&
    isIncluded(leafHash(bytes), { ...checkpoint, index: proof.index }, path, checkpoint.root);
  if (!isIn) return 'the entry is not in the tree';
  const keys = proof.keys.flatMap((key) => parseVerifierKey(key) ?? []);
  return signersOf(checkpoint.note, keys)?.length ? null : 'the checkpoint is not signed';
}

/** What the log says, in numbers; null before it begins. */
export function renderTransparency({ log, origin }: Snapshot): BusinessAnswer['transparency'] {
  if (log === null) return null;
  const { published, withheld, removed } = log.manifest.publication;
  return {
    log: origin + ROUTES.getCheckpoint.path,
    entries: log.size,
    published: sum(starsIn(published)),
    withheld: sum(starsIn(withheld)),
    removed: sum(starsIn(removed)),
  };
}
