// Verifies the log of a server from the outside: signature, tree, consistency with what was seen before, and
// that what is published is exactly what the log says.

import { ROUTES } from '../model/routes.ts';
import type { LogSalts } from '../model/proof.ts';
import { type JsonValue, saltedDigest } from './canonical.ts';
import { type SignedCheckpoint, parseCheckpoint } from './checkpoint.ts';
import { type Entry, loggedSource, parseEntry } from './entries.ts';
import { HASH_BYTES, isEqual, leafHash, rootOf } from './merkle.ts';
import { parseVerifierKey, signersOf, type VerifierKey } from './notes.ts';
import { Replay } from './replay.ts';
import { decodeBundle, LONGEST_ENTRY, TILE_WIDTH, tilePath, tilesOf, TileTree } from './tiles.ts';

/** The files of a server. `maxBytes` limits the answer. */
export type ReadPath = (path: string, maxBytes?: number) => Promise<Buffer>;

/** What was seen of a log before. */
export interface SeenLog {
  readonly keys: readonly string[];
  readonly checkpoint: string;
}

/** The log does not hold. The message says where. */
export class LogProblem extends Error {
  override readonly name = 'LogProblem';
}

export interface VerifiedLog {
  readonly checkpoint: SignedCheckpoint;
  /** To be saved for the next time. */
  readonly seen: SeenLog;
  readonly entries: readonly Entry[];
  readonly replay: Replay;
  /** Entries that were seen before. */
  readonly known: number;
  /** Names of witnesses that signed, out of those that the caller knows. */
  readonly cosigners: readonly string[];
}

export type OnProgress = (done: number, total: number) => void;

export const MAX_CHECKPOINT_BYTES = 64 * 1024;
const CONCURRENCY = 8;

/** @throws {LogProblem} with the first thing that does not hold */
export async function verifyLog(
  read: ReadPath,
  seen: SeenLog | null,
  witnesses: readonly VerifierKey[] = [],
  onProgress: OnProgress = () => undefined,
): Promise<VerifiedLog> {
  const text = (await read(ROUTES.getCheckpoint.path, MAX_CHECKPOINT_BYTES)).toString();
  const checkpoint = parseCheckpoint(text);
  if (!checkpoint) throw new LogProblem(`${ROUTES.getCheckpoint.path} is no checkpoint`);
  const keys = await readKeys(read);
  assertSigned(checkpoint, keys, seen);
  const cosigners = signersOf(checkpoint.note, witnesses);
  if (cosigners === null) throw new LogProblem('a cosignature of the checkpoint does not verify');
  const missing = witnesses.filter((each) => !cosigners.includes(each));
  if (missing.length > 0) {
    throw new LogProblem(`the checkpoint lacks the cosignature of ${missing[0]?.name}`);
  }
  const bytes = await readEntries(read, checkpoint.size, onProgress);
  const tree = new TileTree(concatHashes(bytes));
  if (!isEqual(rootOf(tree), checkpoint.root)) {
    throw new LogProblem(
      `the ${checkpoint.size} entries do not lead to the root of the checkpoint`,
    );
  }
  const known = assertContinues(tree, seen);
  await compareTiles(read, tree, onProgress);
  const { entries, replay } = replayEntries(bytes);
  await comparePublished(read, checkpoint.size, replay);
  return {
    checkpoint,
    seen: { keys: keys.map(({ line }) => line), checkpoint: text },
    entries,
    replay,
    known,
    cosigners: cosigners.map(({ name }) => name),
  };
}

interface ServedKey extends VerifierKey {
  readonly line: string;
}

async function readKeys(read: ReadPath): Promise<ServedKey[]> {
  const lines = (await read(ROUTES.getLogKey.path, MAX_CHECKPOINT_BYTES))
    .toString()
    .trim()
    .split('\n');
  return lines.map((line) => {
    const key = parseVerifierKey(line);
    if (key?.signer !== 'log')
      throw new LogProblem(`${ROUTES.getLogKey.path} has a line that is no key of a log`);
    return { ...key, line };
  });
}

/** One of the served keys must have signed; and, if the log was seen before, one of the keys of then. */
function assertSigned(
  checkpoint: SignedCheckpoint,
  keys: readonly VerifierKey[],
  seen: SeenLog | null,
): void {
  const signers = signersOf(checkpoint.note, keys);
  if (signers === null || signers.length === 0) {
    throw new LogProblem(`the checkpoint is not signed with the key of ${ROUTES.getLogKey.path}`);
  }
  if (signers.some(({ name }) => name !== checkpoint.origin)) {
    throw new LogProblem('the checkpoint is of another log than its key');
  }
  const trusted = new Set(seen?.keys.map(publicKeyOf));
  const isTrusted = signers.some((each) => trusted.has(each.publicKey.toString('base64')));
  if (seen && !isTrusted) {
    throw new LogProblem(
      'the checkpoint is signed with another key than the one that was seen before',
    );
  }
}

function publicKeyOf(key: string): string | undefined {
  return parseVerifierKey(key)?.publicKey.toString('base64');
}

