// Finds the opinions in a text: words and expressions of the lexicon, adjusted by the negation, degree and
// mood of their clause.

import type { Clause, Mood } from '../text/clauses.ts';
import { DIMINISHERS, INTENSIFIERS, UNREAL } from '../text/grammar.ts';
import type { Keys } from '../text/keys.ts';
import { NEGATORS } from '../text/pattern-language.ts';
import type { Match } from '../text/patterns.ts';
import type { Token } from '../text/text.ts';
import { LEXICON } from './lexicon.ts';
import { isNegated } from './negation.ts';

/** A word or expression of the lexicon with its value in this place. */
export interface Opinion {
  /** A range of tokens [from, to), without the negation. */
  readonly from: number;
  readonly to: number;
  readonly clause: number;
  /** -1 to 1, after negation, degree and mood. */
  readonly value: number;
}

/** Factors of a negation: "not good" is weaker than "bad". */
const NEGATED_POSITIVE = -0.75;
const NEGATED_NEGATIVE = -0.6;
/** Factors of an opinion in a condition, a question, and a wish. */
const CONDITION = 0.3;
const QUESTION = 0.6;
const PRAISE_IN_QUESTION = QUESTION * 0.5;
const PRAISE_IN_WISH = -0.4;

/** The opinions in the order of the text. */
export function findOpinions(
  tokens: readonly Token[],
  keys: Keys,
  clauses: readonly Clause[],
): Opinion[] {
  const opinions: Opinion[] = [];
  clauses.forEach((clause, index) => {
    const from = keys.firstOf[clause.from] as number;
    const to = keys.firstOf[clause.to] as number;
    let at = from;
    while (at < to) {
      const found = opinionAt(tokens, keys, at, from, to);
      if (!found) {
        at += 1;
        continue;
      }
      if (found.value !== 0) {
        opinions.push({
          from: keys.tokenOf[at] as number,
          to: (keys.tokenOf[found.to - 1] as number) + 1,
          clause: index,
          value: inMood(found.value, clause.mood),
        });
      }
      at = found.to;
    }
  });
  return opinions;
}

function opinionAt(
  tokens: readonly Token[],
  keys: Keys,
  at: number,
  from: number,
  to: number,
): Omit<Match<number>, 'from'> | null {
  const phrase = longest(LEXICON.phrases.matchesAt(keys, at, to));
  if (phrase) {
    const beginsNegated =
      NEGATORS.has(keys.words[at] as string) || NEGATORS.has(keys.words[at + 1] ?? '');
    const negation = beginsNegated ? 1 : negationFactor(tokens, keys, at, from, phrase.value);
    return { to: phrase.to, value: phrase.value * negation };
  }
  const word = LEXICON.words.get(keys.words[at] as string);
  // "Incredibly rude" is not praise.
  if (!word || INTENSIFIERS.has(keys.words[at] as string)) return null;
  const negation = negationFactor(tokens, keys, at, from, word.value);
  const value = word.value * degreeFactor(keys, at, from, word.value) * negation;
  // The strongest opinions are -1 and 1.
  return { to: at + 1, value: Math.max(-1, Math.min(1, value)) };
}

function longest<T>(matches: readonly Match<T>[]): Match<T> | null {
  return matches.reduce<Match<T> | null>(
    (best, match) => (!best || match.to > best.to ? match : best),
    null,
  );
}

/** The factor of a negation that applies to an opinion: 1 without one. */
function negationFactor(
  tokens: readonly Token[],
  keys: Keys,
  at: number,
  from: number,
  value: number,
): number {
  if (!isNegated(tokens, keys, at, from, value)) return 1;
  return value > 0 ? NEGATED_POSITIVE : NEGATED_NEGATIVE;
}

/** The factor of words of degree and unreal verbs before an opinion: "very", "slightly", "could be". */
function degreeFactor(keys: Keys, at: number, from: number, value: number): number {
  let factor = 1;
  for (let back = at - 1; back >= Math.max(from, at - 3); back -= 1) {
    const word = keys.words[back] as string;
    if (word === 'too' && back === at - 1 && value > 0) return -0.6;
    if (back >= at - 2 && INTENSIFIERS.has(word)) factor *= 1.25;
    else if (back >= at - 2 && DIMINISHERS.has(word)) factor *= 0.7;
    else if (UNREAL.has(word) && value > 0)
      factor *= keys.words[back + 1] === 'be' || keys.words[back + 1] === 'have' ? -0.5 : 0.7;
  }
  return factor;
}

function inMood(value: number, mood: Mood): number {
  if (mood === 'condition') return value * CONDITION;
  if (mood === 'question') return value * (value > 0 ? PRAISE_IN_QUESTION : QUESTION);
  if (mood === 'wish') return value > 0 ? value * PRAISE_IN_WISH : value;
  return value;
}
