// The bytes of snapshots, in chunks with a hash each: what a failing disk or a person altered is not served
// under an ETag that names other bytes.

import { createHash } from 'node:crypto';
import { UnavailableError } from '../errors.ts';
import type { Executor } from './engine.ts';
import type { SnapshotPartRow } from './schema.ts';

export async function insertChunk(
  transaction: Executor,
  name: string,
  sequence: number,
  bytes: Uint8Array,
): Promise<void> {
  const hash = hashOf({ name, sequence, bytes });
  await transaction.insertInto('snapshot_parts').values({ name, sequence, bytes, hash }).execute();
}

/** @throws {UnavailableError} where a part is missing or is not what was stored. */
export async function loadPart(transaction: Executor, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // One after another: each is as much as a statement should answer at once.
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
  // Its own memory, so that it can be handed to another thread instead of copied.
  const part = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const bytes of chunks) {
    part.set(bytes, offset);
    offset += bytes.length;
  }
  return part;
}

/** Tells a chunk from any other, and from what a failing disk or a person made of it. */
function hashOf({ name, sequence, bytes }: Omit<SnapshotPartRow, 'hash'>): string {
  return createHash('sha256').update(`${name} ${sequence}\n`).update(bytes).digest('base64url');
}

function damaged(part: string, what: string): UnavailableError {
  return new UnavailableError(
    `the part ${part} of the published snapshot ${what} in the database: restore a backup, as "Backup and ` +
      'restore" in docs/replicas.md says',
  );
}
