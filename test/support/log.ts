// The log of a published snapshot, read and checked for tests as a stranger would.

import { expect } from 'vitest';
import { type JsonValue, saltedDigest } from '../../src/log/canonical.ts';
import { parseCheckpoint } from '../../src/log/checkpoint.ts';
import { type Entry, parseEntry } from '../../src/log/entries.ts';
import { leafHash, rootOf } from '../../src/log/merkle.ts';
import { fetchBytes } from '../../src/log/fetch.ts';
import { parseVerifierKey, signersOf } from '../../src/log/notes.ts';
import type { ReadPath } from '../../src/log/served.ts';
import { type SeenLog, verifyLog } from '../../src/log/verify.ts';
import { Replay } from '../../src/log/replay.ts';
import { TileTree } from '../../src/log/tiles.ts';
import { load } from '../../src/publishing/load.ts';
import { publish } from '../../src/publishing/publish.ts';
import { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Database } from '../../src/store/database.ts';
import { claimPublishing } from '../../src/store/snapshots/snapshots.ts';
import type { PublishedLog } from '../../src/snapshot/published-log.ts';

export const LOG_ORIGIN = 'https://reviews.example';

export interface PublishAs {
  readonly publisherId?: string;
  readonly logKeyFile?: string | null;
  /** Seconds since 1970. */
  readonly now?: number;
}

/** Claims, whoever held the claim before, and publishes in this thread. */
export async function publishLog(
  database: Database,
  { publisherId = 'p', logKeyFile = null, now = 1_700_000_000 }: PublishAs = {},
): Promise<Snapshot> {
  await database.write((transaction) =>
    transaction
      .updateTable('state')
      .set({ publisher: null })
      .execute()
      .then(() => undefined),
  );
  expect(await claimPublishing(database, publisherId, 1, 2)).toBe(true);
  const publishing = { publisherId, defaultOrigin: LOG_ORIGIN, logKeyFile };
  await publish(database, publishing, now);
  return currentSnapshot(database);
}

export async function currentSnapshot(database: Database): Promise<Snapshot> {
  const loaded = await load(database);
  if (!loaded) throw new Error('nothing was published');
  return new Snapshot(loaded);
}

export function logOf({ log }: Snapshot): PublishedLog {
  if (!log) throw new Error('the snapshot has no log');
  return log;
}

export function entriesOf(snapshot: Snapshot): Entry[] {
  const log = logOf(snapshot);
  return Array.from({ length: log.size }, (_, index) => parseEntry(log.entryAt(index))!);
}

/** The entries as short texts, such as `added 5 google`. */
export function told(snapshot: Snapshot, from = 0): string[] {
  return entriesOf(snapshot)
    .slice(from)
    .map((entry) => {
      if (entry.type === 'publication') return 'publication';
      const { type, rating, source } = entry;
      return [type, rating, source, ...(type === 'removed' ? [entry.reason] : [])].join(' ');
    });
}

/** The log is signed, its entries fit each other, and it says exactly what is published. */
export function expectHolds(snapshot: Snapshot): void {
  const log = logOf(snapshot);
  const { checkpoint, keys } = log.manifest;
  const parsed = parseCheckpoint(checkpoint)!;
  expect(
    signersOf(
      parsed.note,
      keys.map((key) => parseVerifierKey(key)!),
    ),
  ).toHaveLength(keys.length);
  const bytes = Array.from({ length: log.size }, (_, index) => log.entryAt(index));
  const tree = new TileTree(Buffer.concat(bytes.map(leafHash)));
  expect([parsed.size, parsed.root]).toEqual([log.size, Buffer.from(rootOf(tree))]);
  const replay = new Replay();
  for (const each of bytes) expect(replay.read(parseEntry(each)!)).toBeNull();
  expect(replay.isChanged).toBe(false);
  expect(replay.reviews.size).toBe(snapshot.reviewCount);
  for (let position = 0; position < snapshot.reviewCount; position++) {
    const { index, salt } = log.openingAt(position);
    const record = JSON.parse(snapshot.reviewAt(position).toString()) as JsonValue;
    const logged = replay.reviews.get(log.firstEntryAt(position))!;
    expect([logged.last, logged.entry.digest]).toEqual([index, saltedDigest(salt, record)]);
  }
}

/**
 * Verifies the log of a server over HTTP: what it publishes, and that it continues what was seen. Returns what is
 * seen now. Waits while a publication is under way.
 */
export async function verifyServer(url: string, seen: SeenLog | null): Promise<SeenLog> {
  const read: ReadPath = async (path) => {
    const { status, body } = await fetchBytes(url + path);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  for (;;) {
    const before = await read('/log/checkpoint');
    try {
      return (await verifyLog(read, { seen, nowMs: Date.now() })).seen;
    } catch (error) {
      if (before.equals(await read('/log/checkpoint'))) throw error;
    }
  }
}
