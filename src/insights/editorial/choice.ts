// Chooses the aspects that the summary tells: strengths and weak spots.

import type { Insights } from '../../model/insights.ts';
import { type Consensus, type Findings, leaningOf, mentionsOf } from './evidence.ts';
import { shows } from './shows.ts';
import { isOver } from './troubles.ts';

type Aspect = Insights['aspects'][number];
export type Side = 'positive' | 'negative';

/** The least number of opinions for the best aspect, and of complaints for a weak spot. */
const FEWEST_OPINIONS = 3;
/** The least number of phrases that show an aspect by themselves, if they are half of all; more than enough. */
const FEWEST_SHOWN = 2;
const ENOUGH_SHOWN = 4;

export function opinionsOf({ positive_count: positive, negative_count: negative }: Aspect): number {
  return positive + negative;
}

/** Aspects that most praise, those of most praise over blame first. */
export function strengthsOf(findings: Findings): Aspect[] {
  return findings.aspects
    .filter((one) => leaningOn(one) < 2 && isShown(findings, one, 'positive'))
    .toSorted((a, b) => lead(b) - lead(a) || (a.id < b.id ? -1 : 1));
}

/** The aspect that is praised most beyond blame, though opinions on it differ. */
export function bestOf(findings: Findings): Aspect[] {
  return findings.aspects
    .filter(
      (one) =>
        opinionsOf(one) >= FEWEST_OPINIONS && lead(one) > 0 && isShown(findings, one, 'positive'),
    )
    .toSorted((a, b) => lead(b) - lead(a) || (a.id < b.id ? -1 : 1))
    .slice(0, 1);
}

/** The weak spots, clear ones first: what as many criticise as praise, or else what most complaints are about. */
export function weaknessesOf(findings: Findings): Aspect[] {
  const blamed = findings.aspects
    .filter(
      (one) =>
        one.negative_count >= FEWEST_OPINIONS &&
        isShown(findings, one, 'negative') &&
        !isOver(findings, mentionsOf(findings, 'aspects', one.id, 'negative')),
    )
    .toSorted((a, b) => b.negative_count - a.negative_count || (a.id < b.id ? -1 : 1));
  const weak = blamed.filter((one) => leaningOn(one) >= 2 && lead(one) <= 0);
  if (weak.length > 0)
    return weak.toSorted((a, b) => Number(leaningOn(b) >= 3) - Number(leaningOn(a) >= 3));
  return blamed.filter((one) => leaningOn(one) > 0).slice(0, 1);
}

/** Which way opinions on an aspect lean. */
export function leaningOn({ positive_count: good, negative_count: bad }: Aspect): Consensus {
  return leaningOf(good, bad);
}

function lead({ positive_count: good, negative_count: bad }: Aspect): number {
  return good - bad;
}

/** Whether enough phrases show it by themselves: then it is not told from misread ones. */
function isShown(findings: Findings, { id }: Aspect, side: Side): boolean {
  const all = mentionsOf(findings, 'aspects', id, side);
  const enough = Math.min(ENOUGH_SHOWN, Math.max(FEWEST_SHOWN, all.length / 2));
  let showing = 0;
  for (const one of all) {
    if (shows('aspects', one, side)) showing += 1;
    if (showing >= enough) return true;
  }
  return false;
}
