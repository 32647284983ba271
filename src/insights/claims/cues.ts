// Finds the cues of a vertical in a text: patterns that name an aspect, or say by themselves that it is good or bad.
// Of overlapping cues of an aspect the longest counts.

import { isNegated } from '../sentiment/negation.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import { UNREAL } from '../text/grammar.ts';
import { NEGATORS } from '../text/pattern-language.ts';
import type { Match } from '../text/patterns.ts';
import { GAP } from '../text/text.ts';
import type { Cue, Vertical } from '../verticals/verticals.ts';

/** How many keys before a cue "would" or "could" inverts it. */
const UNREAL_REACH = 3;

/** The cues in a text, without those that a mask or a longer cue covers. */
export function findCues(annotated: AnnotatedText, vertical: Pick<Vertical, 'cues'>): Match<Cue>[] {
  return matchesIn(annotated, vertical).flatMap(withoutOverlaps);
}

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
const RANK: Readonly<Record<Cue['kind'], number>> = {
  masks: 3,
  positive: 2,
  negative: 2,
  neutral: 1,
  names: 1,
  weak: 0,
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
