// The entries of the log: what happened to a review, and the totals of a publication. Entries are canonical
// JSON. They hold no personal data and no id of a review: an id may be derived from the author's name.

import { z } from 'zod';
import { dateSchema } from '../model/date.ts';
import { LOGGED_REASONS } from '../model/removal.ts';
import { starChangesSchema } from '../model/verification.ts';
import { canonicalJson, type JsonValue } from './canonical.ts';

/** Longer names of sources count as no name: entries have a longest length. */
const LONGEST_SOURCE = 64;
/** Further sources are counted together. */
const MOST_SOURCES = 80;
/** The source of what is counted together. No review has it. */
const OTHER_SOURCES = '';

const count = z.int().min(0);
const stars = z.tuple([count, count, count, count, count]);
const countsSchema = z
  .record(z.string(), stars)
  .describe('reviews with 1 to 5 stars, by source; "" for further sources');

const at = z.iso.datetime().describe('time of the publication');
const rating = z.int().min(1).max(5);
const source = z.string().describe('where the review was written; "" for a long name');
const digest = z
  .base64()
  .describe('SHA-256 of the salt and the canonical JSON (RFC 8785) of the review, in base64');
const verification = z
  .enum(['method_stated', 'declared'])
  .describe('whether the business states how it was verified, or only that it is');
const review = count.describe('index of the entry that added the review');
const published = { at, date: dateSchema, digest, rating, source, verification };

const addedSchema = z.strictObject({ type: z.literal('added'), ...published });
const editedSchema = z.strictObject({ type: z.literal('edited'), review, ...published });
const removedSchema = z.strictObject({
  type: z.literal('removed'),
  review,
  at,
  date: dateSchema,
  rating,
  source,
  reason: z.enum(LOGGED_REASONS),
});
const publicationSchema = z.strictObject({
  type: z.literal('publication'),
  at,
  published: countsSchema.describe('what is published after it'),
  withheld: countsSchema.describe('what is stored and not published: not verified, or hidden'),
  removed: countsSchema.describe('every removal since the log began'),
  edited: starChangesSchema
    .optional()
    .describe(
      'every edit since the log began that changed the stars; earlier versions did not count',
    ),
});

const entrySchema = z.discriminatedUnion('type', [
  addedSchema,
  editedSchema,
  removedSchema,
  publicationSchema,
]);

export type Entry = z.infer<typeof entrySchema>;
export type PublishedEntry = z.infer<typeof addedSchema> | z.infer<typeof editedSchema>;
export type Publication = z.infer<typeof publicationSchema>;
/** Reviews with 1 to 5 stars, by source. */
export type Counts = z.infer<typeof countsSchema>;

export function encodeEntry(entry: Entry): Buffer {
  return Buffer.from(canonicalJson(entry as unknown as JsonValue));
}

/** An entry of its bytes; null if it is none, or not canonical. */
export function parseEntry(bytes: Uint8Array): Entry | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const parsed = entrySchema.safeParse(JSON.parse(text));
    return parsed.success && encodeEntry(parsed.data).equals(bytes) ? parsed.data : null;
  } catch {
    return null;
  }
}

export function loggedSource(name: string): string {
  return name.length > LONGEST_SOURCE ? OTHER_SOURCES : name;
}

/** Reviews with 1 to 5 stars, from all sources. */
export function starsIn(counts: Counts): number[] {
  return [0, 1, 2, 3, 4].map((star) => sum(Object.values(counts).map((each) => each[star] ?? 0)));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Counts reviews by rating and source. */
export class Counter {
  readonly #counts = new Map<string, number[]>();

  add(name: string, ratingOfReview: number, by = 1): void {
    const known = this.#counts.get(name) ?? [0, 0, 0, 0, 0];
    known[ratingOfReview - 1] = (known[ratingOfReview - 1] as number) + by;
    this.#counts.set(name, known);
  }

  /** The counts of the sources with most reviews; those of all others under `OTHER_SOURCES`. */
  counts(): Counts {
    const rows = [...this.#counts]
      .map(([name, ratings]) => ({ name, ratings, total: ratings.reduce((a, b) => a + b, 0) }))
      .filter(({ total }) => total > 0)
      .toSorted((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1));
    const merged = new Map<string, number[]>();
    for (const [index, { name, ratings }] of rows.entries()) {
      const key = index < MOST_SOURCES ? name : OTHER_SOURCES;
      const before = merged.get(key) ?? [0, 0, 0, 0, 0];
      merged.set(
        key,
        before.map((each, star) => each + (ratings[star] as number)),
      );
    }
    return Object.fromEntries(merged) as Counts;
  }
}
