// `words` by examples: names of the catalogue and of the insights, suggestions, and hostile searches.

import { beforeAll, describe, expect, test } from 'vitest';
import { deriveInsights } from '../support/derive.ts';
import { Cursor, SORTS } from '../../src/model/cursor.ts';
import { parseSearchParameters, type SearchFilter } from '../../src/model/search.ts';
import { WordQuery } from '../../src/model/word-query.ts';
import type { SearchAnswer } from '../../src/model/answers.ts';
import { renderSearch } from '../../src/snapshot/queries.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const TEXTS = [
  'Our boiler leaked and they fixed it fast.',
  'They charged us far too much for the visit, a rip-off.',
  'Mike replaced the water heater. Very friendly and on time.',
  'The price was inexpensive and fair, thank you Zoë.',
  'They unclogged the kitchen sink in an hour. Best drain cleaning in town.',
  'Great place.',
  'Don’t call on a Sunday: nobody answers the phone 👍.',
  'Der Techniker war pünktlich und die Reparatur günstig.',
];
const REVIEWS = TEXTS.map((text, number) =>
  review({
    id: ulidOf(100 - number),
    text,
    rating: number % 2 === 0 || number === 3 ? 5 : 2,
    date: '2024-03-01',
  }),
);

let snapshot: Snapshot;
beforeAll(async () => {
  const languages = new Map(REVIEWS.map(({ id }, number) => [id, number === 7 ? 'de' : 'en']));
  snapshot = await snapshotOf(REVIEWS, { languages, insights: deriveInsights(REVIEWS, BUSINESS) });
});

function answer({
  words,
  ...rest
}: Partial<Omit<SearchFilter, 'words'>> & { words?: string }): SearchAnswer {
  const filter = words === undefined ? rest : { ...rest, words: WordQuery.parse(words) };
  return JSON.parse(
    Buffer.concat(renderSearch(snapshot, { limit: 20, ...filter })).toString(),
  ) as SearchAnswer;
}

/** The numbers of the texts that are found. */
function found(words: string): number[] {
  return answer({ words }).reviews.map(({ text }) => TEXTS.indexOf(text ?? ''));
}

