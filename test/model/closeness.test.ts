// Similarity of names.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VERTICAL_FILES, verticalOf } from '../../src/insights/verticals/verticals.ts';
import { ASPECT_WORDS } from '../../src/search/subject-words.ts';
import { editsBetween, maxEdits, similarity, wordsOf } from '../../src/model/closeness.ts';
import { fold } from '../../src/model/fold.ts';

const VERTICALS = [...VERTICAL_FILES.keys()].map((name) => verticalOf(name));

test.each([
  ['Boiler_repair', 'boiler repair'],
  ['  DRAIN--cleaning!', 'drain cleaning'],
  ['Price & Value', 'price and value'],
  ['Ölwechsel', 'olwechsel'],
  ['···', ''],
  ['', ''],
])('%j is spelled %j', (name, words) => {
  expect(wordsOf(name)).toBe(words);
});

test.each([
  ['boiler', 'boiler', 0],
  ['boiler', 'boilr', 1],
  ['boiler', 'boilre', 1],
  ['boiler', 'bioler', 1],
  ['boiler', 'b0iler', 1],
  ['boiler', 'boilers', 1],
  ['boiler', 'boliers', 2],
  ['boiler', 'sump', Infinity],
  ['', 'ab', 2],
  ['', 'abc', Infinity],
])('from %j to %j it is %d edits', (a, b, edits) => {
  expect([editsBetween(a, b, 2), editsBetween(b, a, 2)]).toEqual([edits, edits]);
});

test('short names must match exactly', () => {
  expect(['', 'gas', 'leak', 'drain', 'boilers', 'radiators'].map(maxEdits)).toEqual([
    0, 0, 0, 1, 1, 2,
  ]);
});

test('similarity is between 0 and 1, symmetric, and 1 for equal texts', () => {
  const text = fc.string({ maxLength: 30 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const shared = similarity(a, b);
      expect(shared).toBeGreaterThanOrEqual(0);
      expect(shared).toBeLessThanOrEqual(1);
      expect(similarity(b, a)).toBe(shared);
      if (a.length > 1) expect(similarity(a, a)).toBe(1);
    }),
  );
});

test('every aspect of every vertical has synonyms, unique within the vertical', () => {
  for (const { id, aspects } of VERTICALS) {
    const words = aspects.flatMap((aspect) => {
      const further = ASPECT_WORDS.get(aspect.id);
      expect([id, aspect.id, further === undefined]).toEqual([id, aspect.id, false]);
      return [...new Set(further!.map(fold))];
    });
    const own = new Set(aspects.flatMap((aspect) => [fold(aspect.id), fold(aspect.label)]));
    const seen = words.filter((word) => !own.has(word));
    expect([id, seen.filter((word, at) => seen.indexOf(word) !== at)]).toEqual([id, []]);
  }
});

test('every aspect with synonyms belongs to a vertical', () => {
  const ids = new Set(VERTICALS.flatMap(({ aspects }) => aspects.map((aspect) => aspect.id)));
  expect([...ASPECT_WORDS.keys()].filter((id) => !ids.has(id))).toEqual([]);
});
