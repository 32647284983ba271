// What to search for instead, where nothing is found: other spellings, or fewer words.

import { editsBetween } from '../model/closeness.ts';
import type { WordClause, WordQuery } from '../model/word-query.ts';
import type { WordIndex } from './word-index.ts';

export interface Suggestion {
  readonly words: WordQuery;
  readonly matched: number;
}

const MAX_SUGGESTIONS = 5;
/** More unknown words are not corrected; of more words none is left out. */
const MAX_UNKNOWN = 3;
const MAX_LEFT_OUT = 8;
/** Candidates whose edits are counted; the signatures exclude nearly all others. */
const MAX_COMPARED = 2_000;

/** The edits that are tolerated in a word of some length. */
function toleratedEdits(length: number): number {
  if (length < 3) return 0;
  return length < 6 ? 1 : 2;
}

/** `countMatches` counts the reviews that match other words and the same filters. */
export function suggest(
  query: WordQuery,
  words: WordIndex,
  spelling: Spelling,
  countMatches: (query: WordQuery) => number,
): Suggestion[] {
  const { required } = query;
  const unknown = required.filter((clause) => !isKnown(clause, words));
  if (unknown.length > MAX_UNKNOWN) return [];
  const countAll = (candidates: readonly (readonly WordClause[])[]): Suggestion[] => {
    const counted = candidates.map((clauses) => {
      const other = query.withRequired(clauses.map(typedToItsEnd));
      return { words: other, matched: countMatches(other) };
    });
    return counted.filter(({ matched }) => matched > 0).slice(0, MAX_SUGGESTIONS);
  };
  const corrected = countAll(correct(required, unknown, (word) => spelling.closest(word)));
  if (corrected.length > 0) return corrected;
  const known = required.filter((clause) => !unknown.includes(clause));
  return countAll(unknown.length > 0 && known.length > 0 ? [known] : leaveOut(known));
}

function isKnown({ words: all, isExact, isPrefix }: WordClause, words: WordIndex): boolean {
  return all.every((word) => {
    if (isExact) return words.dictionary.find(word) !== null;
    return (
      words.havingPart(word, isPrefix ? 'start' : 'whole').count > 0 ||
      words.formsOf(word).length > 0
    );
  });
}

/** The clauses with each unknown word replaced by known ones, the closest first. */
function correct(
  clauses: readonly WordClause[],
  unknown: readonly WordClause[],
  closestTo: (word: string) => readonly string[],
): WordClause[][] {
  const replaced = unknown.map((clause) => {
    const [word = ''] = clause.words;
    const closest = clause.words.length === 1 ? closestTo(word) : [];
    return closest.map((one): WordClause => ({ ...clause, words: [one] }));
  });
  if (clauses.length === 0 || unknown.length === 0) return [];
  const [first = [], ...others] = replaced;
  const best = others.flatMap((list) => list.slice(0, 1));
  if (best.length < others.length) return [];
  return first.map((one) => {
    const chosen = [one, ...best];
    return clauses.map((clause) => chosen[unknown.indexOf(clause)] ?? clause);
  });
}

/** The clauses without one of them. */
function leaveOut(clauses: readonly WordClause[]): WordClause[][] {
  if (clauses.length < 2 || clauses.length > MAX_LEFT_OUT) return [];
  return clauses.map((left) => clauses.filter((clause) => clause !== left));
}

function typedToItsEnd(clause: WordClause): WordClause {
  return { ...clause, isPrefix: false };
}

const LETTERS = 26;
const OTHERS = 5;

/** Finds the words of the reviews that are spelled like another one. */
export class Spelling {
  readonly #words: WordIndex;
  /** A bit for each letter that a word has; 0 for words with digits. From the first use on. */
  #signatures: Uint32Array | null = null;

  constructor(words: WordIndex) {
    this.#words = words;
  }

  /** At most five words within one or two edits: with fewer edits first, then in more reviews. */
  closest(word: string): string[] {
    const max = toleratedEdits(word.length);
    if (max === 0) return [];
    const { dictionary } = this.#words;
    const signature = signatureOf(Buffer.from(word));
    this.#signatures ??= this.#sign();
    const found: { readonly word: string; readonly edits: number; readonly count: number }[] = [];
    let compared = 0;
    for (let number = 0; number < this.#signatures.length; number++) {
      const other = this.#signatures[number] as number;
      // An edit replaces at most one letter by another.
      if (other === 0 || bitsIn(other ^ signature) > 2 * max) continue;
      const candidate = dictionary.at(number);
      if (candidate === word || Math.abs(candidate.length - word.length) > max) continue;
      compared += 1;
      if (compared > MAX_COMPARED) break;
      const edits = editsBetween(word, candidate, max);
      if (edits <= max) found.push({ word: candidate, edits, count: this.#words.countOf(number) });
    }
    const closest: string[] = [];
    const known = new Set<number>();
    for (const one of found.toSorted((a, b) => a.edits - b.edits || b.count - a.count)) {
      const forms = this.#words.formsOf(one.word);
      // Other forms of the same word find the same reviews.
      if (forms.every((form) => !known.has(form))) closest.push(one.word);
      for (const form of forms) known.add(form);
      if (closest.length === MAX_SUGGESTIONS) break;
    }
    return closest;
  }

  #sign(): Uint32Array {
    const { dictionary } = this.#words;
    return Uint32Array.from({ length: dictionary.length }, (_, number) =>
      signatureOf(dictionary.bytesAt(number)),
    );
  }
}

/** A bit for each letter of a word; letters beyond ASCII share some. 0 if it has a digit. */
function signatureOf(word: Uint8Array): number {
  let signature = 0;
  for (const byte of word) {
    if (byte >= 0x30 && byte <= 0x39) return 0;
    const isLetter = byte >= 0x61 && byte <= 0x7a;
    signature |= 1 << (isLetter ? byte - 0x61 : LETTERS + (byte % OTHERS));
  }
  return signature >>> 0;
}

function bitsIn(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
