// Our index without insights, which no search here uses.

import { businessSchema } from '../../src/model/business.ts';
import { deriveInsights } from '../../src/insights/derive.ts';
import { packSections, unpackSections } from '../../src/model/bytes.ts';
import { IndexBuilder, type IndexSections } from '../../src/search/index-builder.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { copyToMemory } from '../../src/search/text-scan.ts';
import { CORPUS_BUSINESS } from '../corpus.ts';
import { serveSide } from './side.ts';

serveSide(async (reviews) => {
  const business = businessSchema.parse(CORPUS_BUSINESS);
  const derived = {
    insights: deriveInsights([], business),
    languages: new Map(reviews.map(({ id }) => [id, 'en'])),
  };
  const memory = copyToMemory(
    packSections(await new IndexBuilder(reviews).finish(derived, business)),
  );
  const sections = Object.fromEntries(unpackSections(new Uint8Array(memory.buffer)));
  const bytes = memory.buffer.byteLength;
  const index = new SearchIndex(sections as unknown as IndexSections, memory);
  return {
    bytes,
    search: (filter) => {
      const { matched, positions } = index.search(filter);
      return { matched, positions };
    },
  };
});
