// Writes `/reviews.json`.

import { ByteWriter } from '../model/bytes.ts';
import type { Business } from '../model/business.ts';
import { aggregateRating } from '../model/rating.ts';
import { type Review, reviewToJson } from '../model/review.ts';
import { isoTime } from './documents.ts';

/** The placeholder for the time in a document while it is hashed; as long as any time. */
export const NO_TIME = isoTime(0);

/** `/reviews.json`, and the start and end of each review in bytes. */
export interface Dataset {
  readonly body: Buffer;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** The approximate size of the JSON of a review without its texts, in bytes. */
const REVIEW_BYTES = 300;

function lengthOfTexts(reviews: readonly Review[]): number {
  let length = 0;
  for (const { text, ownerReply } of reviews) {
    length += (text?.length ?? 0) + (ownerReply?.text.length ?? 0);
  }
  return length;
}

export function writeDataset(reviews: readonly Review[], business: Business): Dataset {
  const writer = new ByteWriter(2 * (reviews.length * REVIEW_BYTES + lengthOfTexts(reviews)));
  const starts = new Uint32Array(reviews.length);
  const ends = new Uint32Array(reviews.length);
  writer.write(
    `{"version":1,"updated_at":"${NO_TIME}","business":${JSON.stringify(business)},` +
      `"aggregate_rating":${JSON.stringify(aggregateRating(reviews))},"reviews":[`,
  );
  reviews.forEach((review, position) => {
    if (position > 0) writer.write(',');
    starts[position] = writer.length;
    writer.write(JSON.stringify(reviewToJson(review)));
    ends[position] = writer.length;
  });
  writer.write(']}');
  return { body: writer.finish(), starts, ends };
}
