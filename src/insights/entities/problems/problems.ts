// Finds complaints: named problems by their patterns (named.json) and by negative aspects (derived.ts), and other
// complaints by their adjective and noun ("cold coffee", "the gate was broken").

import { isAboutOthers } from '../../aspects/unmeant.ts';
import { sentimentOfTokens } from '../../sentiment/attribution.ts';
import { isNegated } from '../../sentiment/negation.ts';
import type { AnnotatedText } from '../../text/annotate.ts';
import type { Clause } from '../../text/clauses.ts';
import { excerptOf } from '../../text/excerpt.ts';
import { FUNCTION_WORDS } from '../../text/grammar.ts';
import type { PatternSet } from '../../text/patterns.ts';
import { singular } from '../../text/terms.ts';
import { GAP, type Span, type Token } from '../../text/text.ts';
import { findBillAboveQuote } from './amounts.ts';
import { type AspectsOfReview, deriveProblems } from './derived.ts';
import { type NamedProblems, namedProblemsOf } from './named.ts';
import wording from './wording.json' with { type: 'json' };

/** A complaint in one review. The span is the words that name it. */
export interface ProblemCandidate extends Span {
  /** The id of a named problem, or adjective and noun, folded and singular. */
  readonly key: string;
  /** The span of the excerpt to show. */
  readonly phraseStart: number;
  readonly phraseEnd: number;
}

const setOf = (words: string) => new Set(words.split(' '));
const VAGUE = setOf(wording.vagueNouns);
const POOR = setOf(wording.poor);
const COMPLAINTS = setOf(wording.adjectives);
const PAIRING = setOf(wording.pairing);
const ADJECTIVES = POOR.union(COMPLAINTS).union(PAIRING);
/** Facts count in reviews of up to so many stars: "the third visit" may also be a happy customer's. */
const FACTS_UP_TO = 3;
/** Of happier reviews, complaints about aspects make no problem: "not the cheapest!" */
const DERIVED_UP_TO = 4;
const SURPRISE = 'surprise-fee';
/** A problem that other companies tell of: their opinion overturned this one's. */
const OVERTURNED = 'wrong-diagnosis';
const LINKS = setOf(wording.links);

/** The complaints of a review, one per key, in the order of the text. `others` has 1 for clauses about somebody else. */
export function findProblems(
  annotated: AnnotatedText,
  rating: number,
  review: AspectsOfReview & { readonly vertical: string; readonly others?: Uint8Array },
): ProblemCandidate[] {
  const problems = namedProblemsOf(review.vertical);
  const found = new Map<string, ProblemCandidate>();
  const covered = new Uint8Array(annotated.tokens.length);
  const add = (key: string, from: number, to: number) => {
    covered.fill(1, from, to);
    if (found.has(key)) return;
    const { start: phraseStart, end: phraseEnd } = excerptOf(annotated, from, to);
    const start = annotated.tokens[from]?.start ?? 0;
    const end = annotated.tokens[to - 1]?.end ?? start;
    found.set(key, { key, start, end, phraseStart, phraseEnd });
  };
  for (const [index, clause] of annotated.clauses.entries()) {
    if (review.others?.[index] === 1) continue;
    if (clause.mood === 'condition' || isPraise(annotated, clause, rating)) continue;
    findNamed(annotated, clause, rating, problems.patterns, add);
    if (rating <= FACTS_UP_TO) findNamed(annotated, clause, rating, problems.facts, add);
    findWorded(annotated, clause, rating, problems, covered, add);
  }
  if (rating <= FACTS_UP_TO && problems.hasQuotes) {
    const bill = findBillAboveQuote(annotated);
    if (bill !== null) add(SURPRISE, bill.from, bill.to);
  }
  if (rating <= DERIVED_UP_TO)
    deriveProblems(annotated, review, problems, found, add, (at) =>
      isUndone(annotated, clauseAt(annotated, at), at),
    );
  return [...found.values()].toSorted((a, b) => a.start - b.start || (a.key < b.key ? -1 : 1));
}

