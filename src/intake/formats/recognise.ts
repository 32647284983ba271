// Which format a file has: as the operator says, or by its content.

import { extname } from 'node:path';
import { InputError, show } from '../../errors.ts';
import type { Business } from '../../model/business.ts';
import { DELIMITER_NAMES } from './csv.ts';
import { AS_TABLE, OWN_LISTS } from './json.ts';
import { itemMapper, openMapped } from '../mapping/mapped-row.ts';
import { columnsAt, FIELDS, type Mapping, parseMapping } from '../mapping/mapping.ts';
import { asksConsent } from '../mapping/propose.ts';
import { sampledTable } from '../mapping/sampled-columns.ts';
import { isDate } from '../../model/date.ts';
import { plainName } from '../../model/fold.ts';
import words from './names.json' with { type: 'json' };
import type { JsonReader, Reader } from '../readers/reader.ts';
import { READERS } from '../readers/readers.ts';
import type { Row } from '../record.ts';
import {
  columnsOf,
  type Format,
  openPlatform,
  readItems,
  readOwn,
  readJsonOf,
  readTable,
  withReplies,
} from './rows.ts';
import { type Sample, sampleOf } from './sample.ts';
import { type Page, pageOf } from './page.ts';
import { readSmall } from './small-files.ts';
import { withoutEntities } from '../text/html-text.ts';
import { ENCODING_NAMES } from '../text/encoding.ts';
import { type JsonObject, memberAt } from '../readers/values.ts';
import type { FileSource } from '../text/text.ts';
import { commandName } from '../../model/command-name.ts';

export type FormatChoice =
  | { readonly kind: 'auto' }
  | { readonly kind: 'own'; readonly format: Format }
  | { readonly kind: 'mapping'; readonly mapping: Mapping }
  | { readonly kind: 'reader'; readonly reader: Reader };

/** How a file is read, once its start is known. */
export interface ChosenFormat {
  /** As `--format` takes it; null for a mapping. */
  readonly name: string | null;
  /** What the import reports about it; null if the name of the file already says it. */
  readonly remark: string | null;
  readonly page: Page | null;
  /** Why a person decides first; null if nobody has to. */
  readonly asks?: string | null;
  read(source: FileSource, onBusiness: (business: Business) => void): AsyncGenerator<Row>;
}

const EXTENSIONS = words.extensions as Readonly<Record<string, Format>>;
const OWN_TITLES: Readonly<Record<Format, string>> = words.ownTitles;

/** A table of an unknown format: a mapping says how to read it. */
export class UnknownTable extends InputError {
  readonly file: string;
  /** Sheets with other headings. */
  readonly unread: readonly string[];
  readonly #sample: Sample;

  constructor({ name: file, unread }: Pick<FileSource, 'name' | 'unread'>, sample: Sample) {
    super(
      `${file}: expected a format that is known, got an unknown table; ` +
        `${/\.zip\//i.test(file) ? 'unpack it, and ' : ''}"${commandName()} import FILE --map" proposes how to read it`,
    );
    this.file = file;
    this.unread = unread;
    this.#sample = sample;
  }

  get sample(): Sample {
    return this.#sample;
  }
}

/** A file of a known format that a person decides to read, by `--format`, as its reviews are not as written. */
export class Undecided extends InputError {
  readonly file: string;
  readonly format: string;

  constructor(file: string, { name, remark, asks }: ChosenFormat) {
    super(
      `${file}: ${remark} only if you agree, with --format ${name} or the "format" of a source: ${asks}`,
    );
    this.file = file;
    this.format = name ?? '';
  }
}

/**
 * @param format `auto`, the name of a format, the path of a mapping file, or null for `auto`.
 * @throws {InputError} if it is none of these, or if the mapping file is invalid.
 */
