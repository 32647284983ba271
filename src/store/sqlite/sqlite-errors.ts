// SQLite's errors: which can be retried, and messages that tell operators what to do.

import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { InputError, messageOf, UnavailableError } from '../../errors.ts';
import { commandName, currentSite, stopServer } from '../../model/command-name.ts';

/** What to do with a damaged file: a restore into it would fail too. */
export function mendDamage(path: string): string {
  return (
    `${stopServer()}, move ${path} away with its -wal, -shm and -wal-of (not -signed), restore the last backup with ` +
    `"${commandName()} restore ${currentSite() === null ? '' : '--force '}BACKUP", do what it says, and ${currentSite() === null ? 'start the server' : 'touch it again'}`
  );
}

/** What lets this user write a file and what is beside it: root may have run a command. */
export function mendOwner(path: string): string {
  const user = process.getuid?.() ?? 'USER';
  return `if this is the user of the server, run as root: chown ${user} ${dirname(path)} ${path}* && chmod u+rwX ${dirname(path)} ${path}*`;
}

/** SQLite's result codes: https://sqlite.org/rescode.html */
const BUSY = 5;
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const TOO_BIG = 18;
const CONSTRAINT = 19;
const MISMATCH = 20;
const NOT_A_DATABASE = 26;
/** Extended codes of I/O errors: the file is shorter than it says, or has other bytes than were written. */
const IO_ERRORS_OF_DAMAGE = [522, 8202, 8458];

/** The operator's error for a file that cannot be opened; null for other errors. */
export function openingError(error: unknown, path: string): Error | null {
  if (isDamage(error)) return damagedFile(path, error);
  if (isBusy(error)) return lockedDatabase(error);
  if (primaryCode(error) === IO_ERROR) return failedDisk(path, error);
  if (primaryCode(error) === FULL) return fullDisk(path, error);
  if (!isUnusable(error)) return null;
  const reason = messageOf(error);
  const isOther = primaryCode(error) === NOT_A_DATABASE;
  const hint = isOther ? `. If it was one: ${mendDamage(path)}` : `; ${mendOwner(path)}`;
  return new InputError(`DATABASE_URL: the database ${path} cannot be opened: ${reason}${hint}`, {
    cause: error,
  });
}

/** Replaces SQLite's messages for a disk that fails and a damaged file, which do not say what to do. */
export function explainErrors<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw explained(error, path);
  }
}

/** The error with a better message, where there is one; else the same error. */
export function explained(error: unknown, path: string): unknown {
  if (isDamage(error)) return damagedFile(path, error);
  const code = primaryCode(error) ?? 0;
  if (code === FULL) return fullDisk(path, error);
  return [IO_ERROR, READ_ONLY, CANNOT_OPEN].includes(code) ? failedDisk(path, error) : error;
}

/** Another process has held the lock of the database for too long. */
export function lockedDatabase(cause: unknown): UnavailableError {
  return new UnavailableError(
    'another process keeps the database locked: end it, or wait until it has finished, and try again',
    { cause },
  );
}

function isDamage(error: unknown): boolean {
  const { errcode } = (error ?? {}) as { errcode?: number };
  return primaryCode(error) === CORRUPT || IO_ERRORS_OF_DAMAGE.includes(errcode ?? 0);
}

/** `cause` is an error of SQLite, or what a check found. */
export function damagedFile(path: string, cause: unknown): UnavailableError {
  const message = `the database ${path} is damaged (${messageOf(cause)}): ${mendDamage(path)}`;
  return new UnavailableError(message, { cause });
}

export function fullDisk(path: string, cause: unknown): UnavailableError {
  const message = `the disk of ${path}, or the one for temporary files, is full: make room`;
  return new UnavailableError(message, { cause });
}

/** The file system refuses to read or write. SQLite reports a quota and a size limit like a failing disk. */
function failedDisk(path: string, cause: unknown): UnavailableError {
  return new UnavailableError(
    `the database ${path} cannot be read or written (${messageOf(cause)}): check the space, the quota and ` +
      'the permissions of its folder and of the one for temporary files, and the disk',
    { cause },
  );
}

/** Whether a store was here, by the note of what it signed, and its file is gone or empty. */
export function isLost(path: string): boolean {
  const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
  return size === 0 && existsSync(`${path}-signed`);
}

export const mendLoss = (path: string) =>
  `put it back, or restore the last backup with "${commandName()} restore BACKUP"; for a new start, remove ${path}-signed`;

/** A new store in its place would show no reviews, and sign another log. */
export function lostFile(path: string): InputError {
  const found = `${path} is lost or empty, and ${path}-signed is of a store that was here`;
  return new InputError(`the database ${found}: ${mendLoss(path)}`);
}

/** The log beside a file is that of another file, which was at its path before. */
export function replacedFile(path: string): UnavailableError {
  return new UnavailableError(
    `the database ${path} was replaced, and ${path}-wal still belongs to the replaced file: end all servers and ` +
      `commands that use it, remove ${path}-wal and ${path}-shm, and try again; ` +
      '"restore --replace" puts a backup into a store in use without this',
  );
}

/** The open file is no longer at its path. */
export function missingFile(path: string): UnavailableError {
  const mend = /-(?:wal|shm)$/.test(path)
    ? 'restart the server'
    : `put it back, or ${stopServer()} and run "${commandName()} restore BACKUP"`;
  return new UnavailableError(
    `the database file ${path} was removed or replaced while in use; nothing can be stored: ${mend}`,
  );
}

/** SQLite's primary result code; null for other errors. */
function primaryCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  // The low byte is the primary result code.
  return typeof code === 'number' ? code & 0xff : null;
}

/** Whether another connection holds the lock (SQLITE_BUSY and its extended codes). */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY;
}

/** Whether the database refuses a value: a constraint, a type or its size. */
export function isConstraint(error: unknown): boolean {
  return [TOO_BIG, CONSTRAINT, MISMATCH].includes(primaryCode(error) ?? 0);
}

/**
 * Whether the file cannot be used: read-only, cannot be opened or not a database by SQLite's codes, or an
 * error of the file system.
 */
function isUnusable(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return (
    [READ_ONLY, CANNOT_OPEN, NOT_A_DATABASE].includes(primaryCode(error) ?? 0) ||
    /^E[A-Z]+$/.test(String(code))
  );
}
