// Files as bytes that are certain to be UTF-8, with a way back from an offset to a line.

import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { InputError } from '../errors.ts';

/** The largest record that is read, in bytes; a longer one is no review. */
export const RECORD_LIMIT = 1024 * 1024;

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const NEWLINE = 0x0a;
/** Of UTF-8, in bytes. */
const LONGEST_CHARACTER = 4;

/** A file that is being read. */
export interface Source {
  /** As the person named it, for messages. */
  readonly name: string;
  readonly chunks: AsyncIterable<Buffer>;
}

/**
 * Opens a file. Its chunks end where lines end, except in a line that is longer than the limit, and
 * a byte order mark is left out.
 *
 * @throws {InputError} while the chunks are read: no such file, an empty one, not UTF-8.
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
      // Cut inside the line, but not inside a character.
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
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT' ? 'there is none' : code === 'EISDIR' ? 'it is a folder' : String(error);
    throw new InputError(`${name}: expected a file that can be read, but ${reason}`, {
      cause: error,
    });
  }
}

function startOfLastCharacter(bytes: Buffer): number {
  const last = bytes.length - 1;
  let start = last;
  // Bytes of the form 10xxxxxx continue a character; more than three of them are none of UTF-8.
  while (start > last - LONGEST_CHARACTER && ((bytes[start] as number) & 0xc0) === 0x80) start -= 1;
  return start;
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** Names the line of a chunk that holds the first byte that is none of UTF-8. */
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
  const got = isUtf16 ? 'UTF-16' : 'bytes that are not';
  return new InputError(`${name}:${line}: expected text in UTF-8, got ${got}`);
}

/** What a reader throws at a record over the limit. */
export function tooLong(name: string, line: number): InputError {
  return new InputError(`${name}:${line}: expected a review of at most 1 MiB, got a longer one`);
}
