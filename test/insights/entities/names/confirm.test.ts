import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NameCandidate } from '../../../../src/insights/entities/names/technicians.ts';
import { EXECUTIVE } from '../../../../src/insights/entities/names/model.ts';
import { confirmNames } from '../../../../src/insights/entities/names/confirm.ts';

const named = (name: string, score: number): NameCandidate => ({
  name,
  score,
  sentiment: 'positive',
  start: 0,
  end: 4,
  phraseStart: 0,
  phraseEnd: 9,
});
const reviews = (...names: (readonly [string, number])[][]) =>
  names.map((list) => ({ names: list.map(([name, score]) => named(name, score)) }));
const ids = (list: { names: NameCandidate[] }[], taken: string[] = []) =>
  confirmNames(list, new Set(taken))
    .technicians.map(({ id, name }) => `${id}: ${name}`)
    .toSorted();

describe('a name', () => {
  test('is confirmed by one clear context', () => {
    expect(ids(reviews([['Rosa', 0.85]]))).toEqual(['rosa: Rosa']);
  });

  test('with faint evidence is nobody, however many reviews have it', () => {
    expect(ids(reviews([['Rosa', -0.5]], [['Rosa', -0.5]], [['Rosa', -0.5]]))).toEqual([]);
  });

  test('with faint evidence counts where others are clear', () => {
    const all = reviews([['Zo', -0.5]], [['Zo', 2.5]]);
    const { mentionsOf } = confirmNames(all, new Set());
    expect(all.map(({ names }) => mentionsOf(names, 5).length)).toEqual([1, 1]);
  });

  test('is nobody where others use it for something else, unless the evidence is strong', () => {
    const [other] = reviews([['Phoenix', -2.5]]);
    const likely = reviews([['Phoenix', 0.9]]);
    expect(ids(likely)).toEqual(['phoenix: Phoenix']);
    expect(ids([...likely, other!, other!])).toEqual([]);
    expect(ids([...reviews([['Phoenix', 2]]), other!, other!])).toEqual(['phoenix: Phoenix']);
  });

  test('of an executive is nobody, however many reviews praise it', () => {
    const praised = Array.from({ length: 50 }, () => reviews([['Theo Grant', 4]])[0]!);
    expect(ids([...praised, ...reviews([['Theo Grant', EXECUTIVE]])])).toEqual([]);
    const both = reviews([
      ['Theo Grant', EXECUTIVE],
      ['Grant', 2],
    ]);
    expect(ids([...both, ...reviews([['Grant', 2]])])).toEqual([]);
  });

  test('in full belongs to the person whom others call by the first name', () => {
    const list = reviews([['Theo Grant', 0.9]], [['Theo', 0.9]]);
    expect(ids(list)).toEqual(['theo: Theo Grant']);
    expect(confirmNames(list, new Set()).mentionsOf([named('Grant', 0.3)], 5)).toMatchObject([
      { id: 'theo' },
    ]);
  });

  test('that two people share is a third entry', () => {
    const list = reviews([['Theo Grant', 0.9]], [['Theo Moss', 0.9]], [['Theo', 0.9]]);
    expect(ids(list)).toEqual(['theo-grant: Theo Grant', 'theo-moss: Theo Moss', 'theo: Theo']);
    expect(confirmNames(list, new Set()).mentionsOf([named('Theo', 0.9)], 5)).toMatchObject([
      { id: 'theo' },
    ]);
  });

  test('never takes the id of a technician of the catalogue', () => {
    expect(ids(reviews([['Rosa', 0.9]]), ['rosa', 'rosa-2'])).toEqual(['rosa-3: Rosa']);
  });

  test('has the most frequent spelling', () => {
    expect(ids(reviews([['Deshawn', 0.9]], [['DeShawn', 0.9]], [['DeShawn', 0.9]]))).toEqual([
      'deshawn: DeShawn',
    ]);
  });
});

test('the order of the reviews does not matter', () => {
  const anyName = fc.tuple(
    fc.constantFrom('Rosa', 'ROSA', 'Rosa Lee', 'Rosa L', 'Rosa Moss', 'Theo', 'Big Theo', 'Lee'),
    fc.constantFrom(0.3, 0.45, 0.85),
  );
  const anyReviews = fc
    .array(fc.array(anyName, { maxLength: 3 }), { maxLength: 8 })
    .map((lists) => reviews(...lists));
  const shuffled = anyReviews.chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
    ),
  );
  fc.assert(
    fc.property(shuffled, ([list, others]) => {
      expect(ids(others)).toEqual(ids(list));
      const [a, b] = [confirmNames(list, new Set()), confirmNames(others, new Set())];
      for (const { names } of list) expect(b.mentionsOf(names, 4)).toEqual(a.mentionsOf(names, 4));
    }),
  );
});
