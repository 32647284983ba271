// A mapping for a file of an unknown format, proposed from the names and the values of its columns.

import { fold } from '../../model/fold.ts';
import { NAMES, STATUS } from './column-names.ts';
import { compileDateFormat } from './date-format.ts';
import type { Field, Mapping } from './mapping.ts';
import type { JsonObject } from '../readers/values.ts';
import type { Sample } from '../formats/sample.ts';
import { isObject, scalarText } from '../readers/values.ts';

/** A column of a CSV file, or a path in JSON, with its values that are not empty. */
export interface SampledColumn {
  readonly name: string;
  readonly values: readonly string[];
}

/** Different values that a column of words may have. */
const WORDS = 12;

export const DATE_FORMATS = [
  'yyyy-MM-dd',
  'iso',
  'dd/MM/yyyy',
  'MM/dd/yyyy',
  'dd.MM.yyyy',
  'dd-MM-yyyy',
  'MM-dd-yyyy',
  'yyyy/MM/dd',
  'dd.MM.yy',
  'dd/MM/yy',
  'MM/dd/yy',
  'do MMMM yyyy',
  'd MMMM yyyy',
  'd MMM yyyy',
  'MMMM d, yyyy',
  'MMM d, yyyy',
  'dd/MM/yyyy HH:mm',
  'MM/dd/yyyy HH:mm',
  'dd/MM/yyyy HH:mm:ss',
  'MM/dd/yyyy HH:mm:ss',
  'M/d/yyyy h:mm a',
  'dd.MM.yyyy HH:mm',
  'dd.MM.yyyy HH:mm:ss',
  'EEE, d MMM yyyy HH:mm:ss xx',
  'EEE MMM dd yyyy',
  't',
  'T',
] as const;

export interface Proposal {
  /** In JSON, the path of the list of reviews; null for CSV and NDJSON. */
  readonly list: string | null;
  readonly columns: readonly SampledColumn[];
  /** The best column of each field that has one. */
  readonly fields: ReadonlyMap<Field, SampledColumn>;
  /** Fields for which another column fits as well, with all of them. */
  readonly unclear: ReadonlyMap<Field, readonly SampledColumn[]>;
  /** Says which rows are published. */
  readonly status: SampledColumn | null;
  /** Columns for no field whose values look like text, the longest texts first. */
  readonly texts: readonly SampledColumn[];
}

