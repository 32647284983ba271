// Rows by a mapping: the values of a CSV record or of a JSON object, as the mapping names them, to a record
// with the keys of our own format.

import { InputError, show } from '../../errors.ts';
import { fold } from '../../model/fold.ts';
import { compileDateFormat, type DateFormat } from './date-format.ts';
import { dateOfTimestamp } from '../instant.ts';
import { type Field, FIELDS, type Mapping, REQUIRED } from './mapping.ts';
import type { Row } from '../record.ts';
import { isObject, memberAt, REPLY_LEFT_OUT, scalarText } from '../readers/values.ts';

/** The columns of a CSV file that a mapping names. */
export interface MappedColumns {
  readonly mapper: Mapper;
  readonly count: number;
  readonly indexes: ReadonlyMap<Field, number>;
  /** Indexes of the columns of `only`. */
  readonly filters: ReadonlyMap<string, number>;
}

/** Finds the mapped columns in the header. @throws {InputError} naming those that are missing. */
export function requireColumns(
  name: string,
  header: readonly string[],
  mapping: Mapping,
): MappedColumns {
  const names = header.map((column) => column.trim());
  const indexes = new Map<Field, number>();
  const missing: string[] = [];
  for (const field of FIELDS) {
    // Without a mapping, columns have the names of the fields, and most may be absent.
    const column = mapping.columns ? mapping.columns[field] : field;
    const index = column === undefined ? -1 : names.indexOf(column);
    if (index >= 0) indexes.set(field, index);
    else if (
      (REQUIRED.includes(field) && !isConstant(field, mapping)) ||
      (mapping.columns && column !== undefined)
    ) {
      missing.push(column ?? field);
    }
  }
  const filters = new Map(Object.keys(mapping.only).map((key) => [key, names.indexOf(key)]));
  for (const [column, index] of filters) if (index < 0) missing.push(column);
  if (missing.length > 0) {
    throw new InputError(
      `${name}:1: expected the ${missing.length === 1 ? 'column' : 'columns'} ` +
        `${missing.map(show).join(', ')}, got ${names.map(show).join(', ')}`,
    );
  }
  return { mapper: new Mapper(mapping, indexes), count: header.length, indexes, filters };
}

function isConstant(field: Field, { constants }: Mapping): boolean {
  return field === 'author' && constants.author !== undefined;
}

/** Turns the values of a CSV record into a record with the keys of a JSON file. */
export function mapRow(values: readonly string[], columns: MappedColumns, line: number): Row {
  if (values.length !== columns.count) {
    return { line, refusal: `expected ${columns.count} values, got ${values.length}` };
  }
  const at = (index: number | undefined) =>
    index === undefined ? null : (values[index] as string);
  return columns.mapper.map(line, {
    field: (field) => at(columns.indexes.get(field)),
    filter: (column) => at(columns.filters.get(column)),
  });
}

/** Turns an object of a JSON file into a record, by the paths of a mapping. */
export function mapItem(item: unknown, mapper: Mapper, line: number): Row {
  if (!isObject(item))
    return { line, refusal: `expected a review as an object, got ${show(item)}` };
  const { columns } = mapper.mapping;
  const at = (path: string | undefined) => {
    if (path === undefined) return null;
    return Object.hasOwn(item, path) ? item[path] : memberAt(item, path);
  };
  return mapper.map(line, {
    field: (field) => at(columns ? columns[field] : field),
    filter: at,
  });
}

interface Values {
  readonly field: (field: Field) => unknown;
  readonly filter: (column: string) => unknown;
}

/** A mapping with its parsed date format. */
export class Mapper {
  readonly mapping: Mapping;
  readonly #dates: DateFormat;
  readonly #ratings: ReadonlyMap<string, number>;
  readonly #verified: ReadonlySet<string>;
  readonly #only: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #saysVerified: boolean;

  /** `fields`: those that the file has. */
  constructor(mapping: Mapping, fields: { has(field: Field): boolean }) {
    const { date_format: format, time_zone: zone, rating_values: ratings, only } = mapping;
    this.mapping = mapping;
    const dates = compileDateFormat(format, zone);
    if (dates === null) throw new Error(`${format} was not checked`);
    this.#dates = dates;
    this.#ratings = new Map(Object.entries(ratings).map(([text, stars]) => [fold(text), stars]));
    this.#verified = new Set(mapping.verified_values.map(fold));
    this.#only = new Map(
      Object.entries(only).map(([key, values]) => [
        key,
        new Set(values.map((value) => fold(String(value)))),
      ]),
    );
    this.#saysVerified = fields.has('verified');
  }

  map(line: number, values: Values): Row {
    for (const [column, accepted] of this.#only) {
      const value = values.filter(column);
      const text = fold(scalarText(value) ?? '');
      if (!accepted.has(text)) return { line, leftOut: `${column} is ${show(value ?? '')}` };
    }
    return new MappedRow(this.mapping, values).finish(line, {
      dates: this.#dates,
      ratings: this.#ratings,
      verified: this.#verified,
      saysVerified: this.#saysVerified,
    });
  }
}

