// The syntax of `words`: words, "phrases", and -words that a review may not have.

import { fold } from './fold.ts';
import { splitWords } from './words.ts';

/** One condition of `words`: a word in any inflection, or several words in a row. */
export interface WordClause {
  /** Folded; more than one for a phrase. */
  readonly words: readonly string[];
  /** Whether the words must occur as they are: in a row and not inflected. */
  readonly isExact: boolean;
  readonly isQuoted: boolean;
  /** Whether the text may continue the word: it was perhaps not typed to its end. */
  readonly isPrefix: boolean;
}

/** More words or phrases in one search are refused. */
export const MAX_WORDS = 64;
export const MAX_PHRASES = 8;

/** Shorter words are never prefixes. */
const MIN_PREFIX = 3;
/** A part in quotes, which may lack the last one, or a run without spaces; each perhaps after "-". */
const PARTS = /(-?)"([^"]*)"?|(-?)(\S+)/g;
const POSSESSIVE = /'s$/;

/** The words of a search, parsed where a request arrives. In an answer they are text again. */
export class WordQuery {
  readonly required: readonly WordClause[];
  readonly excluded: readonly WordClause[];
  readonly #text: string;

  constructor(
    text: string,
    required: readonly WordClause[] = [],
    excluded: readonly WordClause[] = [],
  ) {
    this.#text = text;
    this.required = required;
    this.excluded = excluded;
  }

  /** Never fails: characters that belong to no word are ignored. */
  static parse(text: string): WordQuery {
    const required = new Map<string, WordClause>();
    const excluded = new Map<string, WordClause>();
    const folded = fold(text);
    for (const match of folded.matchAll(PARTS)) {
      const [whole, quotedSign = '', quoted, sign = '', run = ''] = match;
      const isQuoted = quoted !== undefined;
      const isExcluded = (isQuoted ? quotedSign : sign) === '-';
      const part = isQuoted ? quoted : run.replace(POSSESSIVE, '');
      const found = splitWords(part);
      const words = found.map(({ word }) => word);
      const [first, ...others] = words;
      if (first === undefined) continue;
      const isLast = match.index + whole.length === folded.length && part === (quoted ?? run);
      const isTyped = !isQuoted && !isExcluded && others.length === 0 && first.length >= MIN_PREFIX;
      const clause = {
        words,
        isExact: isQuoted || others.length > 0,
        isQuoted,
        isPrefix: isTyped && isLast && found[0]?.end === part.length,
      };
      // A prefix is kept beside the same word, because it matches more.
      (isExcluded ? excluded : required).set(JSON.stringify(clause), clause);
    }
    return new WordQuery(text, [...required.values()], [...excluded.values()]);
  }

  withRequired(clauses: readonly WordClause[]): WordQuery {
    const text = [...clauses.map(show), ...this.excluded.map((clause) => `-${show(clause)}`)];
    return new WordQuery(text.join(' '), clauses, this.excluded);
  }

  get isShortEnough(): boolean {
    const clauses = [...this.required, ...this.excluded];
    const phrases = clauses.filter(({ words }) => words.length > 1);
    const words = clauses.reduce((sum, clause) => sum + clause.words.length, 0);
    return words <= MAX_WORDS && phrases.length <= MAX_PHRASES;
  }

  toString(): string {
    return this.#text;
  }

  toJSON(): string {
    return this.#text;
  }
}

function show({ words, isExact }: WordClause): string {
  return isExact ? `"${words.join(' ')}"` : words.join(' ');
}
