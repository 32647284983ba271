// What customers complain about: named problems by the words that tell them (named.json), and other
// complaints as they are worded ("cold coffee", "the gate was broken").

import type { ProblemCandidate } from '../../analysis.ts';
import { sentimentOfTokens } from '../../aspects/attribution.ts';
import { excerptOf } from '../../text/excerpt.ts';
import { FUNCTION_WORDS } from '../../text/grammar.ts';
import { NEGATORS } from '../../text/pattern-language.ts';
import { PatternSet } from '../../text/patterns.ts';
import type { Clause, Reading } from '../../text/reading.ts';
import { singular } from '../../text/terms.ts';
import { GAP, type Token } from '../../text/text.ts';
import named from './named.json' with { type: 'json' };
import wording from './wording.json' with { type: 'json' };

const PATTERNS = new PatternSet(
  named.problems.flatMap(({ id, patterns }) =>
    patterns.map((pattern) => [pattern.trim(), id] as const),
  ),
);
const LABELS: ReadonlyMap<string, string> = new Map(
  named.problems.map(({ id, label }) => [id, label]),
);
const setOf = (words: string) => new Set(words.split(' '));
const VAGUE = setOf(wording.vagueNouns);
const POOR = setOf(wording.poor);
const COMPLAINTS = setOf(wording.adjectives);
const PAIRING = setOf(wording.pairing);
const ADJECTIVES = POOR.union(COMPLAINTS).union(PAIRING);
const LINKS = setOf(wording.links);
const OTHERS = setOf(wording.others);

/** "cold coffee" and the like, which name a problem by adjective and noun. */
const PAIRS: ReadonlyMap<string, string> = new Map(
  named.problems.flatMap(({ id, pairs = [] }) =>
    pairs.flatMap(({ adjectives, nouns }) =>
      adjectives
        .split(' ')
        .flatMap((adjective) =>
          nouns
            .split(' ')
            .map((noun): [string, string] => [
              `${adjective === 'POOR' || POOR.has(adjective) ? 'poor' : adjective} ${singular(noun)}`,
              id,
            ]),
        ),
    ),
  ),
);

/** How far before a match a negation undoes it, in words. */
const NEGATION_REACH = 3;
/** How far before a match another firm is looked for, in words. */
const OTHER_REACH = 8;

/** The label of a named problem; null for one that is only worded. */
export function labelOfProblem(key: string): string | null {
  return LABELS.get(key) ?? null;
}

/** The complaints of a review, each kind once, in the order of the text. */
export function findProblems(reading: Reading, rating: number): ProblemCandidate[] {
  const found = new Map<string, ProblemCandidate>();
  const covered = new Uint8Array(reading.tokens.length);
  const add = (key: string, from: number, to: number) => {
    covered.fill(1, from, to);
    if (found.has(key)) return;
    const { start: phraseStart, end: phraseEnd } = excerptOf(reading, from, to);
    const start = reading.tokens[from]?.start ?? 0;
    const end = reading.tokens[to - 1]?.end ?? start;
    found.set(key, { key, start, end, phraseStart, phraseEnd });
  };
  for (const clause of reading.clauses) {
    if (clause.mood === 'condition' || isPraise(reading, clause, rating)) continue;
    findNamed(reading, clause, rating, add);
    findWorded(reading, clause, rating, covered, add);
  }
  return [...found.values()].toSorted((a, b) => a.start - b.start || (a.key < b.key ? -1 : 1));
}

type Add = (key: string, from: number, to: number) => void;

/** "They waived the trip fee, so kind": a complaint needs a clause that does not praise. */
function isPraise(reading: Reading, { from, to }: Clause, rating: number): boolean {
  return rating >= 4 && sentimentOfTokens(reading, from, to).sentiment === 'positive';
}

