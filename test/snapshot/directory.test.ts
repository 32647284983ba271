// Finding an entity by name, alias or spelling.

import { describe, expect, test } from 'vitest';
import { Directory } from '../../src/snapshot/directory.ts';

const DAN = { id: 'dan-adams', name: 'Dan Adams', aliases: ['Danny', 'DAN'] };
const EVE = { id: 'eve', name: 'Ève Clark', aliases: ['Danny'] };
const people = new Directory([DAN, EVE], ({ id, name, aliases }) => [name, id, ...aliases]);

test.each([
  ['Dan Adams', DAN],
  ['  dan   ADAMS', null],
  ['dan\u00a0adams', DAN],
  ['dan', DAN],
  ['eve clark', EVE],
  ['EVE', EVE],
])('%j is %j', (name, entry) => {
  expect(people.find(name)).toEqual(
    entry ? { one: entry, matchedAs: null } : { one: null, names: ['Dan Adams', 'Ève Clark'] },
  );
});

test('an unknown name returns the names of all', () => {
  for (const name of ['', 'constructor', '__proto__', 'Ada']) {
    expect(people.find(name)).toEqual({ one: null, names: ['Dan Adams', 'Ève Clark'] });
  }
});

test('a shared name returns the names of both', () => {
  const three = new Directory([DAN, EVE, { id: 'x', name: 'X', aliases: [] }], (each) => [
    each.name,
    ...each.aliases,
  ]);
  expect(three.find('danny')).toEqual({ one: null, names: ['Dan Adams', 'Ève Clark'] });
});

test('an empty directory finds nothing', () => {
  expect(new Directory([], () => ['x']).find('x')).toEqual({ one: null, names: [] });
});

describe('with aliases', () => {
  const BOILER = {
    id: 'boiler-service',
    label: 'Boiler service',
    aliases: ['boiler', 'Boiler repair'],
  };
  const DRAIN = { id: 'drain-cleaning', label: 'Drain cleaning', aliases: ['drain', 'clog'] };
  const HEATER = { id: 'heater', label: 'Heater & tank', aliases: ['clog', 'drain-cleaning'] };
  const services = new Directory(
    [BOILER, DRAIN, HEATER],
    ({ id, label }) => [label, id],
    ({ aliases }) => aliases,
  );

  test.each([
    ['boiler-service', BOILER, null],
    ['BOILER SERVICE', BOILER, null],
    ['boiler repair', BOILER, 'alias'],
    // The id of one is no alias of another.
    ['drain-cleaning', DRAIN, null],
    ['boiler_service', BOILER, 'spelling'],
    ['Boiler services', BOILER, 'spelling'],
    ['boiler-repair', BOILER, 'spelling'],
    ['bioler', BOILER, 'spelling'],
    ['boilr', BOILER, 'spelling'],
    ['heater and tank', HEATER, 'spelling'],
    ['drian cleening', DRAIN, 'spelling'],
  ] as const)('%j is %j by %j', (name, one, by) => {
    const matchedAs = by === null ? null : { name: one.label, by };
    expect(services.find(name)).toEqual({ one, matchedAs });
  });

  test('a shared alias returns the names of both', () => {
    expect(services.find('clog')).toEqual({
      one: null,
      names: ['Drain cleaning', 'Heater & tank'],
    });
  });

  test('a spelling equally close to two returns the names of both', () => {
    const near = new Directory(
      [{ id: 'cleaned' }, { id: 'cleaner' }],
      ({ id }) => [id],
      () => [],
    );
    expect(near.find('cleanes')).toEqual({ one: null, names: ['cleaned', 'cleaner'] });
    expect(near.find('cleaner')).toMatchObject({ one: { id: 'cleaner' }, matchedAs: null });
  });

  test('any other name returns the existing ones, most similar first', () => {
    expect(services.find('tank heating')).toEqual({
      one: null,
      names: ['Heater & tank', 'Drain cleaning', 'Boiler service'],
    });
    for (const name of ['', '-', 'x', '__proto__']) {
      expect(services.find(name)).toMatchObject({ one: null, names: { length: 3 } });
    }
  });

  test('of many names the ten most similar are returned', () => {
    const many = Array.from({ length: 40 }, (_, number) => ({ id: `service number ${number}` }));
    const found = new Directory(
      many,
      ({ id }) => [id],
      () => [],
    ).find('some number 17 of them');
    expect(found.one).toBeNull();
    expect('names' in found && [found.names.length, found.names[0]]).toEqual([
      10,
      'service number 17',
    ]);
  });

  test('a name of the maximum length takes no time', () => {
    expect(services.find('boiler '.repeat(9_000))).toMatchObject({ one: null });
  });
});
