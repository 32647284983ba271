// Sets of positions in memory that WebAssembly can read (sets.wat), and their operations. The sets of a search
// lie after the index; the next search uses their memory again.

import { readFileSync } from 'node:fs';
import { lowerBound } from '../model/lower-bound.ts';

const PROGRAM = new WebAssembly.Module(readFileSync(new URL('./sets.wasm', import.meta.url)));

const PAGE = 64 * 1024;
/** Memory grows by at least this much. */
const STEP_PAGES = 16;
/** Sets start at multiples of this. Vectors read up to 32 bytes beyond a set. */
const ALIGNMENT = 64;
/** A list this many times longer than the other one is searched, not read. */
const SEARCH_RATIO = 16;

const POSITION_BYTES = Uint32Array.BYTES_PER_ELEMENT;
export const WORD_BITS = 32;

/** The number of words with a bit for each review. */
export function wordsOf(reviews: number): number {
  return Math.ceil(reviews / WORD_BITS);
}

/** Parameters are addresses, sizes and counts, as in sets.wat. */
type Work = (...parameters: number[]) => number;
type Name =
  | 'and'
  | 'or'
  | 'andNot'
  | 'countShared'
  | 'listBits'
  | 'addList'
  | 'keepList'
  | 'countList'
  | 'intersectLists'
  | 'listGaps'
  | 'addGaps'
  | 'bitsOfBytes'
  | 'addToCounts'
  | 'addAllToCounts'
  | 'addScores'
  | 'roundScores'
  | 'nextAbove';

/** Ascending positions, and a bit for each review. Both are in the memory. */
type List = Uint32Array;
type Bits = Uint32Array;

export class SetMemory {
  readonly memory: WebAssembly.Memory;
  readonly reviews: number;
  readonly run: Readonly<Record<Name, Work>>;
  /** Where sets start, and where the next one will. */
  #first: number;
  #next: number;
  /** Of all reviews, in bytes. */
  readonly #bitsSize: number;

  /** `memory` has the index, and grows by the space for sets. */
  constructor(memory: WebAssembly.Memory, reviews: number) {
    this.memory = memory;
    this.reviews = reviews;
    this.#bitsSize = wordsOf(reviews) * POSITION_BYTES;
    this.#first = memory.buffer.byteLength;
    this.#next = this.#first;
    const { exports } = new WebAssembly.Instance(PROGRAM, { sets: { memory } });
    this.run = exports as Record<Name, Work>;
  }

  clear(): void {
    this.#next = this.#first;
  }

  /** Keeps what was made until now forever. */
  keep(): void {
    this.#first = this.#next;
  }

  /** @returns the address of `size` bytes with any content */
  allocate(size: number): number {
    const address = this.#next;
    this.#next = Math.ceil((address + size + ALIGNMENT) / ALIGNMENT) * ALIGNMENT;
    const missing = this.#next - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.max(STEP_PAGES, Math.ceil(missing / PAGE)));
    return address;
  }

  /** A list with any content. */
  newList(length: number): List {
    const address = this.allocate(length * POSITION_BYTES);
    return new Uint32Array(this.memory.buffer, address, length);
  }

  newBits(): Bits {
    return this.#anyBits().fill(0);
  }

  newBytes(length: number, value: number): Uint8Array {
    const address = this.allocate(length);
    return new Uint8Array(this.memory.buffer, address, length).fill(value);
  }

  newNumbers(length: number): Float64Array {
    const address = this.allocate(length * Float64Array.BYTES_PER_ELEMENT);
    return new Float64Array(this.memory.buffer, address, length).fill(0);
  }

