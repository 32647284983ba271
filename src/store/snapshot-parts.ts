// The bytes of snapshots, stored in chunks with a hash each. Bytes altered by a failing disk or by hand are
// detected, and never served under the ETag of the original.

import { createHash } from 'node:crypto';
import { UnavailableError } from '../errors.ts';
import type { Executor } from './engine.ts';
import type { SnapshotPartRow } from './schema.ts';

/** Stores chunk number `sequence` of a part. */
export async function insertChunk(
  transaction: Executor,
  name: string,
  sequence: number,
  bytes: Uint8Array,
): Promise<void> {
  const hash = hashOf({ name, sequence, bytes });
  await transaction.insertInto('snapshot_parts').values({ name, sequence, bytes, hash }).execute();
}

/**
 * Loads all bytes of a part.
 *
 * @throws {UnavailableError} if the part is missing or was altered.
 */
export async function loadPart(transaction: Executor, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // One row per fetch: a chunk is large enough for one answer.
  const rows = transaction
    .selectFrom('snapshot_parts')
    .select(['name', 'sequence', 'bytes', 'hash'])
    .where('name', '=', name)
    .orderBy('sequence')
    .stream(1);
  for await (const row of rows) {
    if (row.hash !== null && row.hash !== hashOf(row)) throw damaged(name, 'was altered');
    chunks.push(row.bytes);
  }
  if (chunks.length === 0) throw damaged(name, 'is missing');
  // An ArrayBuffer of its own can be transferred to another thread without a copy.
  const part = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const bytes of chunks) {
    part.set(bytes, offset);
    offset += bytes.length;
  }
  return part;
}

/** The hash of a chunk; name and sequence are included, so that swapped chunks are detected. */
function hashOf({ name, sequence, bytes }: Omit<SnapshotPartRow, 'hash'>): string {
  return createHash('sha256').update(`${name} ${sequence}\n`).update(bytes).digest('base64url');
}

function damaged(part: string, what: string): UnavailableError {
  return new UnavailableError(
    `the part ${part} of the published snapshot ${what} in the database: restore a backup, as "Backup and ` +
      'restore" in docs/replicas.md says',
  );
}
