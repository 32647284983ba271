// The search index against loops over all reviews, on thousands of random corpora, different ones in every run.

import { test } from 'vitest';
import { checkCorpora } from '../search/random-corpora.ts';

test('searches of 6,000 random corpora agree with loops over all reviews', async () => {
  await checkCorpora({ corpora: 6_000, searches: 6 });
});
