// The keys that sign the log: kept in the store, or in a file outside it. The newest tree that was signed is
// remembered outside the store too, so that a store that is restored from an older backup is noticed.

import { z } from 'zod';
import { UnavailableError } from '../errors.ts';
import { decodeBase64, isSeed, newSeed, signingKey } from '../log/notes.ts';
import { parseCheckpoint } from '../log/checkpoint.ts';
import type { TreeHead } from '../log/merkle.ts';
import type { Manifest } from '../snapshot/manifest.ts';
import type { Database } from '../store/database.ts';
import { createLogKeys, loadLogKeys, saveLogKeys } from '../store/log/log.ts';
import { readIfThere, writeJsonSafely } from './json-file.ts';
import { commandName } from '../model/command-name.ts';

const treeSchema = z.strictObject({ size: z.int().min(0), root: z.base64() });
type SignedTree = z.infer<typeof treeSchema>;

const keyringSchema = z.strictObject({
  /** Seeds in base64, oldest first. Every one signs. None in a restored store whose keys are in a file. */
  keys: z.array(z.string().refine(isSeed)),
  /** The newest tree that is known to be signed; null before the first, and in the store. */
  signed: treeSchema.nullable(),
  /** Whether the operator replaced lost keys or gave up a newer tree: the next publish accepts it. */
  replaces: z.boolean(),
  /** Whether a backup was restored, and nothing here knows what was signed after it: the operator has to say. */
  restored: z.literal(true).optional(),
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

  /** Null before the keys are made. If it may, it moves keys of the store into a file that is configured later. */
  async load(mayMove = true): Promise<Keyring | null> {
    const stored = parseKeyring(await loadLogKeys(this.#database.read), 'the store');
    const found = (await this.#readFile()) ?? stored;
    if (!found || found.keys.length === 0) return null;
    const newest = await this.#readMemory(found.keys);
    const signed = (newest?.size ?? -1) < (found.signed?.size ?? -1) ? found.signed : newest;
    const keyring = { ...found, signed, ...(stored?.restored && { restored: true as const }) };
    if (this.#file !== null && mayMove && stored?.keys.length) await this.save(keyring);
    return keyring;
  }

  /** Makes the first keys; returns those of another process that was faster. */
  async create(): Promise<Keyring> {
    const proposed = newKeyring();
    if (this.#file !== null) {
      await writeJsonSafely(this.#file, proposed, { what: FILE_SETTING, isFirst: true });
      return (await this.#readFile()) ?? proposed;
    }
    const json = await createLogKeys(this.#database, JSON.stringify(proposed));
    const stored = parseKeyring(json, 'the store');
    return stored?.keys.length ? stored : proposed;
  }

  async save({ restored, ...keyring }: Keyring): Promise<void> {
    if (!restored) await this.#remember(keyring);
    if (this.#file !== null) await writeJsonSafely(this.#file, keyring, { what: FILE_SETTING });
    // What the store remembers would be restored together with it.
    const stored = { ...(this.#file === null ? keyring : NO_KEYS), signed: null, restored };
    const isEmpty = this.#file !== null && !restored;
    await saveLogKeys(this.#database, isEmpty ? null : JSON.stringify(stored));
  }

  /**
   * Whether the file beside an SQLite database knows what was signed after a backup with a log of `size` entries. The
   * one beside the keys may be a copy, or of a machine that did not publish.
   */
  async remembers(size: number, seeds: readonly string[]): Promise<boolean> {
    const { keys } = (await this.#readFile()) ?? { keys: seeds };
    const tree = this.#database.kind === 'sqlite' ? await this.#readMemory(keys) : null;
    return tree !== null && tree.size >= size;
  }

  /** Remembers a tree of PostgreSQL that another machine may have signed: this one may publish next. */
  async rememberServed({ log }: Manifest): Promise<void> {
    const served = log && !log.example ? parseCheckpoint(log.checkpoint) : null;
    if (this.#database.kind === 'sqlite' || this.#file === null || !served) return;
    const keyring = await this.load(false);
    if (keyring === null || (keyring.signed?.size ?? 0) >= served.size) return;
    const root = Buffer.from(served.root).toString('base64');
    await this.#remember({ ...keyring, signed: { size: served.size, root } });
  }

  /** A file that no backup and no copy of the keys has; null if there is no place for it. */
  get #memory(): string | null {
    return this.#database.fileBeside(SIGNED) ?? (this.#file && this.#file + SIGNED);
  }

  async #remember({ keys: seeds, signed }: Keyring): Promise<void> {
    if (this.#memory === null || signed === null) return;
    const value = { keys: publicKeysOf(seeds), ...signed };
    await writeJsonSafely(this.#memory, value, { what: 'the size of the signed log' });
  }

  /** The tree that one of these keys signed last; null if that is not known. `seeds` are private keys. */
  async #readMemory(seeds: readonly string[]): Promise<SignedTree | null> {
    const json = this.#memory && (await readIfThere(this.#memory));
    if (json === null) return null;
    const hint = 'if the database was not restored from a backup, delete the file';
    const what = `the newest signed tree of the log in ${this.#memory}`;
    const { keys, ...tree } = parseAs(fileSchema, json, what, hint);
    return publicKeysOf(seeds).some((key) => keys.includes(key)) ? tree : null;
  }

  async #readFile(): Promise<Keyring | null> {
    return this.#file === null ? null : parseKeyring(await readIfThere(this.#file), this.#file);
  }
}

const FILE_SETTING = 'LOG_KEY_FILE';
const SIGNED = '-signed';
/** What a restored store has whose keys are in a file. */
export const NO_KEYS: Keyring = { keys: [], signed: null, replaces: false };

export function newKeyring(): Keyring {
  return { ...NO_KEYS, keys: [newSeed()] };
}

/** @throws {UnavailableError} if this program did not write it. `where` names the place in the message. */
export function parseKeyring(json: string | null, where: string): Keyring | null {
  if (json === null) return null;
  const hint = `restore them from a backup, or run "${commandName()} log replace"`;
  return parseAs(keyringSchema, json, `the keys of the log in ${where}`, hint);
}

function parseAs<Schema extends z.ZodType>(
  schema: Schema,
  json: string,
  what: string,
  hint: string,
): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(json));
  } catch (error) {
    throw new UnavailableError(`expected ${what}, as this program wrote it: ${hint}`, {
      cause: error,
    });
  }
}

export function signedTree({ signed }: Keyring): TreeHead | null {
  return signed && { size: signed.size, root: decodeBase64(signed.root) ?? new Uint8Array() };
}

/** A file beside an SQLite database, or beside the file with the keys. */
const fileSchema = z.strictObject({
  /** The public keys that signed it, in base64: another log may follow in a database of the same name. */
  keys: z.array(z.base64()).min(1),
  ...treeSchema.shape,
});

function publicKeysOf(seeds: readonly string[]): string[] {
  return seeds.map((seed) => signingKey('log', 'log', seed).publicKey.toString('base64'));
}
