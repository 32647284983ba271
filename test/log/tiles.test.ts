import { describe, expect, test } from 'vitest';
import { leafHash } from '../../src/log/merkle.ts';
import {
  decodeBundle,
  encodeBundle,
  parseTilePath,
  tilePath,
  tilesOf,
  TileTree,
} from '../../src/log/tiles.ts';
import { naiveRoot } from '../support/naive-tree.ts';

describe('the path of a tile', () => {
  test.each([
    [{ level: 0, index: 0, width: 256 }, '0/000'],
    [{ level: 1, index: 1_234_067, width: 256 }, '1/x001/x234/067'],
    [{ level: 0, index: 273, width: 112 }, '0/273.p/112'],
    [{ level: 63, index: 1000, width: 1 }, '63/x001/000.p/1'],
    [{ level: 'entries', index: 999, width: 255 }, 'entries/999.p/255'],
  ] as const)('of %j is %s', (name, path) => {
    expect(tilePath(name)).toBe(path);
    expect(parseTilePath(path)).toEqual(name);
  });

  test.each([
    '',
    '0',
    '0/0',
    '0/1000',
    '00/000',
    '64/000',
    '-1/000',
    '0/x000/001',
    '0/x001/x234/067/',
    '0/001/234',
    '0/000.p/0',
    '0/000.p/01',
    '0/000.p/256',
    '0/000.p/',
    'entry/000',
    '0/000?',
    'x/000',
  ])('is not %j', (path) => {
    expect(parseTilePath(path)).toBeNull();
  });
});

test('a tree of 70,000 entries has the tiles of the example of the specification', () => {
  const names = [...tilesOf(70_000)];
  const count = (level: number | 'entries', isFull: boolean) =>
    names.filter((name) => name.level === level && (name.width === 256) === isFull).length;
  expect(count('entries', true)).toBe(273);
  expect(count(0, true)).toBe(273);
  expect(names).toContainEqual({ level: 0, index: 273, width: 112 });
  expect(count(1, true)).toBe(1);
  expect(names).toContainEqual({ level: 1, index: 1, width: 17 });
  expect(count(2, true)).toBe(0);
  expect(names).toContainEqual({ level: 2, index: 0, width: 1 });
  expect(names).toHaveLength(274 + 274 + 2 + 1);
});

test('a tree of 256 entries has a full tile and a partial one above', () => {
  expect([...tilesOf(256)].map(tilePath)).toEqual(['entries/000', '0/000', '1/000.p/1']);
  expect([...tilesOf(0)]).toEqual([]);
});

test('a tile above holds the roots of full tiles', () => {
  const leaves = Array.from({ length: 700 }, (_, index) => leafHash(Buffer.from(String(index))));
  const tree = new TileTree(Buffer.concat(leaves));
  const tile = (level: number, index: number, width: number) => tree.tile({ level, index, width });
  expect(tile(0, 2, 188)).toEqual(Buffer.concat(leaves.slice(512)));
  expect(tile(0, 2, 189)).toBeNull();
  expect(tile(0, 1, 100)).toEqual(Buffer.concat(leaves.slice(256, 356)));
  const roots = [naiveRoot(leaves.slice(0, 256)), naiveRoot(leaves.slice(256, 512))];
  expect(Buffer.from(tile(1, 0, 2) as Uint8Array)).toEqual(Buffer.concat(roots));
  expect(tile(1, 0, 3)).toBeNull();
  expect(tile(2, 0, 1)).toBeNull();
});

describe('a bundle', () => {
  test('holds entries of any length', () => {
    const entries = [Buffer.from('one'), Buffer.alloc(0), Buffer.alloc(65_535, 7)];
    expect(decodeBundle(encodeBundle(entries))).toEqual(entries);
    expect(encodeBundle([Buffer.from('ab')]).toString('hex')).toBe('00026162');
  });

  test('refuses a longer entry', () => {
    expect(() => encodeBundle([Buffer.alloc(65_536)])).toThrow('longer than 65,535 bytes');
  });

  test.each(['00', '0001', '000261'])('is not %s', (bytes) => {
    expect(decodeBundle(Buffer.from(bytes, 'hex'))).toBeNull();
  });
});
