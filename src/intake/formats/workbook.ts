// Workbooks of Excel (.xlsx) as CSV: the sheet of reviews, or the largest, and those with the same headings, a row of the sheet on each line. Only values are read: no
// formulas, links, macros or document types, whatever they say.

import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { InputError } from '../../errors.ts';
import { fold } from '../../model/fold.ts';
import { loadHtmlParser } from '../text/html-text.ts';
import { type OnRead, RECORD_LIMIT } from '../text/text.ts';
import { isHeader, withSubHeadings } from './csv.ts';
import { type Archive, type ArchiveEntry, openArchive } from './archive.ts';

/** Stands for a line end in a cell, so that the number of a line is the number of its row. */
const CELL_LINE_END = '\u2028';
const MOST_SHARED = 64 * 1024 ** 2;
const MOST_COLUMNS = 1_000;
const MOST_ROWS = 1_048_576;
const MOST_DEPTH = 64;
const isDateStyle = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);
const OF_REVIEWS =
  /review|feedback|avis|bewertung|rezension|beoordeling|recensi|resena|opinion|avaliac|comment|antwort|response/;
/** Marks the title of a sheet that its owner has hidden. */
const HIDDEN = ' (hidden)';
const MS_PER_DAY = 86_400_000;

interface Handler {
  open?(tag: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(tag: string): void;
}

export function isWorkbook({ entries }: Archive): boolean {
  return entries.some(({ name }) => name === 'xl/workbook.xml');
}

/** As `openSource` takes it. */
export const WORKBOOK = { read: readWorkbook, cellLineEnd: CELL_LINE_END } as const;

/** `onRead` gets the bytes of the file that stand for what was read. @throws {InputError} while it is read, if it is damaged. */
async function* readWorkbook(
  path: string,
  name: string,
  onRead: OnRead,
  onUnread: (sheet: string) => void,
): AsyncGenerator<Buffer> {
  const archive = await openArchive(path, name);
  try {
    const part = (wanted: RegExp) => archive.entries.filter((entry) => wanted.test(entry.name));
    const sheets = part(/^xl\/worksheets\/[^/]+\.xml$/);
    const texts = await sharedTexts(part(/^xl\/sharedStrings\.xml$/)[0], name);
    const dateStyles = await stylesOfDates(part(/^xl\/styles\.xml$/)[0], name);
    const workbook = part(/^xl\/workbook\.xml$/)[0];
    let is1904 = false;
    const titles = new Map<string, string>();
    await parse(workbook, name, {
      open: (tag, { date1904 = '', name: title = '', 'r:id': id = '', state = '' }) => {
        if (tag === 'workbookPr') is1904 = /^(?:1|true)$/.test(date1904);
        if (tag === 'sheet') titles.set(id, /hidden/i.test(state) ? `${title}${HIDDEN}` : title);
      },
    });
    const files = new Map<string, string>();
    await parse(part(/^xl\/_rels\/workbook\.xml\.rels$/)[0], name, {
      open: (_, { Id = '', Target = '' }) => files.set(Target.replace(/^.*\//, ''), Id),
    });
    const titleOf = ({ name: file }: ArchiveEntry) =>
      titles.get(files.get(file.replace(/^.*\//, '')) ?? '') ?? file;
    const isOfReviews = (entry: ArchiveEntry) => Number(OF_REVIEWS.test(fold(titleOf(entry))));
    const isHidden = (entry: ArchiveEntry) => Number(titleOf(entry).endsWith(HIDDEN));
    const [sheet, ...others] = sheets.toSorted(
      (one, other) =>
        isHidden(one) - isHidden(other) ||
        isOfReviews(other) - isOfReviews(one) ||
        other.bytes - one.bytes,
    );
    if (!sheet)
      throw new InputError(`${name}: expected a sheet with reviews, got none; save it as CSV`);
    const book = { texts, dateStyles, firstDay: is1904 ? 24_107 : 25_569 };
    const packed = (await stat(path)).size / Math.max(sheet.bytes, 1);
    // Sheets of one table may be those of branches.
    const titleFor = (one: ArchiveEntry) => (others.length > 0 ? titleOf(one) : null);
    const first = new SheetRows(null, titleFor(sheet));
    yield* readRows(sheet, name, { ...book, rows: first }, (bytes) => onRead(bytes * packed));
    for (const other of others) {
      const rows = new SheetRows(first.headings, titleFor(other));
      if (!isHidden(other)) yield* readRows(other, name, { ...book, rows }, () => undefined);
      if (isHidden(other) || (!rows.isRead && rows.count > 1)) onUnread(titleOf(other));
    }
  } finally {
    archive.close();
  }
}

class SheetRows {
  /** Those of the first line that can be a header; null above it. */
  headings: readonly string[] | null = null;
  isRead: boolean;
  /** Rows that are not empty. */
  count = 0;
  #order: readonly number[] = [];
  /** The first line that can be a header, until the one below says whether it names groups of columns. */
  #held: readonly string[] | null = null;
  readonly #wanted: readonly string[] | null;
  readonly #title: string | null;

  /** `wanted`: the headings of the sheet that it continues; without them it is read whole. `title`: a value for each row. */
  constructor(wanted: readonly string[] | null, title: string | null) {
    this.#wanted = wanted;
    this.#title = title;
    this.isRead = wanted === null;
  }

  line(cells: readonly string[]): string[] {
    if (cells.length > 1) this.count += 1;
    if (this.headings !== null) return this.#row(cells);
    const held = this.#held;
    if (held === null && isHeader(cells)) this.#held = cells;
    if (held === null) return this.#held === null ? this.#row(cells) : [];
    const both = withSubHeadings(held, cells);
    return both === null ? [...this.#open(held), ...this.#row(cells)] : ['', ...this.#open(both)];
  }

  #open(cells: readonly string[]): string[] {
    const headings = cells.map((cell) => fold(cell).trim());
    this.headings = headings;
    if (this.#wanted === null) return [csvLine(this.#title === null ? cells : [...cells, 'Sheet'])];
    this.#order = this.#wanted.map((heading) => (heading === '' ? -1 : headings.indexOf(heading)));
    const known = this.#order.filter((index) => index >= 0).length;
    this.isRead = known > 2 && known * 3 >= headings.filter(Boolean).length * 2;
    return [];
  }

  #row(cells: readonly string[]): string[] {
    if (!this.isRead) return [];
    const read =
      this.#wanted === null ? [...cells] : this.#order.map((index) => cells[index] ?? '');
    const count = this.headings?.length ?? 0;
    while (read.length < count) read.push('');
    // A total has two cells.
    if (this.#title !== null && count > 0)
      read.push(cells.filter(Boolean).length > 2 ? this.#title : '');
    return [csvLine(read)];
  }
}

export function csvLine(cells: readonly string[]): string {
  return cells.map(quoted).join(',');
}

interface Book {
  readonly texts: readonly string[];
  readonly dateStyles: ReadonlySet<number>;
  readonly firstDay: number;
  readonly rows: SheetRows;
}

async function* readRows(
  sheet: ArchiveEntry,
  name: string,
  book: Book,
  onRead: OnRead,
): AsyncGenerator<Buffer> {
  let lines: string[] = [];
  let cells: string[] = [];
  let [row, column, value, type, style] = [0, 0, '', '', -1];
  let isValue = false;
  const handler: Handler = {
    open(tag, { r = '', t = '', s = '' }) {
      if (tag === 'row') {
        const number = Math.min(Number(r) || row + 1, MOST_ROWS);
        for (; row + 1 < number; row += 1) lines.push(...book.rows.line([]));
        row += 1;
        [cells, column] = [[], 0];
      } else if (tag === 'c') {
        column = r === '' ? column : indexOf(r);
        [value, type, style] = ['', t, s === '' ? -1 : Number(s)];
      } else if (tag === 'v' || tag === 't') isValue = true;
    },
    text(text) {
      if (!isValue) return;
      value += text;
      if (value.length > RECORD_LIMIT) throw tooLarge(name, 'a cell is longer than 1 MiB');
    },
    close(tag) {
      if (tag === 'v' || tag === 't') isValue = false;
      else if (tag === 'c') {
        if (column < MOST_COLUMNS) {
          while (cells.length < column) cells.push('');
          cells[column] = cellText(value, type, style, book);
        }
        column += 1;
      } else if (tag === 'row') lines.push(...book.rows.line(cells));
    },
  };
  for await (const bytes of parsing(sheet, name, handler)) {
    onRead(bytes);
    if (lines.length === 0) continue;
    yield Buffer.from(`${lines.join('\n')}\n`);
    lines = [];
  }
  if (book.rows.headings === null) yield Buffer.from(`${book.rows.line([]).join('\n')}\n`);
}

function cellText(
  value: string,
  type: string,
  style: number,
  { texts, dateStyles, firstDay }: Omit<Book, 'rows'>,
): string {
  if (type === 's') return texts[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'true' : 'false';
  if (type !== '' && type !== 'n') return type === 'e' ? '' : value;
  const number = Number(value);
  if (value === '' || !Number.isFinite(number)) return value;
  // Whole numbers and tenths are written as binary fractions.
  if (!dateStyles.has(style)) return String(Number(number.toPrecision(15)));
  const date = new Date(Math.round((number - firstDay) * MS_PER_DAY));
  if (Number.isNaN(date.getTime())) return value;
  const text = date.toISOString();
  return Number.isInteger(number) ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ');
}

/** `C7` is in the column with the index 2. */
function indexOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A';
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function quoted(cell: string): string {
  const line = cell.replaceAll(/\r\n?|\n/g, CELL_LINE_END);
  return /[",]/.test(line) ? `"${line.replaceAll('"', '""')}"` : line;
}

/** Texts that cells name by their number. Phonetic hints are no part of them. */
async function sharedTexts(entry: ArchiveEntry | undefined, name: string): Promise<string[]> {
  const texts: string[] = [];
  let length = 0;
  let [isText, isHint] = [false, false];
  await parse(entry, name, {
    open(tag) {
      if (tag === 'si') texts.push('');
      if (tag === 't') isText = true;
      if (tag === 'rPh') isHint = true;
    },
    text(text) {
      if (!isText || isHint) return;
      texts[texts.length - 1] += text;
      length += text.length;
      if (length > MOST_SHARED) throw tooLarge(name, 'its texts are longer than 64 MiB');
    },
    close(tag) {
      if (tag === 't') isText = false;
      if (tag === 'rPh') isHint = false;
    },
  });
  return texts;
}

async function stylesOfDates(entry: ArchiveEntry | undefined, name: string): Promise<Set<number>> {
  const formats = new Set<number>();
  const styles: boolean[] = [];
  let isStyles = false;
  await parse(entry, name, {
    open(tag, attributes) {
      const id = Number(attributes['numFmtId']);
      const code = attributes['formatCode']?.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, '') ?? '';
      if (tag === 'numFmt' && /[dy]/i.test(code)) formats.add(id);
      if (tag === 'cellXfs') isStyles = true;
      if (tag === 'xf' && isStyles && styles.length < 65_536)
        styles.push(isDateStyle(id) || formats.has(id));
    },
    close(tag) {
      if (tag === 'cellXfs') isStyles = false;
    },
  });
  return new Set(styles.flatMap((isDate, index) => (isDate ? index : [])));
}

async function parse(
  entry: ArchiveEntry | undefined,
  name: string,
  handler: Handler,
): Promise<void> {
  if (entry === undefined) return;
  for await (const _ of parsing(entry, name, handler)) {
    // The handler has it.
  }
}

/** Parses XML, and yields the length of each chunk after it. The parser knows no entities but those of XML, and loads nothing. */
async function* parsing(
  entry: ArchiveEntry,
  name: string,
  handler: Handler,
): AsyncGenerator<number> {
  let depth = 0;
  const { Parser } = loadHtmlParser();
  const local = (tag: string) => tag.slice(tag.indexOf(':') + 1);
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        depth += 1;
        if (depth > MOST_DEPTH)
          throw tooLarge(name, `elements are nested more than ${MOST_DEPTH} deep`);
        handler.open?.(local(tag), attributes);
      },
      ontext: (text) => handler.text?.(text),
      onclosetag(tag) {
        depth -= 1;
        handler.close?.(local(tag));
      },
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder();
  try {
    for await (const chunk of (await entry.read()) as Readable & AsyncIterable<Buffer>) {
      parser.write(decoder.decode(chunk, { stream: true }));
      yield chunk.length;
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(
      `${name}: expected a workbook that can be read, got a damaged one: ${(error as Error).message}. Save it again, or as CSV`,
      { cause: error },
    );
  }
  parser.end();
  yield 0;
}

function tooLarge(name: string, why: string): InputError {
  return new InputError(
    `${name}: expected a workbook with reviews, got one in which ${why}; save the sheet with the reviews as CSV`,
  );
}
