// JSON of any size: a list of reviews, or an object that has such a list at a path.

import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { InputError } from '../../errors.ts';
import type { Business } from '../../model/business.ts';
import { formatPath, parseBusinessFile } from '../../model/business-file.ts';
import { isObject, type JsonObject } from '../readers/values.ts';
import afterStates from './expected-json.json' with { type: 'json' };
import { RECORD_LIMIT, type Source, tooLong } from '../text/text.ts';

/**
 * Nesting of lists and objects that a file may have. A review needs 4 levels; the parser takes time that
 * grows with the square of the depth.
 */
export const MAX_DEPTH = 64;

const MOST_AROUND = 1_000;

/** An item of a list, with the line where it begins. */
export interface Item {
  readonly line: number;
  readonly record: unknown;
  readonly refusal?: string;
}

/** Ends the path of an object whose members are the rows, by their ids or names. */
export const MEMBERS = '{}';
/** The text itself is the list. */
export const ROOT_LIST = '';
/** Where our own format has its reviews. */
export const OWN_LISTS: readonly string[] = [ROOT_LIST, 'reviews'];

/** Keys of reviews that are no places: their platform, or they themselves, do not publish them. */
export const UNPUBLISHED =
  /^(?:pending|spam|drafts?|hidden|trash(?:ed)?|papelera|papierkorb|corbeille|cestino|lixeira|prullenbak|kosz|deleted|rejected|blocked|unpublished|archived?|private|removed|flagged)(?:[_ -]?\w+)?$/i;

/** The next step where reviews cannot be read as they are. */
export const AS_TABLE =
  'write them into a table with the columns Name, Stars, Date and Text, save it as CSV or Excel, and import that';

export interface JsonOptions {
  readonly lists: readonly string[];
  readonly onBusiness?: ((business: Business) => void) | undefined;
}

/** An item that may be a row: an object, or a list of values as by their numbers; null for another. */
export function rowOf(value: unknown): JsonObject | null {
  const isValues =
    Array.isArray(value) &&
    value.length > 2 &&
    !value.some((one) => typeof one === 'object' && one);
  return isValues ? Object.fromEntries(Object.entries(value)) : isObject(value) ? value : null;
}

/** The rows of the start of a text that is in memory. */
export function rowsIn(text: string, list: string): unknown[] {
  return new JsonDocument('', [list]).write(Buffer.from(text)).map(({ record }) => record);
}

/**
 * Reads the items of the lists. Calls `onBusiness` at the end if the file has a `business`.
 *
 * @throws {InputError} if the file is not JSON, or has none of the lists.
 */
export async function* readJson(
  { name, chunks }: Source,
  { lists, onBusiness }: JsonOptions,
): AsyncGenerator<Item> {
  let document: JsonDocument | null = null;
  for await (const chunk of chunks) {
    document ??= new JsonDocument(name, lists);
    yield* document.write(chunk);
  }
  document?.end();
  const business = document?.business;
  if (onBusiness && isObject(business)) onBusiness(parseBusiness(name, business, 'business'));
}

/** Parses a JSON text chunk by chunk. Only the current row is in memory. */
class JsonDocument {
  business: unknown;
  readonly #name: string;
  readonly #tokenizer = new Tokenizer();
  readonly #rows: Item[] = [];
  #parser: TokenParser | null = null;
  /** Offsets of newlines in the last chunk and since the last token. The first `#passed` are behind it. */
  #newlines: number[] = [];
  #passed = 0;
  #line = 1;
  #lineStart = 0;
  #bytes = 0;
  #depth = 0;
  #rowLine = 1;
  #rowStart: number | null = null;
  #businessStart: number | null = null;
  #lastOffset = 0;
  readonly #lists: readonly string[];
  /** The keys of the path of each list, of which `*` is any key and any index. */
  readonly #paths: readonly (readonly string[])[];
  /** Of each open object outside of lists of rows the key that is being read, of each list `*`. */
  readonly #keys: string[] = [];
  /** The texts and numbers around the list that is being read, by their paths: a row has them as "^". */
  #around = new Map<string, unknown>();
  #isValueNext = false;
  #listDepth: number | null = null;
  #hasList = false;
  #hasEnded = false;

