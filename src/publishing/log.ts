// The log's part of a publish: what happened since the last one is appended to the log, the tree is signed,
// and the snapshot names the tree. The entries are stored before the snapshot becomes current: a publish
// that is killed between the two leaves a log that the next publish continues.

import { currentManifest } from './load.ts';
import { isUnavailable } from '../errors.ts';
import { packSections } from '../model/bytes.ts';
import type { AuthorDisplay } from '../model/author-names.ts';
import { LOGGED_REASONS } from '../model/removal.ts';
import type { Review } from '../model/review.ts';
import { type LeftOut, WITHHELD_REASONS, type WithheldReason } from '../model/verification.ts';
import { appendEntries, type Bundle, readBundle, treeOf, withNewer } from '../log/bundles.ts';
import { newSalt, SALT_BYTES } from '../log/canonical.ts';
import { formatCheckpoint, nameOf } from '../log/checkpoint.ts';
import { type Entry, starsIn, sum } from '../log/entries.ts';
import { isEqual, rootOf } from '../log/merkle.ts';
import { formatVerifierKey, sharesKey, signingKey, signNote } from '../log/notes.ts';
import { compareReviews, type LogPlan, type Opening, planEntries } from '../log/plan.ts';
import { type LoggedReview, Replay, replacementOf } from '../log/replay.ts';
import type { TileTree } from '../log/tiles.ts';
import type { LogManifest } from '../snapshot/manifest.ts';
import type { Database } from '../store/database.ts';
import type { Executor } from '../store/engine.ts';
import {
  appendToLog,
  countWithheld,
  loadLogReviews,
  loadLogState,
  type LogReviews,
  type LogState,
  saveLogKeys,
} from '../store/log/log.ts';
import { findDamage, loadBundles } from '../store/log/log-bundles.ts';
import { loadOtherStars } from '../store/reviews/reviews.ts';
import { loadState } from '../store/state.ts';
import { ClaimLost } from '../store/snapshots/snapshots.ts';
import { KeyStore, type Keyring, LogRefusal, signedTree } from './log-keys.ts';
import { commandName } from '../model/command-name.ts';

/** What the store has of the log, read together with the reviews. */
export interface StoredLog extends LogReviews {
  readonly state: LogState;
  readonly bundles: readonly Bundle[];
  readonly withheld: Awaited<ReturnType<typeof countWithheld>>;
  readonly otherStars: ReadonlyMap<string, readonly Review[]>;
}

/** @throws {LogRefusal} if the stored entries are damaged. */
export async function loadLog(executor: Executor, authors: AuthorDisplay): Promise<StoredLog> {
  const bundles = await loadBundles(executor);
  const damage = await findDamage(bundles);
  if (damage !== null) throw new LogRefusal(`${damage}. ${howToMend()}`);
  return {
    otherStars: await loadOtherStars(executor, authors),
    state: await loadLogState(executor),
    bundles,
    withheld: await countWithheld(executor),
    ...(await loadLogReviews(executor)),
  };
}

interface LogInput {
  readonly stored: StoredLog;
  /** What will be published, newest first. */
  readonly reviews: readonly Review[];
  readonly example: boolean;
  readonly origin: string;
  readonly nowSeconds: number;
  /** What the current snapshot says of the log; null before the first. */
  readonly previous: LogManifest | null;
  /** Dates whose reviews differ from those of the current snapshot; null if that is not known. */
  readonly changedDays: ReadonlySet<string> | null;
  /** Null keeps the keys in the store. */
  readonly keyFile: string | null;
}

/** A publication of the log: planned, then appended and signed. */
export class LogPublication {
  readonly #database: Database;
  readonly #input: LogInput;
  readonly #isReset: boolean;
  readonly #plan: LogPlan;
  readonly #replay: Replay;
  readonly #newer: readonly Bundle[];
  readonly #before: TileTree;
  readonly #tree: TileTree;
  readonly #keys: KeyStore;

