// The lexicon of English opinion words and expressions with their values. The lists are data (lexicon/);
// their regular forms are generated here.

import phrases from './lexicon/phrases.json' with { type: 'json' };
import words from './lexicon/words.json' with { type: 'json' };
import { PatternSet } from '../text/patterns.ts';

export type PartOfSpeech = 'adjective' | 'verb' | 'noun' | 'word' | 'emoji';

export interface OpinionWord {
  /** -1 to 1. */
  readonly value: number;
  readonly part: PartOfSpeech;
}

export interface Lexicon {
  readonly words: ReadonlyMap<string, OpinionWord>;
  readonly phrases: PatternSet<number>;
}

type Groups = Readonly<Record<string, readonly string[]>>;

/** The word itself and its regular forms. */
const FORMS: Record<PartOfSpeech, (word: string) => string[]> = {
  adjective: (word) => [word, ...adverbOf(word)],
  verb: (word) => [word, ...verbForms(word)],
  noun: (word) => [word, pluralOf(word)],
  word: (word) => [word],
  emoji: (word) => [word],
};

export const LEXICON: Lexicon = buildLexicon();

function buildLexicon(): Lexicon {
  const entries = new Map<string, OpinionWord>();
  const compounds: [string, number][] = [];
  const lists: [PartOfSpeech, Groups][] = [
    ['word', words.words],
    ['emoji', words.emoji],
    ['adjective', words.adjectives],
    ['verb', words.verbs],
    ['noun', words.nouns],
  ];
  for (const [part, groups] of lists) {
    for (const [value, word] of wordsOf(groups)) {
      for (const form of FORMS[part](word)) {
        // The first entry of a form counts.
        if (form.includes('-') && part !== 'emoji') compounds.push([form, value]);
        else if (!entries.has(form)) entries.set(form, { value, part });
      }
    }
  }
  const patterns = Object.entries(phrases).flatMap(([value, list]) =>
    typeof list === 'string' ? [] : list.map((pattern) => [pattern, Number(value)] as const),
  );
  return { words: entries, phrases: new PatternSet([...compounds, ...patterns]) };
}

function* wordsOf(groups: Groups): Generator<[number, string]> {
  for (const [value, lines] of Object.entries(groups)) {
    for (const word of lines.join(' ').split(' ')) yield [Number(value), word];
  }
}

function adverbOf(adjective: string): string[] {
  if (adjective.length < 4 || adjective.includes('-') || adjective.endsWith('ly')) return [];
  if (adjective.endsWith('ic')) return [`${adjective}ally`];
  if (/[^aeiou]y$/.test(adjective)) return [`${adjective.slice(0, -1)}ily`];
  if (adjective.endsWith('le')) return [`${adjective.slice(0, -1)}y`];
  return [`${adjective}ly`];
}

function pluralOf(noun: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

function verbForms(verb: string): string[] {
  const third = pluralOf(verb);
  if (verb.endsWith('e')) return [third, `${verb}d`, `${verb.replace(/e$/, '')}ing`];
  if (/[^aeiou]y$/.test(verb)) return [third, `${verb.slice(0, -1)}ied`, `${verb}ing`];
  // "stop" doubles its last letter, "stain" and "frequent" do not.
  const doubled =
    /^[^aeiou]*[aeiou][bdgmnprt]$/.test(verb) || /(?:mit|fer|gret|bel|cel)$/.test(verb);
  const stem = doubled ? verb + verb.at(-1) : verb;
  return [third, `${stem}ed`, `${stem}ing`, ...(doubled ? [`${verb}ed`, `${verb}ing`] : [])];
}
