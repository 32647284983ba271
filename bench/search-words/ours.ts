// Our index, without insights, so that no word selects mentions.

import { deriveInsights } from '../../src/insights/derive.ts';
import { packSections, unpackSections } from '../../src/model/bytes.ts';
import { businessSchema } from '../../src/model/business.ts';
import type { Review } from '../../src/model/review.ts';
import { encodeUlid } from '../../src/model/ulid.ts';
import { IndexBuilder, type IndexSections } from '../../src/search/index-builder.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { copyToMemory } from '../../src/search/text-scan.ts';
import { CORPUS_BUSINESS } from '../corpus.ts';
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
  const memory = copyToMemory(
    packSections(await new IndexBuilder(reviews).finish(derived, business)),
  );
  const sections = Object.fromEntries(unpackSections(new Uint8Array(memory.buffer)));
  const index = new SearchIndex(sections as unknown as IndexSections, memory);
  return (words) => index.search({ words, sort: 'relevance', limit: 20 }).matched;
});
