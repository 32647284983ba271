// Stored snapshots, which one is current, and the claim to publish the next.

import { sql } from 'kysely';
import type { Bundle } from '../../log/bundles.ts';
import { latestEnd } from '../clock.ts';
import type { Database } from '../database.ts';
import type { Executor } from '../engine.ts';
import { streamBundles } from '../log/log-bundles.ts';
import { insertChunk, readPart } from './snapshot-parts.ts';
import { loadState } from '../state.ts';
import { markPublished } from '../merge/imports.ts';
import { DELIVERIES_LOCK, markPending } from '../hub/subscriptions.ts';

/** Maximum bytes of a chunk. A server that loads the snapshot has a few of them in memory at a time. */
const CHUNK_BYTES = 1024 * 1024;

type Part = readonly [name: string, bytes: Uint8Array];

/** A snapshot to store. Parts may still be in the making while others are stored. */
interface NewSnapshot {
  readonly number: number;
  /** JSON. */
  readonly manifest: string;
  /** What the manifest names. */
  readonly parts: Iterable<Part> | AsyncIterable<Part>;
}

/** The current snapshot, read within one transaction. */
interface CurrentSnapshot {
  readonly number: number;
  /** JSON. */
  readonly manifest: string;
  /** The bytes of a part in order. @throws {UnavailableError} if the part is missing or was altered */
  readonly chunksOf: (name: string) => AsyncIterable<Uint8Array>;
  /** The log that the snapshot names a tree of, in order. */
  readonly bundles: () => AsyncIterable<Bundle>;
}

/** The publish claim expired, and another process took it over. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/**
 * Claims the right to publish until `untilMs` (ms since 1970). Returns false if another owner holds the
 * claim. A claim whose end is invalid is ignored (see clock.ts).
 */
export async function claimPublishing(
  database: Database,
  publisherId: string,
  nowMs: number,
  untilMs: number,
): Promise<boolean> {
  return database.write(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('state')
      .set({ publisher: publisherId, publisher_until: untilMs })
      .where((where) =>
        where.or([
          where('publisher', 'is', null),
          where('publisher', '=', publisherId),
          where('publisher_until', '<', nowMs),
          where('publisher_until', '>', latestEnd(nowMs, untilMs - nowMs)),
        ]),
      )
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  });
}

/**
 * Extends the claim until `untilMs`. Returns false if it was lost. Then it must not be claimed again for
 * the running publish: another process may have published, so what this one has read may be outdated.
 */
export async function renewPublishing(
  database: Database,
  publisherId: string,
  untilMs: number,
): Promise<boolean> {
  return database.write(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('state')
      .set({ publisher_until: untilMs })
      .where('publisher', '=', publisherId)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  });
}

/** Releases the claim if `publisherId` still holds it. */
export async function releasePublishing(database: Database, publisherId: string): Promise<void> {
  await database.write(
    async (transaction) => {
      await transaction
        .updateTable('state')
        .set({ publisher: null, publisher_until: 0 })
        .where('publisher', '=', publisherId)
        .execute();
    },
    { notifies: 'state' },
  );
}

/** Stores a snapshot without making it current, one transaction per chunk. @throws {ClaimLost} */
export async function saveSnapshot(
  database: Database,
  publisherId: string,
  snapshot: NewSnapshot,
): Promise<void> {
  for await (const [name, bytes] of snapshot.parts) {
    // An empty part has one empty chunk. Without it the part would count as missing.
    for (let start = 0; start === 0 || start < bytes.length; start += CHUNK_BYTES) {
      await database.write(async (transaction) => {
        await assertClaim(transaction, publisherId);
        await insertChunk(
          transaction,
          name,
          start / CHUNK_BYTES,
          bytes.subarray(start, start + CHUNK_BYTES),
        );
      });
    }
  }
  await database.write(async (transaction) => {
    await assertClaim(transaction, publisherId);
    const { number, manifest } = snapshot;
    await transaction.insertInto('snapshots').values({ number, manifest }).execute();
  });
}

