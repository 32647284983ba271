// A sorted list of strings with binary search: by the whole string, by prefix, and by any part.

import { lowerBound } from '../model/lower-bound.ts';
import { sortByBytes } from './sort-bytes.ts';

/**
 * Suffixes are sorted by this many bytes. Sorting them by all bytes takes time that is quadratic in the
 * length of a string such as "aaaa".
 */
export const SUFFIX_BYTES = 64;

/** A half-open range of numbers. */
export type Range = readonly [first: number, end: number];

/** The strings in UTF-8, sorted by bytes, each ended by a zero byte. */
export interface DictionaryData {
  readonly bytes: Uint8Array;
  /** Start of each string, and the end of the last one. */
  readonly starts: Uint32Array;
}

export class Dictionary {
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;

  constructor({ bytes, starts }: DictionaryData) {
    this.#bytes = bytes;
    this.#starts = starts;
  }

  get length(): number {
    return this.#starts.length - 1;
  }

  /** The bytes of a string; not a copy. */
  bytesAt(number: number): Uint8Array {
    return this.#bytes.subarray(this.#starts[number], (this.#starts[number + 1] as number) - 1);
  }

  at(number: number): string {
    const { buffer, byteOffset, length } = this.bytesAt(number);
    return Buffer.from(buffer, byteOffset, length).toString();
  }

  /** The number of a string; null if it is not in the list. */
  find(string: string): number | null {
    const [first, end] = this.withPrefix(`${string}\0`);
    return first < end ? first : null;
  }

  /** The strings that start with `prefix`. */
  withPrefix(prefix: string): Range {
    const wanted = Buffer.from(prefix);
    const starts = this.#starts;
    return rangeOf(this.length, (at) => compare(this.#bytes, starts[at] as number, wanted));
  }

  /** The numbers of the strings that contain a part, ascending; with "\0" at its end, that end with it. */
  containing(part: string, suffixes: Uint32Array): number[] {
    const wanted = Buffer.from(part);
    const sorted = wanted.subarray(0, SUFFIX_BYTES);
    const [first, end] = rangeOf(suffixes.length, (at) =>
      compare(this.#bytes, suffixes[at] as number, sorted),
    );
    const numbers = new Set<number>();
    for (let at = first; at < end; at++) numbers.add(this.#numberAt(suffixes[at] as number));
    const ascending = [...numbers].toSorted((a, b) => a - b);
    if (sorted.length === wanted.length) return ascending;
    return ascending.filter((number) => this.#contains(number, wanted));
  }

  /** Whether a string with its zero byte contains other bytes. */
  #contains(number: number, wanted: Buffer): boolean {
    const { buffer, byteOffset } = this.#bytes;
    const [start, end] = [this.#starts[number] as number, this.#starts[number + 1] as number];
    return Buffer.from(buffer, byteOffset + start, end - start).includes(wanted);
  }

  #numberAt(offset: number): number {
    return lowerBound(this.length, (at) => (this.#starts[at + 1] as number) > offset);
  }
}

/** Offsets of all suffixes of the strings, sorted by their first bytes; a suffix starts with a character. */
export function suffixesOf({ bytes }: DictionaryData): Uint32Array {
  let count = 0;
  const offsets = new Uint32Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (byte !== 0 && !isContinuation) offsets[count++] = at;
  }
  return sortByBytes(bytes, offsets.subarray(0, count), SUFFIX_BYTES);
}

export function dictionaryOf(sorted: readonly string[]): DictionaryData {
  const starts = new Uint32Array(sorted.length + 1);
  // An array of its own, which can be transferred to another thread.
  const bytes = new TextEncoder().encode(sorted.map((string) => `${string}\0`).join(''));
  let end = 0;
  sorted.forEach((string, number) => {
    end += Buffer.byteLength(string) + 1;
    starts[number + 1] = end;
  });
  return { bytes, starts };
}

/** The range of a sorted list whose elements compare as equal. */
function rangeOf(length: number, comparedAt: (index: number) => number): Range {
  const first = lowerBound(length, (at) => comparedAt(at) >= 0);
  return [first, first + lowerBound(length - first, (at) => comparedAt(first + at) > 0)];
}

/** Compares the bytes at an offset with a prefix: 0 if they start with it. */
function compare(bytes: Uint8Array, offset: number, prefix: Uint8Array): number {
  for (let at = 0; at < prefix.length; at++) {
    const difference = (bytes[offset + at] ?? 0) - (prefix[at] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
