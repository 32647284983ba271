// Each group of synonyms, by searches: every term finds what says any other term of its group.

import { expect, test } from 'vitest';
import { WordQuery } from '../../src/model/word-query.ts';
import narrower from '../../src/search/narrower.json' with { type: 'json' };
import data from '../../src/search/synonyms.json' with { type: 'json' };
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const LISTS = Object.entries(data).flatMap(([language, verticals]) =>
  Object.entries(verticals).map(([vertical, groups]) => [language, vertical, groups] as const),
);

test.each(LISTS)('in %s for %s', async (language, vertical, groups) => {
  const terms = groups.flat();
  // The first word of each text is in no search.
  const reviews = terms.map((term, at) => review({ id: ulidOf(at), text: `x${at} ${term}` }));
  const languages = new Map(reviews.map(({ id }) => [id, language]));
  const snapshot = await snapshotOf(reviews, { languages, business: { ...BUSINESS, vertical } });
  for (const group of groups) {
    for (const term of group) {
      const words = WordQuery.parse(`${term} `);
      const { positions, reasons } = snapshot.search({ words, limit: 100 });
      const saying = positions.filter((_, at) => reasons?.[at] === 'all');
      const ids = new Set(saying.map((position) => snapshot.idAt(position)));
      const missed = group.filter((other) => !ids.has(reviews[terms.indexOf(other)]?.id ?? ''));
      expect({ term, missed }).toEqual({ term, missed: [] });
    }
  }
});

test.each(Object.entries(narrower))(
  'what is narrower in %s is found, and does not find what is wider',
  async (language, words) => {
    for (const [wide, list] of Object.entries<string>(words)) {
      const terms = [wide, ...list.split(', ')];
      const reviews = terms.map((term, at) => review({ id: ulidOf(at), text: `x${at} ${term}` }));
      const languages = new Map(reviews.map(({ id }) => [id, language]));
      const snapshot = await snapshotOf(reviews, { languages });
      const saying = (term: string) => {
        const { positions, reasons } = snapshot.search({
          words: WordQuery.parse(`${term} `),
          limit: 100,
        });
        const ids = positions
          .filter((_, at) => reasons?.[at] === 'all')
          .map((at) => snapshot.idAt(at));
        return reviews.flatMap(({ id }, at) => (ids.includes(id) ? [terms[at] as string] : []));
      };
      expect(saying(wide)).toEqual(terms);
    }
  },
);

test('the groups of the business find each other too, and ours stay', async () => {
  const synonyms = [
    ['RO', 'reverse osmosis', 'water filter'],
    ['cheap', 'thrifty'],
  ];
  const texts = ['Our RO leaks.', 'A reverse osmosis tap.', 'Thrifty!', 'Affordable.', 'Filter.'];
  const reviews = texts.map((text, at) => review({ id: ulidOf(9 - at), text }));
  const snapshot = await snapshotOf(reviews, {
    languages: new Map(reviews.map(({ id }) => [id, 'en'])),
    business: { ...BUSINESS, synonyms },
  });
  const found = (words: string) =>
    snapshot
      .search({ words: WordQuery.parse(words), limit: 9, sort: 'newest' })
      .positions.map((at) => texts[at]);
  expect(found('reverse osmosis ')).toEqual([texts[0], texts[1]]);
  expect(found('water filters ')).toEqual([texts[0], texts[1]]);
  expect(found('cheap ')).toEqual([texts[2], texts[3]]);
});
