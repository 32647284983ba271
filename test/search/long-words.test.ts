// Words without a limit of length: texts of strangers may have them.

import fc from 'fast-check';
import { WordQuery } from '../../src/model/word-query.ts';
import { expect, test } from 'vitest';
import { Dictionary, dictionaryOf, SUFFIX_BYTES, suffixesOf } from '../../src/search/dictionary.ts';
import { indexTerms } from '../../src/search/index-terms.ts';
import { growth, LINEAR } from '../support/growth.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { wordsOf } from './words-oracle.ts';

const indexOf = (text: string) =>
  indexTerms({
    texts: [text],
    ratings: Uint8Array.of(5),
    replies: [null],
    values: Uint32Array.of(0),
    valueStarts: Uint32Array.of(0, 1),
  });

test.each(['a', 'ab', 'é', 'waschmaschine'])(
  'a word that repeats %j is indexed in time that is linear in its length',
  (part) => {
    const ratio = growth(8_000, (size) => part.repeat(Math.ceil(size / part.length)), indexOf);
    expect(ratio).toBeLessThan(LINEAR);
  },
);

/** Few letters, so that words share long parts and repeat themselves; some take two or four bytes. */
const LONG_WORD = fc
  .array(
    fc.tuple(
      fc.constantFrom('a', 'ab', 'aab', 'é', 'ж', '𐐨', 'x'),
      fc.integer({ min: 1, max: 90 }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.map(([part, times]) => part.repeat(times)).join(''));

function sliceOf(text: string, from: number, share: number): string {
  const characters = Array.from(text);
  const start = Math.floor(characters.length * from);
  return characters.slice(start, start + 1 + Math.floor(characters.length * share)).join('');
}

const SHARE = fc.double({ min: 0, max: 0.999, noNaN: true });

test('the strings that contain or end with any part are found', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(LONG_WORD, { minLength: 1, maxLength: 8 }),
      fc.array(fc.tuple(fc.nat(7), SHARE, SHARE), { minLength: 5, maxLength: 5 }),
      (words, parts) => {
        const sorted = words.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        const data = dictionaryOf(sorted);
        const [dictionary, suffixes] = [new Dictionary(data), suffixesOf(data)];
        const where = (isMatch: (word: string) => boolean) =>
          sorted.flatMap((word, number) => (isMatch(word) ? [number] : []));
        for (const [number, from, share] of parts) {
          const part = sliceOf(sorted[number % sorted.length] as string, from, share);
          for (const one of [part, `${part}x`]) {
            expect(dictionary.containing(one, suffixes)).toEqual(
              where((word) => word.includes(one)),
            );
            expect(dictionary.containing(`${one}\0`, suffixes)).toEqual(
              where((word) => word.endsWith(one)),
            );
          }
        }
      },
    ),
    { numRuns: 200 },
  );
});

const CUT = SUFFIX_BYTES;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const LONG = Array.from({ length: 300 }, (_, at) => LETTERS[(at * at + (at >> 4)) % 26]).join('');
const START = LONG.slice(0, CUT);
const TEXTS = [
  LONG,
  `the ${LONG} leaked`,
  `${LONG}s`,
  `x${LONG}`,
  START,
  `${START}z`,
  `${LONG.slice(0, 299)}#`,
  `${LONG} ${LONG}`,
  'a'.repeat(300),
  'a'.repeat(301),
  'plain words',
];
const REVIEWS = TEXTS.map((text, number) =>
  review({ id: ulidOf(TEXTS.length - number), text, date: '2024-01-01' }),
);
const loaded = snapshotOf(REVIEWS, { languages: new Map(REVIEWS.map(({ id }) => [id, 'en'])) });

async function found({ query, words }: { query?: string; words?: string }): Promise<number[]> {
  const snapshot = await loaded;
  const { positions, matched } = snapshot.search({
    ...(query !== undefined && { query }),
    ...(words !== undefined && { words: WordQuery.parse(words) }),
    sort: 'newest',
    limit: 100,
  });
  expect(positions).toHaveLength(matched);
  return positions.map((position) => REVIEWS.findIndex(({ id }) => id === snapshot.idAt(position)));
}

const textsWhere = (isMatch: (text: string) => boolean) =>
  TEXTS.flatMap((text, number) => (isMatch(text) ? [number] : []));

test.each([
  ['the word', LONG],
  ['its middle', LONG.slice(100, 200)],
  ['a short part of its middle', LONG.slice(150, 155)],
  ['a part across the cut', LONG.slice(CUT - 4, CUT + 4)],
  ['its start up to the cut', START],
  ['its start beyond the cut', LONG.slice(0, CUT + 1)],
  ['its end', LONG.slice(-100)],
  ['its end and the next word', `${LONG.slice(-100)} leaked`],
  ['the previous word and its start', `the ${LONG.slice(0, 100)}`],
  ['the word between others', `the ${LONG} leaked`],
  ['another end', `${LONG.slice(200)}q`],
  ['one letter', 'a'.repeat(100)],
  ['one letter as often as in a text', 'a'.repeat(301)],
  ['one letter too often', 'a'.repeat(302)],
])('a query finds %s of a word of 300 letters', async (_what, query) => {
  expect(await found({ query })).toEqual(textsWhere((text) => text.includes(query)));
});

test('words find a word of 300 letters whole, as a prefix and in a phrase', async () => {
  const having = (word: string) => textsWhere((text) => wordsOf(text).includes(word));
  expect(await found({ words: `${LONG} ` })).toEqual(having(LONG));
  expect(await found({ words: `${START} ` })).toEqual(having(START));
  expect(await found({ words: `"the ${LONG}"` })).toEqual([1]);
  expect(await found({ words: `"${LONG} ${LONG}"` })).toEqual([7]);
  expect(await found({ words: `-${LONG}` })).toEqual(
    textsWhere((text) => !wordsOf(text).includes(LONG)),
  );
  for (const prefix of [START, LONG.slice(0, 299), LONG]) {
    expect(await found({ words: prefix })).toEqual(
      textsWhere((text) => wordsOf(text).some((word) => word.startsWith(prefix))),
    );
  }
});
