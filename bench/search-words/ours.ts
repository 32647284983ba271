// Our index, without insights, so that no word selects mentions.

import { deriveInsights } from '../../test/support/derive.ts';
import { businessSchema } from '../../src/model/business.ts';
import type { Review } from '../../src/model/review.ts';
import { encodeUlid } from '../../src/model/ulid.ts';
import type { SearchFilter } from '../../src/model/search.ts';
import { WordQuery } from '../../src/model/word-query.ts';
import { CORPUS_BUSINESS } from '../corpus.ts';
import { askAnew } from '../queries.ts';
import { placeIndex } from '../search-index/place.ts';
import { serveWords } from './side.ts';

/** Days before the first review, of which each search names another, so that no result is cached. */
const DAYS = 100_000;

serveWords(async (texts) => {
  const business = businessSchema.parse(CORPUS_BUSINESS);
  const random = Buffer.alloc(10);
  const reviews = texts.map((text, number): Review => {
    random.writeUInt32BE(number);
    return {
      id: encodeUlid(0, random),
      author: '',
      authorAvatarUrl: null,
      rating: 5,
      date: '2025-01-01',
      text,
      source: 'google',
      sourceUrl: null,
      ownerReply: null,
    };
  });
  const languages = new Map(reviews.map(({ id }) => [id, 'en']));
  const derived = { insights: deriveInsights([], business), languages };
  const { index } = await placeIndex(reviews, derived, business);
  let searches = 0;
  return (words) => {
    const filter: SearchFilter = { words: WordQuery.parse(words), sort: 'relevance', limit: 20 };
    const { matched, related } = index.search(askAnew(filter, searches++ % DAYS));
    return matched + (related ?? 0);
  };
});