  constructor(database: Database, input: LogInput) {
    const { stored, reviews, example, keyFile, nowSeconds } = input;
    this.#database = database;
    this.#input = input;
    // The log of the example business is no promise to anybody.
    this.#isReset = stored.state.example && !example;
    const bundles = this.#isReset ? [] : stored.bundles;
    const openings = this.#isReset ? new Map<string, Opening>() : stored.openings;
    this.#replay = replayLog(bundles);
    this.#plan = planEntries({
      ...stored,
      openings,
      replay: this.#replay,
      newSalt,
      difference: compareReviews(reviews, openings, this.#mayBeEdited),
      at: new Date(nowSeconds * 1000).toISOString().replace('.000Z', 'Z'),
    });
    this.#newer = appendEntries(bundles.at(-1) ?? null, this.#plan.entries);
    this.#before = treeOf(bundles);
    this.#tree = treeOf(withNewer(bundles, this.#newer));
    this.#keys = new KeyStore(database, example ? null : keyFile);
  }

  /** False for reviews of days that have not changed since the current snapshot: digesting all takes long. */
  readonly #mayBeEdited = ({ date }: Review, { salt }: Opening): boolean => {
    const { stored, previous, changedDays } = this.#input;
    // A publish that was killed has logged more than the current snapshot has.
    const isKnown = changedDays !== null && previous?.size === stored.state.size;
    // A salt is destroyed when a review is hidden, also if it is shown again at once.
    return this.#isReset || !isKnown || salt === '' || changedDays.has(date);
  };

  /** Reviews that are not published, and those that were before. */
  get leftOut(): LeftOut {
    const byRating = starsIn(this.#replay.removedCounts).map((count, star) => [star + 1, count]);
    const withheld = new Map<WithheldReason, number>();
    for (const { reason, count } of this.#input.stored.withheld) {
      withheld.set(reason, (withheld.get(reason) ?? 0) + count);
    }
    return {
      withheld: {
        total: sum([...withheld.values()]),
        by_reason: inOrder(WITHHELD_REASONS, withheld),
      },
      removed: {
        total: sum([...this.#replay.reasons.values()]),
        by_reason: inOrder(LOGGED_REASONS, this.#replay.reasons),
        by_rating: Object.fromEntries(byRating) as Record<string, number>,
      },
      edited: {
        total: sum(this.#replay.starChanges.map(({ count }) => count)),
        stars: this.#replay.starChanges,
      },
    };
  }

  /** When these reviews were last edited or replaced, in ISO 8601 by id; without those that never were. */
  editedAt(reviews: readonly Review[]): ReadonlyMap<string, string> {
    return new Map(
      reviews.flatMap(({ id }) => {
        const { reviews: logged } = this.#replay;
        const { first, last, entry } = logged.get(this.#openingOf(id).first) as LoggedReview;
        const isNew = first === last && !this.#replay.replaced.has(replacementOf(entry));
        return isNew ? [] : [[id, entry.at]];
      }),
    );
  }

  #openingOf(id: string): Opening {
    return (this.#plan.opened.get(id) ?? this.#input.stored.openings.get(id)) as Opening;
  }

  get entryCount(): number {
    return this.#plan.entries.length;
  }

  /**
   * Appends the entries and signs the tree.
   *
   * @throws {LogRefusal} if the tree is not one that continues what was signed before.
   * @throws {ClaimLost}
   */
  async append(publisherId: string): Promise<Omit<LogManifest, 'part'>> {
    const { stored } = this.#input;
    const keyring = await this.#loadKeys();
    if (this.#isReset || this.entryCount > 0) {
      await appendToLog(this.#database, publisherId, {
        before: stored.state.size,
        after: this.#tree.size,
        bundles: this.#newer,
        ...this.#plan,
        example: this.#isExample,
        isReset: this.#isReset,
      });
    }
    return this.#sign(keyring);
  }

  /**
   * Whether what the current snapshot says of the log would change.
   *
   * @throws {LogRefusal} as `append`
   */
  async isChanged(): Promise<boolean> {
    const { previous, origin } = this.#input;
    if (previous === null || this.entryCount > 0 || this.#isReset) return true;
    const keyring = await this.#loadKnown();
    const keys = keyring === null ? [] : verifierKeys(keyring, nameOf(origin));
    return previous.size !== this.#tree.size || previous.keys.join() !== keys.join();
  }

  get #isExample(): boolean {
    const { example, stored } = this.#input;
    return example && (stored.state.example || stored.state.size === 0);
  }

  async #loadKeys(): Promise<Keyring> {
    // The key of the example business is never used for a real log.
    if (this.#isReset) await saveLogKeys(this.#database, null);
    return (await this.#loadKnown()) ?? this.#keys.create();
  }

  async #loadKnown(): Promise<Keyring | null> {
    const known = await this.#keys.load();
    if ((await loadLogState(this.#database.read)).size !== this.#input.stored.state.size) {
      throw new ClaimLost('another process appended to the log');
    }
    const obstacle = obstacleOf(known, this.#before, this.#input);
    if (obstacle !== null) throw new LogRefusal(obstacle);
    return known;
  }

  async #sign(keyring: Keyring): Promise<Omit<LogManifest, 'part'>> {
    const name = nameOf(this.#input.origin);
    const root = rootOf(this.#tree);
    const { size } = this.#tree;
    const signed = { size, root: Buffer.from(root).toString('base64') };
    if (keyring.replaces || keyring.signed?.root !== signed.root || keyring.signed.size !== size) {
      // Remembered before it is signed: what was signed can be more than what was published, never less.
      await this.#keys.save({ ...keyring, signed, replaces: false });
    }
    const text = formatCheckpoint({ origin: name, size, root });
    const lines = keyring.keys.map((seed) => signNote(text, signingKey(name, 'log', seed)));
    const { publication, reasons } = this.#replay;
    if (!publication) throw new Error('the log has no publication');
    return {
      example: this.#isExample,
      size,
      checkpoint: `${text}\n${lines.join('')}`,
      keys: verifierKeys(keyring, name),
      publication,
      reasons: Object.fromEntries(reasons),
    };
  }

  /** The openings of the published reviews, in their order. */
  packOpenings(): Uint8Array {
    const { reviews } = this.#input;
    const [first, last] = [new Uint32Array(reviews.length), new Uint32Array(reviews.length)];
    const salts = new Uint8Array(reviews.length * SALT_BYTES);
    for (const [position, { id }] of reviews.entries()) {
      const opening = this.#openingOf(id);
      first[position] = opening.first;
      last[position] = opening.last;
      salts.set(Buffer.from(opening.salt, 'base64'), position * SALT_BYTES);
    }
    return packSections({ first, last, salts });
  }
}

/** As `obstacleOf`, for the stored log, with these keys or the stored ones. Changes nothing. */
export async function findObstacle(
  database: Database,
  keyFile: string | null,
  keyring?: Keyring,
): Promise<string | null> {
  const bundles = await loadBundles(database.read);
  const damage = await findDamage(bundles);
  if (damage !== null) return `${damage}. ${howToMend()}`;
  try {
    const { example } = await loadState(database.read);
    const keys = new KeyStore(database, example ? null : keyFile);
    const previous = (await currentManifest(database))?.log ?? null;
    const stored = { previous, example, keyFile };
    return obstacleOf(keyring ?? (await keys.load(false)), treeOf(bundles), stored);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return error.message.replace(': ', '. ');
  }
}

/** Why the tree `before` must not be continued with these keys, and what to do; null if it may. */
export function obstacleOf(
  keyring: Keyring | null,
  before: TileTree,
  { previous, keyFile, example }: Pick<LogInput, 'previous' | 'keyFile' | 'example'>,
): string | null {
  const isFirst = previous === null || (previous.example && !example);
  if (keyring === null) return isFirst ? null : lostKeys(example ? null : keyFile);
  // The tree in the store has to begin with the tree that was signed last.
  const signed = signedTree(keyring);
  const { size } = before;
  // A backup from before the keys were replaced lacks them too.
  if (signed !== null && signed.size > size)
    return `the log in the store has ${size} entries, and one with ${signed.size} was signed before. ${howToGoOn()}`;
  const isSigned = signed !== null && isEqual(rootOf(before, signed.size), signed.root);
  // A log that was kept in a restore is newer than its snapshot; a key of a file may be another's.
  const isKnown =
    isFirst || keyring.replaces || sharesKey(verifierKeys(keyring, 'log'), previous.keys);
  if (!isKnown && !isSigned && keyFile !== null) return lostKeys(keyFile);
  if (keyring.restored) return afterRestore();
  if (signed === null || isSigned) return null;
  return `the log in the store has other entries than the one that was signed before. ${howToGoOn()}`;
}

export const howToGoOn = () =>
  'Nothing was signed or published. Restore a newer backup of the store. If there is none, run ' +
  `"${commandName()} log replace": it starts over with a new key, and everybody who checks the log is ` +
  'shown that it was rolled back.';

const howToMend = () =>
  `Nothing was signed or published. Run "${commandName()} restore --replace" with a backup that has them. If there is none, ` +
  `run "${commandName()} log replace": it begins a new log with a new key, and everybody who checks the log is shown that.`;

const afterRestore = () =>
  'the store was restored from a backup, and whether a larger log was signed after that is not known. Nothing was ' +
  `signed or published. Run "${commandName()} log continue": it asks the public address and the witnesses of the ` +
  'log, and says what to do.';

export function lostKeys(file: string | null): string {
  return (
    `the key that signed the log is not in ${file ?? 'the store'}. ` +
    `${file === null ? 'If LOG_KEY_FILE was set, set it as before, and restart the server' : 'Put it back, or copy it from another server of this store'}. If it is lost, run ` +
    `"${commandName()} log replace": it makes a new key, and everybody who checks the log is shown that ` +
    'the key changed.'
  );
}

function verifierKeys({ keys }: Keyring, name: string): string[] {
  return keys.map((seed) => formatVerifierKey(signingKey(name, 'log', seed)));
}

function replayLog(bundles: readonly Bundle[]): Replay {
  const replay = new Replay();
  for (const bundle of bundles) {
    for (const bytes of readBundle(bundle)) {
      // Not validated: this program wrote it.
      const problem = replay.read(JSON.parse(bytes.toString()) as Entry);
      if (problem !== null) throw new Error(`entry ${replay.size - 1} of the log ${problem}`);
    }
  }
  return replay;
}

function inOrder<Reason extends string>(
  reasons: readonly Reason[],
  counts: ReadonlyMap<Reason, number>,
): Partial<Record<Reason, number>> {
  const found = reasons.flatMap((reason) => {
    const count = counts.get(reason);
    return count === undefined ? [] : [[reason, count] as const];
  });
  return Object.fromEntries(found) as Partial<Record<Reason, number>>;
}
