// Predicts the sentiment of a given aspect, as data sets ask for it: by its cues, and where the words near
// them say little, by the whole review. Used for evaluation only.

import { findCues, isInverted } from '../../src/insights/aspects/cues.ts';
import { verdictAbout } from '../../src/insights/polarity/verdict.ts';
import { sentimentAbout, sentimentOfTokens } from '../../src/insights/sentiment/attribution.ts';
import type { Match } from '../../src/insights/text/patterns.ts';
import type { Clause } from '../../src/insights/text/clauses.ts';
import type { AnnotatedText } from '../../src/insights/text/annotate.ts';
import { scoreOfText } from '../../src/insights/sentiment/review-sentiment.ts';
import type { Cue, Vertical } from '../../src/insights/verticals/verticals.ts';

/** Weight of the whole review. */
const WHOLE = 0.1;
/** Weight of the clauses without a cue of another aspect. */
const UNCLAIMED = 0.3;
/** Weight of a cue with a sentiment of its own; the opinions about other cues weigh up to 1. */
const OWN = 1.5;

/** Weight of a clause with "but" and without an opinion. */
const CONTRAST = 0.6;
/** Bias of the answer where the words say almost nothing. */
const SATISFIED = 0.05;
const BLAMED = 0.1;

/**
 * A score whose sign is the answer. Faint words about the whole review (`aspect` is null) are more often
 * positive, faint words about an aspect negative.
 */
export function sentimentAsked(
  annotated: AnnotatedText,
  vertical: Vertical,
  aspect: string | null,
): number {
  const cues = findCues(annotated, vertical);
  const { clauseOf, keys } = annotated;
  const others = new Set(
    cues
      .filter(({ value }) => value.aspect !== aspect)
      .map(({ from }) => clauseOf[keys.tokenOf[from] as number]),
  );
  let sum =
    scoreOfText(annotated) * WHOLE +
    scoreOfText(annotated, (clause) => !others.has(clause)) * UNCLAIMED;
  let weight = WHOLE + UNCLAIMED;
  for (const cue of cues) {
    if (cue.value.aspect !== aspect) continue;
    const cueScore = scoreOfCue(annotated, cue);
    sum += cueScore.score * cueScore.weight;
    weight += cueScore.weight;
  }
  return sum / weight + (aspect === null ? SATISFIED : -BLAMED);
}

function scoreOfCue(annotated: AnnotatedText, cue: Match<Cue>): { score: number; weight: number } {
  const { keys, clauses, clauseOf } = annotated;
  const { from, to, value } = cue;
  const token = keys.tokenOf[from] as number;
  if (value.kind === 'positive' || value.kind === 'negative') {
    const sign = value.kind === 'positive' ? 1 : -1;
    const start = keys.firstOf[clauses[clauseOf[token] as number]!.from] as number;
    return { score: isInverted(annotated, cue, start, sign) ? -sign : sign, weight: OWN };
  }
  const clause = clauseOf[token] as number;
  const contrast = scoreOfContrast(annotated, clause);
  if (contrast !== null) return { score: contrast, weight: CONTRAST };
  const end = (keys.tokenOf[to - 1] as number) + 1;
  const rules = sentimentAbout(annotated, token, end);
  const verdict = verdictAbout(annotated, token, end, rules);
  if (verdict === rules) return { score: rules.score, weight: Math.min(1, rules.weight) };
  const weight = rules.weight + verdict.weight;
  const score = (rules.score * rules.weight + verdict.score * verdict.weight) / weight;
  return { score, weight: Math.min(1, weight) };
}

/** The score of a clause with "but" and without an opinion: the opposite of the words before. */
function scoreOfContrast(annotated: AnnotatedText, index: number): number | null {
  const { from, to, link, sentence } = annotated.clauses[index] as Clause;
  if (link !== 'contrast' || sentimentOfTokens(annotated, from, to).weight > 0) return null;
  const start = annotated.sentences[sentence]?.from ?? from;
  const before = sentimentOfTokens(annotated, start, from);
  if (before.weight === 0) return null;
  return before.score > 0 ? -1 : 1;
}
