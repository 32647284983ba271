// A record of a file to a review for the store: checks its values, and decides whether it is verified.

import { z } from 'zod';
import { type Issue, type Parsed, show } from '../errors.ts';
import { dateOfDay, dateSchema, isDate, MS_PER_DAY } from '../model/date.ts';
import { expected, issuesOf } from '../model/issues.ts';
import { identify } from '../model/review-identity.ts';
import type { ReviewColumn } from '../model/review-columns.ts';
import { attributeValue, importedAttributes, importedRatings } from '../model/review-parts.ts';
import { plainText } from '../model/text.ts';
import { withTitle } from '../model/title.ts';
import type { ImportedReview } from '../store/reviews/review-rows.ts';

/** What a row becomes: a record to be parsed, why there is none, or why its platform does not publish it. */
export type Outcome =
  | { readonly record: unknown; readonly notes?: readonly string[]; readonly updated?: string }
  | { readonly refusal: string }
  | LeftOut;

/** An item that its platform does not publish, or that is no review. */
export interface LeftOut {
  readonly leftOut: string;
  /** Whether the import names its line: somebody may have meant it as a review. */
  readonly isNamed?: boolean;
  /** If its author does not agree that it is shown: what is stored of it is hidden. */
  readonly record?: unknown;
}

type Needed = 'author' | 'date' | 'rating' | 'source';
type Reply = 'owner_reply_text' | 'owner_reply_date';
/** A record with the keys of our own format; `parseRecord` checks its values. */
export type ReviewRecord = Readonly<
  Record<Needed, unknown> &
    Partial<
      Record<'id' | 'source_id' | 'owner_reply' | Exclude<ReviewColumn, Needed | Reply>, unknown>
    >
>;

export type Row = Outcome & { readonly line: number };

const requiredText = (what: string) =>
  z.string(expected(what)).refine((value) => plainText(value) !== '', {
    ...expected(what),
    abort: true,
  });
/** An empty text counts as absent. */
const optionalText = (what: string) =>
  z
    .string(expected(what))
    .nullish()
    .transform((value) => (value && plainText(value) !== '' ? value : null));
const expectedUrl = expected('an http or https URL');
/** Serialized as the URL standard says, so that no character of it can end an HTML attribute. */
const optionalUrl = z
  .string(expectedUrl)
  .trim()
  .refine((value) => value === '' || isWebUrl(value), expectedUrl)
  .nullish()
  .transform((value) => (value ? new URL(value).href : null));
/** URL.canParse accepts control characters and lone surrogates; databases and XML do not. */
function isWebUrl(value: string): boolean {
  return /^https?:\/\/[^\p{Cc}\p{Cs}\s]+$/iu.test(value) && URL.canParse(value);
}

const optionalId = z
  .union([z.string(), z.int()], expected('an id'))
  .nullish()
  .transform((value) => String(value ?? '') || null);

const expectedTime = expected('a date as YYYY-MM-DD, or a time in ISO 8601');
const optionalDay = z
  .union([z.literal(''), dateSchema, z.iso.datetime({ offset: true })], expectedTime)
  .nullish()
  .transform((value) =>
    value && !isDate(value) ? new Date(value).toISOString().slice(0, 10) : value || null,
  );

const expectedStars = expected('an integer from 1 to 5');
const recordSchema = z.object(
  {
    id: optionalId,
    source_id: optionalId,
    author: requiredText("the reviewer's name"),
    author_avatar_url: optionalUrl,
    rating: z.int(expectedStars).min(1, expectedStars).max(5, expectedStars),
    date: dateSchema,
    title: optionalText('the title of the review, or null'),
    text: optionalText('the words of the review, or null'),
    source: optionalText('where the review was written, such as "google"'),
    source_url: optionalUrl,
    owner_reply: z
      .object(
        { text: requiredText('the words of the reply'), date: dateSchema.nullish() },
        expected('a reply as { text, date }, or null'),
      )
      .nullish()
      .transform((value) => value ?? null),
    verified: z.boolean(expected('true or false')).nullish(),
    verified_by: optionalText('how it was verified'),
    verified_level: optionalText('what the source says of the verification'),
    verified_at: optionalDay,
    location: z
      .union([z.string(), z.int()], expected('the branch, by its id or its name'))
      .nullish()
      .transform(attributeValue),
    attributes: importedAttributes,
    ratings: importedRatings,
  },
  expected('a review as an object'),
);

