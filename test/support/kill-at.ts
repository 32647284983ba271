// Kills the program right before a statement or a call of the file system. Preloaded by node (see `killedAt`). Only the
// command itself is killed, not the processes and threads that it starts, which end with it.

import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';

const [pattern = '', count = '1'] = (process.env['KILL_AT'] ?? '').split('\n');
let left = Number(count);

function before(what: string): void {
  if (!what.includes(pattern)) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

/** Calls `before` with what a call of a method does. */
function watch<T extends object>(
  target: T,
  name: keyof T & string,
  describe: (receiver: never, parameters: readonly unknown[]) => string,
): void {
  const method = target[name] as (...parameters: unknown[]) => unknown;
  Object.defineProperty(target, name, {
    configurable: true,
    writable: true,
    value(this: unknown, ...parameters: unknown[]) {
      before(describe(this as never, parameters));
      return method.apply(this, parameters);
    },
  });
}

if (isMainThread && process.argv[1]?.endsWith('/main.ts')) {
  for (const name of ['all', 'get', 'iterate', 'run'] as const) {
    watch(StatementSync.prototype, name, ({ sourceSQL }: StatementSync) => sourceSQL);
  }
  watch(DatabaseSync.prototype, 'exec', (_, [text]) => String(text));
  for (const name of ['rename', 'link', 'rm', 'copyFile', 'mkdtemp'] as const) {
    watch(fs, name, (_, parameters) => `${name} ${parameters.join(' ')}`);
  }
  syncBuiltinESMExports();
}
