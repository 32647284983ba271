// Finds the aspects that a review mentions by the cues of its vertical, and scores each hit. A cue with a
// sentiment of its own ("on time", "overpriced") is inverted by a negation; a cue that only names its
// aspect ("price") takes the sentiment of the words about it.

import { once } from '../once.ts';
import { isNegated } from '../sentiment/negation.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import { COPULAS, FUNCTION_WORDS, INTENSIFIERS, UNREAL } from '../text/grammar.ts';
import { NEGATORS } from '../text/pattern-language.ts';
import type { Match } from '../text/patterns.ts';
import { GAP } from '../text/text.ts';
import type { Cue, CueKind, Vertical } from '../verticals/verticals.ts';
import { isIn, nounsOf } from './binding.ts';
import { type CueScore, scoreOfNaming } from './naming.ts';
import { isAboutOthers, isFeared, isWishful } from './unmeant.ts';

/** A place in the text that speaks of an aspect: tokens [from, to). */
export interface AspectHit {
  readonly aspect: string;
  readonly from: number;
  readonly to: number;
  /** The sentiment, -1 to 1. */
  readonly score: number;
  /** How clearly the words show the sentiment, 0 to 1; the absolute score where it is left out. */
  readonly phraseScore?: number;
  /** Whether a trusted cue of several words supports it. */
  readonly isSpecific?: true;
  /** Whether no cue supports it: the model alone found it. */
  readonly isGuess?: true;
  /** Whether its cue only names the aspect, and the opinions about it are not clear. */
  readonly isFaint?: true;
}

/** From how many words on a trusted cue is specific. */
const SPECIFIC = 4;
/** How many keys before a cue "would" or "could" inverts it. */
const UNREAL_REACH = 3;

/** The hits of all cues of a vertical, in the order of the text. */
export function findCueHits(annotated: AnnotatedText, vertical: Vertical): AspectHit[] {
  const { keys } = annotated;
  const matches = matchesIn(annotated, vertical);
  const cues = matches.flatMap(withoutOverlaps);
  const named = once(() =>
    Map.groupBy(
      matches.flat().filter(({ value }) => NAMES.has(value.kind)),
      ({ from }) => from,
    ),
  );
  return cues.flatMap((match) => {
    const score = scoreOf(annotated, match);
    if (score === null || isAboutOtherAspect(annotated, match, named)) return [];
    if (score.score > 0 && isPraiseUnreal(annotated, match)) return [];
    const from = keys.tokenOf[match.from] as number;
    const to = (keys.tokenOf[match.to - 1] as number) + 1;
    const { aspect, isTrusted } = match.value;
    const isSpecific = isTrusted && to - from >= SPECIFIC;
    return [{ aspect, from, to, ...score, ...(isSpecific && { isSpecific }) }];
  });
}

/** Kinds of cues that only name their aspect. */
const NAMES: ReadonlySet<CueKind> = new Set(['names', 'weak', 'praise']);

function isNoAdjective(word: string): boolean {
  return COPULAS.has(word) || FUNCTION_WORDS.has(word) || INTENSIFIERS.has(word);
}

/** Whether a cue that judges is about the noun of another aspect: "the meal was lovely" is no praise of the staff. */
function isAboutOtherAspect(
  annotated: AnnotatedText,
  { from, to, value }: Match<Cue>,
  named: () => ReadonlyMap<number, readonly Match<Cue>[]>,
): boolean {
  const { keys } = annotated;
  if (!value.isOfThing || (value.kind !== 'positive' && value.kind !== 'negative')) return false;
  const tokenOf = (key: number) => keys.tokenOf[key] as number;
  const own = { from: tokenOf(from), to: tokenOf(to - 1) + 1, isSubject: false };
  let first = own.from;
  while (first < own.to - 1 && isNoAdjective(annotated.tokens[first]?.bare ?? '')) first += 1;
  let isOther = false;
  for (const range of [own, ...nounsOf(annotated, { from: first, to: own.to })]) {
    const end = keys.firstOf[range.to] as number;
    for (let at = keys.firstOf[range.from] as number; at < end; at += 1) {
      for (const name of named().get(at) ?? []) {
        if (!isIn(annotated, range, tokenOf(at), tokenOf(name.to - 1) + 1)) continue;
        if (name.value.aspect === value.aspect) return false;
        isOther = true;
      }
    }
  }
  return isOther;
}

/** The cues in a text, without those that a mask or a longer cue covers. */
export function findCues(annotated: AnnotatedText, vertical: Pick<Vertical, 'cues'>): Match<Cue>[] {
  return matchesIn(annotated, vertical).flatMap(withoutOverlaps);
}

