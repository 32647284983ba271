// Looks for all patterns of a list at once (pattern-language.ts). The patterns make one automaton; its
// states are worked out when a text first needs them and kept, so that each word of a text costs a step
// or two, however many patterns there are. What is kept is bounded, and changes no result.

import type { Keys } from './keys.ts';
import {
  CLASSES,
  compile,
  type Element,
  LONGEST_PREFIX,
  SHORTEST_PREFIX,
} from './pattern-language.ts';

/** How many words "..." may stand for. */
const LONGEST_GAP = 3;
/** How much is kept at most before it is worked out anew. */
const MOST_STATES = 50_000;
const MOST_WORDS = 100_000;

export interface Match<T> {
  /** Keys [from, to). */
  readonly from: number;
  readonly to: number;
  readonly value: T;
}

/** A place between two words of a pattern. */
interface Place<T> {
  /** Where a word leads: numbers of words and places. */
  readonly moves: Map<number, number[]>;
  /** Where no word is needed to go. */
  readonly free: number[];
  readonly values: T[];
}

/** A set of places where a text may be at a time. */
interface State<T> {
  readonly places: readonly number[];
  readonly values: readonly T[];
  readonly next: Map<number, State<T> | null>;
}

/** Shared, so that a place without a match costs nothing. */
const NO_MATCH: readonly never[] = [];

export class PatternSet<T> {
  readonly #places: Place<T>[] = [];
  /** Numbers of the words, beginnings and classes that patterns have. */
  readonly #numbers = new Map<string, number>();
  readonly #classes: (readonly [number, (word: string) => boolean])[];
  /** Words that are the same to all patterns have one symbol: what each stands for. */
  readonly #symbols: (readonly number[])[] = [];
  readonly #symbolOfNumbers = new Map<string, number>();
  readonly #symbolOfWord = new Map<string, number>();
  readonly #states = new Map<string, State<T>>();
  /** By symbol. */
  readonly #beginsNothing: boolean[] = [];
  /** From the beginning, by number: the start has too many places to go through them. */
  readonly #begin = new Map<number, number[]>();
  #start: State<T>;
  #keys: Keys | null = null;
  #text: Int32Array = new Int32Array(0);

