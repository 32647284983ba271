// The keys that sign the log: kept in the store, or in a file outside it. The newest tree that was signed is
// remembered outside the store too, so that a store that is restored from an older backup is noticed.

import { z } from 'zod';
import { UnavailableError } from '../errors.ts';
import { decodeBase64, isSeed, newSeed, signingKey } from '../log/notes.ts';
import type { TreeHead } from '../log/merkle.ts';
import type { Database } from '../store/database.ts';
import { createLogKeys, loadLogKeys, saveLogKeys } from '../store/log/log.ts';
import { readIfThere, writeJsonSafely } from './json-file.ts';
import { commandName } from '../model/command-name.ts';

const treeSchema = z.strictObject({ size: z.int().min(0), root: z.base64() });
type SignedTree = z.infer<typeof treeSchema>;

const keyringSchema = z.strictObject({
  /** Seeds in base64, oldest first. Every one signs. */
  keys: z.array(z.string().refine(isSeed)).min(1),
  /** The newest tree that was signed; null before the first, and where only the store could remember it. */
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
    const signed = stored && (await readSignedTree(this.#database, stored.keys));
    const kept = this.#file === null ? null : await this.#readFile(this.#file);
    const keyring = kept ?? (stored && { ...stored, signed });
    if (this.#file === null || keyring === null || !mayMove) return keyring;
    if (kept === null) await writeJsonSafely(this.#file, keyring, { what: FILE_SETTING });
    if (stored !== null) await saveLogKeys(this.#database, null);
    return keyring;
  }

  /** Makes the first keys; returns those of another process that was faster. */
  async create(): Promise<Keyring> {
    const proposed = newKeyring();
    if (this.#file !== null) {
      await writeJsonSafely(this.#file, proposed, { what: FILE_SETTING, isFirst: true });
      return (await this.#readFile(this.#file)) ?? proposed;
    }
    const stored = await createLogKeys(this.#database, JSON.stringify(proposed));
    return parseKeyring(stored, 'the store') ?? proposed;
  }

  async save(keyring: Keyring): Promise<void> {
    if (this.#file !== null) {
      await writeJsonSafely(this.#file, keyring, { what: FILE_SETTING });
      return;
    }
    const { keys, signed } = keyring;
    if (signed) await writeSignedTree(this.#database, keys, signed);
    // What the store remembers would be restored together with the store.
    await saveLogKeys(this.#database, JSON.stringify({ ...keyring, signed: null }));
  }

  /** Whether the file with the keys, or the one beside the database, has the newest tree that these keys signed. */
  async remembers({ keys }: Keyring): Promise<boolean> {
    const kept = this.#file === null ? null : await this.#readFile(this.#file);
    if (kept) return kept.signed !== null && kept.keys.some((key) => keys.includes(key));
    return (await readSignedTree(this.#database, keys)) !== null;
  }

  async #readFile(file: string): Promise<Keyring | null> {
    return parseKeyring(await readIfThere(file), file);
  }
}

const FILE_SETTING = 'LOG_KEY_FILE';

export function newKeyring(): Keyring {
  return { keys: [newSeed()], signed: null, replaces: false };
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

/** The file beside an SQLite database. PostgreSQL has no such place. */
const fileSchema = z.strictObject({
  /** The public keys that signed it, in base64: another log may follow in a database of the same name. */
  keys: z.array(z.base64()).min(1),
  ...treeSchema.shape,
});

/** The tree that one of these keys signed last; null if that is not known. `seeds` are private keys. */
async function readSignedTree(
  database: Database,
  seeds: readonly string[],
): Promise<SignedTree | null> {
  const file = database.fileBeside('-signed');
  const json = file === null ? null : await readIfThere(file);
  if (json === null) return null;
  const hint = 'if the database was not restored from a backup, delete the file';
  const what = `the newest signed tree of the log in ${file}`;
  const { keys, ...tree } = parseAs(fileSchema, json, what, hint);
  return publicKeysOf(seeds).some((key) => keys.includes(key)) ? tree : null;
}

async function writeSignedTree(
  database: Database,
  seeds: readonly string[],
  tree: SignedTree,
): Promise<void> {
  const file = database.fileBeside('-signed');
  if (file === null) return;
  const value = { keys: publicKeysOf(seeds), ...tree };
  await writeJsonSafely(file, value, { what: 'the size of the signed log' });
}

function publicKeysOf(seeds: readonly string[]): string[] {
  return seeds.map((seed) => signingKey('log', 'log', seed).publicKey.toString('base64'));
}
