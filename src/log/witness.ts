// A witness (https://c2sp.org/tlog-witness): it cosigns the checkpoints of logs that it knows, if they continue
// what it cosigned before.

import { isConsistent, type TreeHead } from './merkle.ts';
import { cosignNote, type SigningKey, signersOf, type VerifierKey } from './notes.ts';
import { parseCosignRequest, parseCheckpoint } from './checkpoint.ts';

export interface CosignedTrees {
  /** Null if none was cosigned of the log. */
  load(origin: string): Promise<TreeHead | null>;
  /** Saves `next` durably if the newest tree is still `known`; returns whether it was. */
  replace(origin: string, known: TreeHead | null, next: TreeHead): Promise<boolean>;
}

export interface WitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly contentType: string;
  readonly body: string;
}

const TEXT = 'text/plain; charset=utf-8';
const SIZE = 'text/x.tlog.size';

export interface WitnessParts {
  readonly key: SigningKey;
  /** The keys of the logs; the name of a key is the origin of its log. */
  readonly logs: readonly VerifierKey[];
  readonly trees: CosignedTrees;
  readonly nowSeconds: () => number;
}

/** Answers the body of an `add-checkpoint` request. */
export async function cosign(
  { key, logs, trees, nowSeconds }: WitnessParts,
  body: string,
): Promise<WitnessAnswer> {
  const request = parseCosignRequest(body);
  const checkpoint = request && parseCheckpoint(request.checkpoint);
  if (!request || !checkpoint) return refuse(400, 'expected a request of c2sp.org/tlog-witness');
  const { origin, size, root, note } = checkpoint;
  const keys = logs.filter(({ name }) => name === origin);
  if (keys.length === 0) return refuse(404, 'this witness does not know the log');
  if (!signersOf(note, keys)?.length) return refuse(403, 'the log did not sign the checkpoint');
  if (request.oldSize > size) return refuse(400, 'the old size is larger than the new one');
  const known = await trees.load(origin);
  if (request.oldSize !== (known?.size ?? 0)) return conflict(known);
  if (known?.size === size && !isConsistent(known, checkpoint, [])) return conflict(known);
  const isFollowing = known
    ? isConsistent(known, checkpoint, request.proof)
    : request.proof.length === 0;
  if (!isFollowing) return refuse(422, 'the consistency proof does not verify');
  if (!(await trees.replace(origin, known, { size, root }))) {
    return conflict(await trees.load(origin));
  }
  const lines = cosignNote(note.text, key, nowSeconds());
  return { status: 200, contentType: TEXT, body: lines };
}

function refuse(status: WitnessAnswer['status'], reason: string): WitnessAnswer {
  return { status, contentType: TEXT, body: `${reason}\n` };
}

function conflict(known: TreeHead | null): WitnessAnswer {
  return { status: 409, contentType: SIZE, body: `${known?.size ?? 0}\n` };
}
