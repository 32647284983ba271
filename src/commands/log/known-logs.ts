// Asks the public address of the log and its witnesses whether they know of a larger log than the store has.

import { currentManifest } from '../../publishing/load.ts';
import { InputError } from '../../errors.ts';
import { treeOf } from '../../log/bundles.ts';
import { nameOf, parseCheckpoint } from '../../log/checkpoint.ts';
import { CosignError, requestCosignature, type Witness } from '../../log/cosigning.ts';
import { FetchError, fetchBytes } from '../../log/fetch.ts';
import { isEqual, rootOf } from '../../log/merkle.ts';
import { signersOf, signingKey } from '../../log/notes.ts';
import type { TileTree } from '../../log/tiles.ts';
import { MAX_CHECKPOINT_BYTES } from '../../log/verify.ts';
import { ROUTES } from '../../model/routes.ts';
import { howToGoOn } from '../../publishing/log.ts';
import type { Database } from '../../store/database.ts';
import { loadBundles } from '../../store/log/log-bundles.ts';

const TIMEOUT_MS = 10_000;
const KNOWN = 'which the store has';

interface Asked {
  readonly witnesses: readonly Witness[];
  readonly origin: string;
  readonly keys: readonly string[];
}

/**
 * Returns a line about each answer, and whether one of them knows the log.
 *
 * @throws {InputError} if one of them has seen another log than the stored one, or a larger one.
 */
export async function askWhatIsKnown(
  database: Database,
  { witnesses, origin, keys }: Asked,
): Promise<{ readonly lines: readonly string[]; readonly isKnown: boolean }> {
  const tree = treeOf(await loadBundles(database.read));
  // It was signed before the backup was made: asking with it signs nothing new.
  const checkpoint = (await currentManifest(database))?.log?.checkpoint;
  const lines = [await askPublicAddress(tree, origin, keys)];
  for (const witness of checkpoint ? witnesses : []) {
    lines.push(await askWitness(tree, checkpoint as string, witness));
  }
  return { lines, isKnown: lines.some((line) => line.endsWith(KNOWN)) };
}

async function askPublicAddress(
  tree: TileTree,
  origin: string,
  keys: readonly string[],
): Promise<string> {
  const url = origin + ROUTES.getCheckpoint.path;
  const options = { maxBytes: MAX_CHECKPOINT_BYTES, timeoutMs: TIMEOUT_MS };
  const answer = await fetchBytes(url, options).catch((error: unknown) => {
    if (error instanceof FetchError) return error;
    throw error;
  });
  if (answer instanceof FetchError || answer.status >= 500) {
    const reason = answer instanceof FetchError ? answer.message : `status ${answer.status}`;
    return `${url} did not answer (${reason}): NOT checked`;
  }
  const served = answer.status === 200 ? parseCheckpoint(answer.body.toString()) : null;
  const known = keys.map((seed) => signingKey(nameOf(origin), 'log', seed));
  if (!served || !signersOf(served.note, known)?.length) {
    return `${url}: no checkpoint of this log; nothing is known from there`;
  }
  const { size, root } = served;
  if (size > tree.size || !isEqual(rootOf(tree, size), root)) {
    throw refusal(`${url} serves a log of ${size} entries`, tree);
  }
  return `${url}: ${size} entries, ${KNOWN}`;
}

async function askWitness(tree: TileTree, checkpoint: string, witness: Witness): Promise<string> {
  const { size = 0 } = parseCheckpoint(checkpoint) ?? {};
  try {
    await requestCosignature(witness, { checkpoint, tree, oldSize: size }, fetchBytes);
    return `${witness.url}: ${size} entries, ${KNOWN}`;
  } catch (error) {
    if (error instanceof CosignError && error.isOtherLog) throw refusal(error.message, tree);
    if (!(error instanceof CosignError || error instanceof FetchError)) throw error;
    return `${error.message}; nothing is known from there`;
  }
}

function refusal(found: string, { size }: TileTree): InputError {
  return new InputError(`${found}; the store has ${size}. ${howToGoOn()}`);
}
