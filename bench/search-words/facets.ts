// Our index with generated mentions: every search matches the reviews of one source, about half of them, and counts
// them by the facets that it names.

import { businessSchema } from '../../src/model/business.ts';
import type { Insights, ReviewInsights } from '../../src/model/insights.ts';
import { compareNewestFirst, type Review } from '../../src/model/review.ts';
import { encodeUlid } from '../../src/model/ulid.ts';
import { deriveInsights } from '../../test/support/derive.ts';
import { randomFrom } from '../../test/support/random.ts';
import { CORPUS_BUSINESS, writeCorpus } from '../corpus.ts';
import { placeIndex } from '../search-index/place.ts';
import { serveWords } from './side.ts';

const DAY_MS = 86_400_000;
const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;

serveWords(async (texts) => {
  const business = businessSchema.parse(CORPUS_BUSINESS);
  const random = randomFrom(11);
  const among = (length: number) => Math.floor(random() * length);
  const key = Buffer.alloc(10);
  const reviews = Array.from(writeCorpus(texts.length), (one, number): Review => {
    key.writeUInt32BE(number);
    const source = number % 2 === 0 ? 'google' : 'yelp';
    const id = encodeUlid(Date.parse(one.date) - (Date.parse(one.date) % DAY_MS), key);
    const { author, rating, date, text } = one;
    return {
      id,
      author,
      authorAvatarUrl: null,
      rating,
      date,
      text,
      source,
      sourceUrl: null,
      ownerReply: null,
    };
  }).toSorted(compareNewestFirst);
  /** Some of as many ids. */
  const mentions = (kind: string, ids: number, most: number) =>
    [...new Set(Array.from({ length: among(most + 1) }, () => among(ids)))].map((number) => ({
      id: `${kind}-${number}`,
      sentiment: SENTIMENTS[among(3)] as (typeof SENTIMENTS)[number],
      phrase: '',
    }));
  const entry = (): ReviewInsights => ({
    score: 0,
    sentiment: SENTIMENTS[among(3)] as (typeof SENTIMENTS)[number],
    aspects: mentions('aspect', 16, 4),
    services: mentions('service', 25, 2),
    technicians: mentions('technician', 30, 1),
    problems: mentions('problem', 30, 1),
    service_areas: mentions('area', 20, 1),
    topics: mentions('topic', 40, 3).map(({ id }) => id),
  });
  const insights: Insights = {
    ...deriveInsights([], business),
    per_review: Object.fromEntries(reviews.map(({ id }) => [id, entry()])),
  };
  const languages = new Map(reviews.map(({ id }) => [id, 'en']));
  const { index } = await placeIndex(reviews, { insights, languages }, business);
  return (facets) => {
    const counted = facets === '' ? {} : { facets };
    return index.search({ source: 'google', limit: 20, ...counted }).matched;
  };
});