function findNamed(reading: Reading, clause: Clause, rating: number, add: Add): void {
  const { keys } = reading;
  const end = keys.firstOf[clause.to] ?? keys.words.length;
  for (let at = keys.firstOf[clause.from] ?? 0; at < end; at += 1) {
    let longest: { to: number; value: string } | null = null;
    for (const match of PATTERNS.matchesAt(keys, at, end)) {
      if (longest === null || match.to > longest.to) longest = match;
    }
    if (longest === null) continue;
    // "Just enough water to be rude": one word is little in a review that praises.
    if (rating >= 4 && longest.to === at + 1) continue;
    const [from, to] = [keys.tokenOf[at] ?? 0, (keys.tokenOf[longest.to - 1] ?? 0) + 1];
    if (isUndone(reading, clause, at) || isOther(reading, clause, from)) continue;
    add(longest.value, from, to);
    at = longest.to - 1;
  }
}

/** Whether a negation stands shortly before, in the same clause. */
function isUndone({ keys }: Reading, clause: Clause, at: number): boolean {
  const start = Math.max(keys.firstOf[clause.from] ?? 0, at - NEGATION_REACH);
  for (let before = start; before < at; before += 1) {
    if (NEGATORS.has(keys.words[before] as string)) return true;
  }
  return false;
}

/** "The last company never called back". */
function isOther({ tokens, clauses, clauseOf }: Reading, clause: Clause, at: number): boolean {
  let start = clause.from;
  const previous = clauses[(clauseOf[clause.from] ?? 0) - 1];
  if (previous?.sentence === clause.sentence) start = previous.from;
  for (let before = Math.max(start, at - OTHER_REACH); before < at; before += 1) {
    if (OTHERS.has((tokens[before] as Token).bare)) return true;
  }
  return false;
}

/** "cold coffee" and "the coffee was cold" are one complaint, keyed by adjective and noun. */
function findWorded(
  reading: Reading,
  clause: Clause,
  rating: number,
  covered: Uint8Array,
  add: Add,
): void {
  for (let at = clause.from; at < clause.to; at += 1) {
    const { bare } = reading.tokens[at] as Token;
    if (!ADJECTIVES.has(bare) || covered[at] === 1) continue;
    const isOpen = !PAIRING.has(bare);
    const noun = nounBehind(reading, clause, at + 1) ?? nounBefore(reading, clause, at - 1);
    if (noun === null || covered[noun] === 1) continue;
    if (isUndone(reading, clause, reading.keys.firstOf[Math.min(at, noun)] ?? 0)) continue;
    if (isUndone(reading, clause, reading.keys.firstOf[at] ?? 0)) continue;
    if (isOther(reading, clause, at)) continue;
    const thing = singular((reading.tokens[noun] as Token).bare);
    const key = `${POOR.has(bare) ? 'poor' : bare} ${thing}`;
    const id = PAIRS.get(key) ?? (isOpen && rating < 4 ? key : null);
    if (id !== null) add(id, Math.min(at, noun), Math.max(at, noun) + 1);
  }
}

/** The last of the nouns directly behind an adjective. */
function nounBehind({ tokens }: Reading, clause: Clause, from: number): number | null {
  let noun: number | null = null;
  for (let at = from; at < Math.min(clause.to, from + 2); at += 1) {
    const token = tokens[at] as Token;
    if ((token.gap & ~GAP.hyphen) !== 0 || !isNoun(token)) break;
    noun = at;
  }
  return noun;
}

/** The subject of "the coffee was really cold". */
function nounBefore({ tokens }: Reading, clause: Clause, from: number): number | null {
  for (let at = from; at > Math.max(clause.from, from - 4); at -= 1) {
    const { bare, gap } = tokens[at] as Token;
    if (gap !== 0) return null;
    if (!LINKS.has(bare)) {
      if (!/^(?:very|so|really|extremely|quite|too|rather|pretty|absolutely|just)$/.test(bare))
        return null;
      continue;
    }
    const subject = tokens[at - 1] as Token;
    return isNoun(subject) ? at - 1 : null;
  }
  return null;
}

function isNoun({ kind, bare, capital }: Token): boolean {
  return (
    kind === 'word' &&
    capital === 'lower' &&
    bare.length > 2 &&
    !FUNCTION_WORDS.has(bare) &&
    !VAGUE.has(bare) &&
    !ADJECTIVES.has(bare) &&
    !bare.includes("'") &&
    !/(?:ly|ing|ed)$/.test(bare)
  );
}
