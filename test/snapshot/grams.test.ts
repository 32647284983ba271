import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '../../src/model/fold.ts';
import { buildGrams, GramIndex, type Posting, type Texts } from '../../src/snapshot/grams.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

function textsOf(list: readonly string[]): Texts {
  const parts = list.map((text) => Buffer.concat([Buffer.from(text), Buffer.of(0xff)]));
  let end = 0;
  return {
    bytes: Buffer.concat(parts),
    starts: Uint32Array.from([0, ...parts.map((part) => (end += part.length))]),
    terminator: 1,
  };
}

function indexOf(list: readonly string[]): GramIndex {
  return new GramIndex(buildGrams(textsOf(list)), list.length);
}

const positions = (posting: Posting) => [...posting.positions()];

describe('postings', () => {
  test('of a string of up to three bytes are the texts that hold it', () => {
    const index = indexOf(['abc', '', 'cab', 'é', 'aéb']);
    const exactly = (string: string) => index.postingsOf(Buffer.from(string))?.map(positions);
    expect(exactly('a')).toEqual([[0, 2, 4]]);
    expect(exactly('ab')).toEqual([[0, 2]]);
    expect(exactly('abc')).toEqual([[0]]);
    expect(exactly('é')).toEqual([[3, 4]]);
    expect(exactly('aé')).toEqual([[4]]);
  });

  test('come rarest first', () => {
    const index = indexOf(['abcd', 'abc', 'abc', 'bcd']);
    expect(index.postingsOf(Buffer.from('abcd'))?.map(({ count }) => count)).toEqual([2, 3]);
  });

  test('do not reach from one text into the next', () => {
    const index = indexOf(['ab', 'cd']);
    expect(index.postingsOf(Buffer.from('bc'))).toBeNull();
    expect(index.postingsOf(Buffer.from('abcd'))).toBeNull();
  });

  test('keep distances of any size', () => {
    const list = Array.from({ length: 40_000 }, () => 'x');
    const places = [0, 1, 127, 128, 255, 16_511, 16_512, 39_999];
    for (const place of places) list[place] = 'rare';
    expect(indexOf(list).postingsOf(Buffer.from('rar'))?.map(positions)).toEqual([places]);
  });

  test('hold every text that holds the string, whatever the texts', () => {
    const anyLetters = fc.string({
      unit: fc.constantFrom('a', 'b', 'é', '😀', ' '),
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(anyLetters, { maxLength: 80 }), anyLetters, (list, string) => {
        fc.pre(string !== '');
        const holding = list.flatMap((text, place) => (text.includes(string) ? [place] : []));
        const postings = indexOf(list).postingsOf(Buffer.from(string));
        if (postings === null) return holding.length === 0;
        const inAll = (place: number) => postings.every((one) => positions(one).includes(place));
        const found = list.flatMap((_, place) => (inAll(place) ? [place] : []));
        if (Buffer.byteLength(string) <= 3) expect(found).toEqual(holding);
        return holding.every((place) => found.includes(place));
      }),
      { numRuns: 400 },
    );
  });
});

describe('search over some thousand reviews', () => {
  const COMMON = ['water', 'heater', 'came', 'on', 'time', 'the', 'leak', 'and', 'price'];
  const RARE = ['sewer', 'ductwork', 'café', 'öl', 'backflow', '冷房', 'heaters'];
  // A fixed walk over the words, so that some are in most texts and some in few.
  const texts = Array.from({ length: 6_000 }, (_, number) => {
    const words = Array.from(
      { length: 6 + (number % 9) },
      (__, place) => COMMON[(number * 7 + place * place + (number >> 3)) % COMMON.length] as string,
    );
    if (number % 11 === 0) words.splice(number % 5, 0, RARE[number % RARE.length] as string);
    if (number % 2 === 0) words.push('heater', 'leak');
    if (number % 10 === 0) words.push(number % 20 === 0 ? 'zone control' : 'control zone');
    return words.join(' ');
  });
  const reviews = texts.map((text, number) =>
    review({ id: ulidOf(number), text, rating: 1 + (number % 5), date: '2024-01-01' }),
  );

  test.each([
    'e',
    'he',
    'hea',
    'heat',
    'heater',
    'heaters',
    'heater leak',
    'water heater',
    'r l',
    'leak and',
    'sewer',
    'came sewer',
    'zone control',
    'leak control',
    'the ductwork',
    'CAFÉ',
    'Öl',
    '冷房',
    '冷',
    'backflow heater leak',
    'backflow backflow',
    'absent',
    'time the leak and price water heater came on time',
  ])('finds %j as a look at every text does', async (query) => {
    const snapshot = await loaded;
    const holding = texts.filter((text) => fold(text).includes(fold(query))).length;
    const rated = reviews.filter(
      ({ text, rating }) => rating === 2 && fold(text ?? '').includes(fold(query)),
    ).length;
    expect(snapshot.search({ query, limit: 20 }).matched).toBe(holding);
    expect(snapshot.search({ query, rating: 2, limit: 20 }).matched).toBe(rated);
  });

  const loaded = snapshotOf(reviews);
});
