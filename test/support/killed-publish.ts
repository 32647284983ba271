// A publish in a process of its own that is killed at a chosen write. It is what the system does when it runs
// out of memory: nothing is caught and nothing is cleaned up. Run by `kill-publish.ts`. It can also copy its files
// before each write: the copy has what a kill leaves at that point, and costs no process.

import crypto from 'node:crypto';
import { appendFileSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { Client } from 'pg';
import { publish } from '../../src/publishing/publish.ts';
import { Database } from '../../src/store/database.ts';
import type { KilledPublish } from './kill-publish.ts';

const { url, publishing, nowSeconds, killAt, signedFile, copies } = JSON.parse(
  process.argv[2] ?? '',
) as KilledPublish;

/** What was written so far; null before the publish begins. */
let writes: string[] | null = null;

/** Call it right before a write. */
function beforeWrite(write: string): void {
  if (writes === null) return;
  writes.push(write);
  if (writes.length === killAt) process.kill(process.pid, 'SIGKILL');
  if (copies !== null) copyFiles(join(copies, `${writes.length}`));
}

/** Copies the files that outlive the process. SQLite makes its shared memory (`-shm`) again after a kill. */
function copyFiles(to: string): void {
  mkdirSync(to, { recursive: true });
  const file = url.slice('sqlite:'.length);
  const names: readonly (readonly [from: string | null, name: string])[] = [
    [file, 'reviews.db'],
    [`${file}-wal`, 'reviews.db-wal'],
    [`${file}-signed`, 'reviews.db-signed'],
    [signedFile, 'signed'],
    [publishing.logKeyFile ?? null, 'log-key'],
  ];
  for (const [from, name] of names) {
    if (from !== null && existsSync(from)) copyFileSync(from, join(to, name));
  }
}

function beforeStatement(text: string): void {
  const [, verb] = /^\s*(insert|update|delete|replace|commit)\b/i.exec(text) ?? [];
  const [, table] = /"(\w+)"/.exec(text) ?? [];
  if (verb) beforeWrite(table ? `${verb} ${table}` : verb);
}

/** Calls `before` with the receiver and the parameters of each call of a method. */
function watch<T extends object>(
  target: T,
  name: keyof T & string,
  before: (receiver: never, parameters: never[]) => void,
): void {
  const method = target[name] as (...parameters: unknown[]) => unknown;
  Object.defineProperty(target, name, {
    configurable: true,
    writable: true,
    value(this: unknown, ...parameters: unknown[]) {
      before(this as never, parameters as never[]);
      return method.apply(this, parameters);
    },
  });
}

for (const name of ['all', 'get', 'iterate', 'run'] as const) {
  watch(StatementSync.prototype, name, ({ sourceSQL }: StatementSync) =>
    beforeStatement(sourceSQL),
  );
}
watch(DatabaseSync.prototype, 'exec', (_: unknown, [text = '']: string[]) => beforeStatement(text));
watch(Client.prototype, 'query', (_: unknown, [query]: unknown[]) => {
  const text = typeof query === 'string' ? query : (query as { text?: string }).text;
  beforeStatement(text ?? '');
});
// The file with the keys, if there is one.
watch(fs, 'open', (_: unknown, [, flags]: string[]) => {
  if (flags === 'wx') beforeWrite('create the new file of the keys');
});
for (const name of ['rename', 'link', 'rm'] as const) watch(fs, name, () => beforeWrite(name));
// Everything that is ever signed counts, also what nobody has seen yet.
watch(crypto, 'sign', (_: unknown, [, note]: unknown[]) => {
  appendFileSync(signedFile, `${(note as Buffer).toString()}\f`);
});
syncBuiltinESMExports();

const database = await Database.open(url);
writes = [];
await publish(database, publishing, nowSeconds);
process.stdout.write(JSON.stringify(writes));
writes = null;
await database.close();