  constructor(name: string, lists: readonly string[]) {
    this.#name = name;
    this.#lists = lists;
    this.#paths = lists.map((list) => (list === ROOT_LIST ? [] : list.split('.')));
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
    const lists = this.#lists.filter((list) => list !== ROOT_LIST);
    // A path to the list itself would keep it whole in memory.
    const paths =
      isList && this.#lists.includes(ROOT_LIST)
        ? ['$.*']
        : [
            ...lists.map((list) => `$.${list.replace(/\.?\{\}$/, '')}.*`.replace('..', '.')),
            '$.business',
          ];
    const parser = new TokenParser({ paths, keepStack: false });
    parser.onValue = ({ key, value }) => {
      if (this.#listDepth !== null && (typeof key === 'number' || isObject(value))) {
        // What follows the list is around it too, as far as it is read at once.
        const around =
          typeof key === 'number' ? this.#around : new Map([...this.#around, [MEMBERS, key]]);
        if (isObject(value)) Object.defineProperty(value, '^', { value: around });
        this.#rows.push({ line: this.#rowLine, record: value });
        this.#rowStart = null;
      } else if (key === 'business') this.business = value;
    };
    parser.onEnd = () => void (this.#hasEnded = true);
    parser.onError = (error) => {
      throw this.#malformed(error);
    };
    return parser;
  }

  write(chunk: Buffer): Item[] {
    this.#newlines.splice(0, this.#passed);
    this.#passed = 0;
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) {
      this.#newlines.push(this.#bytes + at);
    }
    this.#bytes += chunk.length;
    this.#tokenizer.write(chunk);
    if (this.#businessStart !== null && this.#bytes - this.#businessStart > RECORD_LIMIT) {
      throw this.#expected('a business of at most 1 MiB', 'a longer one');
    }
    const start = this.#rowStart ?? this.#lastOffset;
    if (this.#bytes - start > RECORD_LIMIT) throw tooLong(this.#name, this.#line);
    return this.#rows.splice(0);
  }

  end(): void {
    if (this.#parser && !this.#hasEnded) {
      throw new InputError(
        `${this.#name}:${this.#line}: expected complete JSON, got text that is cut off; export it again`,
      );
    }
    if (!this.#hasList) {
      const names = this.#lists.flatMap((list) => (list === ROOT_LIST ? [] : `"${list}"`));
      const root = this.#lists.includes(ROOT_LIST) ? ['a list of reviews'] : [];
      const nested = names[0] ? [`an object with such a list as ${names.join(' or ')}`] : [];
      const expected = [...root, ...nested].join(', or ');
      const next = `it is the wrong file: export the reviews from where customers write them (those of Google at takeout.google.com; docs/import.md has others), and import that; without an export, ${AS_TABLE}`;
      throw new InputError(`${this.#name}:1: expected ${expected}, got none: ${next}`);
    }
  }

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
    const opens = type === TokenType.LEFT_BRACE || type === TokenType.LEFT_BRACKET;
    if (this.#depth === (this.#listDepth ?? 2) && type !== TokenType.COMMA) {
      this.#rowLine = this.#line;
      if (opens) this.#rowStart = offset;
    }
    if (opens && this.#keys.length === 1 && this.#keys[0] === 'business') {
      this.#businessStart = offset;
    }
    if (this.#listDepth === null) this.#findList(type, value);
    if (opens) this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      throw this.#expected(`JSON that is nested at most ${MAX_DEPTH} levels deep`, 'a deeper one');
    }
    if (type === TokenType.RIGHT_BRACE || type === TokenType.RIGHT_BRACKET) {
      this.#depth -= 1;
      if (this.#depth === (this.#listDepth ?? 2)) this.#rowStart = null;
      if (this.#depth === 1) this.#businessStart = null;
      if (this.#listDepth !== null && this.#depth < this.#listDepth) {
        this.#listDepth = null;
        this.#rowStart = null;
      }
    }
  }

  #findList(type: TokenType, value: unknown): void {
    const keys = this.#keys;
    const last = keys.length - 1;
    const isMembers = type === TokenType.LEFT_BRACE;
    const isList = (given: readonly string[]) => {
      const isOfMembers = given.at(-1) === MEMBERS;
      const path = isOfMembers ? given.slice(0, -1) : given;
      // Of the lists that a path unites, one may be an object whose members are the rows.
      return (
        (isMembers === isOfMembers || (isMembers && given.includes('*'))) &&
        path.length === keys.length &&
        path.every(
          (key, at) => key === keys[at] || (key === '*' && !UNPUBLISHED.test(keys[at] as string)),
        )
      );
    };
    if (type === TokenType.COLON) this.#isValueNext = true;
    else if (isMembers || type === TokenType.LEFT_BRACKET) {
      this.#enter();
      this.#isValueNext = false;
      if (this.#paths.some(isList)) {
        this.#listDepth = this.#depth + 1;
        this.#hasList = true;
        this.#rowStart = null;
        // The items of other lists are nowhere, so that no path leads into them.
      } else keys.push(isMembers ? '' : '*');
    } else if (type === TokenType.RIGHT_BRACE || type === TokenType.RIGHT_BRACKET) keys.pop();
    else if (this.#isValueNext) {
      this.#isValueNext = false;
      const around = this.#placeOf(keys.slice(0, -1));
      if (around !== null && value !== null) this.#keep([...around, keys[last] ?? ''], value);
    } else if (type === TokenType.STRING && last >= 0 && keys[last] !== '*')
      keys[last] = String(value);
  }

  /** The path of keys with `*` for what differs in the path of the list; null inside of another list. */
  #placeOf(keys: readonly string[]): string[] | null {
    const [path = []] = this.#paths;
    const end = keys.findIndex((key, at) => path[at] !== '*' && path[at] !== key);
    const known = end < 0 ? keys.length : end;
    return keys.includes('*', known) ? null : [...path.slice(0, known), ...keys.slice(known)];
  }

  #keep(path: readonly string[], value: unknown): void {
    const isSmall = this.#around.size < MOST_AROUND && String(value).length < MOST_AROUND;
    if (isSmall) this.#around.set(path.join('.'), value);
  }

  /** What was said of one place does not count for the next. */
  #enter(): void {
    const place = this.#placeOf(this.#keys);
    if (place?.at(-1) !== '*') return;
    const others = [...this.#around].filter(([at]) => !at.startsWith(place.join('.')));
    this.#around = new Map(others);
    if (this.#keys.at(-1) !== '*') this.#keep(place, this.#keys.at(-1));
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
      `JSON: ${(afterStates as Readonly<Record<string, string>>)[state] ?? 'a value'} at byte ${byte} of the line`,
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
  const lines = parsed.issues.map(({ path, message }) =>
    [name, formatPath(key === null ? path : [key, ...path]), message].filter(Boolean).join(': '),
  );
  throw new InputError(lines.join('\n'));
}
