// The locks that a process holds on a SQLite file, and another program that uses the file.

import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { type Finished, finish } from './process.ts';

/** SQLite's shared lock is on bytes of this range, whatever the size of the file. */
const SHARED_FIRST = 0x4000_0002;

/**
 * Whether a process holds SQLite's shared lock on a file, according to /proc/locks (Linux only). A connection in
 * WAL mode holds it as long as it is open.
 */
export async function holdsSharedLock(pid: number, path: string): Promise<boolean> {
  const { ino } = await stat(path);
  const locks = (await readFile('/proc/locks', 'utf8')).split('\n');
  return locks.some((line) => {
    // 12: POSIX  ADVISORY  READ 4711 08:01:1234 1073741826 1073742335
    const [, kind, , mode, owner, file, start] = line.trim().split(/\s+/);
    return (
      kind === 'POSIX' &&
      mode === 'READ' &&
      Number(owner) === pid &&
      Number(file?.split(':').at(-1)) === ino &&
      Number(start) === SHARED_FIRST
    );
  });
}

/** Reads a database and copies it with SQLite's backup API, as other programs do. */
export function readAndBackUp(path: string, copy: string): Promise<Finished> {
  const script =
    `const { DatabaseSync, backup } = require('node:sqlite');` +
    `const database = new DatabaseSync(${JSON.stringify(path)});` +
    `console.log(database.prepare('select count(*) as count from state').get().count);` +
    `database.close();` +
    `const source = new DatabaseSync(${JSON.stringify(path)});` +
    `backup(source, ${JSON.stringify(copy)}).then(() => source.close());`;
  return finish(
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--eval', script], {
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

/** The inodes of the write-ahead log and its index, which change if the log is deleted and recreated. */
export function logInodes(path: string): Promise<number[]> {
  return Promise.all(['-wal', '-shm'].map(async (end) => (await stat(path + end)).ino));
}
