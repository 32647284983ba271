// `words`, `query`, orders, facets, filters and highlights compared with loops over all reviews of random corpora.

import { test } from 'vitest';
import { checkCorpora } from './random-corpora.ts';

test('searches of 100 random corpora agree with loops over all reviews', async () => {
  await checkCorpora({ corpora: 100, searches: 3, seed: 20 });
});
