// SQLite's errors: which can be retried, and messages that tell operators what to do.

import { InputError, UnavailableError } from '../errors.ts';

const RESTORE =
  'stop the server, restore a backup as "Backup and restore" in docs/replicas.md says, and start again';

/** SQLite's primary result codes: https://sqlite.org/rescode.html */
const BUSY = 5;
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

/** The operator's error for a file that cannot be opened; null for other errors. */
export function openingError(error: unknown, path: string): Error | null {
  if (isDamage(error)) return damagedFile(path, error);
  if (!isUnusable(error)) return null;
  const reason = error instanceof Error ? error.message : String(error);
  const hint = primaryCode(error) === NOT_A_DATABASE ? `. If it was one: ${RESTORE}` : '';
  return new InputError(`DATABASE_URL: the database ${path} cannot be opened: ${reason}${hint}`, {
    cause: error,
  });
}

/** Replaces SQLite's messages for a full disk and a damaged file, which do not say what to do. */
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
  if (primaryCode(error) !== FULL) return error;
  const message = 'the disk of the database, or the one for temporary files, is full: make room';
  return new UnavailableError(message, { cause: error });
}

function isDamage(error: unknown): boolean {
  return [CORRUPT, IO_ERROR].includes(primaryCode(error) ?? 0);
}

function damagedFile(path: string, cause: unknown): UnavailableError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new UnavailableError(`the database ${path} is damaged (${reason}): ${RESTORE}`, { cause });
}

/** The open file is no longer at its path. */
export function missingFile(path: string): UnavailableError {
  return new UnavailableError(
    `the database file ${path} was removed or replaced while in use; nothing can be stored: ` +
      `put it back, or ${RESTORE}`,
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
