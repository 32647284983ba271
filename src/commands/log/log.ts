// `log`: shows the keys of the transparency log, rotates or replaces them, and lets a restored log continue.

import type { Config } from '../../config.ts';
import { InputError } from '../../errors.ts';
import { nameOf } from '../../log/checkpoint.ts';
import type { Witness } from '../../log/cosigning.ts';
import { formatVerifierKey, newSeed, signingKey } from '../../log/notes.ts';
import { type Keyring, KeyStore, newKeyring } from '../../publishing/log-keys.ts';
import type { Database } from '../../store/database.ts';
import { loadLogState, restartLog } from '../../store/log/log.ts';
import { findObstacle, lostKeys } from '../../publishing/log.ts';
import { findDamage, streamBundles } from '../../store/log/log-bundles.ts';
import { loadState, requestPublish } from '../../store/state.ts';
import { askWhatIsKnown } from './known-logs.ts';
import { withDatabase } from '../store/store.ts';
import { commandName } from '../../model/command-name.ts';

/** What a command makes of the keys. @throws {InputError} */
type Change = (keyring: Keyring, known: Known) => Keyring | Promise<Keyring>;

/** What a command may look at beside the keys. */
interface Known {
  readonly database: Database;
  readonly keyFile: string | null;
  readonly witnesses: readonly Witness[];
  readonly origin: string;
  /** Whether the operator says that the backup has the whole log. */
  readonly unchecked: boolean;
}

const LOG_COMMANDS = {
  /** Changes nothing. */
  show: (keyring) => keyring,
  /** Adds a key: both sign, until the old one is retired. */
  rotate: ({ keys, ...others }) => {
    if (keys.length > 1) {
      throw new InputError(`two keys sign already: run "${commandName()} log retire" first`);
    }
    return { ...others, keys: [...keys, newSeed()] };
  },
  /** Deletes the oldest key. */
  retire: ({ keys, ...others }) => {
    if (keys.length < 2) {
      throw new InputError(`there is one key only: run "${commandName()} log rotate" first`);
    }
    return { ...others, keys: keys.slice(1) };
  },
  /** Lets a log that was restored from a backup sign again. */
  continue: async ({ restored, ...others }, { database, keyFile, unchecked, ...asking }) => {
    const obstacle = await findObstacle(database, keyFile, others);
    if (obstacle !== null) throw new InputError(obstacle);
    if (!restored) {
      process.stderr.write('the log is whole, and no older one was restored: nothing to do\n');
      return others;
    }
    const asked = await askWhatIsKnown(database, { ...asking, keys: others.keys });
    process.stderr.write(asked.lines.map((line) => `${line}\n`).join(''));
    if (!asked.isKnown && !unchecked) throw new InputError(notChecked());
    return others;
  },
  /** Starts over with a new key after a loss of the key or of entries. */
  replace: async (fresh, { database }) => {
    if ((await findDamage(streamBundles(database.read))) !== null) await restartLog(database);
    return { ...fresh, replaces: true };
  },
} as const satisfies Record<string, Change>;

const REPLACED =
  'a server that runs publishes with it at once, another when it starts; then back up: the log of an older backup cannot be continued';
const notChecked = () =>
  'neither the public address nor a witness confirmed that the backup has the whole log: nothing is signed or published. If ' +
  `nothing was published after the backup, run "${commandName()} log continue --unchecked". Else restore a newer backup, or ` +
  `run "${commandName()} log replace", also if you do not know: it starts over openly, while a second log with the same key ` +
  "would not hold. A saved /log/checkpoint or a reader's seen.json has the size of the log, and " +
  'public_reviews_last_publish_timestamp_seconds in Prometheus the time.';

/**
 * Changes the keys, has the log signed anew, and prints the verifier keys.
 *
 * @throws {InputError} if the command does not apply to the keys.
 */
export async function runLog(
  config: Config,
  command: keyof typeof LOG_COMMANDS,
  { unchecked = false }: { readonly unchecked?: boolean } = {},
): Promise<void> {
  const { logKeyFile: keyFile, logWitnesses: witnesses, baseUrl } = config;
  await withDatabase(config, async (database) => {
    const keys = new KeyStore(database, keyFile);
    const change: Change = LOG_COMMANDS[command];
    const { origin: recorded } = await loadState(database.read);
    const origin = recorded ?? baseUrl ?? 'http://localhost:8080';
    const known = { database, keyFile, witnesses, origin, unchecked };
    const loaded = command === 'replace' ? newKeyring() : await keys.load();
    if (loaded === null) {
      const isLost = (await loadLogState(database.read)).size > 0;
      throw new InputError(isLost ? lostKeys(keyFile) : 'the log has no key yet: publish first');
    }
    const keyring = await change(loaded, known);
    if (command !== 'show') {
      await keys.save(keyring);
      await requestPublish(database);
    }
    const name = nameOf(origin);
    const lines = keyring.keys.map((seed) => formatVerifierKey(signingKey(name, 'log', seed)));
    process.stdout.write(`${lines.join('\n')}\n`);
    if (command === 'replace') process.stderr.write(`${REPLACED}\n`);
  });
}
