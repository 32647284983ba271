// Words that say little about what a search is for, by language: articles, pronouns, auxiliaries, question words.
// Negations are none of them.

import type { WordClause } from '../model/word-query.ts';
import lists from './stop-words.json' with { type: 'json' };

const STOP_WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(lists).map(([language, words]) => [language, new Set(words.split(' '))]),
);
/** What follows an apostrophe in "isn't" or "what's", which is split there. */
const CONTRACTED: ReadonlySet<string> = new Set(['d', 'll', 'm', 're', 's', 't', 've']);

/**
 * Tells stop words from others in the language that has most of the words of a search; of two languages with
 * equally many, in the one that comes first in `languages`. Of other languages, one word may be of any.
 */
export function stopWordsOf(
  clauses: readonly WordClause[],
  languages: readonly string[],
): (clause: WordClause) => boolean {
  const words = clauses.flatMap((clause) => clause.words);
  let chosen: ReadonlySet<string> = new Set();
  let most = 0;
  for (const language of new Set([...languages, ...STOP_WORDS.keys()])) {
    const list = STOP_WORDS.get(language) ?? chosen;
    const count = words.filter((word) => list.has(word)).length;
    if (count > most && (count > 1 || languages.includes(language))) [chosen, most] = [list, count];
  }
  return ({ words: [first = '', second, ...others], isQuoted }) => {
    if (isQuoted || others.length > 0) return false;
    return second === undefined ? chosen.has(first) : CONTRACTED.has(second);
  };
}
