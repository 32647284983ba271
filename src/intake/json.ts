// JSON of any size: a list of reviews, or an object with such a list, as `/reviews.json` is.

import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { InputError } from '../errors.ts';
import type { Business } from '../model/business.ts';
import { formatPath, parseBusinessFile } from '../model/business-file.ts';
import type { Row } from './record.ts';
import { RECORD_LIMIT, type Source, tooLong } from './text.ts';

/**
 * Nesting of lists and objects that a file may have. A review needs 4 levels; the parser takes time that
 * grows with the square of the depth.
 */
export const MAX_DEPTH = 64;

/** Reads the list itself, or `reviews` of an object. Calls `onBusiness` at the end if it has a `business`. */
export async function* readJson(
  { name, chunks }: Source,
  onBusiness: (business: Business) => void,
): AsyncGenerator<Row> {
  let document: JsonDocument | null = null;
  for await (const chunk of chunks) {
    document ??= new JsonDocument(name);
    yield* document.write(chunk);
  }
  document?.end();
  const business = document?.business ?? null;
  if (business !== null) onBusiness(parseBusiness(name, business, 'business'));
}

/** Parses a JSON text chunk by chunk. Only the current row is in memory. */
class JsonDocument {
  business: unknown;
  readonly #name: string;
  readonly #tokenizer = new Tokenizer();
  readonly #rows: Row[] = [];
  /** Created at the first token, which shows whether the text is a list or an object. */
  #parser: TokenParser | null = null;
  #isList = false;
  /** Offsets of newlines in the last chunk and since the last token. The first `#passed` are behind it. */
  #newlines: number[] = [];
  #passed = 0;
  #line = 1;
  #lineStart = 0;
  #bytes = 0;
  #depth = 0;
  #rowLine = 1;
  #rowStart: number | null = null;
  #lastOffset = 0;
  /** The last key of the outer object. */
  #key: unknown;
  #isKeyDone = false;
  #hasReviews = false;
  #hasEnded = false;

