import { expect, test } from 'vitest';
import { buildMix, parametersOf, SHARES } from '../../bench/queries.ts';
import { parseSearchParameters } from '../../src/model/search.ts';

const MIX = buildMix();

test('the mix has 400 different searches', () => {
  expect(MIX).toHaveLength(400);
  expect(new Set(MIX.map(({ filter }) => parametersOf(filter))).size).toBe(400);
});

test('the mix has the stated number of each kind', () => {
  const counts = Object.groupBy(MIX, ({ kind }) => kind);
  expect(
    Object.fromEntries(Object.entries(counts).map(([kind, { length }]) => [kind, length])),
  ).toEqual(SHARES);
});

test('the mix is the same every time', () => {
  expect(buildMix()).toEqual(MIX);
});

test('every fifth part of the mix has searches of at least nine kinds', () => {
  for (let from = 0; from < 400; from += 80) {
    const kinds = new Set(MIX.slice(from, from + 80).map(({ kind }) => kind));
    expect(kinds.size).toBeGreaterThanOrEqual(9);
  }
});

test('the server accepts every search of the mix, and parses it to the same filter', () => {
  for (const { filter } of MIX) {
    const parameters = Object.fromEntries(new URLSearchParams(parametersOf(filter)));
    expect(parseSearchParameters(parameters)).toEqual({ ok: true, value: filter });
  }
});

test('long searches have 200 characters, short ones one, two and three', () => {
  const lengthsOf = (wanted: string) =>
    new Set(MIX.flatMap(({ kind, filter }) => (kind === wanted ? [filter.query?.length] : [])));
  expect(lengthsOf('200 characters')).toEqual(new Set([200]));
  expect(lengthsOf('one letter')).toEqual(new Set([1]));
  expect(lengthsOf('two letters')).toEqual(new Set([2]));
  expect(lengthsOf('three letters')).toEqual(new Set([3]));
});

test('no search of the mix contradicts itself', () => {
  for (const { filter } of MIX) {
    const { since, until } = filter;
    if (since !== undefined && until !== undefined) expect(since < until).toBe(true);
  }
});
