// CSV: records of values with the line where each begins, in whatever delimiter.

import { pipeline, Readable } from 'node:stream';
import { CsvError, parse as parseCsv } from 'csv-parse';
import { parse as parseCsvText } from 'csv-parse/sync';
import { InputError } from '../../errors.ts';
import { RECORD_LIMIT, type Source, tooLong } from '../text/text.ts';

/** In the order of preference if a header has as many columns with several. */
const DELIMITERS = [',', ';', '\t', '|'] as const;
export const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

/** The library's error of a quote inside of a value that has none around it. */
const PLAIN_QUOTE = 'INVALID_OPENING_QUOTE';
/** What the library calls for each error. */
const FAIL = '__error';

export interface CsvRecord {
  readonly values: readonly string[];
  /** Where it begins. */
  readonly line: number;
}

/**
 * Reads all records, the header too. A first line such as `sep=;`, as Excel writes it, is left out.
 *
 * @throws {InputError} if the file cannot be read as CSV.
 */
export async function* readCsvRecords(
  { name, chunks, cellLineEnd }: Source,
  delimiter: string,
): AsyncGenerator<CsvRecord> {
  let end = 0;
  const parser = parseCsv({
    on_record: (record: string[], { lines }) => {
      end = lines;
      return record;
    },
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_LIMIT,
  });
  // A quote inside of a value without quotes is a character; any other that is wrong would swallow rows.
  const { api } = parser as unknown as {
    api: Record<typeof FAIL, (error: CsvError) => unknown>;
  };
  const fail = api[FAIL].bind(api);
  api[FAIL] = (error) => (error.code === PLAIN_QUOTE ? undefined : fail(error));
  // The loop below throws the errors of the pipeline.
  pipeline(Readable.from(withLineFeeds(chunks)), parser, () => undefined);
  let isFirst = true;
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
      const isDelimiterLine = isFirst && record[0] === 'sep=';
      isFirst = false;
      if (isDelimiterLine) continue;
      const line = info.lines - newlinesIn(record);
      const isSheet = cellLineEnd !== undefined;
      const values = isSheet ? record.map((value) => value.replaceAll(cellLineEnd, '\n')) : record;
      yield { values, line };
    }
  } catch (error) {
    if (error instanceof CsvError) throw malformedCsv(name, error, end + 1);
    throw error;
  }
}

/** Cells of a header, at least; lines above it with fewer are the title of the table. */
const HEADER_CELLS = 3;
/** Lines that a title may have. */
export const TITLE_LINES = 10;

/** Whether a line can be a header. */
export function isHeader(values: readonly string[]): boolean {
  return values.filter((value) => value.trim() !== '').length >= HEADER_CELLS;
}

/**
 * The names of columns whose questions have their parts on a second line, as SurveyMonkey exports them; null if the
 * second line is a row.
 */
export function withSubHeadings(
  header: readonly string[],
  next: readonly string[],
): string[] | null {
  const cells = header.map((_, index) => next[index]?.trim() ?? '');
  const isAnswer = (cell: string) => /^(?:open-ended )?response$/i.test(cell);
  const parts = cells.filter((cell, index) => cell !== '' && header[index]?.trim() === '');
  const isFull = cells.every((cell) => cell !== '');
  const isRow =
    (isFull && parts.length < 2) || cells.some((cell) => /^\d/.test(cell) || cell.length > 40);
  if (isRow || (parts.length < 2 && !cells.some(isAnswer))) return null;
  let group = '';
  return header.map((name, index) => {
    const part = cells[index] ?? '';
    group = name.trim() || group;
    const isAlone = isFull && cells.indexOf(part) === cells.lastIndexOf(part);
    if (isAlone) return part;
    return part === '' || isAnswer(part) ? name : `${group} – ${part}`;
  });
}

/** The delimiter with which the header has the most columns: the first line that can be one, or the first. */
export function detectDelimiter(start: string): string {
  const declared = /^sep=(.)\r?\n/.exec(start)?.[1];
  if (declared !== undefined) return declared;
  const records = DELIMITERS.map((delimiter) => firstRecords(start, delimiter, TITLE_LINES));
  const lines = Array.from({ length: TITLE_LINES }, (_, index) => index);
  const line = lines.find((index) => records.some((each) => isHeader(each[index] ?? []))) ?? 0;
  const counts = records.map((each) => each[line]?.length ?? 0);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string;
}

/** The first complete records of the start of a file, up to one that is malformed. */
export function firstRecords(start: string, delimiter: string, count: number): string[][] {
  const text = start.replaceAll('\r\n', '\n');
  const lineEnd = text.lastIndexOf('\n') + 1;
  const whole = lineEnd === 0 ? text : text.slice(0, lineEnd);
  const options = { delimiter, relax_column_count: true, skip_empty_lines: true };
  let relaxed = false;
  for (const to of [count, count, 1]) {
    try {
      const rows = parseCsvText(whole, { ...options, to, relax_quotes: relaxed });
      return rows.filter(([first]) => first !== 'sep=');
    } catch (error) {
      // Reading the file reports what is malformed; the header alone may say what it is.
      relaxed = (error as CsvError).code === PLAIN_QUOTE;
    }
  }
  return [];
}

/** The parser counts CRLF inside quotes as two lines, and uses the first line end that it finds for all. */
async function* withLineFeeds(chunks: Source['chunks']): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    yield chunk.includes('\r\n') ? Buffer.from(chunk.toString().replaceAll('\r\n', '\n')) : chunk;
  }
}

interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** The parser counts the line where a record ends; messages name the line where it begins. */
function newlinesIn(record: readonly string[]): number {
  return record.reduce((sum, value) => sum + (value.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}

function malformedCsv(name: string, error: CsvError, start: number): InputError {
  // Only the message of the library has the line of the quote that is never closed; one that another quote closes is in the row.
  const opened = / at line (\d+)/.exec(error.code === 'CSV_QUOTE_NOT_CLOSED' ? error.message : '');
  const isOpened = error.code === 'CSV_INVALID_CLOSING_QUOTE' && start < Number(error['lines']);
  const line = Number(opened?.[1] ?? (isOpened ? start : (error['lines'] ?? 1)));
  if (error.code === 'CSV_MAX_RECORD_SIZE') return tooLong(name, line);
  const expected = EXPECTED[isOpened ? 'CSV_QUOTE_NOT_CLOSED' : error.code] ?? 'records of values';
  return new InputError(
    `${name}:${line}: expected CSV: ${expected}; correct this row in a text editor, or export the file again`,
    { cause: error },
  );
}

/** What the file should have instead, by the code of the library's error. */
const EXPECTED: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a closing quote for the one that is opened in this row',
  CSV_INVALID_CLOSING_QUOTE:
    'a delimiter or a line end after a closing quote; a quote inside quotes is written twice',
};
