// Writes files with many reviews as a stream.

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2012, 0, 1);

/** Writes reviews as Google Takeout does, each with other words. */
export async function writeTakeout(path: string, count: number): Promise<void> {
  const stars = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'];
  const parts = function* () {
    yield '{"reviews":[\n';
    for (let number = 0; number < count; number++) {
      const time = new Date(FIRST_DAY + (number % 5000) * DAY_MS).toISOString();
      const review = {
        reviewer: { displayName: `Reviewer ${number % DISTINCT}` },
        starRating: stars[number % stars.length],
        comment: textOf(number, 1, count),
        createTime: time,
        updateTime: time,
        name: `accounts/1/locations/2/reviews/r${number}`,
      };
      yield `${number === 0 ? '' : ',\n'}${JSON.stringify(review)}`;
    }
    yield '\n]}\n';
  };
  await pipeline(Readable.from(parts(), { objectMode: true }), createWriteStream(path));
}

/** After so many, authors and words come again: a publish analyses each text once. */
const DISTINCT = 15_000;

/**
 * Writes NDJSON of reviews with replies of 40,000 letters, which makes `/reviews.json` larger than the buffers of
 * a connection. Replies are neither analysed nor searched, so a publish has little to do.
 */
export async function writeLargeReviews(path: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, number) => {
    const date = new Date(FIRST_DAY + (number % 5000) * DAY_MS).toISOString().slice(0, 10);
    const said = `Reply ${number % 10}: thank you, we are glad that the boiler works. `;
    const review = {
      source_id: `large-${number}`,
      author: 'Karen W.',
      rating: 5,
      date,
      text: `Visit ${number % 10}: came on time and fixed the boiler.`,
      owner_reply: { text: said.repeat(Math.ceil(40_000 / said.length)).trim(), date },
      source: 'yelp',
      verified: true,
    };
    return `${JSON.stringify(review)}\n`;
  });
  await pipeline(Readable.from(lines), createWriteStream(path));
}

/** The text of a generated review; another edition changes every third text. */
function textOf(number: number, edition: number, different: number): string {
  const said = number % 3 === 0 ? `edition ${edition}` : 'edition 1';
  return (
    `Review ${number % different}, ${said}: came on time, fixed the boiler and left no mess behind. ` +
    'The price was what they had said before, and I would call them again any time.'
  );
}

/**
 * Writes NDJSON of `count` verified reviews with source ids, over 5,000 days. Another edition edits the same
 * reviews.
 */
export async function writeReviews(
  path: string,
  count: number,
  {
    edition = 1,
    source = 'google',
    different = DISTINCT,
  }: { edition?: number; source?: string; different?: number } = {},
): Promise<void> {
  const lines = function* () {
    for (let number = 0; number < count; number++) {
      const date = new Date(FIRST_DAY + (number % 5000) * DAY_MS).toISOString().slice(0, 10);
      const review = {
        source_id: `r${number}`,
        author: `Reviewer ${number % different}`,
        rating: 1 + (number % 5),
        date,
        text: textOf(number, edition, different),
        source,
        verified: true,
      };
      yield `${JSON.stringify(review)}\n`;
    }
  };
  await pipeline(Readable.from(lines(), { objectMode: true }), createWriteStream(path));
}
