// Runs the command line, with a folder of its own: in processes of its own, or in that of the test, where
// a server or an import starts many times faster.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { type ImportFlags, runImport } from '../../src/commands/import/import.ts';
import { parseConfig } from '../../src/config.ts';
import { Database } from '../../src/store/database.ts';
import { saveOrigin } from '../../src/store/state.ts';
import { createDatabase, type TestDatabase } from './databases.ts';
import { reportOnFailure } from './failure-logs.ts';
import { LocalServer } from './local-server.ts';
import { publishHere } from './publish.ts';
import { RunningServer } from './running-server.ts';

/** As in the program's first line: early releases of Node 24 warn about features that it uses. */
const QUIET = ['--disable-warning=ExperimentalWarning'];
const DATABASE_MODULE = new URL('../../src/store/database.ts', import.meta.url).href;
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A folder with a database and files, removed at the end. */
export class Workplace {
  readonly folder: string;
  readonly #database: TestDatabase;
  readonly #servers: Server[] = [];
  readonly #localServers: LocalServer[] = [];
  readonly #endReports: (() => void)[] = [];

  private constructor(folder: string, database: TestDatabase) {
    this.folder = folder;
    this.#database = database;
  }

  /** Creates a folder, and a database of the kind that the tests run on or another one. */
  static async open(
    create: (folder: string) => TestDatabase | Promise<TestDatabase> = createDatabase,
  ): Promise<Workplace> {
    const folder = await mkdtemp(join(tmpdir(), 'public-reviews-'));
    return new Workplace(folder, await create(folder));
  }

  /** The database of the servers and commands. */
  get database(): TestDatabase {
    return this.#database;
  }

  /** Opens the store for the duration of a callback. */
  async look<T>(at: (database: Database) => Promise<T>): Promise<T> {
    const database = await Database.open(this.databaseUrl);
    try {
      return await at(database);
    } finally {
      await database.close();
    }
  }

  get databaseUrl(): string {
    return this.#database.url;
  }

  get environment(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      // Of `fast-starts.ts`. With it, Node reads even the first module from the cache.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      NODE_OPTIONS: process.env['NODE_OPTIONS'] ?? '',
      DATABASE_URL: this.databaseUrl,
      PORT: '0',
      LOG_LEVEL: 'warn',
    };
  }

  /** Writes a file, other content than text and bytes as JSON. Returns its path. */
  async write(name: string, content: unknown): Promise<string> {
    const path = join(this.folder, name);
    const isRaw = typeof content === 'string' || content instanceof Uint8Array;
    await writeFile(path, isRaw ? content : JSON.stringify(content));
    return path;
  }

  /** Runs a command to its end. */
  run(...args: string[]): Promise<Finished> {
    return finish(this.start(args));
  }

  start(
    args: readonly string[],
    environment: Record<string, string> = {},
    cwd?: string,
  ): ChildProcess {
    return spawn(process.execPath, [...QUIET, MAIN, ...args], {
      cwd,
      env: { ...this.environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Starts a server and waits until it prints its address. */
  async serve(environment: Record<string, string> = {}, ...flags: string[]): Promise<Server> {
    return this.watch(this.start(['serve', ...flags], environment));
  }

  /** Waits until a process that was started as a server prints its address. */
  async watch(child: ChildProcess): Promise<Server> {
    const server = await serverOf(child);
    this.#endReports.push(
      reportOnFailure(`log of the server with pid ${child.pid}`, () => server.log),
    );
    this.#servers.push(server);
    return server;
  }

  /** Starts a server in the process of the test. */
  async serveHere(
    environment: Record<string, string> = {},
    flags: Parameters<typeof LocalServer.start>[1] = {},
  ): Promise<LocalServer> {
    const server = await LocalServer.start({ ...this.environment, ...environment }, flags);
    this.#endReports.push(reportOnFailure(`log of the server at ${server.url}`, () => server.log));
    this.#localServers.push(server);
    return server;
  }

  /** Runs the command `import` in the process of the test; returns what it wrote. */
  async importHere(
    files: string | readonly string[],
    flags: ImportFlags = {},
    environment: Record<string, string> = {},
  ): Promise<{ stdout: string; stderr: string }> {
    const written = { stdout: '', stderr: '' };
    const spies = (['stdout', 'stderr'] as const).map((stream) =>
      vi.spyOn(process[stream], 'write').mockImplementation((text) => {
        written[stream] += String(text);
        return true;
      }),
    );
    try {
      const config = parseConfig({ ...this.environment, ...environment });
      await runImport(config, [files].flat(), flags, publishHere);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    return written;
  }

  /** Publishes for an origin, so that a server with it as its BASE_URL has only to load. */
  async publishFor(origin: string): Promise<void> {
    await this.look(async (database) => {
      await saveOrigin(database, origin);
      const publishing = { publisherId: 'the test', defaultOrigin: origin };
      if (!(await publishHere(database, this.databaseUrl, publishing))) {
        throw new Error('another process publishes');
      }
    });
  }

  /** Kills the servers, and closes those in the process of the test. */
  async stop(): Promise<void> {
    await Promise.all([
      ...this.#servers.splice(0).map((server) => server.kill()),
      ...this.#localServers.splice(0).map((server) => server.close()),
    ]);
  }

  async close(): Promise<void> {
    await this.stop();
    for (const end of this.#endReports) end();
    await this.#database.remove();
    await rm(this.folder, { recursive: true, force: true });
  }
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Waits for the end of a process. */
export async function finish(child: ChildProcess): Promise<Finished> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}

/** A server in its own process. */
export class Server extends RunningServer {
  readonly child: ChildProcess;
  readonly #log: readonly string[];

  /** `log` grows with what the server writes to stderr. */
  constructor(child: ChildProcess, url: string, log: readonly string[]) {
    super(url);
    this.child = child;
    this.#log = log;
  }

  get log(): string {
    return this.#log.join('');
  }

  /** Stops it with SIGTERM, as an operator would; resolves with the exit code. */
  stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  kill(): Promise<number | null> {
    return this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    return ended;
  }
}

/** Waits until a server process prints its address. */
export async function serverOf(child: ChildProcess): Promise<Server> {
  const log: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  return new Server(child, await urlOf(child), log);
}

/** Reads the line in which a server prints its address. */
function urlOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ['', ''];
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const [url] = /http:\/\/\S+/.exec(stdout) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${stderr}`)));
  });
}

/** Opens and closes a database in several processes at once; fails if one of them does. */
export async function openInProcesses(url: string): Promise<void> {
  const script =
    `import { Database } from ${JSON.stringify(DATABASE_MODULE)};` +
    `const database = await Database.open(${JSON.stringify(url)}); await database.close();`;
  const options = ['--input-type=module', '--eval', script];
  const processes = Array.from({ length: 4 }, () =>
    finish(spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'pipe'] })),
  );
  for (const ended of await Promise.all(processes)) {
    if (ended.code !== 0 || ended.stderr !== '') throw new Error(JSON.stringify(ended));
  }
}
