// What to search for instead, where nothing is found: other spellings, or fewer words.

import type { WordClause, WordQuery } from '../model/word-query.ts';
import type { Meanings } from './meaning.ts';

export interface Suggestion {
  readonly words: WordQuery;
  readonly matched: number;
}

const MAX_SUGGESTIONS = 5;
/** More unknown words are not corrected; of more words none is left out. */
const MAX_UNKNOWN = 3;
const MAX_LEFT_OUT = 8;

/** `countMatches` counts the reviews that match other words and the same filters. */
export function suggest(
  query: WordQuery,
  meanings: Meanings,
  countMatches: (query: WordQuery) => number,
): Suggestion[] {
  const { required } = query;
  const unknown = required.filter((clause) => !meanings.isKnown(clause));
  if (unknown.length > MAX_UNKNOWN) return [];
  const countAll = (candidates: readonly (readonly WordClause[])[]): Suggestion[] => {
    const telling = candidates.filter((clauses) => meanings.isTelling(clauses));
    const counted = telling.slice(0, 2 * MAX_SUGGESTIONS).map((clauses) => {
      const other = query.withRequired(clauses.map((one) => ({ ...one, isPrefix: false })));
      return { words: other, matched: countMatches(other) };
    });
    return counted.filter(({ matched }) => matched > 0).slice(0, MAX_SUGGESTIONS);
  };
  const corrected = countAll(correct(required, unknown, meanings));
  if (corrected.length > 0) return corrected;
  const known = required.filter((clause) => !unknown.includes(clause));
  return countAll(unknown.length > 0 && known.length > 0 ? [known] : leaveOut(known));
}

/** The clauses with each unknown word replaced by known ones, the likeliest first. */
function correct(
  clauses: readonly WordClause[],
  unknown: readonly WordClause[],
  meanings: Meanings,
): WordClause[][] {
  const replaced = unknown.map((clause) => {
    const [word = ''] = clause.words;
    const closest = clause.words.length === 1 ? meanings.closest(word) : [];
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

function leaveOut(clauses: readonly WordClause[]): WordClause[][] {
  if (clauses.length < 2 || clauses.length > MAX_LEFT_OUT) return [];
  return clauses.map((left) => clauses.filter((clause) => clause !== left));
}
