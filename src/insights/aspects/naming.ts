// Scores cues that only name their aspect ("price"): they take the sentiment of the words about them.

import { isSure, verdictAbout } from '../polarity/verdict.ts';
import { firstOpinion, sentimentAbout, type Verdict } from '../sentiment/attribution.ts';
import type { Opinion } from '../sentiment/opinions.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import { isAboutAnother, isTold } from './binding.ts';

export interface CueScore {
  /** The sentiment, -1 to 1. */
  readonly score: number;
  /** Whether the opinions about the cue are not clear. */
  readonly isFaint?: true;
}

/** The least weight of an opinion about such a cue. */
const MIN_OPINION = 0.45;
/** The least weight of the opinions about a cue of the kind "weak". */
const MIN_BOUND = 0.2;
const NOTHING_SAID: Verdict = { sentiment: 'neutral', score: 0, weight: 0 };
/** The largest score of such a cue. */
const MAX_SCORE = 0.8;

/** A cue at the tokens [from, to). */
interface NamingCue {
  readonly from: number;
  readonly to: number;
  readonly kind: 'names' | 'weak' | 'praise';
}

/** The score of a cue in a clause; null if it does not count there. */
export function scoreOfNaming(
  annotated: AnnotatedText,
  clause: Clause,
  { from, to, kind }: NamingCue,
): CueScore | null {
  const rules = sentimentAbout(
    annotated,
    from,
    to,
    (opinion) => !isAboutAnother(annotated, opinion, from, to),
  );
  if (kind === 'praise') return scoreOfPraise(rules);
  const isWeak = kind === 'weak';
  if (isWeak && rules.weight < MIN_BOUND && !isToldWithOpinion(annotated, from, to)) return null;
  const said = isWeak && rules.weight < MIN_BOUND ? NOTHING_SAID : rules;
  const { sentiment, weight } = verdictAbout(annotated, from, to, said);
  if (sentiment === null) return null;
  if (sentiment === 'neutral' || weight < MIN_OPINION) return isWeak ? null : { score: 0 };
  const score = Math.min(MAX_SCORE, weight) * (sentiment === 'positive' ? 1 : -1);
  const isClear = rules.sentiment === sentiment && isSure(rules);
  if (isClear) return { score };
  if (isWeak && !isBacked(annotated, clause, rules, score)) return null;
  return { score, isFaint: true };
}

/** Whether its clause tells something of the cue, and there are opinions near: "the seats would not recline". */
function isToldWithOpinion(annotated: AnnotatedText, from: number, to: number): boolean {
  return isTold(annotated, from, to) && sentimentAbout(annotated, from, to).weight > 0;
}

function scoreOfPraise({ sentiment, weight }: Verdict): CueScore | null {
  return sentiment === 'positive' && weight >= MIN_OPINION
    ? { score: Math.min(MAX_SCORE, weight) }
    : null;
}

/** Whether the opinions near the cue, or one in its clause, have the sign of the score. */
function isBacked(
  { opinions }: AnnotatedText,
  { from, to }: Clause,
  { score: balance, weight }: Verdict,
  score: number,
): boolean {
  if (balance * score > 0 && weight >= MIN_OPINION) return true;
  for (let index = firstOpinion(opinions, from); index < opinions.length; index += 1) {
    const opinion = opinions[index] as Opinion;
    if (opinion.from >= to) return false;
    if (opinion.value * score > 0) return true;
  }
  return false;
}
