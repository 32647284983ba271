// A file to rows with their lines. Here a file fails as a whole, because it does not have its format;
// record.ts checks single rows.

import { InputError } from '../../errors.ts';
import type { Business } from '../../model/business.ts';
import { fold } from '../../model/fold.ts';
import { readCsvRecords } from './csv.ts';
import { OWN_LISTS, readJson } from './json.ts';
import {
  mapItem,
  type MappedColumns,
  Mapper,
  mapRow,
  requireColumns,
} from '../mapping/mapped-row.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { readNdjson } from './ndjson.ts';
import type { CsvReader, JsonReader, Outcome } from '../readers/reader.ts';
import type { Row } from '../record.ts';
import type { Source } from '../text/text.ts';
import { isObject } from '../readers/values.ts';

export type Format = 'json' | 'ndjson' | 'csv';

export interface RowOptions {
  readonly format: Format;
  /** How to read columns, or if `isMapped` the members of JSON. */
  readonly mapping: Mapping;
  readonly isMapped?: boolean;
  /** Of a CSV file whose mapping names none. */
  readonly delimiter?: string;
  /** Called if the file contains the record of its business. */
  readonly onBusiness: (business: Business) => void;
}

/**
 * Reads the rows of a file of our own format, or by a mapping, in small batches.
 *
 * @throws {InputError} naming the file, the line and what was expected.
 */
export function readRows(source: Source, options: RowOptions): AsyncGenerator<Row> {
  const { format, mapping, isMapped = false, onBusiness } = options;
  if (format === 'csv') {
    return readMappedCsv(source, mapping, mapping.delimiter ?? options.delimiter ?? ',');
  }
  const { list } = mapping;
  const lists = list === undefined ? OWN_LISTS : [list];
  const rows = format === 'json' ? readJson(source, { lists, onBusiness }) : readNdjson(source);
  return isMapped ? mapItems(rows, mapping) : rows;
}

async function* readMappedCsv(
  source: Source,
  mapping: Mapping,
  delimiter: string,
): AsyncGenerator<Row> {
  let columns: MappedColumns | null = null;
  for await (const { values, line } of readCsvRecords(source, delimiter)) {
    if (columns === null) columns = requireColumns(source.name, values, mapping);
    else yield mapRow(values, columns, line);
  }
  if (columns === null) throw withoutHeader(source.name);
}

function withoutHeader(name: string): InputError {
  return new InputError(`${name}:1: expected a line with the names of the columns`);
}

async function* mapItems(rows: AsyncGenerator<Row>, mapping: Mapping): AsyncGenerator<Row> {
  const { columns } = mapping;
  const mapper = new Mapper(mapping, {
    has: (field) => columns === undefined || columns[field] !== undefined,
  });
  for await (const row of rows) {
    yield 'record' in row ? mapItem(row.record, mapper, row.line) : row;
  }
}

/** Reads the objects of a platform's JSON. @throws {InputError} if the file cannot be read as JSON. */
export async function* readItems(
  source: Source,
  reader: JsonReader,
  shape: 'json' | 'ndjson',
): AsyncGenerator<Row> {
  const rows =
    shape === 'ndjson'
      ? readNdjson(source)
      : readJson(source, { lists: reader.lists, onBusiness: () => undefined });
  for await (const row of rows) {
    if (!('record' in row)) yield row;
    else if (isObject(row.record)) yield { line: row.line, ...reader.read(row.record) };
    else yield { line: row.line, refusal: 'expected a review as an object' };
  }
}

/** Reads the records of a platform's CSV file. @throws {InputError} if it is not CSV or lacks columns. */
export async function* readTable(
  source: Source,
  reader: CsvReader,
  delimiter: string,
): AsyncGenerator<Row> {
  let header: readonly string[] | null = null;
  let indexes: ReadonlyMap<string, number> = new Map();
  for await (const { values, line } of readCsvRecords(source, delimiter)) {
    if (header === null) {
      header = values;
      indexes = columnsOf(reader, header);
      const missing = reader.required.filter((column) => !indexes.has(column));
      if (missing.length > 0) throw withoutColumns(source.name, reader, missing);
    } else yield { line, ...readRecord(reader, values, indexes, header.length) };
  }
  if (header === null) throw withoutHeader(source.name);
}

function readRecord(
  reader: CsvReader,
  values: readonly string[],
  indexes: ReadonlyMap<string, number>,
  count: number,
): Outcome {
  if (values.length !== count) {
    return { refusal: `expected ${count} values, got ${values.length}` };
  }
  return reader.read((column) => {
    const index = indexes.get(column);
    const value = index === undefined ? '' : (values[index] as string).trim();
    return value === '' ? null : value;
  });
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
      `${titles.length === 1 ? 'column' : 'columns'} ${titles.join(', ')}`,
  );
}
