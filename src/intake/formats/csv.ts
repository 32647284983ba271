// CSV: records of values with the line where each begins, in whatever delimiter.

import { InputError } from '../../errors.ts';
import names from './names.json' with { type: 'json' };
import { linesIn, RECORD_LIMIT, type Source, tooLong } from '../text/text.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
export const DELIMITER_NAMES: Readonly<Record<string, string>> = names.delimiters;

export interface CsvRecord {
  readonly values: readonly string[];
  readonly line: number;
}

/**
 * Reads all records, the header too. A first line such as `sep=;`, as Excel writes it, is left out.
 *
 * @throws {InputError} if the file cannot be read as CSV.
 */
export async function* readCsvRecords(
  source: Source,
  delimiter: string,
): AsyncGenerator<CsvRecord> {
  const records = new Records(source, delimiter);
  for await (const chunk of source.chunks) yield* records.write(chunk.toString(), false);
  yield* records.write('', true);
}

/** Cuts text into records as it comes. A quote inside of a value without quotes is a character. */
class Records {
  readonly #source: Omit<Source, 'chunks'>;
  readonly #delimiter: string;
  #rest = '';
  #line = 1;

  constructor(source: Omit<Source, 'chunks'>, delimiter: string) {
    this.#source = source;
    this.#delimiter = delimiter;
  }

  /** @throws {InputError} if a record is too long, or a quote would swallow others. */
  *write(more: string, isLast: boolean): Generator<CsvRecord> {
    const given = this.#rest + more;
    // A carriage return at the end may be half of a line end.
    const cut = !isLast && given.endsWith('\r') ? given.length - 1 : given.length;
    const text = given.includes('\r') ? given.slice(0, cut).replaceAll(/\r\n?/g, '\n') : given;
    let at = 0;
    while (at < text.length) {
      const values: string[] = [];
      const end = this.#read(text, at, isLast, values);
      if ((end ?? text.length) - at > RECORD_LIMIT) throw tooLong(this.#source.name, this.#line);
      if (end === null) break;
      const isDelimiter = this.#line === 1 && values[0] === 'sep=';
      if (!isDelimiter && (values.length > 1 || values[0] !== ''))
        yield { values, line: this.#line };
      this.#line += linesIn(text, at, end);
      at = end;
    }
    this.#rest = text.slice(at) + given.slice(cut);
  }

  /** Adds the values of the record that begins there, and returns where the next one begins; null if it is not whole. */
  #read(text: string, start: number, isLast: boolean, values: string[]): number | null {
    for (let at = start; ; at += 1) {
      let value = '';
      if (text[at] === '"') {
        const opened = at;
        do {
          const from = at + 1;
          at = text.indexOf('"', from);
          if (at < 0 && !isLast) return null;
          if (at < 0) throw this.#malformed(linesIn(text, start, opened), OPENED);
          value += (value === '' && from === opened + 1 ? '' : '"') + text.slice(from, at);
          at += 1;
        } while (text[at] === '"');
        if (at < text.length && text[at] !== this.#delimiter && text[at] !== '\n')
          throw this.#malformed(0, linesIn(text, start, at) > 0 ? OPENED : CLOSED);
      } else {
        const from = at;
        while (at < text.length && text[at] !== this.#delimiter && text[at] !== '\n') at += 1;
        value = text.slice(from, at);
      }
      if (at === text.length && !isLast) return null;
      const { cellLineEnd: end } = this.#source;
      values.push(end === undefined ? value : value.replaceAll(end, '\n'));
      if (text[at] !== this.#delimiter) return Math.min(at + 1, text.length);
    }
  }

  #malformed(lines: number, expected: string): InputError {
    return new InputError(
      `${this.#source.name}:${this.#line + lines}: expected CSV: ${expected}; correct this row in a text editor, or export the file again`,
    );
  }
}

const OPENED = 'a closing quote for the one that is opened in this row';
const CLOSED =
  'a delimiter or a line end after a closing quote; a quote inside quotes is written twice';

/** Words without quotes that a delimiter splits, as "Cold soup" and " and a warm beer": programs write no space after it. */
export function splitIn(values: readonly string[], header: readonly string[]): string | undefined {
  const at = values.findIndex(
    (value, index) => /^ \p{Ll}/u.test(value) && /\p{L}{3}$/u.test(values[index - 1] ?? ''),
  );
  return header.some((name) => name.startsWith(' ')) ? undefined : values[at];
}

const HEADER_CELLS = 3;
export const TITLE_LINES = 10;

export function isHeader(values: readonly string[]): boolean {
  return values.filter((value) => value.trim() !== '').length >= HEADER_CELLS;
}

/**
 * The names of columns whose questions have their parts on a second line, as SurveyMonkey exports them; null if the
 * second line is a row.
 */
export function withSubHeadings(
  groups: readonly string[],
  next: readonly string[],
): string[] | null {
  // The last group of columns may be wider than its name.
  const isGrouped = groups.some((name) => name.trim() === '');
  const header = [...groups, ...next.slice(isGrouped ? groups.length : next.length).map(() => '')];
  const cells = header.map((_, index) => next[index]?.trim() ?? '');
  const isAnswer = (cell: string) => /^(?:open-ended )?response$/i.test(cell);
  const parts = cells.filter((cell, index) => cell !== '' && header[index]?.trim() === '');
  const isFull = cells.every((cell) => cell !== '');
  // "Q1", and what it asks below.
  const isCoded =
    header.some((name) => /^Q\d/.test(name)) && !header.some((name) => /\s/.test(name));
  if (isFull && isCoded && !cells.some((cell) => /^\d/.test(cell))) return cells;
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
export function firstRecords(
  start: string,
  delimiter: string,
  count: number,
): (readonly string[])[] {
  const lineEnd = start.lastIndexOf('\n') + 1;
  const records = new Records({ name: '' }, delimiter).write(
    start.slice(0, lineEnd || start.length),
    lineEnd === 0,
  );
  const rows: (readonly string[])[] = [];
  try {
    for (const { values } of records)
      if (splitIn(values, rows[0] ?? []) === undefined && rows.push(values) === count) break;
  } catch {
    // Reading the file reports what is malformed.
  }
  return rows;
}
