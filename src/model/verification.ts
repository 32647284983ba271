// How reviews were verified, and the counts of what is published, withheld and removed.

import { z } from 'zod';
import { dateSchema } from './date.ts';
import { HIDING_REASONS, LOGGED_REASONS } from './removal.ts';
import { reviewIdSchema } from './review.ts';

/** Methods that are counted apart; the others are counted together. */
const COUNTED_METHODS = 50;
const LONGEST_METHOD = 100;
const OTHER_METHODS = 'other methods';

/**
 * The published form of `verified_by`. Words with a digit or an "@" become "…": "order 4711" names a customer's
 * order, and is the same method as "order 4712".
 */
export function methodOf(verifiedBy: string): string {
  const words = verifiedBy.split(/\s+/).map((word) => (/[\p{N}@]/u.test(word) ? '…' : word));
  const method = words.filter((word, index) => word !== '…' || words[index - 1] !== '…').join(' ');
  return method.length > LONGEST_METHOD ? `${method.slice(0, LONGEST_METHOD - 1)}…` : method;
}

/** Why a stored review is not published: it is not verified, or it is hidden for one of the other reasons. */
export const WITHHELD_REASONS = ['not_verified', ...HIDING_REASONS] as const;

export type WithheldReason = (typeof WITHHELD_REASONS)[number];

const count = z.int().min(0);
const reasons = <Reason extends string>(names: readonly Reason[]) =>
  z.partialRecord(z.enum(names), count);
const stars = z.int().min(1).max(5);

export const starChangesSchema = z.array(z.strictObject({ count, from: stars, to: stars }));

export type StarChanges = z.infer<typeof starChangesSchema>;

const method = z
  .string()
  .nullable()
  .describe('the words of the business; null if it says only that the review is verified');

export const reviewVerificationSchema = z.strictObject({
  id: reviewIdSchema,
  verified: z.literal(true),
  method,
  source: z.string().min(1),
  source_level: z.string().nullable().describe('what the source says of it'),
  verified_at: dateSchema.nullable(),
  published_since: z.iso
    .datetime()
    .nullable()
    .describe('since when it is published without a break'),
});

export const verificationCountsSchema = z.strictObject({
  version: z.literal(1),
  updated_at: z.iso.datetime().describe('when these counts last changed'),
  methods: z
    .array(z.strictObject({ method, count }))
    .describe('published reviews by method, most frequent first'),
  published: count,
  withheld: z
    .strictObject({ total: count, by_reason: reasons(WITHHELD_REASONS) })
    .describe('stored and not published: not verified, or hidden'),
  removed: z
    .strictObject({
      total: count,
      by_reason: reasons(LOGGED_REASONS),
      by_rating: z.record(z.string().regex(/^[1-5]$/), count),
    })
    .describe('reviews that were published before'),
  edited: z
    .strictObject({ total: count, stars: starChangesSchema })
    .describe('edits that changed the stars'),
});

export type ReviewVerification = z.infer<typeof reviewVerificationSchema>;
export type VerificationCounts = z.infer<typeof verificationCountsSchema>;

/** Reviews that are not published, and those whose stars changed. */
export type LeftOut = Pick<VerificationCounts, 'withheld' | 'removed' | 'edited'>;

export const NOTHING_LEFT_OUT: LeftOut = {
  withheld: { total: 0, by_reason: {} },
  removed: { total: 0, by_reason: {}, by_rating: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 } },
  edited: { total: 0, stars: [] },
};

/** The number of reviews by method, most frequent first. */
export function countMethods(methods: Iterable<string | null>): VerificationCounts['methods'] {
  const counts = new Map<string | null, number>();
  for (const each of methods) counts.set(each, (counts.get(each) ?? 0) + 1);
  const sorted = Array.from(counts, ([name, total]) => ({ method: name, count: total })).toSorted(
    (a, b) => b.count - a.count || ((a.method ?? '') < (b.method ?? '') ? -1 : 1),
  );
  const others = sorted.slice(COUNTED_METHODS).reduce((sum, each) => sum + each.count, 0);
  const counted = sorted.slice(0, COUNTED_METHODS);
  return others === 0 ? counted : [...counted, { method: OTHER_METHODS, count: others }];
}
