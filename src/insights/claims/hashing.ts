// Numbers for words and features. A feature is known by the hash of its kind and of at most two words, so that
// no list of words is needed.

/** FNV-1a of a word, an unsigned 32-bit integer. */
export function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1)
    hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The bits of a feature below those of its kind. */
const HASH_BITS = 26;

/** An unsigned 32-bit integer for a kind of feature, 0 to 63, and the hashes of its words. */
export function mix(kind: number, first: number, second = 0): number {
  let hash = Math.imul(kind + 1, 0x9e3779b1) ^ first;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) ^ Math.imul(second, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  hash = (hash ^ (hash >>> 15)) & ((1 << HASH_BITS) - 1);
  return ((kind << HASH_BITS) | hash) >>> 0;
}

export function kindOf(feature: number): number {
  return feature >>> HASH_BITS;
}
