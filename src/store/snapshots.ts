// Snapshots at rest, which of them is current, and who may publish the next.

import { latestEnd } from './clock.ts';
import type { Database } from './database.ts';
import type { Executor } from './engine.ts';
import { insertChunk, loadPart } from './snapshot-parts.ts';
import { DELIVERIES_LOCK, markPending } from './subscriptions.ts';

/** Bytes in one row of a part. */
const CHUNK = 4 * 1024 * 1024;

/** How far the store has come; see StateRow for what each says. */
export interface State {
  readonly origin: string | null;
  readonly example: boolean;
  readonly contentVersion: number;
  readonly publishedVersion: number;
  readonly snapshotNumber: number | null;
}

/** A snapshot as it is stored: its manifest, and bytes by the names that the manifest knows. */
export interface StoredSnapshot {
  readonly number: number;
  /** JSON. */
  readonly manifest: string;
  readonly parts: ReadonlyMap<string, Uint8Array>;
}

/** Another publisher took over, because this one gave no sign of life for too long. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

export async function loadState(executor: Executor): Promise<State> {
  const row = await executor.selectFrom('state').selectAll().executeTakeFirstOrThrow();
  return {
    origin: row.origin,
    example: row.example === 1,
    contentVersion: row.content_version,
    publishedVersion: row.published_version,
    snapshotNumber: row.snapshot_number,
  };
}

/** Records the base URL of the server. Another than before, or than was published, owes a publish. */
export async function saveOrigin(
  database: Database,
  origin: string,
  publishedOrigin: string | null = null,
): Promise<void> {
  const owed = origin === publishedOrigin ? 0 : 1;
  await database.write(
    async (transaction) => {
      await transaction
        .updateTable('state')
        .set((set) => ({ origin, content_version: set('content_version', '+', owed) }))
        .where('origin', 'is distinct from', origin)
        .execute();
    },
    { notifies: 'state' },
  );
}

/** Owes a publish although no content changed, as after an update of the program. */
export async function requestPublish(database: Database): Promise<void> {
  await database.write(
    async (transaction) => {
      await transaction
        .updateTable('state')
        .set((set) => ({ content_version: set('content_version', '+', 1) }))
        .execute();
    },
    { notifies: 'state' },
  );
}

/**
 * Claims the right to publish until a time (ms since 1970). False while another publisher's claim
 * lasts. A claim that ends later than one made now could is void: a clock was ahead.
 */
export async function claimPublishing(
  database: Database,
  publisher: string,
  nowMs: number,
  untilMs: number,
): Promise<boolean> {
  return database.write(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('state')
      .set({ publisher, publisher_until: untilMs })
      .where((where) =>
        where.or([
          where('publisher', 'is', null),
          where('publisher', '=', publisher),
          where('publisher_until', '<', nowMs),
          where('publisher_until', '>', latestEnd(nowMs, untilMs - nowMs)),
        ]),
      )
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  });
}

/**
 * Makes a claim believed until a later time. False where it was lost: even if nobody else holds it
 * now, another may have published meanwhile, so that what this publisher has read is outdated.
 */
export async function renewPublishing(
  database: Database,
  publisher: string,
  untilMs: number,
): Promise<boolean> {
  return database.write(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('state')
      .set({ publisher_until: untilMs })
      .where('publisher', '=', publisher)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  });
}

export async function releasePublishing(database: Database, publisher: string): Promise<void> {
  await database.write(
    async (transaction) => {
      await transaction
        .updateTable('state')
        .set({ publisher: null, publisher_until: 0 })
        .where('publisher', '=', publisher)
        .execute();
    },
    { notifies: 'state' },
  );
}

/**
 * Stores a snapshot that nobody sees yet, in transactions of a chunk each.
 *
 * @throws {ClaimLost}
 */
