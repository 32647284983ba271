// Several words in a row: by pairs of common words, and by a scan of the codes of words.

import { REPEATED_WORDS } from './index-terms.ts';
import { intersect } from './intersect.ts';
import { bitsOf, type Posting, uniteAll, without } from './positions.ts';
import type { Postings } from './postings.ts';
import type { SetMemory } from './set-memory.ts';
import type { TextScan } from './text-scan.ts';
import { MAX_CODE_BYTES, writeCode } from './word-codes.ts';
import { type PairSections, WordPairs } from './word-pairs.ts';

/** Fewer texts are scanned in less time than it takes to find those that need no scan. */
export const MIN_FOR_SURE = 1_000;

/** Words in a row. */
export interface Phrase {
  readonly codes: Uint8Array;
  /** Reviews that have it, which need no scan; null if none is known. */
  readonly sure: (() => Posting) | null;
}

export interface PossiblePhrase extends Phrase {
  readonly posting: Posting;
}

export class Phrases {
  readonly pairs: WordPairs;
  readonly #codes: Uint32Array;
  readonly #postings: Postings;
  readonly #sets: SetMemory;

  /** `codes` are by the number of the word. */
  constructor(sections: PairSections, codes: Uint32Array, postings: Postings, sets: SetMemory) {
    this.pairs = new WordPairs(sections, codes, postings, sets);
    this.#codes = codes;
    this.#postings = postings;
    this.#sets = sets;
  }

  /** The pairs that a phrase consists of, and what to scan for; null if the pairs decide. */
  resolve(words: readonly number[]) {
    const pairs = words.slice(1).flatMap((second, index) => {
      const first = words[index] as number;
      const isIndexed = this.pairs.isCommon(first) && this.pairs.isCommon(second);
      return isIndexed ? [this.pairs.inRow(first, second)] : [];
    });
    const isCovered = pairs.length + 1 === words.length;
    if (isCovered && words.length === 2) return { pairs, scanned: null };
    const sure = isCovered ? () => this.chained(pairs, words.slice(1, -1)) : null;
    return { pairs, scanned: { codes: this.#codesOf(words), sure } };
  }

  /**
   * The reviews with several pairs of words that certainly form a chain, because the inner words, which two pairs
   * share, occur only once.
   */
  chained(pairs: readonly Posting[], inner: readonly number[]): Posting {
    const range = { first: 0, end: this.#sets.reviews, isWhole: true };
    const repeated = inner.flatMap((word) => this.#postings.of(REPEATED_WORDS + word) ?? []);
    const shared = intersect(pairs, [], range, this.#sets);
    return without(shared, uniteAll(repeated, this.#sets), this.#sets);
  }

  #codesOf(words: readonly number[]): Uint8Array {
    const codes = new Uint8Array(words.length * MAX_CODE_BYTES);
    let end = 0;
    for (const word of words) end = writeCode(codes, end, this.#codes[word] as number);
    return codes.subarray(0, end);
  }
}

export function keepPhrase(
  list: Uint32Array,
  { codes, sure }: Phrase,
  scan: TextScan,
  sets: SetMemory,
): Uint32Array {
  const known = list.length < MIN_FOR_SURE || !sure ? null : sure();
  if (!known || known.count === 0) return scan.keepWithWords(list, codes);
  const bits = bitsOf(known, sets);
  const found = sets.bitsOfList(sets.keepList(list, bits, true));
  sets.addList(found, scan.keepWithWords(sets.keepList(list, bits, false), codes));
  return sets.listOfBits(found, sets.count(found));
}