export async function parseFormatChoice(format: string | null): Promise<FormatChoice> {
  if (format === null || format === 'auto') return { kind: 'auto' };
  if (format === 'json' || format === 'ndjson' || format === 'csv') return { kind: 'own', format };
  const reader = READERS.find(({ name }) => name === format);
  if (reader) return { kind: 'reader', reader };
  const names = READERS.map(({ name }) => name).join(', ');
  const expected = `auto, json, ndjson, csv, ${names}, or a mapping file that can be read`;
  const text = await readSmall(format, '--format or --map', expected);
  return { kind: 'mapping', mapping: parseMapping(format, text) };
}

/**
 * Decides how to read a file, and returns it still to be read from its beginning.
 *
 * @throws {InputError} if the content can be of several formats, or of none.
 */
export async function chooseFormat(
  file: FileSource,
  choice: FormatChoice,
): Promise<{ chosen: ChosenFormat; source: FileSource; close: () => Promise<void> }> {
  const { sample, source, close } = await sampleOf(file);
  try {
    return { chosen: chooseBySample(source, sample, choice), source, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type SampledFile = Pick<FileSource, 'name' | 'path' | 'unread'>;

function chooseBySample(file: SampledFile, sample: Sample, choice: FormatChoice): ChosenFormat {
  switch (choice.kind) {
    case 'own':
      return ownFormat(choice.format, sample, choice.format);
    case 'mapping': {
      // An inbox may have exports beside the tables that a mapping is for.
      const [reader, other] = READERS.filter((one) => recognises(one, sample));
      if (reader && !other && !hasMapped(choice.mapping, sample))
        return readerFormat(reader, sample);
      const format = sample.shape === 'json' || sample.shape === 'ndjson' ? sample.shape : 'csv';
      return mappedFormat(format, choice.mapping, sample);
    }
    case 'reader':
      return readerFormat(choice.reader, sample);
    case 'auto':
      return recognise(file, sample);
  }
}

function recognise(file: SampledFile, sample: Sample): ChosenFormat {
  const { name, path } = file;
  const byName = EXTENSIONS[extname(path).toLowerCase()] ?? null;
  // A mapping leaves out who does not agree.
  const isAsked = sample.shape === 'csv' && sampledTable(sample).columns.some(asksConsent);
  const own = isAsked ? null : ownShape(sample);
  const readers = READERS.filter((reader) => recognises(reader, sample));
  if (readers.length + (own === null ? 0 : 1) > 1) throw ambiguous(name, readers, own);
  if (readers[0]) return readerFormat(readers[0], sample);
  if (own !== null) return ownFormat(own, sample, byName);
  // What platforms give out beside the reviews of a business.
  for (const { list, key, explanation } of words.otherProducts) {
    const items = sample.lists.get(list) ?? [];
    if (items.some((item) => memberAt(item, key) !== undefined)) {
      throw new InputError(`${name}: expected reviews of your business, got ${explanation}`);
    }
  }
  if (/^(?:INSERT INTO|CREATE TABLE)\b/im.test(sample.text))
    throw new InputError(
      `${name}: expected reviews as a table, got a dump of a database (SQL); export the table that has the reviews as CSV, ` +
        'with the names of branches and the replies in columns of their own, and import that',
    );
  if (isTable(sample)) throw new UnknownTable(file, sample);
  // Its reader says what is missing.
  if (byName !== null) return ownFormat(byName, sample, byName);
  throw new InputError(
    `${name}: expected reviews as a table, a list in JSON, or an export that docs/import.md names, got none; ` +
      `export them as CSV, Excel or JSON, or ${AS_TABLE}`,
  );
}

function isTable({ shape, header, records, lists, isDamaged }: Sample): boolean {
  if (shape === 'html' || isDamaged) return false;
  if (shape === 'csv') return header.length >= 2 && records.length > 0;
  return [...lists.values()].some((items) =>
    items.some((item) => JSON.stringify(item).split(':').length > 2),
  );
}

function ambiguous(name: string, readers: readonly Reader[], own: Format | null): InputError {
  const formats = [
    ...(own === null ? [] : [{ name: own, title: OWN_TITLES[own] }]),
    ...readers.map((reader) => ({ name: reader.name, title: reader.title })),
  ];
  return new InputError(
    `${name}: expected a file of one format, got one that can be ` +
      `${formats.map(({ title }) => title).join(' or ')}; choose with ` +
      formats.map((format) => `--format ${format.name}`).join(' or '),
  );
}

function itemsFor(reader: JsonReader, { shape, lists }: Sample): JsonObject[] {
  const paths = shape === 'ndjson' ? [''] : shape === 'json' ? reader.lists : [];
  return paths.flatMap((path) => lists.get(path) ?? []).filter((item) => reader.recognise(item));
}

function recognises(reader: Reader, sample: Sample): boolean {
  const { shape, header } = sample;
  if (reader.kind === 'json') return itemsFor(reader, sample).length > 0;
  if (reader.kind === 'html') return shape === 'html';
  if (shape !== 'csv') return false;
  const columns = columnsOf(reader, header);
  const hasRequired = reader.required.every((column) => columns.has(column));
  return hasRequired && reader.distinctive.some((column) => columns.has(column));
}

function ownShape({ shape, lists, header, records }: Sample): Format | null {
  if (shape === 'csv') {
    const names = header.map((column) => column.trim());
    const indexes = ['author', 'rating', 'date'].map((column) => names.indexOf(column));
    if (indexes.includes(-1)) return null;
    const rows = records.map((record) => indexes.map((index) => record[index]?.trim()));
    return areOwn(rows) ? 'csv' : null;
  }
  if (shape === 'html') return null;
  const items = OWN_LISTS.flatMap((path) => lists.get(path) ?? []);
  const hasKeys = ({ author, rating, date }: JsonObject) =>
    typeof author === 'string' && rating !== undefined && typeof date === 'string';
  const rows = items.filter(hasKeys).map(({ author, rating, date }) => [author, rating, date]);
  return rows.length > 0 && areOwn(rows) ? shape : null;
}
const TELLING_ROWS = 4;

/** Whether most dates and ratings are as ours: those of other formats are read by a mapping. */
function areOwn(rows: readonly (readonly unknown[])[]): boolean {
  const own = rows.filter(
    ([, rating, date]) => typeof date === 'string' && isDate(date) && Number(rating) <= 5,
  );
  if (rows.length > 1 && own.length === 0) return false;
  return rows.length < TELLING_ROWS || own.length * 2 >= rows.length;
}

function ownFormat(format: Format, sample: Sample, byName: Format | null): ChosenFormat {
  const { delimiter } = sample;
  const columns = format === 'csv' ? separatedBy(delimiter) : '';
  const keys = [...FIELDS, 'owner_reply.', 'attributes.', 'ratings.'];
  const others = otherWords(sample, (name) => keys.some((key) => name.startsWith(key)));
  const remarks = [
    ...(format === byName && columns === '' ? [] : [`read as ${OWN_TITLES[format]}${columns}`]),
    ...(others === ''
      ? []
      : [
          `words in ${others} are not read; "import FILE --map" prints a mapping that can add them`,
        ]),
  ];
  return {
    name: format,
    page: null,
    remark: remarks.length === 0 ? null : remarks.join('; '),
    read: (source, onBusiness) => readOwn(source, format, { delimiter, onBusiness }),
  };
}

function mappedFormat(format: Format, mapping: Mapping, sample: Sample): ChosenFormat {
  const delimiter = mapping.delimiter ?? sample.delimiter;
  const isDetected = format === 'csv' && mapping.delimiter === undefined;
  const columns = isDetected ? separatedBy(delimiter) : '';
  const remarks = [
    ...withoutWords(mapping, sample),
    ...(columns === '' ? [] : [`read by the mapping${columns}`]),
  ];
  return {
    name: null,
    page: sample.shape === 'json' ? pageOf(sample.text) : null,
    remark: remarks.length === 0 ? null : remarks.join('; '),
    read: (source) => {
      const { header, list } = mapping;
      if (format === 'csv') {
        return withReplies(readTable(source, delimiter, openMapped(mapping), header !== false));
      }
      const lists = list === undefined ? OWN_LISTS : [list];
      return withReplies(readItems(source, { format, lists }, itemMapper(mapping)));
    },
  };
}

/** Whether a table has a column that a mapping reads. */
function hasMapped({ columns }: Mapping, sample: Sample): boolean {
  const mapped = Object.values(columns ?? {}).flatMap(columnsAt);
  return sampledTable(sample).columns.some(({ name }) => mapped.includes(name));
}

function otherWords(sample: Sample, isRead: (name: string) => boolean): string {
  const { columns } = sampledTable(sample);
  const others = columns.filter(({ name, prose }) => prose > 0.5 && !isRead(name));
  return others.map(({ name }) => show(name)).join(' or ');
}

function withoutWords({ columns }: Mapping, sample: Sample): string[] {
  if (columns === undefined || columns.text !== undefined) return [];
  const mapped = Object.values(columns).flatMap(columnsAt);
  const names = otherWords(sample, (name) => mapped.includes(name));
  if (names === '') return [];
  return [
    `the mapping has no "text", so these reviews have no words; if they are in ${names}, ` +
      'add it to "columns" as "text" and import again',
  ];
}

function readerFormat(reader: Reader, sample: Sample): ChosenFormat {
  const { delimiter, shape, text } = sample;
  const known = reader.kind === 'csv' ? Object.values(reader.columns).flat().map(plainName) : [];
  // Ids and addresses say nothing of a review.
  const others = sampledTable(sample).columns.filter(
    ({ name, values, isUrls, dates }) =>
      !(values.length === 0 || isUrls || dates[0]) &&
      !known.includes(plainName(name)) &&
      !/\b(?:id|e-?mail|ip|url|sku|phone|code|epoch)\b|_(?:id|ip|email|url)$/i.test(name),
  );
  const unread = others[0] ? `; not read: ${others.map(({ name }) => show(name)).join(', ')}` : '';
  const columns = reader.kind === 'csv' ? `${separatedBy(delimiter)}${unread}` : '';
  const json = reader.kind === 'json' ? reader : null;
  const asked = json && itemsFor(json, sample).map((item) => json.asks?.(item) ?? null);
  return {
    name: reader.name,
    page: shape === 'json' ? pageOf(text, json?.limit) : null,
    asks: asked?.find((why) => why !== null) ?? null,
    remark: `read as ${reader.title} (${reader.name})${columns}`,
    read: (source) => {
      if (reader.kind === 'csv') return decoded(readTable(source, delimiter, openPlatform(reader)));
      if (reader.kind === 'html') return decoded(reader.read(source));
      const format = shape === 'ndjson' ? 'ndjson' : 'json';
      const options = { format, lists: reader.lists } as const;
      return decoded(readJsonOf(reader, source, options));
    },
  };
}
async function* decoded(rows: AsyncGenerator<Row>): AsyncGenerator<Row> {
  for await (const row of rows)
    yield 'record' in row ? { ...row, record: withoutEntities(row.record) } : row;
}
function separatedBy(delimiter: string): string {
  return delimiter === ',' ? '' : `, separated by ${DELIMITER_NAMES[delimiter] ?? show(delimiter)}`;
}

/** What the import reports about a file after reading it; null if there is nothing to report. */
export function remarkOn(source: FileSource, { remark }: ChosenFormat): string | null {
  const encoding = source.encoding();
  const parts = [
    ...(remark === null ? [] : [remark]),
    ...(encoding === 'utf-8'
      ? []
      : [`${remark === null ? 'read as ' : ''}${ENCODING_NAMES[encoding]}`]),
    ...(source.unread.length === 0
      ? []
      : [`sheets with other headings are not read: ${source.unread.map(show).join(', ')}`]),
  ];
  return parts.length === 0 ? null : `${source.name}: ${parts.join(', ')}`;
}
