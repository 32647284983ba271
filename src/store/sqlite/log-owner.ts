// Notes to which database file the write-ahead log beside it belongs. SQLite goes by the names: it would apply the log of
// a replaced file to the one in its place, and a server that still has the former open would share the log with it.
// Files are told by their inodes, so a file that was written over in place is not noticed.

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isLocked } from '../temporary-files.ts';
import { isBusy, missingFile, replacedFile } from './sqlite-errors.ts';

/** Longer than other processes take to look at a lock too. */
const PROBE_MS = 500;
const noteOf = (path: string) => `${path}-wal-of`;

/** Call it before the database is opened. @throws {UnavailableError} if the log is that of a replaced file, or was removed. */
export function assertOwnLog(path: string): void {
  const log = inodeOf(`${path}-wal`);
  // What a server has not moved into the file yet is missing in it, which looks like damage.
  const removed = ['-wal', '-shm'].find((ending) => !existsSync(path + ending));
  const lock = `${path}-server`;
  if (
    removed !== undefined &&
    existsSync(path) &&
    existsSync(lock) &&
    isLocked(lock, isBusy, PROBE_MS)
  )
    throw missingFile(path + removed);
  if (log === null) {
    // Inodes are used again: the next log must not be taken for the last.
    rmSync(noteOf(path), { force: true });
    return;
  }
  const [, database, noted] = /^(\d+) (\d+)\n$/.exec(readNote(path)) ?? [];
  // If both are others, all files were copied together.
  if (noted === log && database !== inodeOf(path)) throw replacedFile(path);
}

/** Call it while the database is open, which keeps its log. */
export function noteOwnLog(path: string): void {
  const [database, log] = [inodeOf(path), inodeOf(`${path}-wal`)];
  const note = `${database} ${log}\n`;
  if (database === null || log === null || readNote(path) === note) return;
  writeFileSync(noteOf(path), note, { mode: 0o600 });
}

function readNote(path: string): string {
  try {
    return readFileSync(noteOf(path), 'utf8');
  } catch {
    return '';
  }
}

function inodeOf(path: string): string | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino.toString() ?? null;
}