/** The entries in order, as bytes. */
async function readEntries(
  read: ReadPath,
  size: number,
  onProgress: OnProgress,
): Promise<Buffer[]> {
  const names = [...tilesOf(size)].filter(({ level }) => level === 'entries');
  const bundles: Buffer[][] = [];
  let done = 0;
  await eachOf(names, async (name) => {
    const path = tilePath(name);
    const longest = TILE_WIDTH * (2 + LONGEST_ENTRY);
    const decoded = decodeBundle(await read(tileUrl(path), longest));
    if (decoded?.length !== name.width) {
      throw new LogProblem(`tile/${path} is no bundle of ${name.width} entries`);
    }
    bundles[name.index] = decoded;
    done += name.width;
    onProgress(done, 2 * size);
  });
  return bundles.flat();
}

function concatHashes(entries: readonly Buffer[]): Uint8Array {
  const hashes = new Uint8Array(entries.length * HASH_BYTES);
  for (const [index, entry] of entries.entries()) hashes.set(leafHash(entry), index * HASH_BYTES);
  return hashes;
}

/** Returns the number of entries that were seen before. */
function assertContinues(tree: TileTree, seen: SeenLog | null): number {
  if (!seen) return 0;
  const old = parseCheckpoint(seen.checkpoint);
  if (!old) throw new LogProblem('what was saved is no checkpoint');
  if (old.size > tree.size) {
    throw new LogProblem(
      `the log was rolled back: it has ${tree.size} entries, and ${old.size} were seen before`,
    );
  }
  if (!isEqual(rootOf(tree, old.size), old.root)) {
    throw new LogProblem(
      `the log is another one: its first ${old.size} entries are not those that were seen before`,
    );
  }
  return old.size;
}

/** Every tile must have the hashes of the entries. */
async function compareTiles(read: ReadPath, tree: TileTree, onProgress: OnProgress): Promise<void> {
  let done = 0;
  await eachOf([...tilesOf(tree.size)], async ({ level, index, width }) => {
    if (level === 'entries') return;
    const path = tilePath({ level, index, width });
    const served = await read(tileUrl(path), TILE_WIDTH * HASH_BYTES);
    const expected = tree.tile({ level, index, width });
    if (!expected || !isEqual(served, expected)) {
      throw new LogProblem(`tile/${path} does not have the hashes of its entries`);
    }
    done = Math.min(tree.size, done + width);
    onProgress(tree.size + done, 2 * tree.size);
  });
}

function replayEntries(bytes: readonly Buffer[]): { entries: Entry[]; replay: Replay } {
  const replay = new Replay();
  const entries = bytes.map((each, index) => {
    const entry = parseEntry(each);
    if (!entry) throw new LogProblem(`entry ${index} is none that this program knows`);
    const problem = replay.read(entry);
    if (problem !== null) throw new LogProblem(`entry ${index}: ${problem}`);
    return entry;
  });
  if (replay.isChanged) throw new LogProblem('the totals after the newest entries are missing');
  return { entries, replay };
}

/** What is published and what the log says are the same. */
async function comparePublished(read: ReadPath, size: number, replay: Replay): Promise<void> {
  const salts = (await readJson(read, ROUTES.getLogSalts.path)) as unknown as LogSalts;
  if (salts.size !== size) {
    throw new LogProblem(
      `${ROUTES.getLogSalts.path} belongs to a log of ${salts.size} entries, and the checkpoint to ${size}: ` +
        'something was published meanwhile, or the files do not belong together',
    );
  }
  const dataset = (await readJson(read, ROUTES.getReviews.path)) as {
    readonly reviews: readonly PublishedReview[];
  };
  const logged = new Map([...replay.reviews.values()].map((each) => [each.last, each.entry]));
  for (const review of dataset.reviews) {
    const [index = -1, salt = ''] = salts.reviews[review.id] ?? [];
    const entry = logged.get(index);
    if (!entry)
      throw new LogProblem(`review ${review.id} is published, and the log does not have it`);
    logged.delete(index);
    const isSame =
      entry.digest === saltedDigest(salt, review) &&
      entry.rating === review.rating &&
      entry.date === review.date &&
      entry.source === loggedSource(review.source);
    if (!isSame) {
      throw new LogProblem(
        `review ${review.id} is not as entry ${index} says: it was changed without an entry`,
      );
    }
  }
  const [left] = logged;
  if (left) {
    const [index, { rating, date, source }] = left;
    throw new LogProblem(
      `entry ${index} says that a review with ${starsOf(rating)} of ${date} from ${source} is published, ` +
        `and it is not: it was removed without an entry`,
    );
  }
}

interface PublishedReview {
  readonly [key: string]: JsonValue;
  readonly id: string;
  readonly rating: number;
  readonly date: string;
  readonly source: string;
}

async function readJson(read: ReadPath, path: string): Promise<Record<string, JsonValue>> {
  try {
    return JSON.parse((await read(path)).toString()) as Record<string, JsonValue>;
  } catch (error) {
    if (error instanceof SyntaxError) throw new LogProblem(`${path} is no JSON`);
    throw error;
  }
}

export function starsOf(rating: number): string {
  return rating === 1 ? '1 star' : `${rating} stars`;
}

function tileUrl(path: string): string {
  return ROUTES.getLogTile.path.replace('*', path);
}

/** Works on several at once, and stops at the first error. */
async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const run = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, run));
}
