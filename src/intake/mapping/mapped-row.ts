// Rows by a mapping: the values of a CSV record or of a JSON object, as the mapping names them, to a record
// with the keys of our own format.

import { InputError, show } from '../../errors.ts';
import { fold } from '../../model/fold.ts';
import {
  REVIEW_COLUMN_NAMES,
  REVIEW_COLUMNS,
  type ReviewColumn,
} from '../../model/review-columns.ts';
import { compileDateFormat, type DateFormat } from './date-format.ts';
import { dateOfTimestamp } from '../instant.ts';
import { type Field, FIELDS, type Mapping, REQUIRED } from './mapping.ts';
import type { Row } from '../record.ts';
import { isObject, ItemReading, memberAt, scalarText, starsOf } from '../readers/values.ts';

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
  readonly #parsers: Parsers;
  readonly #only: ReadonlyMap<string, ReadonlySet<string>>;

  /** `fields`: those that the file has. */
  constructor(mapping: Mapping, fields: { has(field: Field): boolean }) {
    const { date_format: format, time_zone: zone, rating_values: ratings, only } = mapping;
    this.mapping = mapping;
    const dates = compileDateFormat(format, zone);
    if (dates === null) throw new Error(`${format} was not checked`);
    this.#parsers = {
      dates,
      ratings: new Map(Object.entries(ratings).map(([text, stars]) => [fold(text), stars])),
      verified: new Set(mapping.verified_values.map(fold)),
      saysVerified: fields.has('verified'),
    };
    this.#only = new Map(
      Object.entries(only).map(([key, values]) => [
        key,
        new Set(values.map((value) => fold(String(value)))),
      ]),
    );
  }

  map(line: number, values: Values): Row {
    for (const [column, accepted] of this.#only) {
      const value = values.filter(column);
      const text = fold(scalarText(value) ?? '');
      if (!accepted.has(text)) return { line, leftOut: `${column} is ${show(value ?? '')}` };
    }
    return new MappedRow(this.mapping, values, this.#parsers).finish(line);
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
  readonly #parsers: Parsers;
  readonly #reading = new ItemReading();

  constructor(mapping: Mapping, values: Values, parsers: Parsers) {
    this.#mapping = mapping;
    this.#values = values;
    this.#parsers = parsers;
  }

  finish(line: number): Row {
    const { constants } = this.#mapping;
    const { verified: verifiedValues, saysVerified } = this.#parsers;
    const verifiedText = this.#text('verified');
    const verified = verifiedText === null ? null : verifiedValues.has(fold(verifiedText));
    // If a column says which rows are verified, the constant is for those alone.
    const saysNothing = saysVerified && verified === null;
    const howVerified = saysNothing ? null : (constants.verified_by ?? null);
    const { owner_reply_text, owner_reply_date, ...values } = this.#columns();
    const record = {
      id: this.#text('id'),
      source_id: this.#text('source_id'),
      ...values,
      author: values.author ?? constants.author ?? null,
      source: values.source ?? constants.source ?? null,
      owner_reply: this.#reply(owner_reply_text, owner_reply_date),
      verified,
      verified_by: values.verified_by ?? howVerified,
      verified_level: values.verified_level ?? constants.verified_level ?? null,
    };
    return { line, ...this.#reading.finish(record) };
  }

  #columns(): Record<ReviewColumn, string | number | null> {
    return Object.fromEntries(
      REVIEW_COLUMN_NAMES.map((column) => [column, this.#value(column)]),
    ) as Record<ReviewColumn, string | number | null>;
  }

  #value(column: ReviewColumn): string | number | null {
    const { date_format: format, rating_scale: scale } = this.#mapping;
    const { dates, ratings } = this.#parsers;
    switch (REVIEW_COLUMNS[column].reads) {
      case 'text':
        return column === 'verified' ? null : this.#text(column);
      case 'stars':
        return this.#read(
          column,
          (text) => ratings.get(fold(text)) ?? this.#stars(text),
          `a number from ${scale.min} to ${scale.max}`,
        );
      case 'date':
        return this.#read(
          column,
          (text) => dates.parse(text),
          `a date that exists, written ${format}`,
        );
      case 'day':
        return this.#read(
          column,
          (text) => dates.parse(text) ?? dateOfTimestamp(text),
          `a date that exists, written ${format} or in ISO 8601`,
        );
    }
  }

  /** One without a date is left out, as from platforms. Our own columns have to have both. */
  #reply(text: string | number | null, date: string | number | null): unknown {
    if (text === null) return null;
    const hasDate = this.#text('owner_reply_date') !== null;
    if (hasDate || this.#mapping.columns === undefined) return { text, date };
    return this.#reading.reply(text, null);
  }

  /** The value as text without surrounding white space; null if it is absent or empty. */
  #text(field: Field): string | null {
    return this.#reading.text(field, this.#values.field(field));
  }

  /** Parses a value as the file writes it; a value that cannot be parsed is a problem of the row. */
  #read<T>(field: Field, parse: (text: string) => T | null, what: string): T | null {
    const value = this.#values.field(field);
    return this.#reading.read(field, value, { parse, what, isNeeded: REQUIRED.includes(field) });
  }

  /**
   * Parses a rating in stars: converted from its scale and rounded. A file with our own columns has stars
   * already, so a half of them is refused with the record.
   */
  #stars(text: string): number | null {
    const { rating_scale: scale, decimal, columns } = this.#mapping;
    const rating = starsOf(text, scale, decimal === ',' ? '.,' : '.');
    if (rating === null) return null;
    const isStars = scale.min === 1 && scale.max === 5;
    if (isStars && columns === undefined) return rating.exact;
    if (isStars && rating.stars !== rating.exact) {
      this.#reading.notes.push(`rating ${text} rounded to ${rating.stars} stars`);
    }
    return rating.stars;
  }
}
