// The bytes of snapshots, stored in chunks with a hash each. Bytes altered by a failing disk or by hand are
// detected, and never served under the ETag of the original.

import { createHash } from 'node:crypto';
import { UnavailableError } from '../../errors.ts';
import type { Executor } from '../engine.ts';
import type { SnapshotPartRow } from '../schema.ts';

export async function insertChunk(
  transaction: Executor,
  name: string,
  sequence: number,
  bytes: Uint8Array,
): Promise<void> {
  const hash = hashOf({ name, sequence, bytes });
  await transaction.insertInto('snapshot_parts').values({ name, sequence, bytes, hash }).execute();
}

/** Reads the bytes of a part in order. @throws {UnavailableError} if the part is missing or was altered. */
export async function* readPart(transaction: Executor, name: string): AsyncGenerator<Uint8Array> {
  let isMissing = true;
  // One row per fetch: a chunk is large enough for one answer.
  const rows = transaction
    .selectFrom('snapshot_parts')
    .select(['name', 'sequence', 'bytes', 'hash'])
    .where('name', '=', name)
    .orderBy('sequence')
    .stream(1);
  for await (const row of rows) {
    if (row.hash !== null && row.hash !== hashOf(row)) throw damaged(name, 'was altered');
    isMissing = false;
    yield row.bytes;
  }
  if (isMissing) throw damaged(name, 'is missing');
}

/** The hash of a chunk; name and sequence are included, so that swapped chunks are detected. */
function hashOf({ name, sequence, bytes }: Omit<SnapshotPartRow, 'hash'>): string {
  return createHash('sha256').update(`${name} ${sequence}\n`).update(bytes).digest('base64url');
}

function damaged(part: string, what: string): UnavailableError {
  return new UnavailableError(
    `the part ${part} of the published snapshot ${what} in the database: restore a backup, as "After a ` +
      'disaster" in docs/operator.md says',
  );
}
