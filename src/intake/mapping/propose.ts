// A mapping for a file of an unknown format, proposed from the names and the values of its columns.

import { show } from '../../errors.ts';
import { fold } from '../../model/fold.ts';
import { NAMES, STATUS } from './column-names.ts';
import { compileDateFormat } from './date-format.ts';
import { type Field, type Mapping, OPEN, REQUIRED } from './mapping.ts';
import type { Sample } from '../formats/sample.ts';
import { isObject, type JsonObject, scalarText } from '../readers/values.ts';

/** A column of a CSV file, or a path in JSON, with its values that are not empty. */
export interface SampledColumn {
  readonly name: string;
  readonly values: readonly string[];
}

/** Different values that a column of words may have. */
const WORDS = 12;

const DATE_FORMATS = [
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

/** What a file of an unknown format seems to be. */
export interface Proposal {
  readonly columns: readonly SampledColumn[];
  /** The column of each field; null if a person has to say which. */
  readonly fields: ReadonlyMap<Field, SampledColumn | null>;
  /** As the mapping file has it, with `OPEN` where the file does not decide. */
  readonly mapping: Readonly<Record<string, unknown>>;
  /** What is open: its place in the mapping, and the question. */
  readonly questions: readonly string[];
}

/** `constants`: what is known of all rows. */
export function propose(
  sample: Sample,
  constants: Pick<Mapping['constants'], 'source' | 'verified_by'>,
): Proposal {
  const { list, columns } = columnsOf(sample);
  const questions: string[] = [];
  const fields = chooseColumns(columns, questions);
  const free = columns.filter((column) => ![...fields.values()].includes(column));
  const needsSource = constants.source === undefined && !fields.has('source');
  const mapping = {
    ...(list === null ? {} : { list }),
    columns: Object.fromEntries(
      [...fields].map(([field, column]) => [field, column?.name ?? OPEN]),
    ),
    ...decideDates(fields.get('date')?.values ?? [], questions),
    ...decideRatings(distinct(fields.get('rating')?.values ?? []), questions),
    ...decideRows(free, questions),
  };
  if (needsSource) {
    questions.push(
      'constants.source: where these reviews were written, such as google or our own site',
    );
  }
  const known = { ...(needsSource ? { source: OPEN } : {}), ...constants };
  const isEmpty = Object.keys(known).length === 0;
  return {
    columns,
    fields,
    questions,
    mapping: isEmpty ? mapping : { ...mapping, constants: known },
  };
}

/** The best column of each field. Fields that need one, or for which several fit as well, are asked. */
function chooseColumns(
  columns: readonly SampledColumn[],
  questions: string[],
): Map<Field, SampledColumn | null> {
  const fields = new Map<Field, SampledColumn | null>();
  const free = new Set(columns);
  const asked = new Map<Field, readonly SampledColumn[]>();
  for (const field of Object.keys(NAMES) as Field[]) {
    const scores = new Map([...free].map((column) => [column, scoreOf(field, column)]));
    const best = Math.max(0, ...scores.values());
    const equal = [...free].filter((column) => best > 0 && scores.get(column) === best);
    if (equal.length > 1) asked.set(field, equal);
    const [column] = equal;
    if (column === undefined) continue;
    fields.set(field, column);
    free.delete(column);
  }
  const taken = [...REQUIRED, 'text' as const].map((field) => fields.get(field));
  const open = columns.filter((column) => !taken.includes(column));
  for (const field of REQUIRED) {
    if (fields.has(field)) continue;
    const fitting = open.filter(({ values }) => fitsField(field, values) !== false);
    asked.set(field, fitting.length > 0 ? fitting : open);
  }
  const texts = [...free].filter(({ values }) => isText(values));
  if (!fields.has('text') && texts.length > 0) {
    asked.set(
      'text',
      texts.toSorted((one, other) => meanLength(other) - meanLength(one)),
    );
  }
  for (const [field, choices] of asked) {
    const isOptional = field === 'text' && !fields.has('text');
    fields.set(field, null);
    const named = choices.map(({ name, values }) =>
      [name, ...values.slice(0, 1).map(shorten)].join(': '),
    );
    questions.push(
      `columns.${field}: which column has ${NAMED[field] ?? field} (${named.join(', ')})` +
        (isOptional ? '; remove it if these reviews have no words' : ''),
    );
  }
  return fields;
}

const NAMED: Readonly<Partial<Record<Field, string>>> = {
  author: "the reviewer's name",
  rating: 'the rating',
  date: 'the date of the review',
  text: 'the words of the review',
};

function decideDates(values: readonly string[], questions: string[]): object {
  const formats = dateFormatsOf(values);
  if (formats.length === 1) return { date_format: formats[0] };
  const choices = formats.length > 0 ? formats : DATE_FORMATS;
  const example = values.length > 0 ? ` ${show(values[0])}` : '';
  questions.push(`date_format: how is the date${example} written (${choices.join(', ')})`);
  return { date_format: OPEN };
}

function decideRatings(values: readonly string[], questions: string[]): object {
  const words = values.filter((value) => numberOf(value) === null);
  const numbers = values.flatMap((value) => numberOf(value) ?? []);
  const isOtherScale = Math.max(0, ...numbers) > 5 || numbers.includes(0);
  if (words.length > 0) questions.push('rating_values: how many stars each word is, 1 to 5');
  if (isOtherScale) questions.push('rating_scale: the worst and the best rating of the scale');
  return {
    ...(words.length > 0 && {
      rating_values: Object.fromEntries(words.map((word) => [word, OPEN])),
    }),
    ...(values.some((value) => /^\d+,\d+$/.test(value)) && { decimal: ',' }),
    ...(isOtherScale && { rating_scale: { min: OPEN, max: OPEN } }),
  };
}

/** If a column says which reviews are published, its values are asked. */
function decideRows(free: readonly SampledColumn[], questions: string[]): object {
  const status = free.find(
    ({ name, values }) => STATUS.includes(plainName(name)) && distinct(values).length <= WORDS,
  );
  const values = distinct(status?.values ?? []);
  if (status === undefined || values.length < 2) return {};
  questions.push(
    `only: which values of ${show(status.name)} are published (${values.map(show).join(', ')}); ` +
      'remove it to read all',
  );
  return { only: { [status.name]: [OPEN] } };
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
function fitsField(field: Field, values: readonly string[]): boolean | null {
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
function dateFormatsOf(values: readonly string[]): string[] {
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
function numberOf(text: string): number | null {
  return /^\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : null;
}

export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** A value as messages show it. */
export function shorten(text: string): string {
  return text.length > 30 ? `${text.slice(0, 29)}…` : text;
}
