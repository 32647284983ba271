import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '../../src/model/fold.ts';
import { GramWriter, isGram, rarestGrams } from '../../src/search/grams.ts';
import { Postings, PostingsWriter } from '../../src/search/postings.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { placed } from '../support/sets.ts';
import { snapshotOf } from '../support/snapshot.ts';

/** The texts that each of the rarest grams of a string is in, as the index of these texts tells; null where it has none. */
function lookUp(list: readonly string[], string: string): number[][] | null {
  const texts = list.map((text) => Buffer.concat([Buffer.from(text), Buffer.of(0xff)]));
  let end = 0;
  const starts = Uint32Array.from([0, ...texts.map((text) => (end += text.length))]);
  const writer = new PostingsWriter(list.length);
  const grams = new GramWriter({ bytes: Buffer.concat(texts), starts }, writer);
  list.forEach((_, position) => grams.add(position));
  const { sections, sets } = placed(writer.finish(), list.length);
  const postings = new Postings(sections, sets);
  return rarestGrams(Buffer.from(string), postings)?.map((posting) => [...posting.list()]) ?? null;
}

describe('grams', () => {
  test('of up to two bytes, and of three around a space, select exactly the texts that contain them', () => {
    const texts = ['abc', '', 'cab', 'é', 'aéb'];
    expect(lookUp(texts, 'a')).toEqual([[0, 2, 4]]);
    expect(lookUp(texts, 'ab')).toEqual([[0, 2]]);
    expect(lookUp(['a c', 'ac', 'a  c'], 'a c')).toEqual([[0]]);
    expect(lookUp(texts, 'é')).toEqual([[3, 4]]);
    expect(lookUp(texts, 'aé')).toEqual([[4], [3, 4]]);
  });

  test('do not span two texts', () => {
    expect(lookUp(['ab', 'cd'], 'bc')).toBeNull();
    expect(lookUp(['ab', 'cd'], 'abcd')).toBeNull();
  });

  test('select every text that contains the string, for any texts', () => {
    const anyLetters = fc.string({
      unit: fc.constantFrom('a', 'b', 'é', '😀', ' '),
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(anyLetters, { maxLength: 80 }), anyLetters, (list, string) => {
        fc.pre(string !== '');
        const holding = list.flatMap((text, place) => (text.includes(string) ? [place] : []));
        const grams = lookUp(list, string);
        if (grams === null) return holding.length === 0;
        const found = list.flatMap((_, place) =>
          grams.every((texts) => texts.includes(place)) ? [place] : [],
        );
        if (isGram(Buffer.from(string))) expect(found).toEqual(holding);
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
