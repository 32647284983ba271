import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  consistencyProof,
  EMPTY_ROOT,
  type Hash,
  inclusionProof,
  isConsistent,
  isIncluded,
  leafHash,
  nodeHash,
  rootOf,
} from '../../src/log/merkle.ts';
import { TileTree } from '../../src/log/tiles.ts';
import { naiveConsistency, naivePath, naiveRoot } from '../support/naive-tree.ts';
import { randomFrom } from '../support/random.ts';

const SMALL = 300;
const LARGE = 100_000;
const SEED = 23;

function leavesOf(count: number): Hash[] {
  return Array.from({ length: count }, (_, index) => leafHash(Buffer.from(`entry ${index}`)));
}

function treeOf(leaves: readonly Hash[]): TileTree {
  return new TileTree(Buffer.concat(leaves));
}

const hex = (hash: Hash) => Buffer.from(hash).toString('hex');

describe('the test vectors of Certificate Transparency', () => {
  const inputs = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ];
  const tree = treeOf(inputs.map((input) => leafHash(Buffer.from(input, 'hex'))));

  test('roots', () => {
    expect(hex(EMPTY_ROOT)).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    expect(inputs.map((_, index) => hex(rootOf(tree, index + 1)))).toEqual([
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ]);
  });

  test('an inclusion proof', () => {
    expect(inclusionProof(tree, 5, 8).map(hex)).toEqual([
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
  });

  test('a consistency proof', () => {
    expect(consistencyProof(tree, 6, 8).map(hex)).toEqual([
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
  });
});

/** RFC 9162, section 2.1.5: the proofs of a tree of seven leaves, by the names of its figure. */
test('the example of RFC 9162', () => {
  const [a, b, c, d, e, f, j] = leavesOf(7) as [Hash, Hash, Hash, Hash, Hash, Hash, Hash];
  const [g, h, i] = [nodeHash(a, b), nodeHash(c, d), nodeHash(e, f)];
  const [k, l] = [nodeHash(g, h), nodeHash(i, j)];
  const tree = treeOf([a, b, c, d, e, f, j]);
  expect(rootOf(tree)).toEqual(nodeHash(k, l));
  expect(inclusionProof(tree, 0)).toEqual([b, h, l]);
  expect(inclusionProof(tree, 3)).toEqual([c, g, l]);
  expect(inclusionProof(tree, 4)).toEqual([f, j, k]);
  expect(inclusionProof(tree, 6)).toEqual([i, k]);
  expect(consistencyProof(tree, 3)).toEqual([c, d, g, l]);
  expect(consistencyProof(tree, 4)).toEqual([l]);
  expect(consistencyProof(tree, 6)).toEqual([i, j, k]);
});

test(`roots and proofs of all sizes to ${SMALL} are those of a naive tree`, () => {
  const random = randomFrom(SEED);
  const leaves = leavesOf(SMALL);
  const tree = treeOf(leaves);
  const wrong: string[] = [];
  const check = (what: string, ours: readonly Hash[], naive: readonly Hash[]) => {
    if (ours.map(hex).join() !== naive.map(hex).join()) wrong.push(what);
  };
  const roots = Array.from({ length: SMALL + 1 }, (_, size) => naiveRoot(leaves.slice(0, size)));
  for (let size = 0; size <= SMALL; size++) {
    const root = rootOf(tree, size);
    check(`root ${size}`, [root], [roots[size]!]);
    check(`root of ${size} leaves`, [rootOf(treeOf(leaves.slice(0, size)))], [root]);
    // Every index and older size of the small trees, and some of the others.
    const chosen = size <= 20 ? [...leaves.keys()].slice(0, size) : [Math.floor(random() * size)];
    for (const index of chosen) {
      const proof = inclusionProof(tree, index, size);
      check(`inclusion ${index} of ${size}`, proof, naivePath(leaves.slice(0, size), index));
      if (!isIncluded(leaves[index]!, { index, size }, proof, root)) wrong.push(`leaf ${index}`);
      const consistency = consistencyProof(tree, index, size);
      const naive = naiveConsistency(leaves.slice(0, size), index);
      check(`consistency ${index} of ${size}`, consistency, naive);
      const old = { size: index, root: roots[index]! };
      if (!isConsistent(old, { size, root }, consistency)) wrong.push(`tree ${index} of ${size}`);
    }
  }
  expect(wrong).toEqual([]);
});

test(`proofs of random sizes to ${LARGE} verify, and no altered one does`, () => {
  const random = randomFrom(SEED);
  const leaves = leavesOf(LARGE);
  const tree = treeOf(leaves);
  expect(hex(rootOf(tree))).toBe(hex(naiveRoot(leaves)));
  for (let round = 0; round < 25; round++) {
    const size = 1 + Math.floor(random() * LARGE);
    const [index, oldSize] = [Math.floor(random() * size), Math.ceil(random() * size)];
    const root = rootOf(tree, size);
    const proof = inclusionProof(tree, index, size);
    const isIn = (path: readonly Hash[], place = { index, size }) =>
      isIncluded(leaves[index]!, place, path, root);
    expect(isIn(proof)).toBe(true);
    expect(isIn([...proof, randomBytes(32)])).toBe(false);
    expect(proof.length === 0 || isIn([randomBytes(32), ...proof.slice(1)])).toBe(size === 1);
    expect(isIn(proof.slice(1))).toBe(size === 1);
    expect(isIn(proof, { index: (index + 1) % size, size })).toBe(size === 1);
    const old = { size: oldSize, root: rootOf(tree, oldSize) };
    const consistency = consistencyProof(tree, oldSize, size);
    const follows = (path: readonly Hash[], from = old) => isConsistent(from, { size, root }, path);
    expect(follows(consistency)).toBe(true);
    expect(follows([...consistency, randomBytes(32)])).toBe(false);
    expect(follows(consistency, { ...old, root: randomBytes(32) })).toBe(false);
    if (consistency.length > 0) {
      expect(follows(consistency.slice(1))).toBe(false);
      expect(follows([randomBytes(32), ...consistency.slice(1)])).toBe(false);
    }
  }
});

test('a proof for a leaf, a size or a count that cannot be does not verify', () => {
  const leaves = leavesOf(3);
  const tree = treeOf(leaves);
  const [root, proof] = [rootOf(tree), inclusionProof(tree, 0)];
  for (const place of [
    { index: 3, size: 3 },
    { index: -1, size: 3 },
    { index: 0.5, size: 3 },
    { index: 0, size: Number.NaN },
    { index: 0, size: 2 ** 60 },
  ]) {
    expect(isIncluded(leaves[0]!, place, proof, root)).toBe(false);
  }
  expect(isConsistent({ size: 4, root }, { size: 3, root }, [])).toBe(false);
  expect(isConsistent({ size: 0, root }, { size: 3, root }, [])).toBe(false);
  expect(() => inclusionProof(tree, 3)).toThrow(RangeError);
  expect(() => consistencyProof(tree, 4)).toThrow(RangeError);
  expect(() => rootOf(tree, 4)).toThrow(RangeError);
});
