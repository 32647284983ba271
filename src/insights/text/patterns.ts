// Matches many patterns at once (pattern-language.ts). The patterns form a nondeterministic automaton, which
// is determinised lazily: its states are computed when a text first needs them and cached. So each word
// costs a step or two, however many patterns there are. The caches are bounded and change no result.

import type { Keys } from './keys.ts';
import {
  CLASSES,
  compile,
  type Element,
  LONGEST_PREFIX,
  SHORTEST_PREFIX,
} from './pattern-language.ts';
import { MOST_WORDS } from './word-numbers.ts';

/** How many words "..." matches at most. */
const LONGEST_GAP = 3;
/** Limit of the cache of states; a full cache is cleared. */
const MOST_STATES = 50_000;

export interface Match<T> {
  /** Keys [from, to). */
  readonly from: number;
  readonly to: number;
  readonly value: T;
}

interface LongerMatch<T> extends Match<T> {
  to: number;
}

/** A node of the nondeterministic automaton: a point between two words of a pattern. */
interface Node<T> {
  /** The nodes after a word, by the number of the word. */
  readonly moves: Map<number, number[]>;
  /** The nodes reached without a word. */
  readonly free: number[];
  readonly values: T[];
}

/** A state of the deterministic automaton: a set of nodes. */
interface State<T> {
  readonly nodes: readonly number[];
  readonly values: readonly T[];
  /** The state after each symbol; null if no pattern goes on. */
  readonly next: Map<number, State<T> | null>;
}

/** The symbol of a word that was not met yet. */
const NO_SYMBOL = 0;
/** Shared, so that a key without a match allocates nothing. */
const NO_MATCH: readonly never[] = [];

export class PatternSet<T> {
  readonly #nodes: Node<T>[] = [];
  /** Numbers of the words, prefixes and classes in the patterns. */
  readonly #numbers = new Map<string, number>();
  readonly #classes: (readonly [number, (word: string) => boolean])[];
  /** The numbers that each symbol stands for; the first is NO_SYMBOL. Words that no pattern distinguishes share a symbol. */
  readonly #symbols: (readonly number[])[] = [[]];
  readonly #symbolOfNumbers = new Map<string, number>();
  /** By the number of a word its symbol, NO_SYMBOL for words not met yet; and the numbering it is for. */
  readonly #symbolOfWord = new Int32Array(MOST_WORDS);
  #numbering: object | null = null;
  readonly #states = new Map<string, State<T>>();
  /** By the number of a word 1 if no pattern begins with it. */
  readonly #beginsNothing = new Uint8Array(MOST_WORDS);
  /** The nodes after the first word, by its number; the start state has too many nodes to search them. */
  readonly #firstNodes = new Map<number, number[]>();
  readonly #start: State<T>;
  /** The state after the first word, by its symbol. */
  #afterFirst: (State<T> | null | undefined)[] = [];

