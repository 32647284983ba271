// Finds the opinions in a text: words and expressions of the lexicon, with what stands before them
// that turns, strengthens or weakens them.

import { DIMINISHERS, INTENSIFIERS, UNREAL } from './grammar.ts';
import type { Keys } from './keys.ts';
import { LEXICON, type PartOfSpeech } from './lexicon.ts';
import { NEGATORS } from './pattern-language.ts';
import type { Match } from './patterns.ts';
import type { Clause, Opinion } from './reading.ts';
import { GAP, type Token } from './text.ts';

/** How far a negation reaches, in keys. */
const REACH = 4;
const NEGATED_POSITIVE = -0.75;
const NEGATED_NEGATIVE = -0.6;
/** What is left of an opinion in a condition or a question. */
const CONDITION = 0.3;
const QUESTION = 0.6;

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
          isNegated: found.isNegated,
          part: found.part,
        });
      }
      at = found.to;
    }
  });
  return opinions;
}

interface Found {
  readonly to: number;
  readonly value: number;
  readonly isNegated: boolean;
  readonly part: PartOfSpeech;
}

function opinionAt(
  tokens: readonly Token[],
  keys: Keys,
  at: number,
  from: number,
  to: number,
): Found | null {
  const phrase = longest(LEXICON.phrases.matchesAt(keys, at, to));
  if (phrase) {
    const beginsNegated =
      NEGATORS.has(keys.words[at] as string) || NEGATORS.has(keys.words[at + 1] ?? '');
    const negation = beginsNegated ? 1 : negationBefore(tokens, keys, at, from, phrase.value);
    return { to: phrase.to, value: phrase.value * negation, isNegated: negation < 0, part: 'word' };
  }
  const word = LEXICON.words.get(keys.words[at] as string);
  // "Incredibly rude" is no praise.
  if (!word || INTENSIFIERS.has(keys.words[at] as string)) return null;
  const negation = negationBefore(tokens, keys, at, from, word.value);
  const value = clamp(word.value * degreeBefore(keys, at, from, word.value) * negation);
  return { to: at + 1, value, isNegated: negation < 0, part: word.part };
}

function longest<T>(matches: readonly Match<T>[]): Match<T> | null {
  return matches.reduce<Match<T> | null>(
    (best, match) => (!best || match.to > best.to ? match : best),
    null,
  );
}

/** The factor of a negation that reaches here: 1 without one. */
function negationBefore(
  tokens: readonly Token[],
  keys: Keys,
  at: number,
  from: number,
  value: number,
): number {
  let crossed = 0;
  for (let back = at - 1; back >= from && crossed < REACH; back -= 1) {
    // A comma ends the reach, unless it parts adjectives: "not good, friendly or clean" is rare.
    if (
      ((tokens[keys.tokenOf[back + 1] as number] as Token).gap & GAP.comma) !== 0 &&
      keys.tokenOf[back] !== keys.tokenOf[back + 1]
    )
      return 1;
    const word = keys.words[back] as string;
    if (NEGATORS.has(word)) {
      const next = keys.words[back + 1];
      if (next === 'only' || next === 'just' || (next === 'even' && value < 0)) return 1;
      return value > 0 ? NEGATED_POSITIVE : NEGATED_NEGATIVE;
    }
    // What used to be good is not.
    if (word === 'used' && keys.words[back + 1] === 'to' && value > 0) return NEGATED_POSITIVE;
    if (word === 'and' || word === 'or') crossed += 1;
    crossed += 1;
  }
  return 1;
}

/** The factor of the words of degree and of the unreal before an opinion. */
function degreeBefore(keys: Keys, at: number, from: number, value: number): number {
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

function inMood(value: number, mood: Clause['mood']): number {
  if (mood === 'condition') return value * CONDITION;
  if (mood === 'question') return value > 0 ? value * QUESTION * 0.5 : value * QUESTION;
  if (mood === 'wish') return value > 0 ? -value * 0.4 : value;
  return value;
}

function clamp(value: number): number {
  return Math.max(-1, Math.min(1, value));
}
