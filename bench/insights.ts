// Reviews of the example business that are analysed in a second of processor time, warm, long ones and short ones.
// `npm run bench:insights`; the aims are 2,500 and 6,000.

import { readFileSync } from 'node:fs';
import { buildAnalyser } from '../src/insights/analyse.ts';
import { deriveInsights } from '../test/support/derive.ts';
import { businessSchema } from '../src/model/business.ts';
import type { Review } from '../src/model/review.ts';
import { encodeUlid } from '../src/model/ulid.ts';

const LONG = 80;
const SHORT = 20;
const REVIEWS = 5_000;
const ROUNDS = 5;

const read = (name: string) =>
  readFileSync(new URL(`../examples/${name}`, import.meta.url), 'utf8');
const example = JSON.parse(read('business.json')) as Record<string, unknown>;
// For editors only: `import` leaves it out too.
delete example['$schema'];
const business = businessSchema.parse(example);
const analyse = buildAnalyser(business);

for (const words of [LONG, SHORT]) {
  const reviews = reviewsOf(words, read('reviews.ndjson'));
  report(`analysed, ${words} words`, () => reviews.forEach((review) => analyse(review)));
  report(`analysed and counted, ${words} words`, () => deriveInsights(reviews, business));
}

/** Reviews of a number of words, which are those of the example in turn. */
function reviewsOf(length: number, ndjson: string): Review[] {
  const words = ndjson
    .trim()
    .split('\n')
    .flatMap((line) => ((JSON.parse(line) as { text: string | null }).text ?? '').split(/\s+/));
  return Array.from({ length: REVIEWS }, (_, index) => {
    const from = (index * 37) % (words.length - length);
    const id = encodeUlid(Date.UTC(2024, 0, 1) + index, new Uint8Array(10));
    return {
      id,
      author: 'Karen W.',
      authorAvatarUrl: null,
      rating: (index % 5) + 1,
      date: `2024-0${(index % 9) + 1}-15`,
      text: words.slice(from, from + length).join(' '),
      source: 'example',
      sourceUrl: null,
      ownerReply: null,
    };
  });
}

/** Prints the best of some rounds: slower ones measure other load on the machine. */
function report(what: string, run: () => void): void {
  const seconds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  });
  const perSecond = Math.round(REVIEWS / Math.min(...seconds));
  process.stdout.write(`${what}: ${perSecond} reviews a CPU second\n`);
}
