// Runs the command line in processes of its own, with a folder of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Database } from '../../src/store/database.ts';
import { createDatabase, type TestDatabase } from './databases.ts';
import { reportOnFailure } from './failure-report.ts';
import { PATIENCE_MS } from './patience.ts';

/** As in the program's first line: early releases of Node 24 warn about features that it uses. */
const QUIET = ['--disable-warning=ExperimentalWarning'];
const DATABASE_MODULE = new URL('../../src/store/database.ts', import.meta.url).href;
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A folder with a database and files, removed at the end. */
export class Workplace {
  readonly folder: string;
  readonly #database: TestDatabase;
  readonly #servers: Server[] = [];
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

  start(args: readonly string[], environment: Record<string, string> = {}): ChildProcess {
    return spawn(process.execPath, [...QUIET, MAIN, ...args], {
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

  /** Kills the servers. */
  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.kill()));
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

/** A running server. */
export abstract class RunningServer {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** Its log so far. */
  abstract get log(): string;

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url + path, { headers });
  }

  async json<T = any>(path: string): Promise<T> {
    const response = await this.get(path);
    return (await response.json()) as T;
  }

  /** Polls a path until the JSON body satisfies the condition. */
  async until(
    path: string,
    isExpected: (body: any) => boolean,
    limitMs = PATIENCE_MS,
  ): Promise<any> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const body = await this.json(path);
      if (isExpected(body)) return body;
      if (performance.now() > deadline)
        throw new Error(`${path} stayed ${JSON.stringify(body).slice(0, 300)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
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
  const options = ['--input-type=module-typescript', '--eval', script];
  const processes = Array.from({ length: 4 }, () =>
    finish(spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'pipe'] })),
  );
  for (const ended of await Promise.all(processes)) {
    if (ended.code !== 0 || ended.stderr !== '') throw new Error(JSON.stringify(ended));
  }
}
