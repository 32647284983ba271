// A file to rows with their lines. Here a file fails as a whole, because it does not have its format;
// record.ts checks single rows.

import { InputError, show } from '../../errors.ts';
import type { Business } from '../../model/business.ts';
import { fold, plainName } from '../../model/fold.ts';
import { isHeader, readCsvRecords, splitIn, TITLE_LINES, withSubHeadings } from './csv.ts';
import { OWN_LISTS, readJson, rowOf, rowsIn } from './json.ts';
import { openMapped } from '../mapping/mapped-row.ts';
import headings from '../mapping/headings.json' with { type: 'json' };
import { mappingSchema } from '../mapping/mapping.ts';
import { readNdjson } from './ndjson.ts';
import type { CsvReader, JsonReader } from '../readers/reader.ts';
import type { Outcome, ReviewRecord, Row } from '../record.ts';
import type { Source } from '../text/text.ts';
import {
  isObject,
  ItemReading,
  type JsonObject,
  memberAt,
  scalarText,
  testIn,
} from '../readers/values.ts';

export type Format = 'json' | 'ndjson' | 'csv';

/**
 * Returns what reads the values of the records of a CSV file.
 *
 * @throws {InputError} if the header lacks columns.
 */
export type OpenTable = (
  name: string,
  header: readonly string[],
) => (values: readonly string[]) => Outcome;

/** Reads the records of a CSV file. @throws {InputError} if it is not CSV or lacks columns. */
export async function* readTable(
  source: Source,
  delimiter: string,
  open: OpenTable,
  hasHeader = true,
): AsyncGenerator<Row> {
  let count = 0;
  let header: readonly string[] | null = null;
  let read: ReturnType<OpenTable> | null = null;
  const titles: (readonly string[])[] = [];
  for await (const { values, line } of readCsvRecords(source, delimiter)) {
    if (header === null) {
      if (!isHeader(values) && titles.length < TITLE_LINES) {
        titles.push(values);
        continue;
      }
      header = hasHeader ? values : numbered(values);
      count = values.length;
      if (hasHeader) continue;
    }
    if (read === null) {
      const both = hasHeader ? withSubHeadings(header, values) : null;
      read = open(source.name, both ?? header);
      count = both?.length ?? count;
      if (both !== null) continue;
    }
    // Spreadsheets write rows and cells of delimiters alone.
    if (isBlank(values) || (hasHeader && isRepeated(values, header))) continue;
    if (isTotal(values)) {
      yield {
        line,
        leftOut: `a total, no review: ${show(values.filter(Boolean).join(' '))}`,
        isNamed: true,
      };
      continue;
    }
    const split = splitIn(values, header);
    if (split !== undefined) {
      const why = `expected words in quotes, as they have a ${show(delimiter)} before ${show(split)}`;
      yield { line, refusal: `${why}; put quotes around them, and import it again` };
    } else if (values.length >= count && isBlank(values.slice(count)))
      yield { line, ...read(values) };
    else {
      const next = 'give each value its column, and quotes if the delimiter is in it';
      yield { line, refusal: `expected ${count} values, got ${values.length}; ${next}` };
    }
  }
  const only = header ?? titles[0];
  if (only && read === null) open(source.name, only);
  else if (read === null) {
    throw new InputError(
      `${source.name}:1: expected a line with the names of the columns, got none; export the file again`,
    );
  }
}

/** Whether the record of a row is the reply to the review above it. */
export function isAnswer(record: unknown): record is { readonly answer: JsonObject | null } {
  return isObject(record) && 'answer' in record;
}

/** Rows with the replies that are rows of their own. */
export async function* withReplies(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  let last = null as Row | null;
  for await (const row of rows) {
    const isReply = 'record' in row && isAnswer(row.record);
    if (isReply && last !== null && 'record' in last) {
      const { answer } = row.record;
      const record = last.record as ReviewRecord;
      const before = isObject(record.owner_reply) ? record.owner_reply : {};
      const text = [before['text'], answer?.['text']].filter(Boolean).join('\n\n');
      const reply = answer && { owner_reply: { ...answer, ...before, text } };
      last = { ...last, record: { ...record, ...reply } };
      continue;
    }
    if (last !== null) yield last;
    last = isReply ? { line: row.line, leftOut: 'a reply to a row that is not read' } : row;
  }
  if (last !== null) yield last;
}

/** The names of columns without a header: their numbers. */
export function numbered(values: readonly unknown[]): string[] {
  return values.map((_, index) => String(index + 1));
}

/** Whether a row repeats the header, as where files were put together. */
export function isRepeated(values: readonly string[], header: readonly string[]): boolean {
  // Qualtrics says how it names its questions.
  if (values[0]?.startsWith('{"ImportId"')) return true;
  return values[0] === header[0] && header.every((name, index) => name === values[index]);
}

/** Whether a row has a word such as "Average", and numbers. */
export function isTotal(values: readonly string[]): boolean {
  const [first = '', ...others] = values.map((value) => value.trim()).filter(Boolean);
  return (
    /^\p{L}[^\d]{1,30}$/u.test(first) &&
    others.every((value) => /^\d+(?:[.,]\d+)?\s?%?$/.test(value)) &&
    headings.totals.includes(plainName(first))
  );
}

function isBlank(values: readonly string[]): boolean {
  return values.every((value) => value.trim() === '');
}

