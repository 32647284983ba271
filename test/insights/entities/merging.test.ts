import { expect, test } from 'vitest';
import { mergeMentions } from '../../../src/insights/entities/merging.ts';

const seen = (...sentiments: ('positive' | 'neutral' | 'negative')[]) =>
  sentiments.map((sentiment, at) => ({ id: 'x', sentiment, start: at, end: at + 1 }));

test.each([
  ['one stays as it is', seen('negative'), 5, 'negative', 0],
  ['more of one kind outweigh', seen('negative', 'positive', 'positive'), 1, 'positive', 1],
  ['as many are decided by good stars', seen('negative', 'positive'), 4, 'positive', 1],
  ['as many are decided by bad stars', seen('positive', 'negative'), 2, 'negative', 1],
  ['as many in three stars are neutral', seen('positive', 'negative'), 3, 'neutral', 0],
  ['an opinion counts beside none', seen('neutral', 'neutral', 'positive'), 1, 'positive', 2],
  ['stars alone give no opinion', seen('neutral', 'neutral'), 1, 'neutral', 0],
] as const)('%s', (_, mentions, rating, sentiment, start) => {
  expect(mergeMentions(mentions, rating)).toEqual([{ id: 'x', sentiment, start, end: start + 1 }]);
});

test('each id is merged separately, in the order of the text', () => {
  const mentions = ['b', 'a', 'b'].map((id, start) => ({
    id,
    sentiment: 'positive' as const,
    start,
    end: start + 1,
  }));
  expect(mergeMentions(mentions, 5).map(({ id, start }) => [id, start])).toEqual([
    ['b', 0],
    ['a', 1],
  ]);
});
