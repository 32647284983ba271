// Finding something by any of its names.

import { expect, test } from 'vitest';
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
    entry ? { one: entry } : { one: null, names: ['Dan Adams', 'Ève Clark'] },
  );
});

test('a name that is nobody’s has the names of all', () => {
  for (const name of ['', 'constructor', '__proto__', 'Ada']) {
    expect(people.find(name)).toEqual({ one: null, names: ['Dan Adams', 'Ève Clark'] });
  }
});

test('a name that two share has theirs', () => {
  const three = new Directory([DAN, EVE, { id: 'x', name: 'X', aliases: [] }], (each) => [
    each.name,
    ...each.aliases,
  ]);
  expect(three.find('danny')).toEqual({ one: null, names: ['Dan Adams', 'Ève Clark'] });
});

test('of nothing nothing is found', () => {
  expect(new Directory([], () => ['x']).find('x')).toEqual({ one: null, names: [] });
});