interface Parsers {
  readonly dates: DateFormat;
  readonly ratings: ReadonlyMap<string, number>;
  readonly verified: ReadonlySet<string>;
  /** Whether a column says which rows are verified. */
  readonly saysVerified: boolean;
}

/** One row while it is mapped. */
class MappedRow {
  readonly #mapping: Mapping;
  readonly #values: Values;
  readonly #problems: string[] = [];
  readonly #notes: string[] = [];

  constructor(mapping: Mapping, values: Values) {
    this.#mapping = mapping;
    this.#values = values;
  }

  finish(line: number, { dates, ratings, verified: verifiedValues, saysVerified }: Parsers): Row {
    const { constants, date_format: format, rating_scale: scale } = this.#mapping;
    const readDate = (field: Field) =>
      this.#read(field, (text) => dates.parse(text), `a date that exists, written ${format}`);
    const verifiedText = this.#text('verified');
    const verified = verifiedText === null ? null : verifiedValues.has(fold(verifiedText));
    // If a column says which rows are verified, the constant is for those alone.
    const saysNothing = saysVerified && verified === null;
    const howVerified = saysNothing ? null : (constants.verified_by ?? null);
    const record = {
      id: this.#text('id'),
      source_id: this.#text('source_id'),
      author: this.#text('author') ?? constants.author ?? null,
      author_avatar_url: this.#text('author_avatar_url'),
      rating: this.#read(
        'rating',
        (text) => ratings.get(fold(text)) ?? this.#stars(text),
        `a number from ${scale.min} to ${scale.max}`,
      ),
      date: readDate('date'),
      title: this.#text('title'),
      text: this.#text('text'),
      source: this.#text('source') ?? constants.source ?? null,
      source_url: this.#text('source_url'),
      owner_reply: this.#reply(() => readDate('owner_reply_date')),
      verified,
      verified_by: this.#text('verified_by') ?? howVerified,
      verified_level: this.#text('verified_level') ?? constants.verified_level ?? null,
      verified_at: this.#read(
        'verified_at',
        (text) => dates.parse(text) ?? dateOfTimestamp(text),
        `a date that exists, written ${format} or in ISO 8601`,
      ),
    };
    if (this.#problems.length > 0) return { line, refusal: this.#problems.join('; ') };
    return { line, record, ...(this.#notes.length > 0 ? { notes: this.#notes } : {}) };
  }

  /** One without a date is left out, as from platforms. Our own columns have to have both. */
  #reply(readDate: () => string | null): { text: string; date: string | null } | null {
    const text = this.#text('owner_reply_text');
    if (text === null) return null;
    const hasDate = this.#text('owner_reply_date') !== null;
    if (hasDate || this.#mapping.columns === undefined) return { text, date: readDate() };
    this.#notes.push(REPLY_LEFT_OUT);
    return null;
  }

  /** The value as text without surrounding white space; null if it is absent or empty. */
  #text(field: Field): string | null {
    const value = this.#values.field(field);
    if (value === null || value === undefined) return null;
    if (typeof value === 'object') {
      this.#problems.push(
        `${field}: expected a text, a number or true or false, got ${show(value)}`,
      );
      return null;
    }
    return scalarText(value);
  }

  /** Parses a value as the file writes it; a value that cannot be parsed is a problem of the row. */
  #read<T>(field: Field, parse: (text: string) => T | null, what: string): T | null {
    const problems = this.#problems.length;
    const text = this.#text(field);
    if (this.#problems.length > problems) return null;
    const value = text === null ? null : parse(text);
    const isNeeded = REQUIRED.includes(field);
    if (value === null && (text !== null || isNeeded)) {
      this.#problems.push(`${field}: expected ${what}, got ${show(text ?? undefined)}`);
    }
    return value;
  }

  /**
   * Parses a rating in stars: converted from its scale and rounded to the nearest, a half up. A file with
   * our own columns has stars already, so a half of them is refused with the record.
   */
  #stars(text: string): number | null {
    const { rating_scale: scale, decimal, columns } = this.#mapping;
    const { min, max } = scale;
    const isNumber = decimal === ',' ? /^-?\d+(?:[.,]\d+)?$/ : /^-?\d+(?:\.\d+)?$/;
    const rating = isNumber.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
    if (!(rating >= min && rating <= max)) return null;
    const isStars = min === 1 && max === 5;
    if (isStars && columns === undefined) return rating;
    const stars = 1 + Math.round(((rating - min) * 4) / (max - min));
    if (isStars && stars !== rating) this.#notes.push(`rating ${text} rounded to ${stars} stars`);
    return stars;
  }
}
