// Kills publishes at chosen writes, each on a copy of one store, and checks what the next publish makes of it.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { parseCheckpoint } from '../../src/log/checkpoint.ts';
import { rootOf } from '../../src/log/merkle.ts';
import type { Publishing } from '../../src/publishing/run/messages.ts';
import { Database } from '../../src/store/database.ts';
import { loadLogState } from '../../src/store/log/log.ts';
import { loadState } from '../../src/store/state.ts';
import { createDatabase, sqliteDatabase, type TestDatabase } from './databases.ts';
import { currentSnapshot, expectHolds, LOG_ORIGIN, logOf, publishLog } from './log.ts';
import { merge, record } from './store.ts';

/** What `killed-publish.ts` does. */
export interface KilledPublish {
  readonly url: string;
  readonly publishing: Publishing;
  readonly nowSeconds: number;
  /** The number of the write before which the process kills itself; 0 lets it end. */
  readonly killAt: number;
  /** The file to which every signed note is appended. */
  readonly signedFile: string;
  /** A folder for copies of the files on SQLite before each write, named by the number of the write. */
  readonly copies: string | null;
}

export interface Scenario {
  /** Whether something was published before. */
  readonly isLater: boolean;
  readonly hasKeyFile: boolean;
}

const PROGRAM = fileURLToPath(new URL('killed-publish.ts', import.meta.url));
const PUBLISHER = 'p';

/** A store with a pending publish, of which each kill gets a copy. */
export class PendingPublish {
  readonly #folder: string;
  readonly #store: TestDatabase;
  readonly #scenario: Scenario;
  readonly #reviewCount: number;
  /** The checkpoint of the publish before; null without one. */
  readonly #checkpoint: string | null;

  private constructor(
    folder: string,
    store: TestDatabase,
    scenario: Scenario,
    { reviewCount, checkpoint }: { reviewCount: number; checkpoint: string | null },
  ) {
    this.#folder = folder;
    this.#store = store;
    this.#scenario = scenario;
    this.#reviewCount = reviewCount;
    this.#checkpoint = checkpoint;
  }

  static async create(scenario: Scenario): Promise<PendingPublish> {
    const folder = await mkdtemp(join(tmpdir(), 'public-reviews-killed-'));
    const store = await createDatabase(folder);
    const database = await Database.open(store.url);
    try {
      await merge(
        database,
        [1, 2, 3].map((id) => record({ source_id: `${id}`, rating: id })),
      );
      const before = { reviewCount: 3, checkpoint: null };
      if (!scenario.isLater) return new PendingPublish(folder, store, scenario, before);
      const logKeyFile = scenario.hasKeyFile ? join(folder, 'log-key') : null;
      const published = await publishLog(database, { logKeyFile });
      // Edits one review, adds two and removes one.
      const rows = [
        record({ source_id: '1', rating: 1, text: 'They came back.' }),
        ...[2, 4, 5].map((id) => record({ source_id: `${id}`, rating: 2 })),
      ];
      await merge(database, rows, { prune: true });
      const { checkpoint } = logOf(published).manifest;
      return new PendingPublish(folder, store, scenario, { reviewCount: 4, checkpoint });
    } finally {
      await database.close();
    }
  }

