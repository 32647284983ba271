// The sentiment of one aspect that somebody asks about, where an answer must be given: by its cues,
// and where the words near them say little, by the whole review. Nothing of this is published.

import { findCues, isInverted } from '../../src/insights/aspects/cues.ts';
import { sentimentAbout, sentimentOfTokens } from '../../src/insights/sentiment/attribution.ts';
import type { Match } from '../../src/insights/text/patterns.ts';
import type { Clause } from '../../src/insights/text/clauses.ts';
import type { AnnotatedText } from '../../src/insights/text/annotate.ts';
import { scoreOfText } from '../../src/insights/sentiment/review-sentiment.ts';
import type { Cue, Vertical } from '../../src/insights/verticals/verticals.ts';

/** What the whole review weighs beside the cues. */
const WHOLE = 0.1;
/** What the clauses weigh that no cue of another aspect stands in. */
const UNCLAIMED = 0.3;
/** What a cue with a sentiment of its own weighs beside the opinions around those that only name. */
const OWN = 1.5;

/** What a "but" weighs that says no more. */
const TURNED = 0.6;
/** How faint: what tips the scales where words say next to nothing. */
const SATISFIED = 0.05;
const BLAMED = 0.1;

/**
 * The sign answers. Of the whole review, which a null asks about, faint words leave the customer
 * satisfied; a part of it that is spoken of faintly is more often blamed.
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
    const said = whatIsSaid(annotated, cue);
    sum += said.score * said.weight;
    weight += said.weight;
  }
  return sum / weight + (aspect === null ? SATISFIED : -BLAMED);
}

function whatIsSaid(annotated: AnnotatedText, cue: Match<Cue>): { score: number; weight: number } {
  const { keys, clauses, clauseOf } = annotated;
  const { from, to, value } = cue;
  const token = keys.tokenOf[from] as number;
  if (value.kind === 'positive' || value.kind === 'negative') {
    const sign = value.kind === 'positive' ? 1 : -1;
    const start = keys.firstOf[clauses[clauseOf[token] as number]!.from] as number;
    return { score: isInverted(annotated, cue, start, sign) ? -sign : sign, weight: OWN };
  }
  const clause = clauseOf[token] as number;
  const turned = turnedBy(annotated, clause);
  if (turned !== null) return { score: turned, weight: TURNED };
  const { score, weight } = sentimentAbout(annotated, token, (keys.tokenOf[to - 1] as number) + 1);
  return { score, weight: Math.min(1, weight) };
}

/** What a clause says that begins with "but" and has no opinion: the opposite of what came before. */
function turnedBy(annotated: AnnotatedText, index: number): number | null {
  const { from, to, link, sentence } = annotated.clauses[index] as Clause;
  if (link !== 'contrast' || sentimentOfTokens(annotated, from, to).weight > 0) return null;
  const start = annotated.sentences[sentence]?.from ?? from;
  const before = sentimentOfTokens(annotated, start, from);
  if (before.weight === 0) return null;
  return before.score > 0 ? -1 : 1;
}