export function propose(sample: Sample): Proposal {
  const { list, columns } = columnsOf(sample);
  const fields = new Map<Field, SampledColumn>();
  const unclear = new Map<Field, readonly SampledColumn[]>();
  const free = new Set(columns);
  for (const field of Object.keys(NAMES) as Field[]) {
    const ranked = [...free]
      .map((column) => ({ column, score: scoreOf(field, column) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score);
    const best = ranked[0];
    if (best === undefined) continue;
    fields.set(field, best.column);
    free.delete(best.column);
    const equal = ranked.filter(({ score }) => score === best.score).map(({ column }) => column);
    if (equal.length > 1) unclear.set(field, equal);
  }
  const status = [...free].find(
    ({ name, values }) => STATUS.includes(plainName(name)) && distinct(values).length <= WORDS,
  );
  const texts = [...free].filter(({ values }) => isText(values));
  return {
    list,
    columns,
    fields,
    unclear,
    status: status ?? null,
    texts: texts.toSorted((one, other) => meanLength(other) - meanLength(one)),
  };
}

/** Names of columns that look like text, without those that a mapping names. */
export function unmappedTexts(sample: Sample, mapping: NonNullable<Mapping['columns']>): string[] {
  const mapped = Object.values(mapping);
  return columnsOf(sample)
    .columns.filter(({ name, values }) => !mapped.includes(name) && isText(values))
    .map(({ name }) => name);
}

/** Whether the values are sentences, and not numbers, dates or a few words that repeat. */
function isText(values: readonly string[]): boolean {
  // Scripts without spaces have letters without case.
  if (!values.some((value) => /\p{L}\S*\s+\S*\p{L}|\p{Lo}{4}/u.test(value))) return false;
  const kinds = distinct(values);
  const isEnumeration = values.length >= 2 * kinds.length && kinds.length <= WORDS;
  if (isEnumeration && kinds.every((value) => value.length <= 40)) return false;
  return dateFormatsOf(values).length === 0;
}

function meanLength({ values }: SampledColumn): number {
  return values.reduce((sum, { length }) => sum + length, 0) / values.length;
}

function columnsOf({ shape, header, records, lists }: Sample): {
  list: string | null;
  columns: SampledColumn[];
} {
  if (shape === 'csv') {
    const columns = header.map((name, index) => ({
      name: name.trim(),
      values: records.flatMap((record) => record[index]?.trim() || []),
    }));
    return { list: null, columns: columns.filter(({ name }) => name !== '') };
  }
  // The list of most objects is the one of reviews.
  const [list = '', items = []] =
    [...lists].toSorted(([, one], [, other]) => other.length - one.length)[0] ?? [];
  const values = new Map<string, string[]>();
  for (const item of items) collect(item, '', values);
  return {
    list: shape === 'json' ? list : null,
    columns: [...values].map(([name, found]) => ({ name, values: found })),
  };
}

/** Levels of a JSON object that are looked at. */
const DEPTH = 3;

function collect(value: JsonObject, prefix: string, values: Map<string, string[]>): void {
  for (const [key, member] of Object.entries(value)) {
    const path = prefix + key;
    const text = scalarText(member);
    if (text !== null) values.set(path, [...(values.get(path) ?? []), text]);
    else if (isObject(member) && path.split('.').length < DEPTH)
      collect(member, `${path}.`, values);
  }
}

function plainName(name: string): string {
  return fold(name).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** 0 if the column cannot hold the field. */
function scoreOf(field: Field, { name, values }: SampledColumn): number {
  const names = NAMES[field] ?? [];
  const [whole, last] = [plainName(name), plainName(name.split('.').at(-1) ?? name)];
  const isOwn = fold(name) === field ? 1 : 0;
  const fits = fitsField(field, values);
  if (fits === false) return 0;
  if (names.includes(whole) || isOwn === 1) return 6 + isOwn;
  if (name.includes('.') && names.includes(last)) return 5;
  const part = names.some(
    (known) => known.length > 3 && (whole.endsWith(known) || whole.startsWith(known)),
  );
  if (part) return 3;
  // Without a known name, only dates and ratings are recognised by their values.
  return fits === true ? 1 : 0;
}

/** True if only such a field has these values, false if it cannot have them, null if it may. */
export function fitsField(field: Field, values: readonly string[]): boolean | null {
  if (values.length === 0) return field === 'rating' || field === 'date' ? false : null;
  if (field === 'rating') {
    const numbers = values.map(numberOf);
    if (numbers.every((number) => number !== null && number >= 0 && number <= 100)) return null;
    return distinct(values).length <= WORDS && values.every((value) => value.length <= 40)
      ? null
      : false;
  }
  if (field === 'date' || field === 'owner_reply_date') {
    return dateFormatsOf(values).length > 0 ? (field === 'date' ? true : null) : false;
  }
  if (field === 'source_url' || field === 'author_avatar_url') {
    return values.every((value) => /^https?:\/\//i.test(value)) ? null : false;
  }
  // "Response" also names the score of a survey, and "Response Type" its kinds.
  if (field === 'owner_reply_text') return isText(values) ? null : false;
  if (field === 'verified') return distinct(values).length <= 4 ? null : false;
  return null;
}

/** The formats in which all of the values are dates. */
export function dateFormatsOf(values: readonly string[]): string[] {
  if (values.length === 0) return [];
  return DATE_FORMATS.filter((format) => {
    // Numbers are times since 1970 only if they are of our days.
    if (format === 't' && !values.every((value) => /^1\d{9}$/.test(value))) return false;
    if (format === 'T' && !values.every((value) => /^1\d{12}$/.test(value))) return false;
    const dates = compileDateFormat(format);
    return values.every((value) => dates?.parse(value));
  }).filter((format, _, all) => format !== 'iso' || !all.includes('yyyy-MM-dd'));
}

/** A number with a point or a comma. */
export function numberOf(text: string): number | null {
  return /^\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : null;
}

export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
