// The Merkle tree of RFC 6962, section 2.1, written as the section defines it: slow, and obviously right.

import { hash } from 'node:crypto';

type Hash = Uint8Array;

function sha256(...pieces: readonly Uint8Array[]): Hash {
  return hash('sha256', Buffer.concat(pieces), 'buffer');
}

/** The largest power of two that is less than the number of leaves. */
function k(leaves: readonly Hash[]): number {
  return 2 ** Math.floor(Math.log2(leaves.length - 1));
}

/** MTH. */
export function naiveRoot(leaves: readonly Hash[]): Hash {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return leaves[0]!;
  const left = naiveRoot(leaves.slice(0, k(leaves)));
  return sha256(Buffer.from([1]), left, naiveRoot(leaves.slice(k(leaves))));
}

/** PATH. */
export function naivePath(leaves: readonly Hash[], index: number): Hash[] {
  if (leaves.length === 1) return [];
  const [left, right] = [leaves.slice(0, k(leaves)), leaves.slice(k(leaves))];
  return index < k(leaves)
    ? [...naivePath(left, index), naiveRoot(right)]
    : [...naivePath(right, index - k(leaves)), naiveRoot(left)];
}

/** PROOF; empty for an older tree without leaves. */
export function naiveConsistency(leaves: readonly Hash[], size: number): Hash[] {
  return size === 0 ? [] : subproof(size, leaves, true);
}

function subproof(size: number, leaves: readonly Hash[], isWhole: boolean): Hash[] {
  if (size === leaves.length) return isWhole ? [] : [naiveRoot(leaves)];
  const [left, right] = [leaves.slice(0, k(leaves)), leaves.slice(k(leaves))];
  return size <= k(leaves)
    ? [...subproof(size, left, isWhole), naiveRoot(right)]
    : [...subproof(size - k(leaves), right, false), naiveRoot(left)];
}