export interface ItemOptions {
  readonly format: 'json' | 'ndjson';
  readonly lists: readonly string[];
  readonly onBusiness?: ((business: Business) => void) | undefined;
}

/** Reads the objects of a JSON or NDJSON file. @throws {InputError} if the file cannot be read as that. */
export async function* readItems(
  source: Source,
  { format, ...options }: ItemOptions,
  read: (item: JsonObject) => Outcome,
): AsyncGenerator<Row> {
  const items = format === 'ndjson' ? readLines(source, options) : readJson(source, options);
  for await (const { line, record, refusal } of items) {
    if (refusal !== undefined) yield { line, refusal };
    else {
      const item = rowOf(record);
      const got = `expected a review as an object, got ${show(record)}`;
      yield { line, ...(item === null ? { refusal: got } : read(item)) };
    }
  }
}

/** The lines of NDJSON, or the rows of the list that each has, such as `*.reviews`. */
async function* readLines(source: Source, { lists }: Omit<ItemOptions, 'format'>) {
  const [list = ''] = lists.filter((path) => path.startsWith('*.'));
  for await (const item of readNdjson(source)) {
    const { line, record } = item;
    if (list === '' || item.refusal !== undefined) yield item;
    else for (const row of rowsIn(JSON.stringify([record]), list)) yield { line, record: row };
  }
}

/** Reads a file of our own format. @throws {InputError} naming the file, the line and what was expected. */
export function readOwn(
  source: Source,
  format: Format,
  { delimiter, onBusiness }: { readonly delimiter: string } & Pick<ItemOptions, 'onBusiness'>,
): AsyncGenerator<Row> {
  if (format === 'csv') return readTable(source, delimiter, openMapped(mappingSchema.parse({})));
  const options = { format, lists: OWN_LISTS, onBusiness };
  return readItems(source, options, (record) => ({ record }));
}

/** Objects of a file whose parts belong together; API answers have some hundred. */
const MOST_JOINED = 100_000;

/** Reads a platform's JSON. @throws {InputError} if it cannot be read, or has too many objects to put together. */
export async function* readJsonOf(
  reader: JsonReader,
  source: Source,
  options: ItemOptions,
): AsyncGenerator<Row> {
  if (!reader.join) {
    for await (const row of readItems(source, options, (record) => ({ record }))) {
      if (!('record' in row)) {
        yield row;
        continue;
      }
      const item = row.record as JsonObject;
      for (const part of reader.split?.(item) ?? [item])
        yield { line: row.line, ...readPlatform(reader, part) };
    }
    return;
  }
  const items: { readonly line: number; readonly item: JsonObject }[] = [];
  for await (const row of readItems(source, options, (record) => ({ record }))) {
    if ('record' in row) items.push({ line: row.line, item: row.record as JsonObject });
    else yield row;
    if (items.length > MOST_JOINED) {
      throw new InputError(
        `${source.name}: expected at most ${MOST_JOINED} reviews of this format in a file; import several files`,
      );
    }
  }
  const joined = reader.join(items.map(({ item }) => item));
  for (const [index, { line }] of items.entries()) {
    const item = joined[index] ?? null;
    if (item !== null) yield { line, ...readPlatform(reader, item) };
  }
}

export function readPlatform(reader: JsonReader, item: JsonObject): Outcome {
  const { columns } = reader;
  const placeOf = (name: string) => {
    const paths = columns ? (columns[name] ?? []) : [name];
    if (paths.length < 2) return paths[0];
    return paths.find((path) => (memberAt(item, path) ?? null) !== null) ?? paths[0];
  };
  const at = (name: string) => {
    const path = placeOf(name);
    return path === undefined ? undefined : memberAt(item, path);
  };
  return finished(reader, new ItemReading(at, (name) => placeOf(name) ?? name));
}

function finished(reader: JsonReader | CsvReader, row: ItemReading): Outcome {
  const read = reader.read(row);
  const words = 'leftOut' in read ? null : scalarText(read.text) || scalarText(read.title);
  return testIn(words) ?? row.finish(read);
}

export function openPlatform(reader: CsvReader): OpenTable {
  return (name, header) => {
    const indexes = columnsOf(reader, header);
    const missing = reader.required.filter((column) => !indexes.has(column));
    if (missing.length > 0) throw withoutColumns(name, reader, missing);
    return (values) => {
      const at = (column: string) => values[indexes.get(column) ?? -1]?.trim() || null;
      return finished(
        reader,
        new ItemReading(at, (column) => reader.columns[column]?.[0] ?? column),
      );
    };
  };
}

/** The index of each column of a reader that a header has. */
export function columnsOf(
  reader: CsvReader,
  header: readonly string[],
): ReadonlyMap<string, number> {
  const names = header.map((name) => fold(name.trim()));
  const found = Object.entries(reader.columns).map(([column, titles]): [string, number] => [
    column,
    // An earlier title is the better one.
    titles.map((title) => names.indexOf(fold(title))).find((index) => index >= 0) ?? -1,
  ]);
  return new Map(found.filter(([, index]) => index >= 0));
}

function withoutColumns(name: string, reader: CsvReader, missing: readonly string[]): InputError {
  const titles = missing.map((column) => `"${reader.columns[column]?.[0] ?? column}"`);
  return new InputError(
    `${name}:1: expected ${reader.title} with the ` +
      `${titles.length === 1 ? 'column' : 'columns'} ${titles.join(', ')}; without --format, another format may be found`,
  );
}
