// `words`, `query`, orders, facets, filters and highlights compared with loops over all reviews of random corpora.

import { test } from 'vitest';
import { checkCorpora } from './random-corpora.ts';

test('searches of 40 random corpora agree with loops over all reviews', async () => {
  await checkCorpora({ corpora: 40, searches: 3, seed: 20 });
});
