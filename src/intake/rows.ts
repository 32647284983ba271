// One reader for each format: a file to rows that know their line. What is in a row is for
// record.ts to say; here a file can only fail as a whole, because it is not of its format.

import { pipeline, Readable } from 'node:stream';
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { CsvError, parse as parseCsv } from 'csv-parse';
import { InputError, show } from '../errors.ts';
import { businessSchema, type Business } from '../model/business.ts';
import { type CsvMapping, type MappedColumns, mapRow, requireColumns } from './mapping.ts';
import type { Row } from './record.ts';
import { RECORD_LIMIT, type Source } from './text.ts';

export type Format = 'json' | 'ndjson' | 'csv';

export interface RowOptions {
  readonly format: Format;
  /** How the columns of a CSV file are to be read. */
  readonly mapping: CsvMapping;
  /** Called when the file itself says which business it is about. */
  readonly onBusiness: (business: Business) => void;
}

/**
 * Reads the rows of a file, a few at a time.
 *
 * @throws {InputError} naming the file, the line and what was expected.
 */
export function readRows(source: Source, options: RowOptions): AsyncGenerator<Row> {
  switch (options.format) {
    case 'json':
      return readJson(source, options.onBusiness);
    case 'ndjson':
      return readNdjson(source);
    case 'csv':
      return readCsv(source, options.mapping);
  }
}

async function* readNdjson({ name, chunks }: Source): AsyncGenerator<Row> {
  let line = 0;
  for await (const chunk of chunks) {
    for (const text of chunk.toString().replace(/\n$/, '').split('\n')) {
      line += 1;
      if (text.length > RECORD_LIMIT) throw tooLong(name, line);
      if (text.trim() === '') continue;
      try {
        yield { line, record: JSON.parse(text) };
      } catch (error) {
        throw new InputError(
          `${name}:${line}: expected one review as a line of JSON, got ${show(text)}`,
          { cause: error },
        );
      }
    }
  }
}

/** Reads a list of reviews, or an object with such a list as `reviews`, as `/reviews.json` is. */
async function* readJson(
  { name, chunks }: Source,
  onBusiness: (business: Business) => void,
): AsyncGenerator<Row> {
  let document: JsonDocument | null = null;
  for await (const chunk of chunks) {
    document ??= new JsonDocument(name, chunk);
    yield* document.write(chunk);
  }
  document?.end();
  if (document?.business !== undefined) onBusiness(parseBusiness(name, document.business));
}

/** A JSON text on its way through the tokenizer, which keeps no more than the row at hand. */
class JsonDocument {
  business: unknown;
  readonly #name: string;
  readonly #tokenizer = new Tokenizer();
  readonly #rows: Row[] = [];
  readonly #isList: boolean;
  /** Lines that begin after the last token, as offsets. */
  #newlines: number[] = [];
  #line = 1;
  #bytes = 0;
  #depth = 0;
  #rowLine = 1;
  #rowStart: number | null = null;
  #tokenEnd = 0;
  #hasReviews: boolean;
  #hasEnded = false;

  constructor(name: string, firstChunk: Buffer) {
    this.#name = name;
    this.#isList = firstChunk.toString('latin1').trimStart().startsWith('[');
    this.#hasReviews = this.#isList;
    const rowPath = this.#isList ? '$.*' : '$.reviews.*';
    const parser = new TokenParser({
      paths: this.#isList ? [rowPath] : [rowPath, '$.reviews', '$.business'],
      keepStack: false,
    });
    parser.onValue = ({ key, value, stack }) => {
      if (stack.length === this.#rowDepth) {
        this.#rows.push({ line: this.#rowLine, record: value });
        this.#rowStart = null;
      } else if (key === 'business') this.business = value;
      else if (key === 'reviews') this.#hasReviews = Array.isArray(value);
    };
    parser.onEnd = () => {
      this.#hasEnded = true;
    };
    this.#tokenizer.onToken = (token) => {
      this.#onToken(token.token, token.offset);
      parser.write(token);
    };
    this.#tokenizer.onError = (error) => {
      throw this.#malformed(error);
    };
    parser.onError = (error) => {
      throw this.#malformed(error);
    };
  }

  /** Depth at which a row begins: inside the list, or inside the list inside the object. */
  get #rowDepth(): number {
    return this.#isList ? 1 : 2;
  }

  write(chunk: Buffer): Row[] {
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) {
      this.#newlines.push(this.#bytes + at);
    }
    this.#bytes += chunk.length;
    this.#tokenizer.write(chunk);
    const start = this.#rowStart ?? this.#tokenEnd;
    if (this.#bytes - start > RECORD_LIMIT) throw tooLong(this.#name, this.#line);
    return this.#rows.splice(0);
  }

  end(): void {
    if (!this.#hasEnded) throw this.#malformed(new Error('the text ends too early'));
    if (!this.#hasReviews) {
      throw new InputError(
        `${this.#name}:1: expected a list of reviews, or an object with such a list as "reviews"`,
      );
    }
  }

  #onToken(type: TokenType, offset: number): void {
    while (this.#newlines.length > 0 && (this.#newlines[0] as number) < offset) {
      this.#newlines.shift();
      this.#line += 1;
    }
    this.#tokenEnd = offset;
    const opens = type === TokenType.LEFT_BRACE || type === TokenType.LEFT_BRACKET;
    if (this.#depth === this.#rowDepth && type !== TokenType.COMMA) {
      this.#rowLine = this.#line;
      if (opens) this.#rowStart = offset;
    }
    if (opens) this.#depth += 1;
    if (type === TokenType.RIGHT_BRACE || type === TokenType.RIGHT_BRACKET) this.#depth -= 1;
  }

  #malformed(cause: Error): InputError {
    const [reason] = cause.message.split('\n');
    return new InputError(`${this.#name}:${this.#line}: expected JSON, but ${reason}`, { cause });
  }
}

/** Parses the record of a business; `name` is the file that it is from. */
export function parseBusiness(name: string, record: unknown): Business {
  const result = businessSchema.safeParse(record);
  if (result.success) return result.data;
  const lines = result.error.issues.map(
    ({ path, message }) => `${name}: business ${path.join('.')}: ${message}`,
  );
  throw new InputError(lines.join('\n'));
}

async function* readCsv({ name, chunks }: Source, mapping: CsvMapping): AsyncGenerator<Row> {
  const parser = parseCsv({
    delimiter: mapping.delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_LIMIT,
  });
  // The loop below throws what the pipeline ends with.
  pipeline(Readable.from(chunks), parser, () => undefined);
  let columns: MappedColumns | null = null;
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      const line = info.lines - newlinesIn(record);
      if (columns === null) columns = requireColumns(name, record, mapping);
      else yield mapRow(record, columns, mapping, line);
    }
  } catch (error) {
    if (error instanceof CsvError) throw malformedCsv(name, error);
    throw error;
  }
  if (columns === null) throw new InputError(`${name}:1: expected a line with names of columns`);
}

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** A record is counted where it ends; people look for it where it begins. */
function newlinesIn(record: readonly string[]): number {
  return record.reduce((sum, value) => sum + (value.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}

function malformedCsv(name: string, error: CsvError): InputError {
  const line = Number(error['lines'] ?? 1);
  if (error.code === 'CSV_MAX_RECORD_SIZE') return tooLong(name, line);
  const [reason] = error.message.split('\n');
  return new InputError(`${name}:${line}: expected CSV, but ${reason}`, { cause: error });
}

function tooLong(name: string, line: number): InputError {
  return new InputError(`${name}:${line}: expected a review of at most 1 MiB, got a longer one`);
}