  constructor(name: string) {
    this.#name = name;
    this.#tokenizer.onToken = (token) => {
      this.#parser ??= this.#openParser(token.token === TokenType.LEFT_BRACKET);
      this.#onToken(token.token, token.offset, token.value);
      this.#parser.write(token);
    };
    this.#tokenizer.onError = (error) => {
      throw this.#malformed(error);
    };
  }

  #openParser(isList: boolean): TokenParser {
    this.#isList = isList;
    this.#hasReviews = isList;
    // A path to the list itself would keep it whole in memory.
    const paths = isList ? ['$.*'] : ['$.reviews.*', '$.business'];
    const parser = new TokenParser({ paths, keepStack: false });
    parser.onValue = ({ key, value, stack }) => {
      if (stack.length === this.#rowDepth) {
        this.#rows.push({ line: this.#rowLine, record: value });
        this.#rowStart = null;
      } else if (key === 'business') this.business = value;
    };
    parser.onEnd = () => {
      this.#hasEnded = true;
    };
    parser.onError = (error) => {
      throw this.#malformed(error);
    };
    return parser;
  }

  /** Depth at which a row begins: in the list, or in the list in the object. */
  get #rowDepth(): number {
    return this.#isList ? 1 : 2;
  }

  write(chunk: Buffer): Row[] {
    this.#newlines.splice(0, this.#passed);
    this.#passed = 0;
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) {
      this.#newlines.push(this.#bytes + at);
    }
    this.#bytes += chunk.length;
    this.#tokenizer.write(chunk);
    const start = this.#rowStart ?? this.#lastOffset;
    if (this.#bytes - start > RECORD_LIMIT) throw tooLong(this.#name, this.#line);
    return this.#rows.splice(0);
  }

  end(): void {
    if (this.#parser && !this.#hasEnded) {
      throw new InputError(
        `${this.#name}:${this.#line}: expected complete JSON, got text that is cut off`,
      );
    }
    if (!this.#hasReviews) {
      throw new InputError(
        `${this.#name}:1: expected a list of reviews, or an object with such a list as "reviews"`,
      );
    }
  }

  /** Counts the lines up to an offset. */
  #goTo(offset: number): void {
    for (let newline; (newline = this.#newlines[this.#passed] ?? Infinity) < offset;) {
      this.#passed += 1;
      this.#line += 1;
      this.#lineStart = newline + 1;
    }
  }

  #onToken(type: TokenType, offset: number, value: unknown): void {
    this.#goTo(offset);
    this.#lastOffset = offset;
    if (this.#depth === 1 && !this.#isList) this.#onMember(type, value);
    const opens = type === TokenType.LEFT_BRACE || type === TokenType.LEFT_BRACKET;
    if (this.#depth === this.#rowDepth && type !== TokenType.COMMA) {
      this.#rowLine = this.#line;
      if (opens) this.#rowStart = offset;
    }
    if (opens) this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      throw this.#expected(`JSON that is nested at most ${MAX_DEPTH} levels deep`, 'a deeper one');
    }
    if (type === TokenType.RIGHT_BRACE || type === TokenType.RIGHT_BRACKET) {
      this.#depth -= 1;
      if (this.#depth === this.#rowDepth) this.#rowStart = null;
    }
  }

  /** Follows key, colon and value, to know that `reviews` is a list. */
  #onMember(type: TokenType, value: unknown): void {
    if (type === TokenType.COLON) this.#isKeyDone = true;
    else if (this.#isKeyDone) {
      this.#isKeyDone = false;
      if (this.#key === 'reviews') this.#hasReviews = type === TokenType.LEFT_BRACKET;
    } else this.#key = value;
  }

  #malformed(cause: Error): InputError {
    // The tokenizer also reports what its callbacks throw.
    if (cause instanceof InputError) return cause;
    const [, got = '""', at] =
      TOKEN_ERROR.exec(cause.message) ?? CHARACTER_ERROR.exec(cause.message) ?? [];
    const offset = at === undefined ? this.#lastOffset : Number(at);
    this.#goTo(offset);
    const state = / in state ([A-Z]+)/.exec(cause.message)?.[1] ?? '';
    const byte = offset - this.#lineStart + 1;
    return this.#expected(
      `JSON: ${EXPECTED[state] ?? 'a value'} at byte ${byte} of the line`,
      got,
      cause,
    );
  }

  #expected(what: string, got: string, cause?: Error): InputError {
    return new InputError(`${this.#name}:${this.#line}: expected ${what}, got ${got}`, { cause });
  }
}

/** What the library says of a token that may not stand where it is, and of a character. */
const TOKEN_ERROR = /^Unexpected [A-Z_]+ \((.*)\) in state /s;
const CHARACTER_ERROR = /^Unexpected (".*") at chunk position .*\(absolute position "(\d+)"\)/s;

/** What could stand there instead, by the first word of the library's state. */
const EXPECTED: Readonly<Record<string, string>> = {
  START: 'a value or a key in double quotes',
  KEY: 'a key in double quotes',
  COLON: '":"',
  COMMA: '"," or the end of the list or object',
  ENDED: 'nothing more',
  STRING: 'a character of a string or a valid escape',
  NUMBER: 'a digit',
  TRUE: 'true',
  FALSE: 'false',
  NULL: 'null',
};

/**
 * Parses the record of a business.
 *
 * @param name The file that contains it, for messages.
 * @param key Where in the file it is; null if the file is the record.
 * @throws {InputError} with every issue.
 */
export function parseBusiness(name: string, record: unknown, key: 'business' | null): Business {
  const parsed = parseBusinessFile(record);
  if (parsed.ok) return parsed.value;
  const lines = parsed.issues.map(({ path, message }) => {
    const place = formatPath(key === null ? path : [key, ...path]);
    return [name, ...(place === '' ? [] : [place]), message].join(': ');
  });
  throw new InputError(lines.join('\n'));
}
