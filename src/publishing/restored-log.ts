// What becomes of the log when a backup is restored: a tree must not shrink, and the same key must not sign another.

import { type Bundle, isWhole, treeOf } from '../log/bundles.ts';
import { isEqual, rootOf } from '../log/merkle.ts';
import { isUnavailable } from '../errors.ts';
import { damagedBackup } from '../store/backup/backup-check.ts';
import type { Database } from '../store/database.ts';
import type { Executor } from '../store/engine.ts';
import { findDamage, loadBundles, saveBundle } from '../store/log/log-bundles.ts';
import { loadLogKeys, loadLogState, saveLogKeys } from '../store/log/log.ts';
import { KeyStore, NO_KEYS, parseKeyring } from './log-keys.ts';

/**
 * Whether the log of a store begins with that of a backup, so that the store keeps its own: the next publish then logs
 * what the restore changed. Damaged entries that the backup has are taken from it.
 */
export async function keepLog(store: Executor, backup: Executor): Promise<boolean> {
  const mended = await mendedBundles(store, backup);
  for (const bundle of mended ?? []) await saveBundle(store, bundle);
  return mended !== null;
}

/** The bundles of the backup that replace damaged ones; null if the log of the store does not continue that of the backup. */
async function mendedBundles(store: Executor, backup: Executor): Promise<Bundle[] | null> {
  const [own, other] = [await loadLogState(store), await loadLogState(backup)];
  if (own.size === 0 || own.size < other.size || own.example !== other.example) return null;
  const known = await loadBundles(backup);
  const bundles = (await loadBundles(store)).map((bundle) =>
    isWhole(bundle) ? bundle : (known.find(({ number }) => number === bundle.number) ?? bundle),
  );
  if ((await findDamage(bundles)) !== null) return null;
  const tree = treeOf(bundles);
  if (tree.size !== own.size) return null;
  const isSame = other.size === 0 || isEqual(rootOf(tree, other.size), rootOf(treeOf(known)));
  return isSame ? bundles.filter((bundle) => known.includes(bundle)) : null;
}

/** Checks that the log of a backup can be read and continued. @throws {InputError} if not. `path` names the backup. */
export async function checkLog({ read }: Database, path: string): Promise<void> {
  try {
    parseKeyring(await loadLogKeys(read), 'the backup');
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    throw damagedBackup(path, 'the keys of its log are not as this program writes them', error);
  }
  const { size } = await loadLogState(read);
  const bundles = await loadBundles(read);
  try {
    const tree = treeOf(bundles);
    rootOf(tree);
    if (tree.size === size) return;
  } catch (error) {
    throw damagedBackup(path, 'the entries of its log cannot be read', error);
  }
  throw damagedBackup(path, `its log has not the ${size} entries that it should have`);
}

/**
 * Marks the log in a copy of a backup as one that the operator has to continue, unless the store that it will be put
 * into can tell what was signed last. Returns whether it is marked.
 */
export async function markRestored(
  backup: Database,
  store: Database,
  keyFile: string | null,
): Promise<boolean> {
  const keyring = parseKeyring(await loadLogKeys(backup.read), 'the backup') ?? NO_KEYS;
  const { size, example } = await loadLogState(backup.read);
  if (size === 0 || example) return false;
  if ((await mendedBundles(store.read, backup.read)) !== null) return false;
  const isKnown = await new KeyStore(store, keyFile).remembers(size, keyring.keys);
  if (isKnown && !keyring.replaces) return false;
  // A log that was to begin anew has begun since: its key signed entries that the backup lacks.
  const marked = { ...keyring, replaces: false, ...(!isKnown && { restored: true }) };
  await saveLogKeys(backup, JSON.stringify(marked));
  return !isKnown;
}
