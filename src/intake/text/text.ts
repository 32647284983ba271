// Files as chunks of UTF-8 that end where lines end, whatever their encoding is.

import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { InputError } from '../../errors.ts';
import {
  decodeAs,
  type Encoding,
  ENCODING_NAMES,
  encodingOf,
  endsInsideCharacter,
  utf16Of,
} from './encoding.ts';

/** The longest review that is read, in bytes. */
export const RECORD_LIMIT = 1024 * 1024;

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const NEWLINE = 0x0a;
const SAVE_AGAIN = 'export it again, or save it as UTF-8 in a text editor';
const LONGEST_CHARACTER = 4;

/** Gets the bytes of a file as they are read, for progress. */
export type OnRead = (bytes: number) => void;

/** A text that is being read. */
export interface Source {
  readonly name: string;
  /** In UTF-8, without a byte order mark. They end where lines end, except in a line over the limit. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Stands for line ends in the cells of a sheet; undefined for a text. */
  readonly cellLineEnd?: string | undefined;
}

/** A file that is being read. */
export interface FileSource extends Source {
  readonly path: string;
  /** The encoding of what was read until now. */
  encoding(): Encoding;
  /** Names of sheets that are not read, once it is read. */
  readonly unread: readonly string[];
}

/**
 * Opens a file. JSON has to be Unicode; other files may be in other encodings.
 *
 * @param options The encoding, if it is known; what messages call the file, if not by its path.
 * @throws {InputError} while the chunks are read, if the file is missing, empty or in another encoding.
 */
export function openSource(
  path: string,
  onRead: OnRead,
  { encoding = null, name = path, sheet }: OpenOptions = {},
): FileSource {
  const decoder = new Decoder(name, encoding);
  const unread: string[] = [];
  const onUnread = (title: string) => void unread.push(title);
  const bytes = sheet?.read(path, name, onRead, onUnread) ?? rawChunks(path, name, onRead);
  const chunks = readLines(name, bytes, decoder);
  return {
    name,
    path,
    chunks,
    cellLineEnd: sheet?.cellLineEnd,
    encoding: () => decoder.encoding,
    unread,
  };
}

export interface OpenOptions {
  readonly encoding?: Encoding | null;
  readonly name?: string;
  /** What reads a file that is no table as CSV, or as JSON. */
  readonly sheet?:
    | {
        readonly read: (
          path: string,
          name: string,
          onRead: OnRead,
          onUnread: (sheet: string) => void,
        ) => AsyncIterable<Buffer>;
        readonly cellLineEnd: string | undefined;
      }
    | undefined;
}

async function* readLines(
  name: string,
  bytes: AsyncIterable<Buffer>,
  decoder: Decoder,
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let isEmpty = true;
  for await (const raw of bytes) {
    isEmpty = false;
    const chunk = decoder.toLines(raw);
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      rest = Buffer.concat([rest, chunk]);
      // Cut inside the line, but between characters.
      const cut = rest.length > RECORD_LIMIT + LONGEST_CHARACTER ? startOfLastCharacter(rest) : 0;
      if (cut > 0) yield decoder.toUtf8(rest.subarray(0, cut));
      rest = rest.subarray(cut);
    } else {
      yield decoder.toUtf8(Buffer.concat([rest, chunk.subarray(0, end)]));
      rest = chunk.subarray(end);
    }
  }
  rest = Buffer.concat([rest, decoder.end()]);
  if (rest.length > 0) yield decoder.toUtf8(rest, true);
  else if (isEmpty)
    throw new InputError(`${name}: expected reviews, got an empty file; export it again`);
}

/** Turns the bytes of a file into UTF-8. */
class Decoder {
  encoding: Encoding = 'utf-8';
  readonly #name: string;
  readonly #given: Encoding | null;
  #utf16: TextDecoder | null = null;
  #isFirstRaw = true;
  #isFirst = true;
  #isJson = false;
  /** Whether a character beyond ASCII was read as UTF-8. */
  #hasUtf8 = false;
  #line = 1;

  constructor(name: string, given: Encoding | null) {
    this.#name = name;
    this.#given = given;
  }

  /** Bytes in which a line ends with the byte of a line feed. */
  toLines(raw: Buffer): Buffer {
    if (this.#isFirstRaw) {
      this.#isFirstRaw = false;
      const encoding = this.#given ?? utf16Of(raw) ?? 'utf-8';
      this.encoding = encoding;
      if (encoding === 'utf-16le' || encoding === 'utf-16be') {
        this.#utf16 = new TextDecoder(encoding, { fatal: true });
      }
    }
    return this.#utf16 === null ? raw : this.#decodeUtf16(raw, true);
  }

