// Finds the terms of a list (services, service areas, the name of the business) in a text: whole words,
// compared after folding, the longest term first.

import { GAP, type SegmentedText, type Token } from './text.ts';
import { tokenise } from './tokens.ts';

/** A range of tokens [from, to) that names the entry `id`. */
export interface TermMatch {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

interface Term {
  readonly words: readonly string[];
  readonly ids: Set<string>;
}

export interface TermOptions {
  /** Whether the first word must have a capital: the town of Bath, not a bath. */
  readonly isName: boolean;
  /** Terms that are also everyday words and count only after a determiner such as "our". */
  readonly ambiguous?: ReadonlySet<string>;
}

export type TermFinder = (text: SegmentedText) => TermMatch[];

/** The punctuation allowed between the words of a term. */
const INSIDE = GAP.hyphen | GAP.line | GAP.stop | GAP.quote | GAP.slash | GAP.ampersand;
/** Words that mark an everyday word as a noun: "our well". */
const DETERMINERS = new Set(
  'a an the our my your their his her this that new old artesian deep dug drilled shallow dry'.split(
    ' ',
  ),
);

export function buildTermFinder(
  entries: readonly { readonly id: string; readonly names: readonly string[] }[],
  { isName, ambiguous = new Set() }: TermOptions,
): TermFinder {
  const byFirst = new Map<string, Term[]>();
  const bySpelling = new Map<string, Term>();
  for (const { id, names } of entries) {
    for (const name of names) {
      const words = tokenise(name).map(({ bare }) => bare);
      const [first] = words;
      if (first === undefined) continue;
      const spelling = words.join(' ');
      const term = bySpelling.get(spelling) ?? { words, ids: new Set() };
      term.ids.add(id);
      if (bySpelling.has(spelling)) continue;
      bySpelling.set(spelling, term);
      const key = words.length === 1 ? singular(first) : first;
      byFirst.set(key, [...(byFirst.get(key) ?? []), term]);
    }
  }
  for (const terms of byFirst.values()) terms.sort((a, b) => b.words.length - a.words.length);

  if (byFirst.size === 0) return () => [];
  return ({ tokens, sentences }) => {
    const matches: TermMatch[] = [];
    for (const sentence of sentences) {
      for (let at = sentence.from; at < sentence.to; at += 1) {
        const token = tokens[at] as Token;
        const match = termAt(tokens, at, sentence.to, byFirst, isName);
        if (!match) continue;
        const before = at > sentence.from ? (tokens[at - 1] as Token).bare : '';
        const [id] = match.ids;
        const isWord = match.words.length === 1 && ambiguous.has(token.bare);
        if (id !== undefined && match.ids.size === 1 && (!isWord || DETERMINERS.has(before)))
          matches.push({ id, from: at, to: at + match.words.length });
        at += match.words.length - 1;
      }
    }
    return matches;
  };
}

function termAt(
  tokens: readonly Token[],
  at: number,
  end: number,
  byFirst: ReadonlyMap<string, readonly Term[]>,
  isName: boolean,
): Term | null {
  const { bare, capital } = tokens[at] as Token;
  if (isName && capital === 'lower') return null;
  const key = bare.endsWith('s') ? singular(bare) : bare;
  const exact = byFirst.get(bare);
  const plural = key === bare ? undefined : byFirst.get(key);
  if (!exact && !plural) return null;
  const fits = ({ words }: Term) => isTermAt(tokens, at, end, words, isName);
  return exact?.find(fits) ?? plural?.find(fits) ?? null;
}

function isTermAt(
  tokens: readonly Token[],
  at: number,
  end: number,
  words: readonly string[],
  isName: boolean,
): boolean {
  if (at + words.length > end) return false;
  return words.every((word, index) => {
    const { bare, gap } = tokens[at + index] as Token;
    if (index > 0 && (gap & ~INSIDE) !== 0) return false;
    const isLast = index === words.length - 1;
    return bare === word || (!isName && isLast && singular(bare) === singular(word));
  });
}

/** The approximate singular of a plural, for comparing words that both went through it. */
export function singular(word: string): string {
  if ((word.length < 4 && word !== 'ups') || !word.endsWith('s') || /(?:ss|us|is)$/.test(word))
    return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:x|ch|sh|ss|z)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}