/** The dates that reviews and replies may have, both included, as YYYY-MM-DD. */
export interface DateBounds {
  readonly earliest: string;
  readonly latest: string;
}

export const ANY_DATE: DateBounds = { earliest: '0000-01-01', latest: '9999-12-31' };

/** From `earliest` to tomorrow in UTC: it may be tomorrow already where the review was written. */
export function datesUntilTomorrow(earliest: string, nowMs: number): DateBounds {
  return { earliest, latest: dateOfDay(Math.floor(nowMs / MS_PER_DAY) + 1) };
}

export interface RecordOptions {
  readonly source: string | null;
  /** How the rows were verified that do not say whether they are. */
  readonly verifiedBy: string | null;
  readonly dates: DateBounds;
}

/** @param idKey the key of the store for ids (see model/review-identity.ts) */
export function parseRecord(
  record: unknown,
  options: RecordOptions,
  idKey: string,
): Parsed<ImportedReview> {
  const result = recordSchema.safeParse(record);
  const outside = datesOutside(record, options.dates);
  if (!result.success) return { ok: false, issues: [...issuesOf(result.error), ...outside] };
  if (outside.length > 0) return { ok: false, issues: outside };
  const value = result.data;
  const source = value.source ?? options.source;
  if (source === null) {
    const message =
      'expected where the review was written, such as "google"; --source sets it for all rows';
    return { ok: false, issues: [{ code: 'missing', path: ['source'], message }] };
  }
  const { author, rating, date, location, attributes, ratings } = value;
  return {
    ok: true,
    value: {
      ...identify({ ...value, source }, idKey),
      source: plainText(source),
      author: plainText(author),
      author_avatar_url: value.author_avatar_url,
      rating,
      date,
      ...withTitle(value.title, value.text),
      source_url: value.source_url,
      owner_reply_text: value.owner_reply ? plainText(value.owner_reply.text) : null,
      owner_reply_date: value.owner_reply?.date ?? null,
      ...verification(value, options.verifiedBy),
      location,
      attributes,
      ratings,
    },
  };
}

/** Dates out of bounds. Reads the raw record, so that they are reported beside its other issues. */
function datesOutside(record: unknown, { earliest, latest }: DateBounds): Issue[] {
  type Dated = { readonly date?: unknown };
  const { date, owner_reply: reply } = (record ?? {}) as Dated & { owner_reply?: Dated | null };
  const dates = [
    [['date'], date],
    [['owner_reply', 'date'], reply?.date],
  ] as const;
  return dates.flatMap(([path, value]) => {
    if (typeof value !== 'string' || !isDate(value)) return [];
    if (value >= earliest && value <= latest) return [];
    const bound =
      value < earliest
        ? `a date not before ${earliest} (REVIEW_DATE_EARLIEST)`
        : `a date not after tomorrow, ${latest}`;
    return [{ code: 'out_of_range', path, message: `expected ${bound}, got ${show(value)}` }];
  });
}

/** `verified: false` wins over every statement of how the review was verified. */
function verification(
  value: {
    readonly verified?: boolean | null | undefined;
    readonly verified_by: string | null;
    readonly verified_level: string | null;
    readonly verified_at: string | null;
  },
  verifiedBy: string | null,
): Pick<ImportedReview, 'verified' | 'verified_by' | 'verified_level' | 'verified_at'> {
  const verified_level = value.verified_level && plainText(value.verified_level);
  if (value.verified === false) {
    return { verified: 0, verified_by: null, verified_level, verified_at: null };
  }
  const how = value.verified_by ?? verifiedBy;
  const isProven = how !== null || value.verified === true;
  return {
    verified: isProven ? 1 : null,
    verified_by: how && plainText(how),
    verified_level,
    verified_at: isProven ? value.verified_at : null,
  };
}
