// The Merkle tree of RFC 6962, section 2.1: hashes, roots, and proofs of inclusion and consistency.

import { hash } from 'node:crypto';

export const HASH_BYTES = 32;
const LEAF_PREFIX = Buffer.from([0]);
const NODE_PREFIX = 1;

export type Hash = Uint8Array;

export const EMPTY_ROOT: Hash = sha256(new Uint8Array());

export function sha256(bytes: Uint8Array): Hash {
  return hash('sha256', bytes, 'buffer');
}

export function leafHash(entry: Uint8Array): Hash {
  return sha256(Buffer.concat([LEAF_PREFIX, entry]));
}

export function nodeHash(left: Hash, right: Hash): Hash {
  const node = Buffer.allocUnsafe(1 + 2 * HASH_BYTES);
  node[0] = NODE_PREFIX;
  node.set(left, 1);
  node.set(right, 1 + HASH_BYTES);
  return sha256(node);
}

/** The hashes of complete subtrees of a tree. */
export interface HashSource {
  readonly size: number;
  /** The root of the leaves `index * 2**height` to `(index + 1) * 2**height`, all of which exist. */
  subtree(height: number, index: number): Hash;
}

/** The root of the first `size` leaves. @throws {RangeError} if the tree has fewer. */
export function rootOf(tree: HashSource, size = tree.size): Hash {
  if (size > tree.size) throw new RangeError(`the tree has ${tree.size} leaves, not ${size}`);
  return size === 0 ? EMPTY_ROOT : rangeHash(tree, 0, size);
}

/** The root of the leaves from `start` to `end`; `start` is a multiple of a power of two >= the length. */
function rangeHash(tree: HashSource, start: number, end: number): Hash {
  const height = Math.log2(end - start);
  if (Number.isInteger(height)) return tree.subtree(height, start / (end - start));
  const middle = start + splitOf(end - start);
  return nodeHash(rangeHash(tree, start, middle), rangeHash(tree, middle, end));
}

/** The largest power of two less than `size`, which is at least 2. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/**
 * The audit path of a leaf in the tree of the first `size` leaves (section 2.1.1).
 *
 * @throws {RangeError} if there is no such leaf.
 */
export function inclusionProof(tree: HashSource, index: number, size = tree.size): Hash[] {
  if (index >= size || size > tree.size) throw new RangeError(`no leaf ${index} of ${size}`);
  const path = (start: number, end: number): Hash[] => {
    if (end - start === 1) return [];
    const middle = start + splitOf(end - start);
    return index < middle
      ? [...path(start, middle), rangeHash(tree, middle, end)]
      : [...path(middle, end), rangeHash(tree, start, middle)];
  };
  return path(0, size);
}

/**
 * The proof that the tree of `size` leaves starts with the tree of `oldSize` leaves (section 2.1.2).
 *
 * @throws {RangeError} if the tree has fewer leaves.
 */
export function consistencyProof(tree: HashSource, oldSize: number, size = tree.size): Hash[] {
  if (oldSize > size || size > tree.size) throw new RangeError(`no tree ${oldSize} of ${size}`);
  if (oldSize === 0 || oldSize === size) return [];
  /** `isKnown`: the verifier has the root of these leaves already. */
  const proof = (start: number, end: number, isKnown: boolean): Hash[] => {
    if (end === oldSize) return isKnown ? [] : [rangeHash(tree, start, end)];
    const middle = start + splitOf(end - start);
    return oldSize <= middle
      ? [...proof(start, middle, isKnown), rangeHash(tree, middle, end)]
      : [...proof(middle, end, false), rangeHash(tree, start, middle)];
  };
  return proof(0, size, true);
}

/** Whether a proof shows that a leaf is in the tree with a root (RFC 9162, section 2.1.3.2). */
export function isIncluded(
  leaf: Hash,
  { index, size }: { readonly index: number; readonly size: number },
  proof: readonly Hash[],
  root: Hash,
): boolean {
  if (!isCount(index) || !isCount(size) || index >= size) return false;
  let [node, last] = [index, size - 1];
  let result = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      result = nodeHash(sibling, result);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      result = nodeHash(result, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && isEqual(result, root);
}

/** A tree by its size and root. */
export interface TreeHead {
  readonly size: number;
  readonly root: Hash;
}

/** Whether a proof shows that a tree starts with an older one (RFC 9162, section 2.1.4.2). */
export function isConsistent(old: TreeHead, tree: TreeHead, proof: readonly Hash[]): boolean {
  if (!isCount(old.size) || !isCount(tree.size) || old.size > tree.size) return false;
  if (old.size === tree.size) return proof.length === 0 && isEqual(old.root, tree.root);
  if (old.size === 0) return proof.length === 0 && isEqual(old.root, EMPTY_ROOT);
  const isPowerOfTwo = Number.isInteger(Math.log2(old.size));
  const [first, ...rest] = isPowerOfTwo ? [old.root, ...proof] : proof;
  if (first === undefined) return false;
  let [node, last] = [old.size - 1, tree.size - 1];
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  let [oldRoot, root] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      oldRoot = nodeHash(sibling, oldRoot);
      root = nodeHash(sibling, root);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      root = nodeHash(root, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && isEqual(oldRoot, old.root) && isEqual(root, tree.root);
}

export function isEqual(a: Hash, b: Hash): boolean {
  return Buffer.compare(a, b) === 0;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Bit operators would cut numbers to 32 bits. */
function isOdd(value: number): boolean {
  return value % 2 === 1;
}

function half(value: number): number {
  return Math.floor(value / 2);
}
