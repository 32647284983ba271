// The mapping of a file: which column or path holds which value, and how dates and ratings are written.

import { z } from 'zod';
import { InputError, show, formatIssue } from '../../errors.ts';
import { issuesOf } from '../../model/issues.ts';
import { PLAIN_COLUMNS } from '../../model/review-columns.ts';
import { partNameOf } from '../../model/review-parts.ts';
import { parseWritten } from '../../model/written-json.ts';
import { isDate } from '../../model/date.ts';
import { ENCODINGS } from '../text/encoding.ts';
import { compileDateFormat } from './date-format.ts';

/** What a column of a file can hold: a column of the review, or its id. */
export const FIELDS = ['id', 'source_id', ...PLAIN_COLUMNS] as const;
export type Field = (typeof FIELDS)[number];

/** A review needs these three. */
export const REQUIRED: readonly Field[] = ['author', 'rating', 'date'];

const column = z.string().min(1);
const constant = z.string().trim().min(1);

const placeOf = {
  /** Of several columns the first that has a value; of an author all, such as first and last name. */
  field: z.union([column, z.array(column).min(1)]).optional(),
  /** Names side by side, or lists of such of which the first that has a value counts. */
  author: z.union([column, z.array(z.union([column, z.array(column).min(1)])).min(1)]).optional(),
  /** Of several columns, what introduces the words of each: `{ "Liked": "Positive review" }`. */
  text: z.union([column, z.array(column).min(1), z.record(z.string(), column)]).optional(),
};
export type Place =
  | string
  | readonly (string | readonly string[])[]
  | Readonly<Record<string, string>>;

export function columnsAt(place: Place | undefined): readonly string[] {
  if (place === undefined) return [];
  return typeof place === 'string' ? [place] : Object.values(place).flat();
}

/** The names of the columns of a header; one without a name is called by its number. */
export function columnNames(header: readonly string[]): string[] {
  return header.map((name, index) => name.trim() || String(index + 1));
}

/** Names, such as "route", to the columns or paths of their values. */
const parts = z
  .record(
    z.string().refine((name) => partNameOf(name) !== null, {
      error: ({ input }) => `expected a name such as "seat_comfort", got ${show(input)}`,
    }),
    column,
  )
  .default({});
const scale = z
  .strictObject({ min: z.number(), max: z.number() })
  .refine(({ min, max }) => min !== max, { error: 'expected min and max to differ' })
  .default({ min: 1, max: 5 });

const rowValues = z
  .record(z.string().min(1), z.array(z.union([z.string(), z.number(), z.boolean()])).min(1))
  .default({});

const dateFormat = z.string().refine((format) => compileDateFormat(format) !== null, {
  error: ({ input }) =>
    `expected a format with day, month and year such as "dd/MM/yyyy", got ${show(input)}`,
});

export const mappingSchema = z.strictObject({
  /** In JSON, the path of the list of reviews. */
  list: z
    .string()
    .regex(/^(?:[^.]+(?:\.[^.]+)*)?$/, { error: 'expected keys with "." between them' })
    .optional(),
  /** Field to the name of its column, or in JSON to its path. Fields that are absent here are not read. */
  columns: z
    .strictObject(
      Object.fromEntries(
        FIELDS.map((field) => [field, placeOf[field as keyof typeof placeOf] ?? placeOf.field]),
      ) as Record<Exclude<Field, 'author' | 'text'>, typeof placeOf.field> &
        Omit<typeof placeOf, 'field'>,
    )
    .optional(),
  attributes: parts,
  /** Part scores, on the scale `ratings_scale`. */
  ratings: parts,
  constants: z
    .strictObject({
      source: constant,
      author: constant,
      verified_by: constant,
      verified_level: constant,
      location: constant,
      date: constant.refine(isDate, { error: 'expected a date as YYYY-MM-DD' }),
    })
    .partial()
    .default({}),
  /** Column or path to the values of the rows that are read; the others are left out. */
  only: rowValues,
  /** The other way round: the values of the rows that are left out. */
  hidden: rowValues,
  /** The same of the rows whose authors agree that they are shown; the others are hidden if they are stored. */
  agreed: rowValues,
  private_replies: rowValues,
  /** Column or path to the values of the rows that are no reviews, but the reply to the one above. */
  reply_rows: rowValues,
  /** Column or path to the values of the rows whose author is not named. */
  nameless: rowValues,
  /** Unicode date tokens, such as "do MMMM yyyy" for "19th November 2023", "iso" or "plain"; of several the first that fits. */
  date_format: z.union([dateFormat, z.array(dateFormat).min(1)]).default('yyyy-MM-dd'),
  /** The day from which "3 weeks ago" counts: a date, or the column or path that has it. */
  relative_to: column.optional(),
  /** The worst and the best rating of the scale that the file uses; 6 and 1 of German grades. */
  rating_scale: scale,
  ratings_scale: scale,
  /** Column or path to the scales of its values: several surveys in one column of scores. */
  rating_scales: z.record(column, z.record(z.string().min(1), scale)).default({}),
  /** Values that stand for ratings, in any case. */
  rating_values: z.record(z.string().min(1), z.int().min(1).max(5)).default({}),
  decimal: z.enum(['.', ',']).default('.'),
  /** Values of the column `verified` that mean true, in any case. */
  verified_values: z.array(z.string().min(1)).default(['true', 'yes', '1']),
  /** Values that neither prove anything nor say that a row is not verified, such as "verified reviewer". */
  verified_levels: z.array(z.string().min(1)).default([]),
  /** False if the first line of a CSV file is a row: then columns are called "1", "2" and so on. */
  header: z.literal(false).optional(),
  /** If it is absent, it is detected. */
  delimiter: z
    .string()
    .regex(/^[^"\r\n]$/, { error: 'expected one character that is neither a quote nor a line end' })
    .optional(),
  /** If it is absent, it is detected. */
  encoding: z.enum(ENCODINGS).optional(),
});

export const ROW_RULES = [
  'only',
  'hidden',
  'agreed',
  'private_replies',
  'reply_rows',
  'nameless',
] as const;
export type RowRule = (typeof ROW_RULES)[number];
export type Mapping = z.infer<typeof mappingSchema>;

/** The columns or paths of attributes, of part scores, and of what says which rows are read and since when. */
export function otherPlaces(mapping: Mapping): string[] {
  const { attributes, ratings, relative_to: day } = mapping;
  const others = [...Object.values(attributes), ...Object.values(ratings)];
  const rows = new Set(ROW_RULES.flatMap((rule) => Object.keys(mapping[rule])));
  return [...others, ...rows, ...(day === undefined || isDate(day) ? [] : [day])];
}

/** Parses a mapping file. @throws {InputError} with every issue. */
export function parseMapping(name: string, text: string): Mapping {
  const example = '{ "columns": { "text": "Review", "rating": "Stars", "date": "Date" } }';
  const value = parseWritten(name, 'a mapping file', text, example);
  const result = mappingSchema.safeParse(value);
  if (result.success) return result.data;
  const lines = issuesOf(result.error).map((issue) => `${name}: ${formatIssue(issue)}`);
  throw new InputError(lines.join('\n'));
}
