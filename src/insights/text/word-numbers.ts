// Numbers for the words of texts. A text hashes each of its words once for its number; the pattern sets then
// look the number up in arrays. The numbers are a cache and change no result.

/** The most words of one numbering: more than people use, and bounded for any text. */
export const MOST_WORDS = 65_536;

/** The words of a text as numbers, which are only comparable within one numbering. */
export interface NumberedWords {
  readonly numbering: object;
  readonly numbers: Int32Array;
}

class WordNumbers {
  #known = new Map<string, number>();

  /** Numbers the words from 0, and starts a new numbering where the known words and these are too many. */
  number(words: readonly string[]): NumberedWords {
    if (this.#known.size + words.length > MOST_WORDS) this.#known = new Map();
    const known = this.#known;
    const numbers = new Int32Array(words.length);
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] as string;
      let number = known.get(word);
      if (number === undefined) {
        number = known.size;
        known.set(word, number);
      }
      numbers[at] = number;
    }
    return { numbering: known, numbers };
  }
}

const WORD_NUMBERS = new WordNumbers();

export function numberWords(words: readonly string[]): NumberedWords {
  return WORD_NUMBERS.number(words);
}
