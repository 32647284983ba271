// CSV: a header line, then one review in each record, read with a mapping.

import { pipeline, Readable } from 'node:stream';
import { CsvError, parse as parseCsv } from 'csv-parse';
import { InputError } from '../errors.ts';
import { type CsvMapping, type MappedColumns, mapRow, requireColumns } from './mapping.ts';
import type { Row } from './record.ts';
import { RECORD_LIMIT, type Source, tooLong } from './text.ts';

/** The rows of a CSV file. @throws {InputError} if the file cannot be read as CSV. */
export async function* readCsv({ name, chunks }: Source, mapping: CsvMapping): AsyncGenerator<Row> {
  const parser = parseCsv({
    delimiter: mapping.delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_LIMIT,
  });
  // The loop below throws the errors of the pipeline.
  pipeline(Readable.from(withLineFeeds(chunks)), parser, () => undefined);
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
  if (columns === null)
    throw new InputError(`${name}:1: expected a line with the names of the columns`);
}

/** The parser counts CRLF inside quotes as two lines, and uses the first line end that it finds for all. */
async function* withLineFeeds(chunks: Source['chunks']): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    yield chunk.includes('\r\n') ? Buffer.from(chunk.toString().replaceAll('\r\n', '\n')) : chunk;
  }
}

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** The parser counts the line where a record ends; messages name the line where it begins. */
function newlinesIn(record: readonly string[]): number {
  return record.reduce((sum, value) => sum + (value.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}

function malformedCsv(name: string, error: CsvError): InputError {
  const line = Number(error['lines'] ?? 1);
  if (error.code === 'CSV_MAX_RECORD_SIZE') return tooLong(name, line);
  const expected = EXPECTED[error.code] ?? 'records of values';
  return new InputError(`${name}:${line}: expected CSV: ${expected}`, { cause: error });
}

/** What the file should have instead, by the code of the library's error. */
const EXPECTED: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a closing quote, got the end of the file',
  CSV_INVALID_CLOSING_QUOTE:
    'a delimiter or a line end after a closing quote; a quote inside quotes is written twice',
  INVALID_OPENING_QUOTE:
    'a value in quotes, because it contains a quote, which is then written twice',
};
