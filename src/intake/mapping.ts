// The mapping of a CSV file: which column holds which value, and how dates and ratings are written.

import { z } from 'zod';
import { InputError, show, formatIssue } from '../errors.ts';
import { fold } from '../model/fold.ts';
import { issuesOf } from '../model/issues.ts';
import { compileDateFormat, type DateFormat } from './date-format.ts';
import type { Row } from './record.ts';

/** What a column can hold: the keys of a record, with the two of a reply as fields of their own. */
const FIELDS = [
  'id',
  'source_id',
  'author',
  'author_avatar_url',
  'rating',
  'date',
  'title',
  'text',
  'source',
  'source_url',
  'owner_reply_text',
  'owner_reply_date',
  'verified',
  'verified_by',
  'verified_level',
  'verified_at',
] as const;
type Field = (typeof FIELDS)[number];

/** A review needs these three. */
const REQUIRED: readonly Field[] = ['author', 'rating', 'date'];

export const csvMappingSchema = z.strictObject({
  /** Field to the name of its column. Fields that are absent here are not read. */
  columns: z
    .strictObject(
      Object.fromEntries(FIELDS.map((field) => [field, z.string().min(1).optional()])) as Record<
        Field,
        z.ZodOptional<z.ZodString>
      >,
    )
    .optional(),
  /** Values for every row that has none of its own. */
  constants: z
    .strictObject({ source: z.string().trim().min(1), verified_by: z.string().trim().min(1) })
    .partial()
    .default({}),
  /** Unicode date tokens, such as "do MMMM yyyy" for "19th November 2023". */
  date_format: z
    .string()
    .refine((format) => compileDateFormat(format) !== null, {
      error: ({ input }) =>
        `expected a format with day, month and year such as "dd/MM/yyyy", got ${show(input)}`,
    })
    .default('yyyy-MM-dd'),
  /** The worst and the best rating of the scale that the file uses. */
  rating_scale: z
    .strictObject({ min: z.number(), max: z.number() })
    .refine(({ min, max }) => min < max, { error: 'expected min to be less than max' })
    .default({ min: 1, max: 5 }),
  /** Values of the column `verified` that mean true, in any case. */
  verified_values: z.array(z.string().min(1)).default(['true', 'yes', '1']),
  delimiter: z
    .string()
    .regex(/^[^"\r\n]$/, { error: 'expected one character that is neither a quote nor a line end' })
    .default(','),
});

export type CsvMapping = z.infer<typeof csvMappingSchema>;

/** Parses a mapping file. @throws {InputError} with every issue. */
export function parseMapping(name: string, text: string): CsvMapping {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InputError(`${name}: expected a mapping file in JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const result = csvMappingSchema.safeParse(value);
  if (result.success) return result.data;
  const lines = issuesOf(result.error).map((issue) => `${name}: ${formatIssue(issue)}`);
  throw new InputError(lines.join('\n'));
}

/** The index of each field in a row, and how its dates are written. */
export interface MappedColumns {
  readonly dates: DateFormat;
  readonly count: number;
  readonly indexes: ReadonlyMap<Field, number>;
}

/** Finds the mapped columns in the header. @throws {InputError} naming those that are missing. */
export function requireColumns(
  name: string,
  header: readonly string[],
  mapping: CsvMapping,
): MappedColumns {
  const names = header.map((column) => column.trim());
  const indexes = new Map<Field, number>();
  const missing: string[] = [];
  for (const field of FIELDS) {
    // Without a mapping, columns have the names of the fields, and most may be absent.
    const column = mapping.columns ? mapping.columns[field] : field;
    const index = column === undefined ? -1 : names.indexOf(column);
    if (index >= 0) indexes.set(field, index);
    else if (REQUIRED.includes(field) || (mapping.columns && column !== undefined)) {
      missing.push(column ?? field);
    }
  }
  if (missing.length > 0) {
    throw new InputError(
      `${name}:1: expected the ${missing.length === 1 ? 'column' : 'columns'} ` +
        `${missing.map(show).join(', ')}, got ${names.map(show).join(', ')}`,
    );
  }
  const dates = compileDateFormat(mapping.date_format);
  if (dates === null) throw new Error(`${mapping.date_format} was not checked`);
  return { dates, count: header.length, indexes };
}

/** Turns the values of a row into a record with the keys of a JSON file. */
export function mapRow(
  values: readonly string[],
  columns: MappedColumns,
  mapping: CsvMapping,
  line: number,
): Row {
  if (values.length !== columns.count) {
    return { line, refusal: `expected ${columns.count} values, got ${values.length}` };
  }
  const problems: string[] = [];
  const valueOf = (field: Field): string | null => {
    const index = columns.indexes.get(field);
    const value = index === undefined ? '' : (values[index] as string).trim();
    return value === '' ? null : value;
  };
  /** Parses a value as the file writes it; a value that cannot be parsed is a problem of the row. */
  const read = <T>(field: Field, parse: (text: string) => T | null, what: string): T | null => {
    const text = valueOf(field);
    const value = text === null ? null : parse(text);
    if (value === null && (text !== null || REQUIRED.includes(field))) {
      problems.push(`${field}: expected ${what}, got ${show(text ?? undefined)}`);
    }
    return value;
  };
  const { rating_scale: scale, date_format: format } = mapping;
  const readDate = (field: Field) =>
    read(field, (text) => columns.dates.parse(text), `a date that exists, written ${format}`);
  const reply = valueOf('owner_reply_text');
  const verified = mapVerified(valueOf('verified'), mapping);
  // If a column says which rows are verified, the constant is for those alone.
  const saysNothing = columns.indexes.has('verified') && verified === null;
  const howVerified = saysNothing ? null : (mapping.constants.verified_by ?? null);
  const record = {
    id: valueOf('id'),
    source_id: valueOf('source_id'),
    author: valueOf('author'),
    author_avatar_url: valueOf('author_avatar_url'),
    rating: read('rating', starsOn(scale), `a number from ${scale.min} to ${scale.max}`),
    date: readDate('date'),
    title: valueOf('title'),
    text: valueOf('text'),
    source: valueOf('source') ?? mapping.constants.source ?? null,
    source_url: valueOf('source_url'),
    owner_reply: reply === null ? null : { text: reply, date: readDate('owner_reply_date') },
    verified,
    verified_by: valueOf('verified_by') ?? howVerified,
    verified_level: valueOf('verified_level'),
    verified_at: valueOf('verified_at'),
  };
  return problems.length > 0 ? { line, refusal: problems.join('; ') } : { line, record };
}

/** Parses a rating in stars: unchanged on a scale from 1 to 5, else converted to it and rounded. */
function starsOn({ min, max }: CsvMapping['rating_scale']): (text: string) => number | null {
  return (text) => {
    const rating = /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (!(rating >= min && rating <= max)) return null;
    return min === 1 && max === 5 ? rating : 1 + Math.round(((rating - min) * 4) / (max - min));
  };
}

function mapVerified(
  value: string | null,
  { verified_values: values }: CsvMapping,
): boolean | null {
  if (value === null) return null;
  return values.some((verified) => fold(verified) === fold(value));
}