  /** The writes of the publish that nobody kills. */
  async writes(): Promise<string[]> {
    return this.#onCopy('whole', async (copy) => {
      const output = await this.#run(copy, 0);
      await this.#expectContinues(copy);
      return JSON.parse(output ?? '') as string[];
    });
  }

  /** Checks the files on SQLite as they are right before each of these writes, which is what a kill leaves. */
  async checkBefore(
    numbersOf: (writes: readonly string[]) => Iterable<number>,
  ): Promise<readonly string[]> {
    const copies = join(this.#folder, 'copies');
    const output = await this.#onCopy('copied', (copy) => this.#run(copy, 0, copies));
    const writes = JSON.parse(output ?? '') as string[];
    for (const number of numbersOf(writes)) {
      const folder = join(copies, `${number}`);
      const logKeyFile = this.#scenario.hasKeyFile ? join(folder, 'log-key') : null;
      const store = sqliteDatabase(join(folder, 'reviews.db'));
      await this.#expectContinues({
        store,
        signedFile: join(folder, 'signed'),
        logKeyFile,
      }).catch((error: unknown) => {
        throw new Error(`before write ${number} (${writes[number - 1]})`, { cause: error });
      });
    }
    return writes;
  }

  /** Kills the publish at each of these writes, two at a time. */
  async killAll(numbers: Iterable<number>, writes: readonly string[]): Promise<void> {
    const rest = Iterator.from(numbers);
    const killNext = async () => {
      for (const number of rest) {
        await this.kill(number).catch((error: unknown) => {
          throw new Error(`killed at write ${number} (${writes[number - 1]})`, { cause: error });
        });
      }
    };
    await Promise.all([killNext(), killNext()]);
  }

  /** Kills the publish right before a write, counted from 1, and checks the store after it. */
  async kill(killAt: number): Promise<void> {
    await this.#onCopy(`${killAt}`, async (copy) => {
      expect(await this.#run(copy, killAt)).toBeNull();
      await copy.store.settled();
      await this.#expectContinues(copy);
    });
  }

  /**
   * Runs the publish on SQLite and returns the write-ahead log that it leaves. A process that is killed while it
   * writes to the file leaves a beginning of it.
   */
  async writeAheadLog(): Promise<Buffer> {
    return this.#onCopy('wal', async (copy) => {
      // The log is emptied when the last connection closes.
      const other = await Database.open(copy.store.url);
      try {
        await loadState(other.read);
        await this.#run(copy, 0);
        // Nothing of it is in the database yet.
        expect(await readFile(fileOf(copy.store))).toEqual(await readFile(fileOf(this.#store)));
        return await readFile(`${fileOf(copy.store)}-wal`);
      } finally {
        await other.close();
      }
    });
  }

  /** Checks the store with the beginning of a write-ahead log. */
  async cut(log: Buffer, bytes: number): Promise<void> {
    await this.#onCopy(`wal ${bytes}`, async (copy) => {
      await writeFile(`${fileOf(copy.store)}-wal`, log.subarray(0, bytes));
      await this.#expectContinues(copy);
    });
  }

  async close(): Promise<void> {
    await this.#store.remove();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #onCopy<T>(name: string, work: (copy: Copy) => Promise<T>): Promise<T> {
    const folder = join(this.#folder, name);
    await mkdir(folder);
    const store = await this.#store.copy(folder);
    if (existsSync(`${fileOf(this.#store)}-signed`)) {
      await copyFile(`${fileOf(this.#store)}-signed`, `${fileOf(store)}-signed`);
    }
    const signedFile = join(folder, 'signed');
    await writeFile(signedFile, '');
    const logKeyFile = this.#scenario.hasKeyFile ? join(folder, 'log-key') : null;
    if (logKeyFile && this.#scenario.isLater) {
      await copyFile(join(this.#folder, 'log-key'), logKeyFile);
    }
    try {
      return await work({ store, signedFile, logKeyFile });
    } finally {
      await store.remove();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Returns what the process printed; null if it was killed. */
  async #run(
    { store, signedFile, logKeyFile }: Copy,
    killAt: number,
    copies: string | null = null,
  ): Promise<string | null> {
    const database = await Database.open(store.url);
    await database.read.updateTable('state').set({ publisher: PUBLISHER }).execute();
    await database.close();
    const task: KilledPublish = {
      url: store.url,
      publishing: { publisherId: PUBLISHER, defaultOrigin: LOG_ORIGIN, logKeyFile },
      nowSeconds: 1_700_000_100,
      killAt,
      signedFile,
      copies,
    };
    const { promise, resolve, reject } = Promise.withResolvers<string | null>();
    const options = ['--disable-warning=ExperimentalWarning', PROGRAM, JSON.stringify(task)];
    const child = execFile(process.execPath, options, (error, stdout, stderr) => {
      if (!error) resolve(stdout);
      else if (child.signalCode === 'SIGKILL') resolve(null);
      else reject(new Error(stderr, { cause: error }));
    });
    return promise;
  }

  async #expectContinues({ store, signedFile, logKeyFile }: Copy): Promise<void> {
    const database = await Database.open(store.url);
    try {
      const { snapshotNumber, contentVersion, publishedVersion } = await loadState(database.read);
      const signed = (await readFile(signedFile, 'utf8')).split('\f').slice(0, -1);
      if (this.#checkpoint) signed.push(this.#checkpoint);
      if (snapshotNumber !== null) {
        const served = await currentSnapshot(database);
        expectHolds(served);
        signed.push(logOf(served).manifest.checkpoint);
        // Whatever is not published is known to be pending.
        const isNew = logOf(served).manifest.checkpoint !== this.#checkpoint;
        expect(publishedVersion === contentVersion).toBe(isNew);
      }
      const next = await publishLog(database, { logKeyFile });
      expectHolds(next);
      expect(next.reviewCount).toBe(this.#reviewCount);
      expect(logOf(next).size).toBe((await loadLogState(database.read)).size);
      // Every tree that was ever signed is the beginning of this one: so there is one of each size.
      for (const note of signed) {
        const { size, root } = parseCheckpoint(note) ?? treeOf(note);
        const continued = Buffer.from(rootOf(logOf(next).tree, size));
        expect(`${size} ${Buffer.from(root).toString('hex')}`).toBe(
          `${size} ${continued.toString('hex')}`,
        );
      }
    } finally {
      await database.close();
    }
  }
}

function fileOf({ url }: TestDatabase): string {
  return url.slice('sqlite:'.length);
}

/** The sizes at which a write-ahead log ends within and after each of its frames (sqlite.org/walformat.html). */
export function cutsOf(log: Buffer): number[] {
  const header = 32;
  const frame = 24 + log.readUInt32BE(8);
  const frames = Math.floor((log.length - header) / frame);
  return Array.from({ length: frames }, (_, number) => header + number * frame).flatMap((start) => [
    start,
    start + 24,
    start + frame / 2,
  ]);
}

/** The tree of a note without its signatures. */
function treeOf(note: string): { size: number; root: Buffer } {
  const [, size = '', root = ''] = note.split('\n');
  return { size: Number(size), root: Buffer.from(root, 'base64') };
}

interface Copy {
  readonly store: TestDatabase;
  readonly signedFile: string;
  readonly logKeyFile: string | null;
}
