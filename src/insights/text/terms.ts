// Finds the terms of a list (services, service areas, the name of the business) in a text: whole words,
// compared after folding, the longest term first.

import { GAP, type SegmentedText, type Token } from './text.ts';
import { tokenise } from './tokens.ts';

/** A range of tokens [from, to) that names the entry `id`. */
export interface TermMatch {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  /** Whether the name is a short one, and whether other entries have it too: what else the text says tells what is meant. */
  readonly isShort: boolean;
  readonly isShared: boolean;
}

interface Entry {
  readonly id: string;
  readonly names: readonly string[];
  readonly shortNames?: readonly string[];
}

interface Term {
  readonly words: readonly string[];
  readonly ids: Set<string>;
  readonly isShort: boolean;
}

export interface TermOptions {
  /** Whether the first word must have a capital: the town of Bath, not a bath. */
  readonly isName: boolean;
  /** Terms that are also everyday words and count only after a determiner such as "our". */
  readonly ambiguous?: ReadonlySet<string>;
  /** Whether names of several entries are found, for each of them. */
  readonly findsShared?: boolean;
  /** Whether the text is in another language than English: words are inflected and stand in compounds. */
  readonly isForeign?: boolean;
}

export type TermFinder<Text = SegmentedText> = (text: Text) => TermMatch[];

/** The punctuation allowed between the words of a term. */
const INSIDE = GAP.hyphen | GAP.line | GAP.stop | GAP.quote | GAP.slash | GAP.ampersand;
/** Words that mark an everyday word as a noun: "our well". */
const DETERMINERS = new Set(
  'a an the our my your their his her this that new old artesian deep dug drilled shallow dry'.split(
    ' ',
  ),
);

/** The least letters that two forms of a word share, and the most letters of their endings together. */
const STEM = 5;
const ENDINGS = 2;
/** Prefixes of another thing: a "décoloration" is no "coloration". */
const NEGATING = /^(?:anti|des?|dis|ent|in|non|un)$/;

export function buildTermFinder(entries: readonly Entry[], options: TermOptions): TermFinder {
  const { ambiguous, findsShared = false } = options;
  const bySpelling = new Map<string, Term>();
  for (const { id, names, shortNames = [] } of entries) {
    for (const [index, name] of [...names, ...shortNames].entries()) {
      const words = tokenise(name).map(({ bare }) => bare);
      if (words.length === 0) continue;
      const spelling = words.map((word) => (options.isName ? word : singular(word))).join(' ');
      const isShort = index >= names.length;
      const term = bySpelling.get(spelling) ?? { words, ids: new Set(), isShort };
      term.ids.add(id);
      bySpelling.set(spelling, term);
    }
  }
  const terms = [...bySpelling.values()].toSorted((a, b) => b.words.length - a.words.length);
  const byFirst = Map.groupBy(terms, ({ words }) => singular(words[0] as string));
  if (terms.length === 0) return () => [];
  return ({ tokens, sentences }) => {
    const matches: TermMatch[] = [];
    for (const sentence of sentences) {
      for (let at = sentence.from; at < sentence.to; at += 1) {
        const { bare, capital } = tokens[at] as Token;
        if (options.isName && capital === 'lower') continue;
        const likely = options.isForeign ? terms : byFirst.get(singular(bare));
        const match = likely?.find(({ words }) =>
          isTermAt(tokens, at, sentence.to, words, options),
        );
        if (!match) continue;
        const before = at > sentence.from ? (tokens[at - 1] as Token).bare : '';
        const isWord = match.words.length === 1 && ambiguous?.has(bare) === true;
        const { isShort } = match;
        const isShared = match.ids.size > 1;
        if ((!isShared || findsShared) && (!isWord || DETERMINERS.has(before)))
          for (const id of match.ids)
            matches.push({ id, from: at, to: at + match.words.length, isShort, isShared });
        at += match.words.length - 1;
      }
    }
    return matches;
  };
}

function isTermAt(
  tokens: readonly Token[],
  at: number,
  end: number,
  words: readonly string[],
  { isName, isForeign }: TermOptions,
): boolean {
  if (at + words.length > end) return false;
  return words.every((word, index) => {
    const { bare, gap } = tokens[at + index] as Token;
    if (index > 0 && (gap & ~INSIDE) !== 0) return false;
    if (bare === word) return true;
    if (isName) return false;
    return isForeign
      ? isFormOf(bare, word)
      : index === words.length - 1 && singular(bare) === singular(word);
  });
}

/** Whether a word is an inflected form of another, or a compound with it: "Gästebad" with "Bad". */
function isFormOf(written: string, word: string): boolean {
  if (word.length >= STEM && written.endsWith(word))
    return !NEGATING.test(written.slice(0, -word.length));
  let same = 0;
  while (same < word.length && written[same] === word[same]) same += 1;
  if (same < STEM) return false;
  return same === word.length || written.length + word.length - 2 * same <= ENDINGS;
}

/** The approximate singular of a plural, for comparing words that both went through it. */
export function singular(word: string): string {
  if ((word.length < 4 && word !== 'ups') || !word.endsWith('s') || /(?:ss|us|is)$/.test(word))
    return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:x|ch|sh|ss|z)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}