  /** @param not words that "_" does not match */
  constructor(patterns: Iterable<readonly [pattern: string, value: T]>, not?: ReadonlySet<string>) {
    const classes = new Map(CLASSES).set('_', (word) => not?.has(word) !== true);
    const start = this.#newNode();
    for (const [pattern, value] of patterns) {
      const from = this.#newNode();
      this.#nodeOf(start).free.push(from);
      this.#nodeOf(this.#build(compile(pattern), from)).values.push(value);
    }
    this.#classes = [...classes].flatMap(([name, isMeant]) => {
      const number = this.#numbers.get(name);
      return number === undefined ? [] : [[number, isMeant] as const];
    });
    const nodes = this.#closure([start]);
    for (const node of nodes) {
      for (const [number, to] of this.#nodeOf(node).moves) {
        this.#firstNodes.set(number, (this.#firstNodes.get(number) ?? []).concat(to));
      }
    }
    this.#start = { nodes, values: [], next: new Map() };
  }

  /** The longest match of each value that begins at the key `at` and ends at or before `limit`. */
  matchesAt(keys: Keys, at: number, limit: number): readonly Match<T>[] {
    if (at >= limit) return NO_MATCH;
    if (this.#numbering !== keys.numbering) {
      this.#numbering = keys.numbering;
      this.#symbolOfWord.fill(NO_SYMBOL);
      this.#beginsNothing.fill(0);
    }
    // Most words begin no pattern.
    const first = keys.numbers[at] as number;
    if (this.#beginsNothing[first] === 1) return NO_MATCH;
    let state = this.#firstStep(this.#symbolAt(keys, at));
    if (state === null) {
      this.#beginsNothing[first] = 1;
      return NO_MATCH;
    }
    let matches: LongerMatch<T>[] | null = null;
    for (let to = at + 1; state !== null; to += 1) {
      for (const value of state.values) {
        const known = matches?.find((match) => match.value === value);
        if (known) known.to = to;
        else (matches ??= []).push({ from: at, to, value });
      }
      if (to === limit) break;
      state = this.#step(state, this.#symbolAt(keys, to));
    }
    return matches ?? NO_MATCH;
  }

  #nodeOf(index: number): Node<T> {
    return this.#nodes[index] as Node<T>;
  }

  #newNode(): number {
    return this.#nodes.push({ moves: new Map(), free: [], values: [] }) - 1;
  }

  /** Adds elements after a node and returns the node behind them. */
  #build(elements: readonly Element[], from: number): number {
    let at = from;
    for (const { words, rows, isOptional, isGap } of elements) {
      const end = this.#newNode();
      for (const word of words) this.#link(at, word, end);
      for (const row of rows) this.#nodeOf(this.#build(row, this.#branch(at))).free.push(end);
      if (isOptional) this.#nodeOf(at).free.push(end);
      if (isGap) this.#buildGap(at, end);
      at = end;
    }
    return at;
  }

  #buildGap(from: number, end: number): void {
    let at = from;
    for (let words = 0; words < LONGEST_GAP; words += 1) {
      this.#nodeOf(at).free.push(end);
      const next = this.#newNode();
      this.#link(at, '_', next);
      at = next;
    }
    this.#nodeOf(at).free.push(end);
  }

  /** A new node for an alternative, so that alternatives stay separate. */
  #branch(from: number): number {
    const node = this.#newNode();
    this.#nodeOf(from).free.push(node);
    return node;
  }

  #link(from: number, word: string, to: number): void {
    const number = this.#numbers.get(word) ?? this.#numbers.size;
    this.#numbers.set(word, number);
    const { moves } = this.#nodeOf(from);
    const known = moves.get(number);
    if (known) known.push(to);
    else moves.set(number, [to]);
  }

  /** Nodes with all that they reach without a word, in order. */
  #closure(nodes: readonly number[]): number[] {
    const found = new Set(nodes);
    for (const node of found) for (const next of this.#nodeOf(node).free) found.add(next);
    return [...found].toSorted((a, b) => a - b);
  }

  #firstStep(symbol: number): State<T> | null {
    let next = this.#afterFirst[symbol];
    if (next === undefined) {
      next = this.#stateAfter(this.#start, this.#symbols[symbol] as readonly number[]);
      this.#afterFirst[symbol] = next;
    }
    return next;
  }

  #step(state: State<T>, symbol: number): State<T> | null {
    const known = state.next.get(symbol);
    if (known !== undefined) return known;
    const next = this.#stateAfter(state, this.#symbols[symbol] as readonly number[]);
    state.next.set(symbol, next);
    return next;
  }

  #stateAfter(state: State<T>, numbers: readonly number[]): State<T> | null {
    const reached = new Set<number>();
    if (state === this.#start) {
      for (const number of numbers)
        for (const to of this.#firstNodes.get(number) ?? []) reached.add(to);
    } else {
      for (const node of state.nodes) {
        const { moves } = this.#nodeOf(node);
        for (const number of numbers) for (const to of moves.get(number) ?? []) reached.add(to);
      }
    }
    if (reached.size === 0) return null;
    const nodes = this.#closure([...reached]);
    const name = nodes.join(',');
    const known = this.#states.get(name);
    if (known) return known;
    if (this.#states.size >= MOST_STATES) this.#clearStates();
    const values = [...new Set(nodes.flatMap((node) => this.#nodeOf(node).values))];
    const made: State<T> = { nodes, values, next: new Map() };
    this.#states.set(name, made);
    return made;
  }

  #clearStates(): void {
    this.#states.clear();
    this.#afterFirst = [];
  }

  #symbolAt({ numbers, words }: Keys, at: number): number {
    const number = numbers[at] as number;
    // A text of more words than MOST_WORDS has numbers beyond the array.
    let symbol = this.#symbolOfWord[number] ?? NO_SYMBOL;
    if (symbol === NO_SYMBOL) {
      symbol = this.#symbolOf(words[at] as string);
      this.#symbolOfWord[number] = symbol;
    }
    return symbol;
  }

  #symbolOf(word: string): number {
    const numbers = this.#numbersOf(word);
    const name = numbers.join(',');
    let symbol = this.#symbolOfNumbers.get(name);
    if (symbol === undefined) {
      symbol = this.#symbols.push(numbers) - 1;
      this.#symbolOfNumbers.set(name, symbol);
    }
    return symbol;
  }

  #numbersOf(word: string): number[] {
    const numbers: number[] = [];
    const own = this.#numbers.get(word);
    // Names of classes are not words: keys are in small letters.
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
