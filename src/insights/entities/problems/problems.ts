// Finds complaints: named problems by their patterns (named.json) and by negative aspects (derived.ts), and other
// complaints by their adjective and noun ("cold coffee", "the gate was broken").

import { findBill } from '../../aspects/bills.ts';
import type { Facts } from '../../aspects/facts.ts';
import { findPromise, type PromiseOutcome } from '../../aspects/promises.ts';
import { sentimentOfTokens } from '../../sentiment/attribution.ts';
import type { AnnotatedText } from '../../text/annotate.ts';
import type { Clause } from '../../text/clauses.ts';
import { excerptOf } from '../../text/excerpt.ts';
import { FUNCTION_WORDS, setOf } from '../../text/grammar.ts';
import type { Match } from '../../text/patterns.ts';
import { singular } from '../../text/terms.ts';
import { GAP, type Span, type Token } from '../../text/text.ts';
import { type AspectsOfReview, deriveProblems } from './derived.ts';
import { type NamedProblems, namedProblemsOf } from './named.ts';
import { type IsUndone, undoneIn } from './undone.ts';
import wording from './wording.json' with { type: 'json' };

/** A complaint in one review. The span is the words that name it. */
export interface ProblemCandidate extends Span {
  /** The id of a named problem, or adjective and noun, folded and singular. */
  readonly key: string;
  /** The span of the excerpt to show. */
  readonly phraseStart: number;
  readonly phraseEnd: number;
}

const VAGUE = setOf(wording.vagueNouns);
const POOR = setOf(wording.poor);
const COMPLAINTS = setOf(wording.adjectives);
const PAIRING = setOf(wording.pairing);
const ADJECTIVES = POOR.union(COMPLAINTS).union(PAIRING);
/** The most stars of a review whose facts count: "the third visit" may also be a happy customer's. */
const FACTS_UP_TO = 3;
/** Reviews of five stars report no problem: of 219 in three gold sets by three writers none does. */
const PROBLEMS_UP_TO = 4;
const SURPRISE = 'surprise-fee';
const LATE = 'late-arrival';
const LINKS = setOf(wording.links);

type Add = (key: string, from: number, to: number) => void;

/** How a review is searched. */
interface Search {
  readonly annotated: AnnotatedText;
  readonly rating: number;
  readonly problems: NamedProblems;
  readonly isUndone: IsUndone;
  readonly add: Add;
}

/** The complaints of a review, one per key, in the order of the text. `others` has 1 for clauses about somebody else. */
export function findProblems(
  annotated: AnnotatedText,
  rating: number,
  review: AspectsOfReview & { readonly vertical: string } & Partial<Facts>,
): ProblemCandidate[] {
  if (rating > PROBLEMS_UP_TO) return [];
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
  const isUndone = undoneIn(annotated, problems, rating);
  const search = { annotated, rating, problems, isUndone, add };
  for (const [index, clause] of annotated.clauses.entries()) {
    if (review.others?.[index] === 1) continue;
    if (clause.mood === 'condition' || isPraise(annotated, clause, rating)) continue;
    findNamed(search, clause);
    findWorded(search, clause, covered);
  }
  const { promise = () => findPromise(annotated), bill = () => findBill(annotated) } = review;
  if (problems.hasPromises) addBroken(search, LATE, promise());
  if (rating <= FACTS_UP_TO && problems.hasQuotes) addBroken(search, SURPRISE, bill());
  deriveProblems(annotated, review, problems, { found, covered, add, isUndone });
  return [...found.values()].toSorted((a, b) => a.start - b.start || (a.key < b.key ? -1 : 1));
}

function addBroken(
  { annotated, add }: Search,
  problem: string,
  outcome: PromiseOutcome | null,
): void {
  const { tokenOf } = annotated.keys;
  if (outcome?.isKept === false)
    add(problem, tokenOf[outcome.from] as number, (tokenOf[outcome.to - 1] as number) + 1);
}

/** "They waived the trip fee, so kind": a praising clause of a good review is no complaint. */
function isPraise(annotated: AnnotatedText, { from, to }: Clause, rating: number): boolean {
  return rating >= 4 && sentimentOfTokens(annotated, from, to).sentiment === 'positive';
}

function findNamed({ annotated, rating, problems, isUndone, add }: Search, clause: Clause): void {
  const { keys, sentences } = annotated;
  const { own, patterns, facts } = problems;
  const end = keys.firstOf[clause.to] ?? keys.words.length;
  const sentenceEnd = keys.firstOf[sentences[clause.sentence]?.to ?? clause.to] ?? end;
  const isFactual = rating <= FACTS_UP_TO;
  for (let at = keys.firstOf[clause.from] ?? 0; at < end; at += 1) {
    const longest = longestOf(
      own.patterns.matchesAt(keys, at, sentenceEnd),
      isFactual ? own.facts.matchesAt(keys, at, sentenceEnd) : [],
      patterns.matchesAt(keys, at, end),
      isFactual ? facts.matchesAt(keys, at, end) : [],
    );
    if (longest === null) continue;
    // "Just enough water to be rude": a single word is not enough in a good review.
    if (rating >= 4 && longest.to === at + 1) continue;
    if (isUndone(longest.value, clause, at)) continue;
    const [from, to] = [keys.tokenOf[at] ?? 0, (keys.tokenOf[longest.to - 1] ?? 0) + 1];
    add(longest.value, from, to);
    at = longest.to - 1;
  }
}

/** The longest match; of several the first. */
function longestOf(...sets: readonly (readonly Match<string>[])[]): Match<string> | null {
  let longest: Match<string> | null = null;
  for (const matches of sets)
    for (const match of matches) if (longest === null || match.to > longest.to) longest = match;
  return longest;
}

/** "cold coffee" and "the coffee was cold" have the same key. */
function findWorded(search: Search, clause: Clause, covered: Uint8Array): void {
  const { annotated, rating, problems, isUndone, add } = search;
  for (let at = clause.from; at < clause.to; at += 1) {
    const { bare } = annotated.tokens[at] as Token;
    if (!ADJECTIVES.has(bare) || covered[at] === 1) continue;
    const isOpen = !PAIRING.has(bare);
    const noun = nounAfter(annotated, clause, at + 1) ?? nounBefore(annotated, clause, at - 1);
    if (noun === null || covered[noun] === 1) continue;
    const thing = singular((annotated.tokens[noun] as Token).bare);
    const key = `${POOR.has(bare) ? 'poor' : bare} ${thing}`;
    const id = problems.pairs.get(key) ?? (isOpen && rating < 4 ? key : null);
    if (id === null) continue;
    if (isUndone(id, clause, annotated.keys.firstOf[Math.min(at, noun)] ?? 0)) continue;
    if (isUndone(id, clause, annotated.keys.firstOf[at] ?? 0)) continue;
    add(id, Math.min(at, noun), Math.max(at, noun) + 1);
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