/** The snapshot to make current. */
interface NextSnapshot {
  readonly number: number;
  /** Topics whose bytes changed; deliveries to their subscribers become pending. */
  readonly changedTopics: readonly string[];
  /** ms since 1970. */
  readonly publishedAtMs: number;
}

/**
 * Records that a content version is published: by the stored snapshot `next`, which becomes current,
 * or, if null, by the current snapshot, because nothing in it changed.
 *
 * @throws {ClaimLost}
 */
export async function switchSnapshot(
  database: Database,
  publisherId: string,
  contentVersion: number,
  next: NextSnapshot | null,
): Promise<void> {
  await database.write(
    async (transaction) => {
      await assertClaim(transaction, publisherId);
      await transaction
        .updateTable('state')
        .set({
          published_version: contentVersion,
          ...(next === null ? {} : { snapshot_number: next.number }),
        })
        .execute();
      await markPublished(transaction, contentVersion, next?.publishedAtMs ?? Date.now());
      if (next) await markPending(transaction, next.changedTopics, next.number, next.publishedAtMs);
    },
    { lock: { exclusive: DELIVERIES_LOCK }, notifies: 'state' },
  );
}

/**
 * Checks the publish claim, and locks it until the transaction ends.
 *
 * @throws {ClaimLost} if `publisherId` does not hold it.
 */
export async function assertClaim(transaction: Executor, publisherId: string): Promise<void> {
  const state = await transaction
    .selectFrom('state')
    .select('publisher')
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (state.publisher !== publisherId) throw new ClaimLost('another process took over the publish');
}

/**
 * Deletes all manifests but the current one and all parts not in `used`: replaced snapshots and the
 * remains of killed publish processes. Readers load a snapshot in one transaction and still see it.
 *
 * @throws {ClaimLost}
 */
export async function deleteUnused(
  database: Database,
  publisherId: string,
  used: ReadonlySet<string>,
): Promise<void> {
  const { snapshotNumber } = await loadState(database.read);
  const chunks = await database.read
    .selectFrom('snapshot_parts')
    .select(['name', 'sequence'])
    .execute();
  for (const { name, sequence } of chunks.filter((chunk) => !used.has(chunk.name))) {
    await database.write(async (transaction) => {
      await assertClaim(transaction, publisherId);
      await transaction
        .deleteFrom('snapshot_parts')
        .where('name', '=', name)
        .where('sequence', '=', sequence)
        .execute();
    });
  }
  await database.write(async (transaction) => {
    await assertClaim(transaction, publisherId);
    await transaction
      .deleteFrom('snapshots')
      .where('number', 'is distinct from', snapshotNumber)
      .execute();
  });
}

/** The manifest of the current snapshot; null before the first publish. */
export async function loadCurrentManifest(executor: Executor): Promise<string | null> {
  const row = await executor
    .selectFrom('snapshots')
    .innerJoin('state', 'state.snapshot_number', 'snapshots.number')
    .select('manifest')
    .executeTakeFirst();
  return row?.manifest ?? null;
}

/** The beginning of the manifest, which has the time and hashes: two snapshots may have the same number after a restore. */
export async function loadSnapshotIdentity(executor: Executor): Promise<string | null> {
  const row = await executor
    .selectFrom('snapshots')
    .innerJoin('state', 'state.snapshot_number', 'snapshots.number')
    .select(sql<string>`substr(manifest, 1, 1000)`.as('identity'))
    .executeTakeFirst();
  return row?.identity ?? null;
}

export async function readCurrentSnapshot<Result>(
  database: Database,
  read: (snapshot: CurrentSnapshot) => Promise<Result>,
): Promise<Result | null> {
  return database.readConsistently(async (transaction) => {
    const { snapshotNumber: number } = await loadState(transaction);
    const manifest = await loadCurrentManifest(transaction);
    if (number === null || manifest === null) return null;
    return read({
      number,
      manifest,
      chunksOf: (name) => readPart(transaction, name),
      bundles: () => streamBundles(transaction),
    });
  });
}