describe('words', () => {
  test.each([
    ['leaking boiler', [0]],
    ['boiler leaking', [0]],
    ['heater water', [2]],
    ['AC ', []],
    ['ac', []],
    ['inexpen', [3]],
    ['"water heater"', [2]],
    ['"heater water"', []],
    ['they -boiler ', [1, 4]],
    ['-they', [2, 3, 5, 6, 7]],
    ["don't", [6]],
    ['dont ', [6]],
    ['rip-off', [1]],
    ['zoe', [3]],
    ['👍', [6]],
    ['puenktlich', [7, 2]],
    ['punktlich', [7, 2]],
    ['reparaturen', [7, 0]],
    ['...', [0, 1, 2, 3, 4, 5, 6, 7]],
    ['"on time', [2]],
  ])('%j finds %j', (words, expected) => {
    expect(found(words)).toEqual(expected);
  });

  test('that name an aspect also find the reviews that judge it, and the answer says so', () => {
    const { subjects, matched, related, match, reviews } = answer({ words: 'expensive ' });
    expect(subjects).toEqual([
      {
        words: 'expensive',
        kind: 'aspect',
        id: 'pricing',
        label: expect.any(String),
        sentiment: 'negative',
        count: 1,
      },
    ]);
    expect({ matched, related }).toEqual({ matched: 0, related: 1 });
    expect(reviews[0]?.text).toBe(TEXTS[1]);
    expect(match).toEqual({ [reviews[0]?.id ?? '']: 'subject' });
  });

  test.each([
    ['awful costs ', 'negative'],
    ['excellent costs ', 'positive'],
    ['awful or excellent costs ', undefined],
  ])('%j is about an aspect with the opinion that they have: %j', (words, sentiment) => {
    expect(answer({ words }).subjects?.map((one) => one.sentiment)).toEqual([sentiment]);
  });

  test('that are an alias of a service find the reviews that mention it', () => {
    const { subjects, reviews } = answer({ words: 'clogged sinks ' });
    expect(subjects).toEqual([
      {
        words: 'clogged sinks',
        kind: 'service',
        id: 'drain-cleaning',
        label: 'Drain cleaning',
        count: 1,
      },
    ]);
    expect(reviews.map(({ text }) => text)).toContain(TEXTS[4]);
  });

  test('in quotes are not widened', () => {
    expect(answer({ words: '"expensive"' })).toMatchObject({
      matched: 0,
      filters: { words: '"expensive"' },
    });
    expect(answer({ words: '"expensive"' }).subjects).toBeUndefined();
  });

  test('that no review has are corrected, and the answer says so', () => {
    expect(answer({ words: 'boilr leaked ' })).toMatchObject({
      matched: 1,
      filters: { corrected: [{ word: 'boilr', to: 'boiler' }] },
    });
    expect(answer({ words: 'unclogd kithcen ' })).toMatchObject({
      matched: 1,
      filters: {
        corrected: [
          { word: 'unclogd', to: 'unclogged' },
          { word: 'kithcen', to: 'kitchen' },
        ],
      },
    });
    expect(answer({ words: 'puenktlich ' })).toMatchObject({
      matched: 2,
      filters: { corrected: [{ word: 'puenktlich', to: 'punktlich' }] },
    });
    expect(answer({ words: 'boiler ' }).filters.corrected).toBeUndefined();
  });

  test('are never taken for their opposite, and a short word for no other', () => {
    // The texts have "friendly" and "sink".
    expect(answer({ words: 'unfriendly ' })).toMatchObject({ matched: 0, related: 0 });
    expect(answer({ words: 'unfriendly ' }).filters.corrected).toBeUndefined();
    expect(answer({ words: 'fin ' }).filters.corrected).toBeUndefined();
  });

  test('of English are no misspelling, and a slip in a word that says little drops it', () => {
    // The texts have "sink" and "clogged", not "pink" and "jogged".
    for (const words of ['pink ', 'jogged ']) {
      expect(answer({ words }).filters.corrected).toBeUndefined();
    }
    expect(answer({ words: 'thye boiler leaked ' })).toMatchObject({
      matched: answer({ words: 'boiler leaked ' }).matched,
    });
    expect(answer({ words: 'thx r u wanna boiler ' }).matched).toBe(
      answer({ words: 'boiler ' }).matched,
    );
  });

  test('that are not all in one review find reviews with some of them', () => {
    const { matched, related, match, reviews } = answer({ words: 'boiler kitchen ' });
    expect({ matched, related }).toEqual({ matched: 0, related: 2 });
    expect(reviews.map(({ text }) => TEXTS.indexOf(text ?? '')).toSorted()).toEqual([0, 4]);
    expect(Object.values(match ?? {})).toEqual(['some', 'some']);
  });

  test('are all required if the search is strict', () => {
    const strict = answer({ words: 'boilr kitchen ', strict: true });
    expect(strict).toMatchObject({ matched: 0, related: 0, returned: 0 });
    expect(strict.suggestions).toEqual([{ words: 'kitchen', matched: 1 }]);
    expect(answer({ words: 'boiler kitchen ', strict: true }).suggestions).toEqual([
      { words: 'kitchen', matched: 1 },
      { words: 'boiler', matched: 1 },
    ]);
    expect(answer({ words: 'leaking boiler ', strict: true })).toMatchObject({ matched: 1 });
  });

  test('need no stop words, unless they are quoted or alone', () => {
    expect(answer({ words: 'who can fix the boiler ' })).toMatchObject({ matched: 1 });
    expect(answer({ words: '"the boiler"' })).toMatchObject({ matched: 0 });
    expect(answer({ words: 'they ' }).matched).toBe(3);
  });

  test('are found joined, split and by other words for the same', () => {
    expect(answer({ words: 'waterheater ' })).toMatchObject({ matched: 1 });
    expect(answer({ words: 'rip off ' })).toMatchObject({ matched: 1 });
    expect(answer({ words: 'courteous ' }).reviews.map(({ text }) => text)).not.toContain(TEXTS[5]);
    expect(answer({ words: 'punctual ' })).toMatchObject({ matched: 1 });
    expect(answer({ words: 'clog ' })).toMatchObject({ matched: 0 });
  });

  test('that are compounds are related to their parts, and not found, where no review has the whole', async () => {
    const texts = ['Mein Rücken dankt.', 'Die Wartung war gut.', 'Kein Schmerz, kein Vertrag.'];
    const reviews = texts.map((text, at) => review({ id: ulidOf(9 - at), text }));
    const foundIn = async (language: string, words: string, more: string[] = []) => {
      const all = [...reviews, ...more.map((text) => review({ id: ulidOf(20), text }))];
      const languages = new Map(all.map(({ id }) => [id, language]));
      const own = await snapshotOf(all, { languages });
      const { positions } = own.search({ words: WordQuery.parse(words), limit: 9, sort: 'newest' });
      return positions.map((at) => all.find(({ id }) => id === own.idAt(at))?.text);
    };
    expect(await foundIn('de', 'Rückenschmerzen ')).toEqual([texts[0], texts[2]]);
    expect(await foundIn('de', 'Wartungsvertrag ')).toEqual([texts[1], texts[2]]);
    const languages = new Map(reviews.map(({ id }) => [id, 'de']));
    const own = await snapshotOf(reviews, { languages });
    const { matched } = own.search({ words: WordQuery.parse('Rückenschmerzen '), limit: 9 });
    expect(matched).toBe(0);
    expect(await foundIn('de', 'Rückenschmerzen ', ['Rückenschmerzen!'])).toEqual([
      'Rückenschmerzen!',
    ]);
    expect(await foundIn('fr', 'Rückenschmerzen ')).toEqual([]);
  });

  test('and query are highlighted in UTF-16 units of the text as it is written', () => {
    const { highlights, reviews } = answer({ words: 'nobody 👍', query: "DON'T", highlight: true });
    const [{ id, text } = { id: '', text: '' }] = reviews;
    const parts = (highlights?.[id] ?? []).map(([start, end]) => text?.slice(start, end));
    expect(parts).toEqual(['Don’t', 'nobody', '👍']);
  });

  test('that only a mention matches highlight what the review says about it', () => {
    const { highlights, reviews } = answer({ words: 'expensive ', highlight: true });
    const [{ id, text } = { id: '', text: '' }] = reviews;
    const parts = (highlights?.[id] ?? []).map(([start, end]) => text?.slice(start, end));
    expect(parts).not.toEqual([]);
    expect(TEXTS[1]).toContain(parts[0]);
  });
});

