// How near the words of a search are to each other in a text.

import { readCodes } from './word-codes.ts';
import type { WordSections } from './word-writer.ts';

/** A word of a search: the numbers of the words that count as it, and how rare it is. */
export interface Near {
  readonly numbers: readonly number[];
  readonly weight: number;
}

/** How soon more nearness counts little. */
const SATURATION = 2;

export class Nearness {
  readonly #sections: WordSections;

  constructor(sections: WordSections) {
    this.#sections = sections;
  }

  /**
   * Scores texts by the distances between different words of a search that follow each other: the square of a
   * distance counts, as by Büttcher, Clarke and Lushman (Term Proximity Scoring for Ad-Hoc Retrieval, 2006).
   */
  scorer(words: readonly Near[]): (position: number) => number {
    const { wordStream, wordStreamStarts, wordCodes } = this.#sections;
    const indexes = new Map<number, number>();
    words.forEach(({ numbers }, index) => {
      for (const number of numbers) indexes.set(wordCodes[number] as number, index);
    });
    const near = new Float64Array(words.length);
    return (position) => {
      near.fill(0);
      let at = 0;
      let last = -1;
      let lastAt = 0;
      const start = wordStreamStarts[position] as number;
      const end = (wordStreamStarts[position + 1] as number) - 1;
      readCodes(wordStream, start, end, (code) => {
        at += 1;
        const index = indexes.get(code);
        if (index === undefined) return;
        if (last >= 0 && last !== index) {
          const closeness = 1 / (at - lastAt) ** 2;
          near[index] = (near[index] as number) + closeness * (words[last] as Near).weight;
          near[last] = (near[last] as number) + closeness * (words[index] as Near).weight;
        }
        last = index;
        lastAt = at;
      });
      return words.reduce((sum, { weight }, index) => {
        const value = near[index] as number;
        return sum + (Math.min(1, weight) * value) / (value + SATURATION);
      }, 0);
    };
  }
}
