// The newest tree that was signed, in a file beside an SQLite database: a database file that is replaced by an older
// one is noticed. PostgreSQL has no such place.

import { z } from 'zod';
import { UnavailableError } from '../errors.ts';
import { signingKey } from '../log/notes.ts';
import type { Database } from '../store/database.ts';
import { readIfThere, writeJsonSafely } from './json-file.ts';

const treeSchema = z.strictObject({ size: z.int().min(0), root: z.base64() });
const fileSchema = z.strictObject({
  /** The public keys that signed it, in base64: another log may follow in a database of the same name. */
  keys: z.array(z.base64()).min(1),
  ...treeSchema.shape,
});

export { treeSchema as signedTreeSchema };
export type SignedTree = z.infer<typeof treeSchema>;

/** The tree that one of these keys signed last; null if that is not known. `seeds` are private keys. */
export async function readSignedTree(
  database: Database,
  seeds: readonly string[],
): Promise<SignedTree | null> {
  const file = fileOf(database);
  const json = file === null ? null : await readIfThere(file);
  if (json === null) return null;
  const { keys, ...tree } = parse(json, file);
  return publicKeysOf(seeds).some((key) => keys.includes(key)) ? tree : null;
}

export async function writeSignedTree(
  database: Database,
  seeds: readonly string[],
  tree: SignedTree,
): Promise<void> {
  const file = fileOf(database);
  if (file === null) return;
  const value = { keys: publicKeysOf(seeds), ...tree };
  await writeJsonSafely(file, value, { what: 'the size of the signed log' });
}

function fileOf(database: Database): string | null {
  return database.fileBeside('-signed');
}

function publicKeysOf(seeds: readonly string[]): string[] {
  return seeds.map((seed) => signingKey('log', 'log', seed).publicKey.toString('base64'));
}

function parse(json: string, file: string | null): z.infer<typeof fileSchema> {
  try {
    return fileSchema.parse(JSON.parse(json));
  } catch (error) {
    throw new UnavailableError(
      `expected the newest signed tree of the log in ${file}, as this program wrote it: if the database was not ` +
        'restored from a backup, delete the file',
      { cause: error },
    );
  }
}
