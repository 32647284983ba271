// The sentiment of one aspect that somebody asks about, where an answer must be given: by its cues,
// and where the words near them say little, by the whole review. Nothing of this is published.

import { findCues, turnBefore } from './aspects.ts';
import { sentimentAbout } from './attribution.ts';
import type { Match } from './patterns.ts';
import type { Reading } from './reading.ts';
import { scoreOfText } from './review-sentiment.ts';
import type { Cue, Vertical } from './verticals.ts';

/** What the whole review weighs beside the cues. */
const WHOLE = 0.1;
/** What the clauses weigh that no cue of another aspect stands in. */
const UNCLAIMED = 0.3;
/** What a cue with a sentiment of its own weighs beside the opinions around those that only name. */
const OWN = 1.5;

/** A complaint says more of a thing than praise, which is often meant for all. */
const COMPLAINT = 1;

/** -1 to 1; the sign answers, 0 only where the text has no opinion at all. */
export function sentimentAsked(reading: Reading, vertical: Vertical, aspect: string): number {
  const cues = findCues(reading, vertical);
  const { clauseOf, keys } = reading;
  const others = new Set(
    cues
      .filter(({ value }) => value.aspect !== aspect)
      .map(({ from }) => clauseOf[keys.tokenOf[from] as number]),
  );
  let sum =
    scoreOfText(reading) * WHOLE +
    scoreOfText(reading, (clause) => !others.has(clause)) * UNCLAIMED;
  let weight = WHOLE + UNCLAIMED;
  for (const cue of cues) {
    if (cue.value.aspect !== aspect) continue;
    const said = whatIsSaid(reading, cue);
    const own = said.weight * (said.score < 0 ? COMPLAINT : 1);
    sum += said.score * own;
    weight += own;
  }
  return sum / weight;
}

function whatIsSaid(reading: Reading, cue: Match<Cue>): { score: number; weight: number } {
  const { keys, clauses, clauseOf } = reading;
  const { from, to, value } = cue;
  const token = keys.tokenOf[from] as number;
  if (value.kind === 'positive' || value.kind === 'negative') {
    const sign = value.kind === 'positive' ? 1 : -1;
    const start = keys.firstOf[clauses[clauseOf[token] as number]!.from] as number;
    return { score: sign * turnBefore(reading, cue, start, sign), weight: OWN };
  }
  const { score, weight } = sentimentAbout(reading, token, (keys.tokenOf[to - 1] as number) + 1);
  return { score, weight: Math.min(1, weight) };
}
