// Finding an entity by name, alias, spelling or a part of its name.

import { expect, test } from 'vitest';
import { Directory } from '../../src/snapshot/directory.ts';

const entity = (id: string, label: string, aliases: readonly string[] = []) => ({
  id,
  label,
  names: [id, label, ...aliases],
});
const BOILER = entity('boiler-service', 'Boiler service', ['boiler', 'Boiler repair']);
const DRAIN = entity('drain-cleaning', 'Drain cleaning', ['drain', 'clog']);
const HEATER = entity('heater', 'Heater & tank', ['clog']);
const EVE = entity('eve', 'Ève Clark');
const directory = new Directory([BOILER, DRAIN, HEATER, EVE]);

test.each([
  ['boiler-service', BOILER, null],
  ['BOILER SERVICE', BOILER, null],
  ['boiler\u00a0service', BOILER, null],
  ['eve clark', EVE, null],
  ['EVE', EVE, null],
  ['boiler repair', BOILER, 'alias'],
  ['boiler_service', BOILER, 'spelling'],
  ['Boiler services', BOILER, 'spelling'],
  ['boiler-repair', BOILER, 'spelling'],
  ['  boiler   repair', BOILER, 'spelling'],
  ['bioler', BOILER, 'spelling'],
  ['boilr', BOILER, 'spelling'],
  ['heater and tank', HEATER, 'spelling'],
  ['drian cleening', DRAIN, 'spelling'],
  ['clark', EVE, 'part'],
  ['cleaning', DRAIN, 'part'],
  ['repiar', BOILER, 'part'],
  ['Servi', BOILER, 'part'],
  ['tank', HEATER, 'part'],
  ['the drains', DRAIN, 'part'],
] as const)('%j is %j by %j', (name, one, by) => {
  const matchedAs = by === null ? null : { name: one.label, by };
  expect(directory.find(name)).toEqual({ one, matchedAs });
});

test('a shared name has all that have it', () => {
  const found = { one: null, isNear: true, candidates: [DRAIN, HEATER] };
  expect(directory.find('clog')).toEqual(found);
});

test('a spelling or a part that fits two equally has both, and a name of one is that one', () => {
  const cleaned = entity('cleaned', 'Cleaned by Dan');
  const cleaner = entity('cleaner', 'Cleaner than Dan');
  const near = new Directory([cleaned, cleaner]);
  for (const name of ['cleanes', 'dan']) {
    expect(near.find(name)).toEqual({ one: null, isNear: true, candidates: [cleaned, cleaner] });
  }
  expect(near.find('cleaner')).toEqual({ one: cleaner, matchedAs: null });
});

test('any other name has all entities, most similar first', () => {
  expect(directory.find('tanker heating')).toEqual({
    one: null,
    isNear: false,
    candidates: [HEATER, DRAIN, BOILER, EVE],
  });
  for (const name of ['', '-', 'x', '__proto__', 'constructor']) {
    expect(directory.find(name)).toMatchObject({ isNear: false, candidates: { length: 4 } });
  }
});

test('an empty directory finds nothing', () => {
  expect(new Directory([]).find('x')).toEqual({ one: null, isNear: false, candidates: [] });
});

test('a name of the maximum length takes no time', () => {
  expect(directory.find('boiler '.repeat(9_000))).toMatchObject({ one: { id: 'boiler-service' } });
});
