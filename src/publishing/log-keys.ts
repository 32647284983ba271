// The keys that sign the log: kept in the store, or in a file outside it, which also remembers the newest
// tree that was signed. So a store that is restored from an older backup is noticed.

import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { UnavailableError } from '../errors.ts';
import { decodeBase64, isSeed, newSeed } from '../log/notes.ts';
import type { TreeHead } from '../log/merkle.ts';
import type { Database } from '../store/database.ts';
import { createLogKeys, loadLogKeys, saveLogKeys } from '../store/log.ts';

const keyringSchema = z.strictObject({
  /** Seeds in base64, oldest first. Every one signs. */
  keys: z.array(z.string().refine(isSeed)).min(1),
  /** The newest tree that was signed; null before the first, and without a file. */
  signed: z.strictObject({ size: z.int().min(0), root: z.base64() }).nullable(),
  /** Whether the operator replaced lost keys or gave up a newer tree: the next publish accepts it. */
  replaces: z.boolean(),
});

export type Keyring = z.infer<typeof keyringSchema>;

/** A publish that must not sign. */
export class LogRefusal extends Error {
  override readonly name = 'LogRefusal';
}

export class KeyStore {
  readonly #database: Database;
  /** Null keeps the keys in the store. */
  readonly #file: string | null;

  constructor(database: Database, file: string | null) {
    this.#database = database;
    this.#file = file;
  }

  /** Null before the keys are made. Keys of the store move into a file that is configured later. */
  async load(): Promise<Keyring | null> {
    const stored = parseKeyring(await loadLogKeys(this.#database.read), 'the store');
    if (this.#file === null) return stored;
    const kept = await this.#readFile(this.#file);
    const keyring = kept ?? stored;
    if (keyring === null) return null;
    if (kept === null) await writeFileSafely(this.#file, keyring);
    if (stored !== null) await saveLogKeys(this.#database, null);
    return keyring;
  }

  /** Makes the first keys; returns those of another process that was faster. */
  async create(): Promise<Keyring> {
    const proposed = newKeyring();
    if (this.#file !== null) {
      await writeFileSafely(this.#file, proposed, link);
      return (await this.#readFile(this.#file)) ?? proposed;
    }
    const stored = await createLogKeys(this.#database, JSON.stringify(proposed));
    return parseKeyring(stored, 'the store') ?? proposed;
  }

  async save(keyring: Keyring): Promise<void> {
    if (this.#file !== null) await writeFileSafely(this.#file, keyring);
    // What the store remembers would be restored together with the store.
    else await saveLogKeys(this.#database, JSON.stringify({ ...keyring, signed: null }));
  }

  async #readFile(file: string): Promise<Keyring | null> {
    try {
      return parseKeyring(await readFile(file, 'utf8'), file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }
}

export function newKeyring(): Keyring {
  return { keys: [newSeed()], signed: null, replaces: false };
}

function parseKeyring(json: string | null, where: string): Keyring | null {
  if (json === null) return null;
  try {
    return keyringSchema.parse(JSON.parse(json));
  } catch (error) {
    throw new UnavailableError(
      `expected the keys of the log in ${where}, as this program wrote them: restore them from a backup, ` +
        'or run "public-reviews log replace"',
      { cause: error },
    );
  }
}

/**
 * Writes a file as a whole: after a power cut it has the old or the new content. `place` moves the new file
 * to its name: `rename` replaces what is there, `link` does not.
 */
async function writeFileSafely(
  file: string,
  keyring: Keyring,
  place: typeof rename = rename,
): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(keyring, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await place(temporary, file);
  } catch (error) {
    if (place === link && (error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new UnavailableError(`LOG_KEY_FILE: cannot write ${file}: ${String(error)}`, {
      cause: error,
    });
  } finally {
    await rm(temporary, { force: true });
  }
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The tree that a keyring remembers as signed. */
export function signedTree({ signed }: Keyring): TreeHead | null {
  return signed && { size: signed.size, root: decodeBase64(signed.root) ?? new Uint8Array() };
}