function clauseAt({ clauses, clauseOf, keys }: AnnotatedText, key: number): Clause {
  return clauses[clauseOf[keys.tokenOf[key] as number] as number] as Clause;
}

type Add = (key: string, from: number, to: number) => void;

/** "They waived the trip fee, so kind": a praising clause of a good review is no complaint. */
function isPraise(annotated: AnnotatedText, { from, to }: Clause, rating: number): boolean {
  return rating >= 4 && sentimentOfTokens(annotated, from, to).sentiment === 'positive';
}

function findNamed(
  annotated: AnnotatedText,
  clause: Clause,
  rating: number,
  patterns: PatternSet<string>,
  add: Add,
): void {
  const { keys } = annotated;
  const end = keys.firstOf[clause.to] ?? keys.words.length;
  for (let at = keys.firstOf[clause.from] ?? 0; at < end; at += 1) {
    let longest: { to: number; value: string } | null = null;
    for (const match of patterns.matchesAt(keys, at, end)) {
      if (longest === null || match.to > longest.to) longest = match;
    }
    if (longest === null) continue;
    // "Just enough water to be rude": a single word is not enough in a good review.
    if (rating >= 4 && longest.to === at + 1) continue;
    const [from, to] = [keys.tokenOf[at] ?? 0, (keys.tokenOf[longest.to - 1] ?? 0) + 1];
    if (longest.value !== OVERTURNED && isUndone(annotated, clause, at)) continue;
    add(longest.value, from, to);
    at = longest.to - 1;
  }
}

/** Whether a complaint at a key is negated ("no hidden fees") or about another company. */
function isUndone(annotated: AnnotatedText, clause: Clause, at: number): boolean {
  const { tokens, keys } = annotated;
  const clauseStart = keys.firstOf[clause.from] as number;
  return isNegated(tokens, keys, at, clauseStart, -1) || isAboutOthers(annotated, clause, at);
}

/** "cold coffee" and "the coffee was cold" have the same key. */
function findWorded(
  annotated: AnnotatedText,
  clause: Clause,
  rating: number,
  { pairs }: NamedProblems,
  covered: Uint8Array,
  add: Add,
): void {
  for (let at = clause.from; at < clause.to; at += 1) {
    const { bare } = annotated.tokens[at] as Token;
    if (!ADJECTIVES.has(bare) || covered[at] === 1) continue;
    const isOpen = !PAIRING.has(bare);
    const noun = nounAfter(annotated, clause, at + 1) ?? nounBefore(annotated, clause, at - 1);
    if (noun === null || covered[noun] === 1) continue;
    if (isUndone(annotated, clause, annotated.keys.firstOf[Math.min(at, noun)] ?? 0)) continue;
    if (isUndone(annotated, clause, annotated.keys.firstOf[at] ?? 0)) continue;
    const thing = singular((annotated.tokens[noun] as Token).bare);
    const key = `${POOR.has(bare) ? 'poor' : bare} ${thing}`;
    const id = pairs.get(key) ?? (isOpen && rating < 4 ? key : null);
    if (id !== null) add(id, Math.min(at, noun), Math.max(at, noun) + 1);
  }
}

/** Index of the last of up to two nouns directly after an adjective. */
function nounAfter({ tokens }: AnnotatedText, clause: Clause, from: number): number | null {
  let noun: number | null = null;
  for (let at = from; at < Math.min(clause.to, from + 2); at += 1) {
    const token = tokens[at] as Token;
    if ((token.gap & ~GAP.hyphen) !== 0 || !isNoun(token)) break;
    noun = at;
  }
  return noun;
}

/** Index of the subject before an adjective: "coffee" in "the coffee was really cold". */
function nounBefore({ tokens }: AnnotatedText, clause: Clause, from: number): number | null {
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
