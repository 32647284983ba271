// Files as chunks of valid UTF-8 that end where lines end.

import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { InputError } from '../errors.ts';

/** The longest review that is read, in bytes. */
export const RECORD_LIMIT = 1024 * 1024;

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const NEWLINE = 0x0a;
/** Bytes of the longest character in UTF-8. */
const LONGEST_CHARACTER = 4;

/** A file that is being read. */
export interface Source {
  /** Its path as given, for messages. */
  readonly name: string;
  readonly chunks: AsyncIterable<Buffer>;
}

/**
 * Opens a file. Its chunks end where lines end, except in a line that is longer than the limit. A byte
 * order mark is left out.
 *
 * @throws {InputError} while the chunks are read, if the file is missing, empty or not UTF-8.
 */
export function openSource(name: string, onRead: (bytes: number) => void): Source {
  return { name, chunks: readUtf8(name, onRead) };
}

async function* readUtf8(name: string, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  let line = 1;
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  const checked = (chunk: Buffer): Buffer => {
    if (!isUtf8(chunk)) throw notUtf8(name, chunk, line);
    line += countLines(chunk);
    if (!isFirst) return chunk;
    isFirst = false;
    return chunk.subarray(0, 3).equals(BYTE_ORDER_MARK) ? chunk.subarray(3) : chunk;
  };
  for await (const chunk of rawChunks(name)) {
    onRead(chunk.length);
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      rest = Buffer.concat([rest, chunk]);
      // Cut inside the line, but between characters.
      const cut = rest.length > RECORD_LIMIT + LONGEST_CHARACTER ? startOfLastCharacter(rest) : 0;
      if (cut > 0) yield checked(rest.subarray(0, cut));
      rest = rest.subarray(cut);
    } else {
      yield checked(Buffer.concat([rest, chunk.subarray(0, end)]));
      rest = chunk.subarray(end);
    }
  }
  if (rest.length > 0) yield checked(rest);
  else if (isFirst) throw new InputError(`${name}: expected reviews, got an empty file`);
}

async function* rawChunks(name: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(name, { highWaterMark: 256 * 1024 })) {
      yield chunk as Buffer;
    }
  } catch (error) {
    throw new InputError(
      `${name}: expected a file that can be read, got one that ${reasonOf(error)}`,
      {
        cause: error,
      },
    );
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
  ENOTDIR: 'is below a file, not a folder',
  EACCES: 'this user may not read',
  EPERM: 'this user may not read',
};

/** Why a file cannot be read, as a clause after "which" or "that". */
export function reasonOf(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? `cannot be read (${code || String(error)})`;
}

function startOfLastCharacter(bytes: Buffer): number {
  const last = bytes.length - 1;
  let start = last;
  // Bytes of the form 10xxxxxx continue a character; UTF-8 has at most three in a row.
  while (start > last - LONGEST_CHARACTER && ((bytes[start] as number) & 0xc0) === 0x80) start -= 1;
  return start;
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** Names the line of the first byte that is not UTF-8. */
function notUtf8(name: string, chunk: Buffer, firstLine: number): InputError {
  let line = firstLine;
  let start = 0;
  for (;;) {
    const end = chunk.indexOf(NEWLINE, start);
    if (end < 0 || !isUtf8(chunk.subarray(start, end))) break;
    start = end + 1;
    line += 1;
  }
  const isUtf16 = firstLine === 1 && /^(?:fffe|feff)/.test(chunk.toString('hex', 0, 2));
  const got = isUtf16 ? 'UTF-16' : 'other bytes';
  return new InputError(`${name}:${line}: expected text in UTF-8, got ${got}`);
}

/** The error for a record longer than `RECORD_LIMIT`. */
export function tooLong(name: string, line: number): InputError {
  return new InputError(`${name}:${line}: expected a review of at most 1 MiB, got a longer one`);
}
