// Verifies the log of a server from the outside: signature, tree, consistency with what was seen before, and
// that what is published, and every published total, is exactly what the log says.

import { ROUTES } from '../model/routes.ts';
import { type SignedCheckpoint, parseCheckpoint } from './checkpoint.ts';
import { type Entry, parseEntry } from './entries.ts';
import { FetchError } from './fetch.ts';
import { HASH_BYTES, isEqual, leafHash, rootOf } from './merkle.ts';
import {
  type Cosignature,
  cosignaturesOf,
  formatVerifierKey,
  parseVerifierKey,
  sharesKey,
  signersOf,
  type VerifierKey,
} from './notes.ts';
import { Replay } from './replay.ts';
import { compareCounts, comparePublished } from './published.ts';
import { LogProblem, type PublishedReview, type ReadPath } from './served.ts';
import { decodeBundle, LONGEST_ENTRY, TILE_WIDTH, tilePath, tilesOf, TileTree } from './tiles.ts';

export interface SeenLog {
  /** Verifier keys; none of a checkpoint that was saved by hand. */
  readonly keys: readonly string[];
  readonly checkpoint: string;
}

export interface VerifiedLog {
  readonly checkpoint: SignedCheckpoint;
  /** To be saved for the next time. */
  readonly seen: SeenLog;
  readonly entries: readonly Entry[];
  readonly replay: Replay;
  /** Entries that were seen before. */
  readonly known: number;
  /** Proven; newest first, if the server is honest. */
  readonly reviews: readonly PublishedReview[];
  /** Of the witnesses that the caller knows. */
  readonly cosignatures: readonly Cosignature[];
  /** Cosignatures of other witnesses, which were not checked. */
  readonly unknownCosignatures: readonly Cosignature[];
}

type OnProgress = (done: number, total: number) => void;

export const MAX_CHECKPOINT_BYTES = 64 * 1024;
/** What is verified at once in less than 2 GiB of memory: more entries, or longer ones, are refused. */
const MOST_ENTRIES = 2 ** 22;
const MOST_ENTRY_BYTES = 2 ** 30;
/** Clocks differ. */
export const AHEAD_MS = 10 * 60_000;
const CONCURRENCY = 8;

export interface VerifyOptions {
  readonly seen?: SeenLog | null;
  /** Witnesses that must have signed. */
  readonly witnesses?: readonly VerifierKey[];
  readonly nowMs: number;
  readonly onProgress?: OnProgress;
}

/**
 * @throws {LogProblem} with the first thing that does not hold
 * @throws {FetchError} if it cannot be verified, also because it is too large
 */
export async function verifyLog(
  read: ReadPath,
  { seen = null, witnesses = [], nowMs, onProgress = () => undefined }: VerifyOptions,
): Promise<VerifiedLog> {
  const text = (await read(ROUTES.getCheckpoint.path, MAX_CHECKPOINT_BYTES)).toString();
  const checkpoint = parseCheckpoint(text);
  if (!checkpoint) throw new LogProblem(`${ROUTES.getCheckpoint.path} is no checkpoint`);
  const keys = await readKeys(read);
  const old = seen && readSeen(seen, keys);
  assertSigned(checkpoint, keys, seen);
  const cosigned = checkCosignatures(checkpoint, witnesses, nowMs);
  if (checkpoint.size > MOST_ENTRIES) {
    throw new FetchError(
      `the log has ${checkpoint.size} entries, and this program verifies at most ${MOST_ENTRIES}`,
    );
  }
  const bytes = await readEntries(read, checkpoint.size, onProgress);
  const tree = new TileTree(concatHashes(bytes));
  if (!isEqual(rootOf(tree), checkpoint.root)) {
    throw new LogProblem(
      `the ${checkpoint.size} entries do not lead to the root of the checkpoint`,
    );
  }
  const known = assertContinues(tree, old);
  await compareTiles(read, tree, onProgress);
  const { entries, replay } = replayEntries(bytes);
  const reviews = await comparePublished(read, checkpoint.size, replay);
  await compareCounts(read, replay);
  return {
    checkpoint,
    seen: { keys: keys.map(({ line }) => line), checkpoint: text },
    entries,
    replay,
    known,
    reviews,
    ...cosigned,
  };
}