  constructor(patterns: Iterable<readonly [pattern: string, value: T]>) {
    const start = this.#newPlace();
    for (const [pattern, value] of patterns) {
      const from = this.#newPlace();
      this.#placeOf(start).free.push(from);
      this.#placeOf(this.#build(compile(pattern), from)).values.push(value);
    }
    this.#classes = [...CLASSES].flatMap(([name, isMeant]) => {
      const number = this.#numbers.get(name);
      return number === undefined ? [] : [[number, isMeant] as const];
    });
    const places = this.#closed([start]);
    for (const place of places) {
      for (const [number, to] of this.#placeOf(place).moves) {
        this.#begin.set(number, (this.#begin.get(number) ?? []).concat(to));
      }
    }
    this.#start = { places, values: [], next: new Map() };
  }

  /** Of every value its longest match that begins at a key and ends at `limit` or before. */
  matchesAt(keys: Keys, at: number, limit: number): readonly Match<T>[] {
    if (this.#keys !== keys) this.#read(keys);
    // Most words begin no pattern: that is told without a step.
    const first = this.#text[at] as number;
    if (at >= limit || this.#beginsNothing[first] === true) return NO_MATCH;
    let ends: Map<T, number> | null = null;
    let state: State<T> | null = this.#start;
    for (let to = at; to < limit && state !== null; to += 1) {
      state = this.#step(state, this.#text[to] as number);
      if (state === null) {
        if (to === at) this.#beginsNothing[first] = true;
        break;
      }
      for (const value of state.values) ends = (ends ?? new Map<T, number>()).set(value, to + 1);
    }
    return ends === null ? NO_MATCH : Array.from(ends, ([value, to]) => ({ from: at, to, value }));
  }

  #placeOf(index: number): Place<T> {
    return this.#places[index] as Place<T>;
  }

  #newPlace(): number {
    return this.#places.push({ moves: new Map(), free: [], values: [] }) - 1;
  }

  /** Lays out elements from a place on; the place behind them. */
  #build(elements: readonly Element[], from: number): number {
    let at = from;
    for (const { words, rows, isOptional, isGap } of elements) {
      const end = this.#newPlace();
      for (const word of words) this.#link(at, word, end);
      for (const row of rows) this.#placeOf(this.#build(row, this.#branch(at))).free.push(end);
      if (isOptional) this.#placeOf(at).free.push(end);
      if (isGap) this.#buildGap(at, end);
      at = end;
    }
    return at;
  }

  #buildGap(from: number, end: number): void {
    let at = from;
    for (let words = 0; words < LONGEST_GAP; words += 1) {
      this.#placeOf(at).free.push(end);
      const next = this.#newPlace();
      this.#link(at, '_', next);
      at = next;
    }
    this.#placeOf(at).free.push(end);
  }

  /** A place of its own for an alternative, so that alternatives do not mix. */
  #branch(from: number): number {
    const place = this.#newPlace();
    this.#placeOf(from).free.push(place);
    return place;
  }

  #link(from: number, word: string, to: number): void {
    const number = this.#numbers.get(word) ?? this.#numbers.size;
    this.#numbers.set(word, number);
    const { moves } = this.#placeOf(from);
    const known = moves.get(number);
    if (known) known.push(to);
    else moves.set(number, [to]);
  }

  /** Places with all that they lead to for free, in order. */
  #closed(places: readonly number[]): number[] {
    const found = new Set(places);
    for (const place of found) for (const next of this.#placeOf(place).free) found.add(next);
    return [...found].toSorted((a, b) => a - b);
  }

  #step(state: State<T>, symbol: number): State<T> | null {
    const known = state.next.get(symbol);
    if (known !== undefined) return known;
    const next = this.#work(state, this.#symbols[symbol] as readonly number[]);
    state.next.set(symbol, next);
    return next;
  }

  #work(state: State<T>, numbers: readonly number[]): State<T> | null {
    const reached = new Set<number>();
    if (state === this.#start) {
      for (const number of numbers) for (const to of this.#begin.get(number) ?? []) reached.add(to);
    } else {
      for (const place of state.places) {
        const { moves } = this.#placeOf(place);
        for (const number of numbers) for (const to of moves.get(number) ?? []) reached.add(to);
      }
    }
    if (reached.size === 0) return null;
    const places = this.#closed([...reached]);
    const name = places.join(',');
    const known = this.#states.get(name);
    if (known) return known;
    if (this.#states.size >= MOST_STATES) this.#forget();
    const values = [...new Set(places.flatMap((place) => this.#placeOf(place).values))];
    const made: State<T> = { places, values, next: new Map() };
    this.#states.set(name, made);
    return made;
  }

  #forget(): void {
    this.#states.clear();
    this.#start = { ...this.#start, next: new Map() };
  }

  /** Finds the symbol of each key of a text, which is asked about key by key. */
  #read(keys: Keys): void {
    if (this.#symbolOfWord.size > MOST_WORDS) this.#symbolOfWord.clear();
    const { words } = keys;
    const text = new Int32Array(words.length);
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] as string;
      text[at] = this.#symbolOfWord.get(word) ?? this.#symbolOf(word);
    }
    this.#text = text;
    this.#keys = keys;
  }

  #symbolOf(word: string): number {
    const numbers = this.#numbersOf(word);
    const name = numbers.join(',');
    let symbol = this.#symbolOfNumbers.get(name);
    if (symbol === undefined) {
      symbol = this.#symbols.push(numbers) - 1;
      this.#symbolOfNumbers.set(name, symbol);
    }
    this.#symbolOfWord.set(word, symbol);
    return symbol;
  }

  #numbersOf(word: string): number[] {
    const numbers: number[] = [];
    const own = this.#numbers.get(word);
    // "NOT" and the like are no words: keys are in small letters.
    if (own !== undefined && !CLASSES.has(word)) numbers.push(own);
    for (
      let length = SHORTEST_PREFIX;
      length <= Math.min(word.length, LONGEST_PREFIX);
      length += 1
    ) {
      const number = this.#numbers.get(`${word.slice(0, length)}*`);
      if (number !== undefined) numbers.push(number);
    }
    for (const [number, isMeant] of this.#classes) if (isMeant(word)) numbers.push(number);
    return numbers;
  }
}
