// The rate of the analyser on one core, in reviews of about 80 words of the example business a second.
// `npm run bench:insights`; the aim is 5,000.

import { readFileSync } from 'node:fs';
import { buildAnalyser } from '../src/insights/analyse.ts';
import { deriveInsights } from '../src/insights/derive.ts';
import { businessSchema } from '../src/model/business.ts';
import type { Review } from '../src/model/review.ts';
import { encodeUlid } from '../src/model/ulid.ts';

const WORDS = 80;
const REVIEWS = 10_000;
const ROUNDS = 5;

const read = (name: string) =>
  readFileSync(new URL(`../examples/${name}`, import.meta.url), 'utf8');
const example = JSON.parse(read('business.json')) as Record<string, unknown>;
// For editors only: `import` leaves it out too.
delete example['$schema'];
const business = businessSchema.parse(example);
const reviews = longReviews(read('reviews.ndjson'));
const analyse = buildAnalyser(business);

report('analysed', () => reviews.forEach((review) => analyse(review)));
report('analysed and counted', () => deriveInsights(reviews, business));

/** Reviews of the given length, assembled from sentences of the example. */
function longReviews(ndjson: string): Review[] {
  const words = ndjson
    .trim()
    .split('\n')
    .flatMap((line) => ((JSON.parse(line) as { text: string | null }).text ?? '').split(/\s+/));
  return Array.from({ length: REVIEWS }, (_, index) => {
    const from = (index * 37) % (words.length - WORDS);
    const id = encodeUlid(Date.UTC(2024, 0, 1) + index, new Uint8Array(10));
    return {
      id,
      author: 'Karen W.',
      authorAvatarUrl: null,
      rating: (index % 5) + 1,
      date: `2024-0${(index % 9) + 1}-15`,
      text: words.slice(from, from + WORDS).join(' '),
      source: 'example',
      sourceUrl: null,
      ownerReply: null,
    };
  });
}

/** Prints the best of some rounds: slower ones measure other load on the machine. */
function report(what: string, run: () => void): void {
  const seconds = Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    run();
    return (performance.now() - started) / 1000;
  });
  const perSecond = Math.round(REVIEWS / Math.min(...seconds));
  process.stdout.write(`${what}: ${perSecond} reviews of ${WORDS} words a second\n`);
}