/** @throws {LogProblem} if a witness that must have signed has not, or signed at no possible time */
function checkCosignatures(
  { note }: SignedCheckpoint,
  witnesses: readonly VerifierKey[],
  nowMs: number,
): Pick<VerifiedLog, 'cosignatures' | 'unknownCosignatures'> {
  const cosigners = signersOf(note, witnesses);
  if (cosigners === null) throw new LogProblem('a cosignature of the checkpoint does not verify');
  const missing = witnesses.find((each) => !cosigners.includes(each));
  if (missing) throw new LogProblem(`the checkpoint lacks the cosignature of ${missing.name}`);
  const all = cosignaturesOf(note, witnesses);
  const ahead = all.known.find(({ atMs }) => atMs > nowMs + AHEAD_MS);
  if (ahead) throw new LogProblem(`the cosignature of ${ahead.name} is dated in the future`);
  return { cosignatures: all.known, unknownCosignatures: all.unknown };
}

async function readKeys(read: ReadPath): Promise<(VerifierKey & { readonly line: string })[]> {
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

/** A damaged or foreign checkpoint must not accuse a log. @throws {FetchError} */
function readSeen({ keys: lines, checkpoint }: SeenLog, served: readonly VerifierKey[]) {
  const keys = lines.flatMap((line) => parseVerifierKey(line) ?? []);
  const old = parseCheckpoint(checkpoint);
  const signers = old && signersOf(old.note, lines.length > 0 ? keys : served);
  if (signers?.length) return old as SignedCheckpoint;
  throw new FetchError(
    signers && lines.length === 0
      ? `what was seen before is the checkpoint of another log, or of a key that ${ROUTES.getLogKey.path} no longer has`
      : 'what was seen before is damaged: its signature does not fit. Check without it, or with another copy',
  );
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
  if (seen && seen.keys.length > 0 && !sharesKey(seen.keys, signers.map(formatVerifierKey))) {
    throw new LogProblem(
      'the checkpoint is signed with another key than the one that was seen before; if this is a new store, such as ' +
        'after the example, check with a new file for --seen',
    );
  }
}

/** The entries in order, as bytes. */
async function readEntries(
  read: ReadPath,
  size: number,
  onProgress: OnProgress,
): Promise<Buffer[]> {
  const bundles: Buffer[][] = [];
  let [done, bytes] = [0, 0];
  await eachOf(tilesOf(size), async (name) => {
    if (name.level !== 'entries') return;
    const path = tilePath(name);
    const longest = TILE_WIDTH * (2 + LONGEST_ENTRY);
    const decoded = decodeBundle(await read(tileUrl(path), longest));
    if (decoded?.length !== name.width) {
      throw new LogProblem(`tile/${path} is no bundle of ${name.width} entries`);
    }
    bundles[name.index] = decoded;
    bytes += decoded.reduce((sum, { length }) => sum + length, 0);
    if (bytes > MOST_ENTRY_BYTES) {
      throw new FetchError(`the entries of the log are longer than ${MOST_ENTRY_BYTES} bytes`);
    }
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
function assertContinues(tree: TileTree, old: SignedCheckpoint | null): number {
  if (!old) return 0;
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
  await eachOf(tilesOf(tree.size), async ({ level, index, width }) => {
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
  let before: Entry | null = null;
  const entries = bytes.map((each, index) => {
    const entry = parseEntry(each);
    if (!entry) throw new LogProblem(`entry ${index} is none that this program knows`);
    const problem = timeProblem(entry, before) ?? replay.read(entry);
    if (problem !== null) throw new LogProblem(`entry ${index}: ${problem}`);
    before = entry;
    return entry;
  });
  if (replay.isChanged) throw new LogProblem('the totals after the newest entries are missing');
  return { entries, replay };
}

function timeProblem({ at }: Entry, before: Entry | null): string | null {
  if (before === null || Date.parse(at) >= Date.parse(before.at)) return null;
  return `it is dated ${at}, before the entry above it (${before.at})`;
}

function tileUrl(path: string): string {
  return ROUTES.getLogTile.path.replace('*', path);
}

/** Works on several at once, and stops at the first error. */
async function eachOf<T>(items: Generator<T>, work: (item: T) => Promise<void>): Promise<void> {
  const run = async () => {
    for (let next = items.next(); !next.done; next = items.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, run));
}
