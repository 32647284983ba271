// A record of any file to a review for the store: its values checked, what makes it the same review
// the next time, and whether it is proven.

import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Parsed } from '../errors.ts';
import { dateSchema } from '../model/date.ts';
import { expected, issuesOf } from '../model/issues.ts';
import { plainText } from '../model/text.ts';
import { encodeUlid, isUlid } from '../model/ulid.ts';

/** What a file has at a line: a record to be parsed, or why that line has none. */
export type Row =
  | { readonly line: number; readonly record: unknown }
  | { readonly line: number; readonly refusal: string };

/**
 * The form of a text from which the identity of a review is derived. It keeps characters that are not
 * stored, because earlier versions stored them: a review must be recognised after an update.
 */
function identityText(raw: string): string {
  return raw.toWellFormed().replaceAll('\0', '').replaceAll(/\r\n?/g, '\n').trim();
}

const requiredText = (what: string) =>
  z.string(expected(what)).refine((value) => plainText(value) !== '', {
    ...expected(what),
    abort: true,
  });
/** Empty is the same as absent. */
const optionalText = (what: string) =>
  z
    .string(expected(what))
    .nullish()
    .transform((value) => (value && plainText(value) !== '' ? value : null));
const expectedUrl = expected('an http or https URL');
/** As the URL standard writes it, so that nothing in it can end an attribute that it is put in. */
const optionalUrl = z
  .string(expectedUrl)
  .trim()
  .refine((value) => value === '' || isWebUrl(value), expectedUrl)
  .nullish()
  .transform((value) =>
    value === undefined || value === null || value === '' ? null : new URL(value).href,
  );
/** Control characters and halves of surrogate pairs pass URL.canParse, but not a database or XML. */
function isWebUrl(value: string): boolean {
  return /^https?:\/\/[^\p{Cc}\p{Cs}\s]+$/iu.test(value) && URL.canParse(value);
}

const optionalId = z
  .union([z.string(), z.int()], expected('an id'))
  .nullish()
  .transform((value) =>
    value === undefined || value === null || value === '' ? null : String(value),
  );

const recordSchema = z.object(
  {
    id: optionalId,
    source_id: optionalId,
    author: requiredText("the reviewer's name"),
    author_avatar_url: optionalUrl,
    rating: z
      .int(expected('an integer from 1 to 5'))
      .min(1, expected('an integer from 1 to 5'))
      .max(5, expected('an integer from 1 to 5')),
    date: dateSchema,
    text: optionalText('the words of the review, or null'),
    source: optionalText('where it was written, such as "google"'),
    source_url: optionalUrl,
    owner_reply: z
      .object(
        { text: requiredText('the words of the reply'), date: dateSchema },
        expected('a reply as { text, date }, or null'),
      )
      .nullish()
      .transform((value) => value ?? null),
    verified: z.boolean(expected('true or false')).nullish(),
    verified_by: optionalText('how it was verified'),
  },
  expected('a review as an object'),
);

/** A review of a file, ready for the store. */
export interface ImportedReview {
  readonly id: string;
  readonly identity: string;
  readonly source: string;
  readonly author: string;
  readonly author_avatar_url: string | null;
  readonly rating: number;
  readonly date: string;
  readonly text: string | null;
  readonly source_url: string | null;
  readonly owner_reply_text: string | null;
  readonly owner_reply_date: string | null;
  /** 1 proven, 0 said not to be, null where nothing is said. */
  readonly verified: number | null;
  /** How it was verified; null also where a file says no more than that it is. */
  readonly verified_by: string | null;
}

/** What the person says of rows that do not say it themselves. */
export interface RecordDefaults {
  readonly source: string | null;
  readonly verifiedBy: string | null;
}

export function parseRecord(record: unknown, defaults: RecordDefaults): Parsed<ImportedReview> {
  const result = recordSchema.safeParse(record);
  if (!result.success) return { ok: false, issues: issuesOf(result.error) };
  const value = result.data;
  const source = value.source ?? defaults.source;
  if (source === null) {
    const message =
      'expected where the review was written, such as "google"; --source gives it for all rows';
    return { ok: false, issues: [{ code: 'missing', path: ['source'], message }] };
  }
  const { author, rating, date } = value;
  return {
    ok: true,
    value: {
      ...identify({ ...value, source }),
      source: plainText(source),
      author: plainText(author),
      author_avatar_url: value.author_avatar_url,
      rating,
      date,
      text: value.text && plainText(value.text),
      source_url: value.source_url,
      owner_reply_text: value.owner_reply ? plainText(value.owner_reply.text) : null,
      owner_reply_date: value.owner_reply?.date ?? null,
      ...verification(value, defaults.verifiedBy),
    },
  };
}

/** Characters of an identity that is written out. Databases index no value of any length. */
const LONGEST_NAME = 500;

/**
 * The id and the identity of a review. Ids are derived, not drawn: the same review gets the same id
 * in every store that meets it first with the same date.
 */
function identify(value: {
  readonly id: string | null;
  readonly source_id: string | null;
  readonly source: string;
  readonly author: string;
  readonly date: string;
  readonly text: string | null;
}): { id: string; identity: string } {
  if (value.id !== null && isUlid(value.id)) return { id: value.id, identity: `id:${value.id}` };
  const { date } = value;
  const source = identityText(value.source);
  const author = identityText(value.author);
  const text = value.text && identityText(value.text);
  // An id that is none of ours is the source's.
  const sourceId = value.source_id ?? value.id;
  const named =
    sourceId === null
      ? JSON.stringify([source, author, date, text])
      : JSON.stringify([source, sourceId]);
  const digest = createHash('sha256').update(named).digest();
  const short = digest.toString('base64url');
  return {
    id: encodeUlid(Date.parse(`${date}T00:00:00Z`), digest),
    identity:
      sourceId === null
        ? `content:${short}`
        : named.length > LONGEST_NAME
          ? `digest:${short}`
          : `source:${named}`,
  };
}

/** Verified means proven. A file that says "not verified" is believed whatever else is said. */
function verification(
  value: { readonly verified?: boolean | null | undefined; readonly verified_by: string | null },
  verifiedBy: string | null,
): { verified: number | null; verified_by: string | null } {
  if (value.verified === false) return { verified: 0, verified_by: null };
  const how = value.verified_by ?? verifiedBy;
  const isProven = how !== null || value.verified === true;
  return { verified: isProven ? 1 : null, verified_by: how && plainText(how) };
}
