// Writes the words of folded texts: their dictionary, and the words of each text in order as codes.

import { type DictionaryData, suffixesOf } from './dictionary.ts';
import type { Texts } from './grams.ts';
import { sortByBytes } from './sort-bytes.ts';
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

const FNV_OFFSET = 0x811c_9dc5;
const FNV_PRIME = 0x0100_0193;

/** Distinct words in the order of their first occurrence, found by hash. */
class WordTable {
  bytes = new Uint8Array(1 << 16);
  starts = new Uint32Array(1 << 12);
  count = 0;
  #hashes = new Uint32Array(1 << 12);
  /** Number of a word plus one, by hash. */
  #slots = new Uint32Array(1 << 13);

  /** The number of the word in `source`, which is added if it is new. */
  numberOf(source: Uint8Array, start: number, end: number): number {
    let hash = FNV_OFFSET;
    for (let at = start; at < end; at++) {
      hash = Math.imul(hash ^ (source[at] as number), FNV_PRIME);
    }
    hash = (hash ^ (hash >>> 15)) >>> 0;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] as number) - 1;
      if (this.#hashes[number] === hash && this.#equals(number, source, start, end)) return number;
    }
    this.#slots[slot] = this.count + 1;
    return this.#append(hash, source.subarray(start, end));
  }

  #equals(number: number, source: Uint8Array, start: number, end: number): boolean {
    const from = this.starts[number] as number;
    // The length includes the zero byte at the end.
    if ((this.starts[number + 1] as number) - from !== end - start + 1) return false;
    for (let at = start; at < end; at++) {
      if (this.bytes[from + at - start] !== source[at]) return false;
    }
    return true;
  }

  #append(hash: number, word: Uint8Array): number {
    const number = this.count++;
    const start = this.starts[number] as number;
    const end = start + word.length + 1;
    if (end > this.bytes.length) this.bytes = resized(this.bytes, Math.max(end, start * 2));
    if (number + 2 > this.starts.length) {
      this.starts = resized(this.starts, this.starts.length * 2);
      this.#hashes = resized(this.#hashes, this.#hashes.length * 2);
    }
    this.bytes.set(word, start);
    this.starts[number + 1] = end;
    this.#hashes[number] = hash;
    if (this.count * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  #rehash(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.count; number++) {
      let slot = (this.#hashes[number] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

function resized<T extends Uint8Array | Uint32Array>(array: T, length: number): T {
  const larger = new (array.constructor as new (size: number) => T)(length);
  larger.set(array);
  return larger;
}

/** The words of texts, split once and then read as often as needed. */
export class SplitTexts {
  readonly #table = new WordTable();
  /**
   * Codes of the numbers of the table, text after text: each doubled, plus one if a single space is between the
   * word and the previous one.
   */
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

  /**
   * Calls `visit` with the number of each word of a text, in order, and whether a single space is between it and
   * the previous one.
   */
  read(position: number, visit: (number: number, isSpaced: boolean) => void): void {
    const [start, end] = [this.#starts[position] as number, this.#starts[position + 1] as number];
    readCodes(this.#stream, start, end, (doubled) => visit(doubled >>> 1, (doubled & 1) === 1));
  }

  /** The rank of each word in the dictionary and its code, by its number. */
  finish(): {
    readonly ranks: Uint32Array;
    readonly codes: Uint32Array;
    readonly sections: WordSections;
  } {
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

  #split(bytes: Uint8Array, start: number, end: number): void {
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
      this.#add(bytes, first, at, first - previousEnd === 1 && bytes[previousEnd] === SPACE);
      previousEnd = at;
    }
  }

  #splitUnicode(bytes: Uint8Array, start: number, end: number): void {
    const { buffer, byteOffset } = bytes;
    const text = Buffer.from(buffer, byteOffset + start, end - start).toString();
    let previousEnd = 0;
    for (const { word, start: first, end: wordEnd } of splitWords(text)) {
      const encoded = Buffer.from(word);
      this.#add(encoded, 0, encoded.length, first - previousEnd === 1 && text[previousEnd] === ' ');
      previousEnd = wordEnd;
    }
  }

  #add(source: Uint8Array, start: number, end: number, isSpaced: boolean): void {
    if (this.#length + MAX_CODE_BYTES > this.#stream.length) {
      this.#stream = resized(this.#stream, this.#stream.length * 2);
    }
    const number = this.#table.numberOf(source, start, end);
    this.#length = writeCode(this.#stream, this.#length, 2 * number + (isSpaced ? 1 : 0));
  }

  #sort(): { readonly dictionary: DictionaryData; readonly ranks: Uint32Array } {
    const { bytes, starts, count } = this.#table;
    const sorted = sortByBytes(bytes, starts.slice(0, count));
    const numberAt = new Map(
      Array.from({ length: count }, (_, number) => [starts[number], number]),
    );
    const ranks = new Uint32Array(count);
    const dictionary = {
      bytes: new Uint8Array(starts[count] as number),
      starts: new Uint32Array(count + 1),
    };
    let end = 0;
    sorted.forEach((start, rank) => {
      const number = numberAt.get(start) as number;
      const word = bytes.subarray(start, starts[number + 1]);
      ranks[number] = rank;
      dictionary.bytes.set(word, end);
      end += word.length;
      dictionary.starts[rank + 1] = end;
    });
    return { dictionary, ranks };
  }

  /** Code numbers by frequency, equally frequent words by rank; the lengths of the texts; the number of common words. */
  #codesByFrequency(ranks: Uint32Array): {
    readonly codes: Uint32Array;
    readonly counts: Uint8Array;
    readonly common: number;
  } {
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
