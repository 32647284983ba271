// Our index without insights, which no search here uses.

import { businessSchema } from '../../src/model/business.ts';
import { deriveInsights } from '../../test/support/derive.ts';
import { CORPUS_BUSINESS } from '../corpus.ts';
import { placeIndex } from './place.ts';
import { serveSide } from './side.ts';

serveSide(async (reviews) => {
  const business = businessSchema.parse(CORPUS_BUSINESS);
  const derived = {
    insights: deriveInsights([], business),
    languages: new Map(reviews.map(({ id }) => [id, 'en'])),
  };
  const { index, bytes } = await placeIndex(reviews, derived, business);
  return {
    bytes,
    search: (filter) => {
      const { matched, positions } = index.search(filter);
      return { matched, positions };
    },
  };
});
