// Writes the words of folded texts: their dictionary, and the words of each text in order as codes.

import { type DictionaryData, dictionaryOf, suffixesOf } from './dictionary.ts';
import type { Texts } from './grams.ts';
import { countCommonWords, type PairSections } from './word-pairs.ts';
import { MAX_CODE_BYTES, readCodes, STREAM_END, writeCode } from './word-codes.ts';
import { isWordByte, splitWords } from '../model/words.ts';

const SPACE = 0x20;

/** Longer texts count as this long for relevance. */
export const MAX_LENGTH = 0xff;

/** The words as arrays that can be stored and transferred to another thread. A word's number is its rank
 * in the dictionary. */
export type WordSections = PairSections & {
  readonly wordBytes: Uint8Array;
  readonly wordStarts: Uint32Array;
  readonly wordSuffixes: Uint32Array;
  readonly wordCodes: Uint32Array;
  /** The codes of the words of each text, in order; each text ends with STREAM_END. */
  readonly wordStream: Uint8Array;
  /** Start of each text in the stream, and the end of the last one. */
  readonly wordStreamStarts: Uint32Array;
  /** The number of words of each text, at most MAX_LENGTH. */
  readonly wordCounts: Uint8Array;
};

/** The words of texts, split once and then read as often as needed. */
export class SplitTexts {
  /** Of distinct words, in the order of their first occurrence. */
  readonly #numbers = new Map<string, number>();
  /** Codes of the numbers, text after text: each doubled, plus one if a single space is between the word and the previous one. */
  #stream = new Uint8Array(1 << 16);
  #length = 0;
  readonly #starts: Uint32Array;

  constructor({ bytes, starts }: Texts) {
    this.#starts = new Uint32Array(starts.length);
    for (let position = 0; position + 1 < starts.length; position++) {
      this.#split(bytes, starts[position] as number, (starts[position + 1] as number) - 1);
      this.#starts[position + 1] = this.#length;
    }
  }

  /** Calls `visit` with the number of each word of a text, in order, and whether a single space is between it and the previous one. */
  read(position: number, visit: (number: number, isSpaced: boolean) => void): void {
    const [start, end] = [this.#starts[position] as number, this.#starts[position + 1] as number];
    readCodes(this.#stream, start, end, (doubled) => visit(doubled >>> 1, (doubled & 1) === 1));
  }

  /** The rank of each word in the dictionary and its code, by its number. */
  finish() {
    const { dictionary, ranks } = this.#sort();
    const { counts, codes, common } = this.#codesByFrequency(ranks);
    const wordCodes = new Uint32Array(ranks.length);
    ranks.forEach((rank, number) => (wordCodes[rank] = codes[number] as number));
    const texts = this.#starts.length - 1;
    const wordStreamStarts = new Uint32Array(texts + 1);
    const stream = new Uint8Array(this.#length * 2 + texts);
    let end = 0;
    for (let position = 0; position < texts; position++) {
      this.read(position, (number) => {
        end = writeCode(stream, end, codes[number] as number);
      });
      stream[end++] = STREAM_END;
      wordStreamStarts[position + 1] = end;
    }
    const sections: WordSections = {
      wordBytes: dictionary.bytes,
      wordStarts: dictionary.starts,
      wordSuffixes: suffixesOf(dictionary),
      wordCodes,
      wordStream: stream.slice(0, end),
      wordStreamStarts,
      wordCounts: counts,
      commonWords: Uint32Array.of(common),
    };
    return { ranks, codes, sections };
  }

  #split(bytes: Buffer, start: number, end: number): void {
    for (let at = start; at < end;) {
      const byte = bytes[at] as number;
      if (byte >= 0x80) return this.#splitUnicode(bytes, start, end);
      at += 1;
    }
    let previousEnd = start;
    for (let at = start; at < end; at++) {
      if (!isWordByte(bytes[at] as number)) continue;
      const first = at;
      while (at < end && isWordByte(bytes[at] as number)) at += 1;
      this.#add(
        bytes.toString('latin1', first, at),
        first - previousEnd === 1 && bytes[previousEnd] === SPACE,
      );
      previousEnd = at;
    }
  }

  #splitUnicode(bytes: Buffer, start: number, end: number): void {
    const text = bytes.toString('utf8', start, end);
    let previousEnd = 0;
    for (const { word, start: first, end: wordEnd } of splitWords(text)) {
      this.#add(word, first - previousEnd === 1 && text[previousEnd] === ' ');
      previousEnd = wordEnd;
    }
  }

  #add(word: string, isSpaced: boolean): void {
    if (this.#length + MAX_CODE_BYTES > this.#stream.length) {
      const longer = new Uint8Array(this.#stream.length * 2);
      longer.set(this.#stream);
      this.#stream = longer;
    }
    let number = this.#numbers.get(word);
    if (number === undefined) this.#numbers.set(word, (number = this.#numbers.size));
    this.#length = writeCode(this.#stream, this.#length, 2 * number + (isSpaced ? 1 : 0));
  }

  #sort(): { readonly dictionary: DictionaryData; readonly ranks: Uint32Array } {
    // As Latin-1, the bytes of UTF-8 are compared as they are stored.
    const words = Array.from(this.#numbers, ([word, number]) => {
      return { word, number, key: Buffer.from(word).toString('latin1') };
    }).toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const ranks = new Uint32Array(words.length);
    words.forEach(({ number }, rank) => (ranks[number] = rank));
    return { dictionary: dictionaryOf(words.map(({ word }) => word)), ranks };
  }

  /** Code numbers by frequency, equally frequent words by rank; the lengths of the texts; the number of common words. */
  #codesByFrequency(ranks: Uint32Array) {
    const frequencies = new Uint32Array(ranks.length);
    const counts = new Uint8Array(this.#starts.length - 1);
    for (let position = 0; position < counts.length; position++) {
      let length = 0;
      this.read(position, (number) => {
        frequencies[number] = (frequencies[number] as number) + 1;
        length += 1;
      });
      counts[position] = Math.min(length, MAX_LENGTH);
    }
    const order = Uint32Array.from(ranks.keys()).toSorted(
      (a, b) =>
        (frequencies[b] as number) - (frequencies[a] as number) ||
        (ranks[a] as number) - (ranks[b] as number),
    );
    const codes = new Uint32Array(ranks.length);
    order.forEach((number, code) => (codes[number] = code));
    const common = countCommonWords(
      order.map((number) => frequencies[number] as number),
      counts.length,
    );
    return { codes, counts, common };
  }
}
