// Finds the known words that an unknown word probably stands for.

import { editsBetween } from '../model/closeness.ts';
import type { Dictionary } from './dictionary.ts';
import { countBits } from './positions.ts';

/** Shorter words are never corrected; only long ones by two edits. */
const MIN_LETTERS = 4;
const MIN_FOR_TWO = 7;
/** Shorter words, and words of more reviews, are taken as they are. */
const MIN_FOR_INTENDED = 6;
const MAX_MISSPELLED = 50;
/** A word that is in as many times more reviews is probably meant. */
const FAR_MORE = 8;
/** Candidates whose edits are counted; the signatures exclude nearly all others. */
const MAX_COMPARED = 2_000;
const LETTERS = 26;
const OTHERS = 5;
/** Prefixes that turn a word into its opposite. */
const OPPOSITE = /^(?:dis|il|im|in|ir|mis|non|over|un|under|des|mal)$/;
/** What an edit costs: at the beginning of a word people err less. */
const EDIT = 10;
const AT_START = 6;
const NEIGHBOURS = -3;
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

export class Spelling {
  readonly #dictionary: Dictionary;
  readonly #countOf: (word: number) => number;
  /** A bit for each letter that a word has; 0 for words with digits. From the first use on. */
  #signatures: Uint32Array | null = null;

  constructor(dictionary: Dictionary, countOf: (word: number) => number) {
    this.#dictionary = dictionary;
    this.#countOf = countOf;
  }

  /**
   * The words within one edit, or two of a long word, the likeliest first: with cheaper edits, then in more reviews.
   * None is the opposite of the word.
   */
  closest(word: string): string[] {
    const max = toleratedEdits(word.length);
    const signature = signatureOf(Buffer.from(word));
    if (max === 0 || signature === 0) return [];
    this.#signatures ??= this.#sign();
    const found: { readonly word: string; readonly cost: number; readonly count: number }[] = [];
    let compared = 0;
    for (let number = 0; number < this.#signatures.length; number++) {
      const other = this.#signatures[number] as number;
      // An edit replaces at most one letter by another.
      if (other === 0 || countBits(other ^ signature) > 2 * max) continue;
      const candidate = this.#dictionary.at(number);
      if (candidate === word || Math.abs(candidate.length - word.length) > max) continue;
      compared += 1;
      if (compared > MAX_COMPARED) break;
      const edits = editsBetween(word, candidate, max);
      if (edits > max || isOpposite(word, candidate) || isForeign(word, candidate)) continue;
      found.push({
        word: candidate,
        cost: costOf(word, candidate, edits),
        count: this.#countOf(number),
      });
    }
    return found.toSorted((a, b) => a.cost - b.cost || b.count - a.count).map((one) => one.word);
  }

  /** What a word that some reviews have probably stands for: a similar word of far more reviews; null if none. */
  intended(word: string): string | null {
    const number = this.#dictionary.find(word);
    if (number === null || word.length < MIN_FOR_INTENDED) return null;
    const count = this.#countOf(number);
    if (count > MAX_MISSPELLED) return null;
    const isLikely = (one: string) =>
      isDoubled(word, one) ||
      (word[0] === one[0] &&
        editsBetween(word, one, 1) === 1 &&
        this.#countOf(this.#dictionary.find(one) as number) >= count * FAR_MORE);
    return this.closest(word).find(isLikely) ?? null;
  }

  #sign(): Uint32Array {
    const dictionary = this.#dictionary;
    return Uint32Array.from({ length: dictionary.length }, (_, number) =>
      signatureOf(dictionary.bytesAt(number)),
    );
  }
}

function toleratedEdits(letters: number): number {
  if (letters < MIN_LETTERS) return 0;
  return letters < MIN_FOR_TWO ? 1 : 2;
}

function isOpposite(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.endsWith(short) && OPPOSITE.test(long.slice(0, -short.length));
}

/** Whether a short word has another consonant, of another key: then it is one of another language ("wasser"). */
function isForeign(word: string, candidate: string): boolean {
  if (word.length >= MIN_FOR_TWO || word.length !== candidate.length) return false;
  const at = Array.from(word).findIndex((letter, index) => letter !== candidate[index]);
  return !/[aeiouy]/.test(word.charAt(at) + candidate.charAt(at)) && !isSlip(word, candidate);
}

function costOf(word: string, candidate: string, edits: number): number {
  const isStart = word[0] !== candidate[0];
  return edits * EDIT + (isStart ? AT_START : 0) + (isSlip(word, candidate) ? NEIGHBOURS : 0);
}

/** Whether one letter was typed on a key beside the right one, or twice or once too few. */
function isSlip(word: string, candidate: string): boolean {
  if (word.length !== candidate.length) return isDoubled(word, candidate);
  const at = Array.from(word).findIndex((letter, index) => letter !== candidate[index]);
  const [typed = '', meant = ''] = [word[at], candidate[at]];
  const isSwap = word[at + 1] === meant && candidate[at + 1] === typed;
  return isSwap || ROWS.some((row) => row.includes(typed + meant) || row.includes(meant + typed));
}

/** Whether two words differ only in letters that are doubled. */
function isDoubled(word: string, candidate: string): boolean {
  const single = (text: string) => text.replaceAll(/(.)\1+/gu, '$1');
  return single(word) === single(candidate);
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
