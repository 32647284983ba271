// CSV: a header line, then a review in each record, read by a mapping.

import { pipeline, Readable } from 'node:stream';
import { CsvError, parse as parseCsv } from 'csv-parse';
import { InputError } from '../errors.ts';
import { type CsvMapping, type MappedColumns, mapRow, requireColumns } from './mapping.ts';
import type { Row } from './record.ts';
import { RECORD_LIMIT, type Source, tooLong } from './text.ts';

export async function* readCsv({ name, chunks }: Source, mapping: CsvMapping): AsyncGenerator<Row> {
  const parser = parseCsv({
    delimiter: mapping.delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_LIMIT,
  });
  // The loop below throws what the pipeline ends with.
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
  if (columns === null) throw new InputError(`${name}:1: expected a line with names of columns`);
}

/** The parser counts CRLF inside quotes as two lines, and splits by the first line end it meets. */
async function* withLineFeeds(chunks: Source['chunks']): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    yield chunk.includes('\r\n') ? Buffer.from(chunk.toString().replaceAll('\r\n', '\n')) : chunk;
  }
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
