// Our index, without insights: nothing is asked here that they would answer.

import { businessSchema } from '../../src/model/business.ts';
import { deriveInsights } from '../../src/insights/derive.ts';
import { buildSearchIndex, SearchIndex } from '../../src/snapshot/search-index.ts';
import { CORPUS_BUSINESS } from '../corpus.ts';
import { serveSide } from './side.ts';

serveSide((reviews) => {
  const business = businessSchema.parse(CORPUS_BUSINESS);
  const sections = buildSearchIndex(reviews, deriveInsights([], business), business);
  const ids = reviews.map(({ id }) => id);
  const index = new SearchIndex(sections, (position) => ids[position] as string);
  return {
    bytes: Object.values(sections).reduce((sum, { byteLength }) => sum + byteLength, 0),
    search: (filter) => {
      const { matched, positions } = index.search(filter);
      return { matched, positions };
    },
  };
});