/** All cues of each sentence. */
function matchesIn(annotated: AnnotatedText, vertical: Pick<Vertical, 'cues'>): Match<Cue>[][] {
  const { keys, sentences } = annotated;
  return sentences.map(({ from, to }) => {
    const end = keys.firstOf[to] as number;
    const matches: Match<Cue>[] = [];
    let limit = keys.firstOf[from] as number;
    for (let at = limit; at < end; at += 1) {
      // A cue lies within one sentence. Closing punctuation ends it even inside a sentence.
      if (at >= limit) limit = nextStop(annotated, at, end);
      for (const match of vertical.cues.matchesAt(keys, at, limit)) matches.push(match);
    }
    return matches;
  });
}

const STOP = GAP.stop | GAP.exclamation | GAP.question | GAP.ellipsis;

/** The first key after `at` that follows closing punctuation; `end` if there is none. */
function nextStop({ keys, tokens }: AnnotatedText, at: number, end: number): number {
  for (let next = at + 1; next < end; next += 1) {
    const token = keys.tokenOf[next] as number;
    if (token !== keys.tokenOf[next - 1] && ((tokens[token]?.gap ?? 0) & STOP) !== 0) return next;
  }
  return end;
}

/** Of overlapping cues of the same length the one with the highest rank counts. */
const RANK: Readonly<Record<CueKind, number>> = {
  masks: 3,
  positive: 2,
  negative: 2,
  neutral: 1,
  names: 1,
  weak: 0,
  praise: 0,
};

/** Of overlapping matches of an aspect the longest; masks are removed with what they cover. */
function withoutOverlaps(matches: readonly Match<Cue>[]): Match<Cue>[] {
  const [first, second] = matches;
  if (first === undefined) return [];
  if (second === undefined) return first.value.kind === 'masks' ? [] : [first];
  const byAspect = Map.groupBy(matches, ({ value }) => value.aspect);
  return [...byAspect.values()].flatMap((group) => {
    if (group.length === 1) return group[0]?.value.kind === 'masks' ? [] : group;
    const kept: Match<Cue>[] = [];
    const order = group.toSorted(
      (a, b) =>
        b.to - b.from - (a.to - a.from) ||
        RANK[b.value.kind] - RANK[a.value.kind] ||
        a.from - b.from,
    );
    // A set of keys, so that the time is linear in the length of the text.
    const taken = new Set<number>();
    for (const match of order) {
      let isFree = true;
      for (let at = match.from; at < match.to && isFree; at += 1) isFree = !taken.has(at);
      if (!isFree) continue;
      for (let at = match.from; at < match.to; at += 1) taken.add(at);
      if (match.value.kind !== 'masks') kept.push(match);
    }
    return kept.toSorted((a, b) => a.from - b.from);
  });
}

function isPraiseUnreal(annotated: AnnotatedText, { from, to }: Match<Cue>): boolean {
  const { keys, clauses, clauseOf } = annotated;
  const clause = clauses[clauseOf[keys.tokenOf[from] as number] as number] as Clause;
  return isWishful(annotated, clause, from, to);
}

/** The score of a cue in its context; null if the cue does not count there. */
function scoreOf(annotated: AnnotatedText, match: Match<Cue>): CueScore | null {
  const { keys, clauses, clauseOf } = annotated;
  const token = keys.tokenOf[match.from] as number;
  const clause = clauses[clauseOf[token] as number] as Clause;
  const clauseStart = keys.firstOf[clause.from] as number;
  if (isAboutOthers(annotated, clause, match.from) || isFeared(annotated, clause, match.from))
    return null;
  const { kind } = match.value;
  const beginsClause = match.from === clauseStart;
  if (clause.mood === 'condition' && !beginsClause) return null;
  if (kind === 'neutral') return { score: 0 };
  if (kind === 'names' || kind === 'weak' || kind === 'praise') {
    const to = (keys.tokenOf[match.to - 1] as number) + 1;
    return scoreOfNaming(annotated, { from: token, to, kind });
  }
  const sign = kind === 'positive' ? 1 : -1;
  if (clause.mood === 'wish') return sign > 0 ? null : { score: -1 };
  if (clause.mood === 'question' && sign > 0) return null;
  return { score: isInverted(annotated, match, clauseStart, sign) ? -sign : sign };
}

/** Whether a negation or an unreal verb ("could be on time") inverts a cue that has the sentiment `sign`. */
export function isInverted(
  { keys, tokens }: AnnotatedText,
  { from, to }: Match<Cue>,
  clauseStart: number,
  sign: number,
): boolean {
  const { words } = keys;
  // A pattern that begins with a negation says itself what it means.
  if (words.slice(from, Math.min(to, from + 2)).some((word) => NEGATORS.has(word))) return false;
  if (isNegated(tokens, keys, from, clauseStart, sign)) return true;
  if (sign < 0) return false;
  for (let back = from - 1; back >= Math.max(clauseStart, from - UNREAL_REACH); back -= 1) {
    const next = words[back + 1] as string;
    if (UNREAL.has(words[back] as string) && /^(?:be|have|use)$/.test(next)) return true;
  }
  return false;
}
