// Our index, without insights, so that no word selects mentions.

import { deriveInsights } from '../../src/insights/derive.ts';
import { businessSchema } from '../../src/model/business.ts';
import type { Review } from '../../src/model/review.ts';
import { encodeUlid } from '../../src/model/ulid.ts';
import { CORPUS_BUSINESS } from '../corpus.ts';
import { placeIndex } from '../search-index/place.ts';
import { serveWords } from './side.ts';

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
  return (words) => index.search({ words, sort: 'relevance', limit: 20 }).matched;
});