  /** What is left at the end of the file. */
  end(): Buffer {
    return this.#utf16 === null ? Buffer.alloc(0) : this.#decodeUtf16(undefined, false);
  }

  #decodeUtf16(raw: Buffer | undefined, stream: boolean): Buffer {
    try {
      return Buffer.from((this.#utf16 as TextDecoder).decode(raw, { stream }));
    } catch (error) {
      const what = `${this.#name}:${this.#line}: expected text in UTF-16, got other bytes; ${SAVE_AGAIN}`;
      throw new InputError(what, { cause: error });
    }
  }

  /** @throws {InputError} naming the line of the first byte that cannot be read. */
  toUtf8(bytes: Buffer, isLast = false): Buffer {
    const decoded = this.#decode(bytes, isLast);
    this.#line += linesIn(decoded);
    if (!this.#isFirst) return decoded;
    this.#isFirst = false;
    return decoded.subarray(0, 3).equals(BYTE_ORDER_MARK) ? decoded.subarray(3) : decoded;
  }

  #decode(bytes: Buffer, isLast: boolean): Buffer {
    if (this.#isFirst) this.#isJson = /^[\s\ufeff]*[[{]/.test(bytes.toString('utf8', 0, 1024));
    if (this.encoding !== 'utf-8' && this.#utf16 === null) return this.#decodeOther(bytes);
    if (isUtf8(bytes)) {
      this.#hasUtf8 ||= !isAscii(bytes);
      return bytes;
    }
    const isUnicode = this.#given !== null || this.#isJson || this.#hasUtf8;
    const other = isUnicode ? null : encodingOf(bytes);
    if (other === null || (isLast && endsInsideCharacter(bytes))) {
      throw notUtf8(this.#name, bytes, this.#line);
    }
    this.encoding = other;
    return this.#decodeOther(bytes);
  }

  #decodeOther(bytes: Buffer): Buffer {
    // A later part may be too short to be typical, but not of another encoding.
    const isWestern = this.encoding === 'windows-1252';
    const isOther = isWestern ? encodingOf(bytes) === null : !decodeAs(this.encoding, bytes);
    if (this.#given === null && !isAscii(bytes) && isOther) {
      const expected = ENCODING_NAMES[this.encoding];
      throw new InputError(
        `${this.#name}:${this.#line}: expected text in ${expected} as before, got other bytes; ${SAVE_AGAIN}`,
      );
    }
    return Buffer.from(new TextDecoder(this.encoding).decode(bytes));
  }
}

/** Bytes of a file that is in memory while it is read. */
const LONGEST = 64 * 1024 * 1024;

/** The bytes of a page or of XML, which are read whole. @throws {InputError} if they are too many. */
export async function wholeOf(name: string, chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const read: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    read.push(chunk);
    if ((length += chunk.length) > LONGEST)
      throw new InputError(`${name}: expected at most 64 MiB, got more; export less`);
  }
  return Buffer.concat(read);
}

export async function* rawChunks(
  path: string,
  name: string,
  onRead: OnRead,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
      onRead((chunk as Buffer).length);
      yield chunk as Buffer;
    }
  } catch (error) {
    throw unreadable(name, error);
  }
}

/** The refusal of a file that the system cannot read. */
export function unreadable(name: string, error: unknown, hint = ''): InputError {
  const what = `expected a file that can be read, got one that ${reasonOf(error)}${hint}`;
  return new InputError(`${name}: ${what}`, { cause: error });
}

const DENIED = `this user may not read: as root, give it to this user with chown ${process.getuid?.() ?? ''}`;
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
  ENOTDIR: 'is below a file, not a folder',
  EACCES: DENIED,
  EPERM: DENIED,
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

export function linesIn(text: string | Buffer, from = 0, to = text.length): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1))
    lines += 1;
  return lines;
}

function notUtf8(name: string, chunk: Buffer, firstLine: number): InputError {
  let line = firstLine;
  let start = 0;
  for (;;) {
    const end = chunk.indexOf(NEWLINE, start);
    if (end < 0 || !isUtf8(chunk.subarray(start, end))) break;
    start = end + 1;
    line += 1;
  }
  return new InputError(`${name}:${line}: expected text in UTF-8, got other bytes; ${SAVE_AGAIN}`);
}

/** The error for a record longer than `RECORD_LIMIT`. */
export function tooLong(name: string, line: number): InputError {
  return new InputError(
    `${name}:${line}: expected a review of at most 1 MiB, got a longer one; shorten it in the file`,
  );
}