  #anyBits(): Bits {
    return this.newList(wordsOf(this.reviews));
  }

  /** The same list or bits in the memory. */
  place(given: Uint32Array): Uint32Array {
    // All memory that is shared is this memory.
    if (given.buffer instanceof SharedArrayBuffer) return given;
    return this.copy(given);
  }

  copy(given: Uint32Array): Uint32Array {
    const list = this.newList(given.length);
    list.set(given);
    return list;
  }

  and(a: Bits, b: Bits): Bits {
    const both = this.#anyBits();
    this.run.and(both.byteOffset, a.byteOffset, b.byteOffset, this.#bitsSize);
    return both;
  }

  andNot(a: Bits, b: Bits): Bits {
    const rest = this.#anyBits();
    this.run.andNot(rest.byteOffset, a.byteOffset, b.byteOffset, this.#bitsSize);
    return rest;
  }

  addBits(bits: Bits, more: Bits): void {
    this.run.or(bits.byteOffset, bits.byteOffset, more.byteOffset, this.#bitsSize);
  }

  addList(bits: Bits, list: List): void {
    this.run.addList(list.byteOffset, list.length, bits.byteOffset);
  }

  countShared(a: Bits, b: Bits): number {
    return this.run.countShared(a.byteOffset, b.byteOffset, this.#bitsSize);
  }

  count(bits: Bits): number {
    return this.countShared(bits, bits);
  }

  listOfBits(bits: Bits, count: number): List {
    const list = this.newList(count);
    this.run.listBits(bits.byteOffset, this.#bitsSize, list.byteOffset);
    return list;
  }

  bitsOfList(list: List): Bits {
    const bits = this.newBits();
    this.addList(bits, this.place(list));
    return bits;
  }

  keepList(list: List, bits: Bits, isSet: boolean): List {
    // One more, because a position is written before its bit is looked at.
    const to = this.newList(list.length + 1);
    const end = this.run.keepList(
      list.byteOffset,
      list.length,
      bits.byteOffset,
      isSet ? 1 : 0,
      to.byteOffset,
    );
    return to.subarray(0, (end - to.byteOffset) / POSITION_BYTES);
  }

  countList(list: List, bits: Bits): number {
    return this.run.countList(list.byteOffset, list.length, bits.byteOffset);
  }

  /** The positions that both lists have. */
  intersectLists(a: List, b: List): List {
    const [short, long] = a.length < b.length ? [a, b] : [b, a];
    if (short.length * SEARCH_RATIO < long.length) return this.#searchIn(long, short);
    const to = this.newList(short.length + 1);
    const end = this.run.intersectLists(
      short.byteOffset,
      short.length,
      long.byteOffset,
      long.length,
      to.byteOffset,
    );
    return to.subarray(0, (end - to.byteOffset) / POSITION_BYTES);
  }

  #searchIn(long: List, short: List): List {
    const both = this.newList(short.length);
    let count = 0;
    let from = 0;
    for (let index = 0; index < short.length; index++) {
      const position = short[index] as number;
      // Steps double, because the next position is near the previous one.
      let step = 1;
      while (from + step < long.length && (long[from + step] as number) < position) step *= 2;
      const start = from + (step >>> 1);
      const length = Math.min(from + step, long.length) - start;
      from = start + lowerBound(length, (at) => (long[start + at] as number) >= position);
      if (long[from] === position) both[count++] = position;
    }
    return both.subarray(0, count);
  }

  /** The reviews whose byte has a value; `bytes` are in the memory. */
  bitsOfBytes(bytes: Uint8Array, value: number): Bits {
    const bits = this.#anyBits();
    this.run.bitsOfBytes(bytes.byteOffset, bytes.length, value, bits.byteOffset);
    return bits;
  }

  /** The first positions that are at least `from` of those stored as gaps at an address. */
  listGaps(address: number, count: number, from: number, limit: number): List {
    const length = Math.min(count, limit);
    const list = this.newList(length + 1);
    const end = this.run.listGaps(address, count, from, length, list.byteOffset);
    return list.subarray(0, (end - list.byteOffset) / POSITION_BYTES);
  }

  /** Sets the bits of positions that are stored as gaps at an address. */
  addGaps(bits: Bits, address: number, count: number): void {
    this.run.addGaps(address, count, bits.byteOffset);
  }
}
