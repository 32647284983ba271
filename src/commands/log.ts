// `log`: shows the keys of the transparency log, and rotates or replaces them.

import type { Config } from '../config.ts';
import { InputError } from '../errors.ts';
import { nameOf } from '../log/checkpoint.ts';
import { formatVerifierKey, newSeed, signingKey } from '../log/notes.ts';
import { type Keyring, KeyStore, newKeyring } from '../publishing/log-keys.ts';
import { loadState, requestPublish } from '../store/state.ts';
import { withDatabase } from './store.ts';

/** What a command makes of the keys. @throws {InputError} */
type Change = (keyring: Keyring | null) => Keyring | null;

export const LOG_COMMANDS = {
  /** Changes nothing. */
  show: (keyring) => keyring,
  /** Adds a key: both sign, until the old one is retired. */
  rotate: (keyring) => {
    const { keys, ...others } = existing(keyring);
    if (keys.length > 1) {
      throw new InputError('two keys sign already: run "public-reviews log retire" first');
    }
    return { ...others, keys: [...keys, newSeed()] };
  },
  /** Deletes the oldest key. */
  retire: (keyring) => {
    const { keys, ...others } = existing(keyring);
    if (keys.length < 2) {
      throw new InputError('there is one key only: run "public-reviews log rotate" first');
    }
    return { ...others, keys: keys.slice(1) };
  },
  /** Starts over with a new key after a loss of the key or of entries. */
  replace: () => ({ ...newKeyring(), replaces: true }),
} as const satisfies Record<string, Change>;

/** Changes the keys, has the log signed anew, and prints the verifier keys. */
export async function runLog(
  { databaseUrl, logKeyFile, baseUrl }: Config,
  command: keyof typeof LOG_COMMANDS,
): Promise<void> {
  await withDatabase(databaseUrl, async (database) => {
    const keys = new KeyStore(database, logKeyFile);
    const change: Change = LOG_COMMANDS[command];
    const keyring = command === 'replace' ? change(null) : change(await keys.load());
    if (keyring === null) throw new InputError('the log has no key yet: publish first');
    if (command !== 'show') {
      await keys.save(keyring);
      await requestPublish(database);
    }
    const { origin } = await loadState(database.read);
    const name = nameOf(origin ?? baseUrl ?? 'http://localhost:8080');
    const lines = keyring.keys.map((seed) => formatVerifierKey(signingKey(name, 'log', seed)));
    process.stdout.write(`${lines.join('\n')}\n`);
  });
}

function existing(keyring: Keyring | null): Keyring {
  if (keyring === null) throw new InputError('the log has no key yet: publish first');
  return keyring;
}
