// Asks a witness to cosign a checkpoint (https://c2sp.org/tlog-witness).

import { formatCosignRequest, parseCheckpoint } from './checkpoint.ts';
import type { Fetched, FetchOptions } from './fetch.ts';
import { consistencyProof, type HashSource } from './merkle.ts';
import { isBy, isValid, parseSignatures, parseVerifierKey, type VerifierKey } from './notes.ts';

export interface Witness {
  readonly key: VerifierKey;
  /** The submission prefix. */
  readonly url: string;
}

/** Verifier keys and URLs of witnesses; null if one is malformed. */
export function parseWitnesses(value: string): Witness[] | null {
  const parts = value.split(',').flatMap((part) => part.trim() || []);
  const witnesses = parts.flatMap((part) => {
    const [text = '', url = '', ...more] = part.split(/\s+/);
    const key = parseVerifierKey(text);
    const isUrl = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
    if (key?.signer !== 'witness' || !isUrl || more.length > 0) return [];
    return [{ key, url: url.replace(/\/+$/, '') }];
  });
  return witnesses.length === parts.length ? witnesses : null;
}

/** The witness has no cosignature for this tree. */
export class CosignError extends Error {
  override readonly name = 'CosignError';
  /** Whether it has cosigned a tree that this log does not have. */
  readonly isOtherLog: boolean;

  constructor(message: string, { isOtherLog = false } = {}) {
    super(message);
    this.isOtherLog = isOtherLog;
  }
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 64 * 1024;
/** The first asks for the size that the witness knows. */
const ATTEMPTS = 3;

/**
 * Returns the witness's signature lines for a checkpoint. `oldSize` is what it cosigned last, if that is
 * known.
 *
 * @throws {CosignError} if it refuses
 */
export async function requestCosignature(
  { key, url }: Witness,
  { checkpoint, tree, oldSize }: { checkpoint: string; tree: HashSource; oldSize: number },
  send: (url: string, options: FetchOptions) => Promise<Fetched>,
): Promise<string> {
  const parsed = parseCheckpoint(checkpoint);
  if (!parsed) throw new Error('the log has no checkpoint');
  let old = oldSize;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const proof = consistencyProof(tree, old, parsed.size);
    const body = formatCosignRequest({ oldSize: old, proof, checkpoint });
    const options = { body, maxBytes: MAX_ANSWER, timeoutMs: TIMEOUT_MS };
    const answer = await send(`${url}/add-checkpoint`, options);
    const text = answer.body.toString();
    if (answer.status === 200) return validLines(text, parsed.note.text, key);
    if (answer.status !== 409) {
      // 422: the proof does not lead to the tree that it cosigned last.
      throw new CosignError(`${url} answered ${answer.status}: ${text.slice(0, 200).trim()}`, {
        isOtherLog: answer.status === 422,
      });
    }
    const known = /^\d{1,15}\n$/.test(text) ? Number(text) : null;
    if (known === null) throw new CosignError(`${url} answered 409 without a size`);
    if (known > parsed.size || (known === old && known === parsed.size)) {
      throw new CosignError(
        `${url} has cosigned another log of ${known} entries, and this one has ${parsed.size}: the store ` +
          'was restored from an older backup, or two stores sign with one key',
        { isOtherLog: true },
      );
    }
    old = known;
  }
  throw new CosignError(`${url} is asked by another server of this log at the same time`);
}

function validLines(answer: string, text: string, key: VerifierKey): string {
  const signatures = parseSignatures(answer) ?? [];
  const valid = signatures.filter((each) => isBy(each, key) && isValid(text, each, key));
  if (valid.length === 0) throw new CosignError(`the answer has no valid signature of ${key.name}`);
  return valid.map(({ line }) => `${line}\n`).join('');
}
