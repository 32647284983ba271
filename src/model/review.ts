// The review, from which everything else is derived.

import { z } from 'zod';
import { dateSchema } from './date.ts';
import {
  type Attributes,
  attributesSchema,
  type PartRatings,
  ratingsSchema,
} from './review-parts.ts';
import { isUlid, ULID_PATTERN } from './ulid.ts';

export const reviewIdSchema = z
  .string()
  .refine(isUlid)
  .meta({ description: 'ULID: stable identifier and merge key', pattern: ULID_PATTERN.source });

/**
 * A review as it is published: the JSON of the contract, every key always present. The log has a digest of it: a member
 * that a later version adds is absent, not null, where a review has none, or every review would be logged as edited.
 */
export const reviewSchema = z.strictObject({
  id: reviewIdSchema,
  author: z.string().min(1),
  author_avatar_url: z.url().nullable(),
  rating: z.int().min(1).max(5),
  date: dateSchema,
  text: z.string().min(1).nullable().meta({ description: 'null for a rating without text' }),
  source: z.string().min(1),
  source_url: z.url().nullable().meta({ description: 'permalink' }),
  owner_reply: z
    .strictObject({
      text: z.string().min(1),
      date: dateSchema.nullable().meta({ description: 'null if its source does not say' }),
    })
    .nullable(),
  verified: z.literal(true),
  location: z.string().optional().meta({ description: 'id of the branch' }),
  attributes: attributesSchema.optional(),
  ratings: ratingsSchema.optional().meta({ description: 'of parts, 1 to 5' }),
});

export type ReviewJson = z.infer<typeof reviewSchema>;

/** How a published review was verified; null if the business does not say. */
export interface Verification {
  /** The business's words, without numbers and addresses (see verification.ts). */
  readonly method: string | null;
  /** What the source itself says, such as "verified buyer". */
  readonly sourceLevel: string | null;
  /** YYYY-MM-DD. */
  readonly verifiedAt: string | null;
}

export const NOT_STATED: Verification = { method: null, sourceLevel: null, verifiedAt: null };

export interface Review {
  readonly id: string;
  readonly author: string;
  readonly authorAvatarUrl: string | null;
  /** Stars, 1 to 5. */
  readonly rating: number;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly text: string | null;
  /** The text begins with it (see title.ts). Not a member of the record. */
  readonly title?: string | null;
  readonly source: string;
  readonly sourceUrl: string | null;
  /** The date is null if its source does not say. */
  readonly ownerReply: { readonly text: string; readonly date: string | null } | null;
  /** How it was verified. Not a member of the record. */
  readonly verification?: Verification;
  /** The branch: as its source names it, or published, the id of the business file. */
  readonly location?: string | null;
  readonly attributes?: Attributes | null;
  readonly ratings?: PartRatings | null;
}

export function reviewToJson(review: Review): ReviewJson {
  return {
    id: review.id,
    author: review.author,
    author_avatar_url: review.authorAvatarUrl,
    rating: review.rating,
    date: review.date,
    text: review.text,
    source: review.source,
    source_url: review.sourceUrl,
    owner_reply: review.ownerReply && {
      text: review.ownerReply.text,
      date: review.ownerReply.date,
    },
    verified: true,
    ...(review.location && { location: review.location }),
    ...(review.attributes && { attributes: review.attributes }),
    ...(review.ratings && { ratings: review.ratings }),
  };
}

/** The order of every list of reviews: date descending, then id descending. */
export function compareNewestFirst(a: Review, b: Review): number {
  if (a.date !== b.date) return a.date < b.date ? 1 : -1;
  if (a.id !== b.id) return a.id < b.id ? 1 : -1;
  return 0;
}