describe('the parameters', () => {
  test('that are unknown are named in filters.ignored', () => {
    const parsed = parseSearchParameters({ words: 'boiler', stars: '5', utm_source: 'x' });
    expect(parsed).toEqual({
      ok: true,
      value: { words: WordQuery.parse('boiler'), limit: 20, ignored: ['stars', 'utm_source'] },
    });
  });

  test('rating and source may be repeated', () => {
    const parsed = parseSearchParameters({ rating: ['4', '5', '4'], source: ['google', 'yelp'] });
    expect(parsed).toEqual({
      ok: true,
      value: { limit: 20, rating: [4, 5], source: ['google', 'yelp'] },
    });
    expect(parseSearchParameters({ rating: ['4', '9'] })).toMatchObject({
      issues: [{ path: ['rating'], message: 'expected an integer from 1 to 5, got 9' }],
    });
  });

  test.each(SORTS)('need a cursor of the same order: %s', (sort) => {
    const rank = ['newest', 'oldest'].includes(sort) ? null : 5;
    const cursor = String(new Cursor('2024-03-01', ulidOf(1), sort, rank));
    expect(parseSearchParameters({ sort, cursor }).ok).toBe(true);
    for (const other of SORTS.filter((one) => one !== sort)) {
      const message = `expected a next_cursor of an answer with sort=${other}, got one with sort=${sort}`;
      expect(parseSearchParameters({ sort: other, cursor })).toMatchObject({
        issues: [{ message }],
      });
    }
  });

  test('words have at most 64 words, and facets known names', () => {
    expect(parseSearchParameters({ words: 'a1 '.repeat(65) }).ok).toBe(true);
    const many = Array.from({ length: 65 }, (_, number) => `w${number}`).join(' ');
    expect(parseSearchParameters({ words: many })).toMatchObject({
      issues: [{ path: ['words'] }],
    });
    expect(parseSearchParameters({ facets: 'rating, month' }).ok).toBe(true);
    expect(parseSearchParameters({ facets: 'rating,colour' })).toMatchObject({
      issues: [{ path: ['facets'] }],
    });
  });
});

describe('the syntax of words', () => {
  test('has phrases, exclusions, and a last word that may be a prefix', () => {
    expect(WordQuery.parse('Water -"cold feet" -slow heat')).toMatchObject({
      required: [
        { words: ['water'], isExact: false, isQuoted: false, isPrefix: false },
        { words: ['heat'], isExact: false, isQuoted: false, isPrefix: true },
      ],
      excluded: [
        { words: ['cold', 'feet'], isExact: true, isQuoted: true, isPrefix: false },
        { words: ['slow'], isExact: false, isQuoted: false, isPrefix: false },
      ],
    });
  });

  test.each(['', ' ', '"', '-', '--', '-"', '""', '" "', '\u202e', '\u0301'])(
    'ignores %j',
    (words) => {
      expect(WordQuery.parse(words)).toMatchObject({ required: [], excluded: [] });
    },
  );
});

test('a phrase of three words has all its pairs in a row', async () => {
  const texts = ['very good work', 'good work, and very good', 'work very good'];
  const reviews = texts.map((text, number) => review({ id: ulidOf(10 - number), text }));
  const small = await snapshotOf(reviews);
  const matched = (words: string) => {
    const filter = { limit: 20, words: WordQuery.parse(words), strict: true };
    const json = Buffer.concat(renderSearch(small, filter)).toString();
    return (JSON.parse(json) as SearchAnswer).reviews.map(({ text }) => text);
  };
  expect(matched('"very good work"')).toEqual(['very good work']);
  expect(matched('"very good"')).toHaveLength(3);
});
