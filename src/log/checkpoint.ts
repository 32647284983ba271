// Checkpoints (https://c2sp.org/tlog-checkpoint), and the requests to witnesses that cosign them
// (https://c2sp.org/tlog-witness).

import { HASH_BYTES, type Hash, type TreeHead } from './merkle.ts';
import { decodeBase64, type Note, parseNote } from './notes.ts';

export interface Checkpoint extends TreeHead {
  /** Names the log: its first URL, without the scheme. */
  readonly origin: string;
}

export interface SignedCheckpoint extends Checkpoint {
  readonly note: Note;
}

/** The longest proof of a request: more hashes than a tree of 2**63 leaves needs. */
const MAX_PROOF = 63;
const SIZE = /^(?:0|[1-9]\d{0,15})$/;

/** The name of the log of a base URL, and of its keys: its URL without the scheme. */
export function nameOf(baseUrl: string): string {
  return `${baseUrl.replace(/^https?:\/\//, '')}/log`;
}

/** The text of a checkpoint, to be signed. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;
}

/** Parses a checkpoint without verifying its signatures; null if it is none. */
export function parseCheckpoint(text: string): SignedCheckpoint | null {
  const note = parseNote(text);
  if (!note) return null;
  const [origin = '', size = '', encoded = '', ...extensions] = note.text.slice(0, -1).split('\n');
  const root = decodeBase64(encoded);
  if (origin === '' || !SIZE.test(size) || root?.length !== HASH_BYTES) return null;
  if (!Number.isSafeInteger(Number(size)) || extensions.includes('')) return null;
  return { origin, size: Number(size), root, note };
}

interface CosignRequest {
  /** The size that the witness cosigned last, as far as the log knows. */
  readonly oldSize: number;
  readonly proof: readonly Hash[];
  readonly checkpoint: string;
}

export function formatCosignRequest({ oldSize, proof, checkpoint }: CosignRequest): string {
  const lines = proof.map((each) => `${Buffer.from(each).toString('base64')}\n`);
  return `old ${oldSize}\n${lines.join('')}\n${checkpoint}`;
}

export function parseCosignRequest(body: string): CosignRequest | null {
  const end = body.indexOf('\n\n');
  if (end < 0) return null;
  const [first = '', ...lines] = body.slice(0, end).split('\n');
  const [, old = ''] = /^old (\S+)$/.exec(first) ?? [];
  if (!SIZE.test(old) || lines.length > MAX_PROOF) return null;
  const proof = lines.map(decodeBase64);
  if (!proof.every((each) => each?.length === HASH_BYTES)) return null;
  return { oldSize: Number(old), proof: proof as Buffer[], checkpoint: body.slice(end + 2) };
}
