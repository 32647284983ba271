// Several words in a row: by pairs of common words, and by a scan of the codes of words.

import type { Posting } from './positions.ts';
import type { Postings } from './postings.ts';
import type { SetMemory } from './set-memory.ts';
import { MAX_CODE_BYTES, writeCode } from './word-codes.ts';
import { type PairSections, WordPairs } from './word-pairs.ts';

/** The codes of words in a row, and the reviews that may have them. */
export interface PossiblePhrase {
  readonly codes: Uint8Array;
  readonly posting: Posting;
}

export class Phrases {
  readonly pairs: WordPairs;
  readonly #codes: Uint32Array;

  /** `codes` are by the number of the word. */
  constructor(sections: PairSections, codes: Uint32Array, postings: Postings, sets: SetMemory) {
    this.pairs = new WordPairs(sections, codes, postings, sets);
    this.#codes = codes;
  }

  /** The pairs that a phrase consists of, and the codes to scan for; null if the pairs decide. */
  resolve(words: readonly number[]) {
    const pairs = words.slice(1).flatMap((second, index) => {
      const first = words[index] as number;
      const isIndexed = this.pairs.isCommon(first) && this.pairs.isCommon(second);
      return isIndexed ? [this.pairs.inRow(first, second)] : [];
    });
    return {
      pairs,
      scanned: pairs.length === 1 && words.length === 2 ? null : this.#codesOf(words),
    };
  }

  #codesOf(words: readonly number[]): Uint8Array {
    const codes = new Uint8Array(words.length * MAX_CODE_BYTES);
    let end = 0;
    for (const word of words) end = writeCode(codes, end, this.#codes[word] as number);
    return codes.subarray(0, end);
  }
}
