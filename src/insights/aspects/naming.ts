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
/** How many tokens from such a cue an opinion is looked for. */
const BACKED_WITHIN = 10;
const NOTHING_SAID: Verdict = { sentiment: 'neutral', score: 0, weight: 0 };
/** The largest score of such a cue. */
const MAX_SCORE = 0.8;

/** A cue at the tokens [from, to). */
interface NamingCue {
  readonly from: number;
  readonly to: number;
  readonly kind: 'names' | 'weak' | 'praise';
}

/** The score of a cue; null if it does not count. */
export function scoreOfNaming(
  annotated: AnnotatedText,
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
  if (isWeak && !isBacked(annotated, { from, to }, score)) return null;
  return isClear ? { score } : { score, isFaint: true };
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

/** Whether an opinion that has the sign of the score stands near the cue, in its sentence: one about the cue, or any
 * if the clause tells something of it ("the crew made it a wonderful trip"). */
function isBacked(
  annotated: AnnotatedText,
  { from, to }: Pick<NamingCue, 'from' | 'to'>,
  score: number,
): boolean {
  const { opinions, clauses, clauseOf, sentences } = annotated;
  const sentence = sentences[(clauses[clauseOf[from] as number] as Clause).sentence];
  const told = isTold(annotated, from, to);
  const first = Math.max(sentence?.from ?? 0, from - BACKED_WITHIN);
  const last = Math.min(sentence?.to ?? to, to + BACKED_WITHIN);
  for (let index = firstOpinion(opinions, first); index < opinions.length; index += 1) {
    const opinion = opinions[index] as Opinion;
    if (opinion.from >= last) return false;
    const isAbout = told || !isAboutAnother(annotated, opinion, from, to);
    if (opinion.value * score > 0 && isAbout) return true;
  }
  return false;
}
