// Platforms whose reviews have one column or member for each value: platforms.json says which, and this file reads
// them.

import { fold } from '../../model/fold.ts';
import type { LeftOut, ReviewRecord } from '../record.ts';
import platforms from './platforms.json' with { type: 'json' };
import type { CsvReader, JsonReader } from './reader.ts';
import {
  isObject,
  type ItemReading,
  type JsonObject,
  memberAt,
  readAttributes,
  scalarText,
  starsOf,
  textOf,
  unrated,
} from './values.ts';

type Values = Readonly<Record<string, readonly string[]>>;

interface Platform {
  readonly title: string;
  readonly source: string;
  /** The lists of a JSON file that can hold the reviews; without them the format is CSV. */
  readonly lists?: readonly string[];
  readonly columns: Values;
  /** What every file has, and of what it has one at least: fields of a table, or paths in an object. */
  readonly required: readonly string[];
  readonly distinctive?: readonly string[];
  readonly objects?: readonly string[];
  /** Values of the reviews, and of the replies, that the platform publishes; those without a value are. */
  readonly only?: Values;
  readonly replies?: Values;
  /** Whether a file also has entries without a rating, or with 0, most of which are no reviews. */
  readonly hasOthers?: boolean;
  readonly anonymous?: string;
  /** Milliseconds of the unit of times since 1970; without it times are of ISO 8601. */
  readonly epochMs?: number;
  readonly isHtml?: boolean;
  readonly source_url?: string;
  /**
   * The levels after which the platform knows of an order or an invitation by the business, and those that say that there
   * was none. Any other, such as an invitation by hand or a link, proves nothing, and does not say that the review is false.
   */
  readonly verified?: {
    readonly values: readonly string[];
    readonly by: string;
    readonly not?: readonly string[];
  };
  readonly attributes?: Readonly<Record<string, string>>;
  /** What a person decides before it is read, and what it leaves out however many pages are fetched. */
  readonly asks?: string;
  readonly limit?: string;
}

const PLATFORMS: Readonly<Record<keyof typeof platforms, Platform>> = platforms;

/** What a platform has beside its columns. */
interface Special extends Pick<JsonReader, 'join' | 'split'> {
  readonly recognise?: JsonReader['recognise'];
  readonly asks?: (item: JsonObject) => boolean;
  readonly amend?: (row: ItemReading, record: ReviewRecord) => Partial<ReviewRecord>;
}

export function platformReader(
  name: keyof typeof platforms,
  { recognise, amend, asks, ...rest }: Special = {},
): JsonReader | CsvReader {
  const platform = PLATFORMS[name];
  const { title, columns, required, distinctive = [], lists, objects = [], limit } = platform;
  const read = (row: ItemReading) => {
    const record = readRecord(platform, row);
    return 'leftOut' in record ? record : { ...record, ...amend?.(row, record) };
  };
  if (lists === undefined)
    return { kind: 'csv', name, title, columns, required, distinctive, read };
  const has = (item: JsonObject) => (path: string) => memberAt(item, path) !== undefined;
  return {
    kind: 'json',
    name,
    title,
    lists,
    columns,
    limit,
    asks: (item) => (asks?.(item) === true ? (platform.asks ?? null) : null),
    recognise: (item) =>
      required.every(has(item)) &&
      objects.every((path) => isObject(memberAt(item, path))) &&
      (distinctive.length === 0 || distinctive.some(has(item))) &&
      recognise?.(item) !== false,
    read,
    ...rest,
  };
}

function readRecord(platform: Platform, row: ItemReading): ReviewRecord | LeftOut {
  const { source, source_url: page, anonymous = 'A customer', epochMs, attributes = {} } = platform;
  const excluded = exclusion(platform.only, row);
  if (excluded !== null)
    return { leftOut: `${excluded.column} is ${JSON.stringify(excluded.value)}` };
  const score = scalarText(row.at('rating'));
  const wordsAt = (field: string) => (platform.isHtml === true ? row.html(field) : row.at(field));
  if (platform.hasOthers === true && [null, '0'].includes(score)) {
    const who = ` of ${row.string('author') ?? anonymous} (${row.string('date') ?? 'no date'})`;
    return unrated(scalarText(wordsAt('text')), score !== null, who);
  }
  const isReported = /^(?:reported|flagged)$/i.test(scalarText(row.at('status')) ?? '');
  if (isReported) row.notes.push('published, although somebody has reported it');
  const unpublished = exclusion(platform.replies, row);
  if (unpublished !== null) {
    row.notes.push(`reply left out: its ${unpublished.column} is ${String(unpublished.value)}`);
  }
  const dateOf = (field: string) => {
    const isText = isDamaged(row.string(field)) && row.string(`${field}_text`) !== null;
    if (isText) return row.date(`${field}_text`);
    return epochMs === undefined ? row.date(field) : row.epoch(field, epochMs);
  };
  const id = row.string('source_id');
  return {
    source,
    source_id: row.at('source_id'),
    author: row.string('author') ?? anonymous,
    author_avatar_url: row.at('author_avatar_url'),
    rating: row.stars('rating'),
    date: dateOf('date'),
    title: row.at('title'),
    text: wordsAt('text'),
    source_url:
      page === undefined || id === null
        ? row.at('source_url')
        : page.replace('{id}', encodeURIComponent(id.toWellFormed())),
    owner_reply:
      unpublished === null
        ? row.reply(wordsAt('owner_reply_text'), dateOf('owner_reply_date'))
        : null,
    location: scalarText(row.at('location')),
    attributes: readAttributes(attributes, row.at, row.notes),
    ratings: scoresIn(row.at('scores')),
    ...verification(platform, row),
  };
}

/** Whether a spreadsheet has rounded a number: "1,75734E+12". */
export function isDamaged(number: string | null): boolean {
  return /^\d[.,]\d+E\+\d+$/i.test(number ?? '');
}

/** Part scores of a list, or of an object whose keys are numbers, by their names such as "rate_value". */
function scoresIn(given: unknown): Record<string, number> {
  const scores = typeof given === 'object' && given !== null ? Object.values(given) : [];
  const read = scores.flatMap((score: unknown): [string, number][] => {
    const value = memberAt(score, 'value') ?? memberAt(score, 'rating.rating');
    const stars = starsOf(scalarText(value) ?? '', { min: 1, max: 5 });
    const name = textOf(memberAt(score, 'name'));
    return name !== null && stars !== null ? [[name.replace(/^rate_/, ''), stars.exact]] : [];
  });
  return Object.fromEntries(read);
}

function verification({ verified }: Platform, row: ItemReading): Partial<ReviewRecord> {
  const level = row.string('verified_level');
  const said = [level, scalarText(row.at('verified'))].flatMap((one) => (one ? fold(one) : []));
  return {
    verified_level: level,
    ...(verified?.values.includes(said[0] ?? '') === true
      ? { verified_by: verified.by.replace('{level}', level ?? 'verified') }
      : {}),
    ...(said.some((one) => verified?.not?.includes(one)) ? { verified: false } : {}),
  };
}

/** The first column with another value than those that are taken; null if there is none. */
function exclusion(
  taken: Values = {},
  row: ItemReading,
): { readonly column: string; readonly value: unknown } | null {
  for (const [column, values] of Object.entries(taken)) {
    const value = row.at(column) ?? null;
    if (value !== null && !values.includes(fold(scalarText(value) ?? ''))) return { column, value };
  }
  return null;
}
