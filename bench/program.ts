// The measured program as operators run it: from the command line, with its own store.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pin, type Role } from './cores.ts';
import { end, originOf } from './server.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export class Program {
  readonly #folder: string;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #servers: ChildProcess[] = [];

  private constructor(folder: string, settings: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.#settings = settings;
  }

  /** Creates a store in its own folder; settings are environment variables. */
  static async create(settings: Readonly<Record<string, string>> = {}): Promise<Program> {
    return new Program(await mkdtemp(join(tmpdir(), 'public-reviews-bench-')), settings);
  }

  /** Where its files are. */
  get folder(): string {
    return this.#folder;
  }

  /** The file that its commands write their logs to. */
  get log(): string {
    return join(this.#folder, 'log');
  }

  get databaseUrl(): string {
    return this.#settings['DATABASE_URL'] ?? `sqlite:${join(this.#folder, 'reviews.db')}`;
  }

  /** Starts a server and returns its origin. Its log is written to a file. `role` is null
   * where it may use all cores. */
  async serve(
    flags: readonly string[] = [],
    role: Role | null = 'measured',
    settings: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const child = this.#start(['serve', ...flags], role, settings);
    this.#servers.push(child);
    return originOf(child, 'the server');
  }

  /** The processes of its servers, in the order they were started. */
  get processIds(): readonly number[] {
    return this.#servers.flatMap(({ pid }) => pid ?? []);
  }

  /** Imports and publishes reviews, and the business if given. */
  async import(
    reviews: readonly object[],
    business?: object,
    given: readonly string[] = [],
  ): Promise<void> {
    const file = join(this.#folder, 'reviews.ndjson');
    await writeFile(file, reviews.map((review) => `${JSON.stringify(review)}\n`).join(''));
    const flags = [...given];
    if (business) {
      flags.push('--business', join(this.#folder, 'business.json'));
      await writeFile(join(this.#folder, 'business.json'), JSON.stringify(business));
    }
    await this.run(['import', file, ...flags]);
  }

  /** Runs a command to its end; `onStart` gets its process. */
  async run(args: readonly string[], onStart = (_pid: number): void => undefined): Promise<void> {
    const child = this.#start(args, 'measuring');
    if (child.pid !== undefined) onStart(child.pid);
    child.stdout?.resume();
    const code = await new Promise((resolve) => child.once('exit', resolve));
    if (code !== 0) throw new Error(`"${args.join(' ')}" ended with code ${String(code)}`);
  }

  #start(
    args: readonly string[],
    role: Role | null,
    settings: Readonly<Record<string, string>> = {},
  ): ChildProcess {
    const log = openSync(this.log, 'a');
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', ...flagsOf(role), MAIN, ...args],
      {
        env: {
          PATH: process.env['PATH'] ?? '',
          DATABASE_URL: this.databaseUrl,
          PORT: '0',
          ...this.#settings,
          ...settings,
        },
        stdio: ['ignore', 'pipe', log],
      },
    );
    closeSync(log);
    if (child.pid !== undefined && role !== null) pin(child.pid, role);
    return child;
  }

  /** Stops its servers. */
  async stop(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map((server) => end(server, 'SIGTERM')));
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Node options for profiling the measured process, such as `--cpu-prof`. */
function flagsOf(role: Role | null): string[] {
  const flags = process.env['BENCH_NODE_OPTIONS'] ?? '';
  return role !== 'measuring' && flags !== '' ? flags.split(' ') : [];
}