export async function saveSnapshot(
  database: Database,
  publisher: string,
  snapshot: StoredSnapshot,
): Promise<void> {
  for (const [name, bytes] of snapshot.parts) {
    // A part without bytes still has a chunk, or it would be missing when it is loaded.
    for (let start = 0; start === 0 || start < bytes.length; start += CHUNK) {
      await database.write(async (transaction) => {
        await assertClaim(transaction, publisher);
        await insertChunk(transaction, name, start / CHUNK, bytes.subarray(start, start + CHUNK));
      });
    }
  }
  await database.write(async (transaction) => {
    await assertClaim(transaction, publisher);
    const { number, manifest } = snapshot;
    await transaction.insertInto('snapshots').values({ number, manifest }).execute();
  });
}

/** The snapshot that becomes the current one. */
export interface NextSnapshot {
  readonly number: number;
  /** Topics whose bytes are others than before; their subscribers are owed a delivery. */
  readonly changedTopics: readonly string[];
  /** ms since 1970. */
  readonly publishedAtMs: number;
}

/**
 * Says that a content version is published: by a stored snapshot, which becomes the current one, or,
 * with null, by the one that is current, because nothing in it would change.
 *
 * @throws {ClaimLost}
 */
export async function switchSnapshot(
  database: Database,
  publisher: string,
  contentVersion: number,
  next: NextSnapshot | null,
): Promise<void> {
  await database.write(
    async (transaction) => {
      await assertClaim(transaction, publisher);
      await transaction
        .updateTable('state')
        .set({
          published_version: contentVersion,
          ...(next === null ? {} : { snapshot_number: next.number }),
        })
        .execute();
      if (next) await markPending(transaction, next.changedTopics, next.number, next.publishedAtMs);
    },
    { lock: { exclusive: DELIVERIES_LOCK }, notifies: 'state' },
  );
}

/** The claim stays with the publisher until the transaction ends.
 *
 * @throws {ClaimLost} where another publishes by now. */
export async function assertClaim(transaction: Executor, publisher: string): Promise<void> {
  const state = await transaction
    .selectFrom('state')
    .select('publisher')
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (state.publisher !== publisher) throw new ClaimLost('another publisher took over');
}

/**
 * Deletes everything but the manifest of the current snapshot and the parts that it names: what it
 * replaced, and what a publisher left behind when it was killed. Whoever is loading a snapshot does
 * so in a transaction and still sees it.
 *
 * @throws {ClaimLost}
 */
export async function deleteUnused(
  database: Database,
  publisher: string,
  used: ReadonlySet<string>,
): Promise<void> {
  const { snapshotNumber } = await loadState(database.read);
  const chunks = await database.read
    .selectFrom('snapshot_parts')
    .select(['name', 'sequence'])
    .execute();
  for (const { name, sequence } of chunks.filter((chunk) => !used.has(chunk.name))) {
    await database.write(async (transaction) => {
      await assertClaim(transaction, publisher);
      await transaction
        .deleteFrom('snapshot_parts')
        .where('name', '=', name)
        .where('sequence', '=', sequence)
        .execute();
    });
  }
  await database.write(async (transaction) => {
    await assertClaim(transaction, publisher);
    await transaction
      .deleteFrom('snapshots')
      .where('number', 'is distinct from', snapshotNumber)
      .execute();
  });
}

/** The manifest of the current snapshot; null where nothing was published yet. */
export async function loadCurrentManifest(executor: Executor): Promise<string | null> {
  const row = await executor
    .selectFrom('snapshots')
    .innerJoin('state', 'state.snapshot_number', 'snapshots.number')
    .select('manifest')
    .executeTakeFirst();
  return row?.manifest ?? null;
}

/** Loads the current snapshot; null where nothing was published yet. */
export async function loadCurrentSnapshot(
  database: Database,
  partsOf: (manifest: string) => readonly string[],
): Promise<StoredSnapshot | null> {
  return database.readConsistently(async (transaction) => {
    const { snapshotNumber: number } = await loadState(transaction);
    const manifest = await loadCurrentManifest(transaction);
    if (number === null || manifest === null) return null;
    const parts = new Map<string, Uint8Array>();
    for (const name of partsOf(manifest)) parts.set(name, await loadPart(transaction, name));
    return { number, manifest, parts };
  });
}
