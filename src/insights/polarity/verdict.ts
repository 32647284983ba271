// Decides the sentiment about a thing: the rules of sentiment/attribution.ts where they are sure, the
// polarity net where opinions disagree, are faint, or are missing.

import { once } from '../once.ts';
import { sentimentAbout, type Verdict } from '../sentiment/attribution.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import { inputAbout } from './input.ts';
import { type Polarity, PolarityNet } from './net.ts';
import weights from './weights.json' with { type: 'json' };

/** The rules are sure from this weight on, if all opinions near the thing agree. */
const SURE = 0.6;
/** Below this weight the rules see no opinion. */
const NOTHING = 0.02;
/** Factor of the net's "neutral" if there are opinions: MAMS, on which it is trained, has more of it than
 * reviews have. */
const NEUTRAL = 0.4;

/** Decoded on first use. */
const NET = once(() => new PolarityNet(weights));

/** The verdict on the thing named by the tokens [from, to). `rules` is that of the rules. */
export function verdictAbout(
  annotated: AnnotatedText,
  from: number,
  to: number,
  rules: Verdict = sentimentAbout(annotated, from, to),
): Verdict {
  if (isSure(rules) || isNumber(annotated, from, to)) return rules;
  const neutral = rules.weight < NOTHING ? 1 : NEUTRAL;
  return verdictOf(NET().polarityOf(inputAbout(annotated, from, to)), neutral);
}

/** Whether the rules are sure: all opinions agree, or are lukewarm ("it was ok"). */
export function isSure({ sentiment, score, weight }: Verdict): boolean {
  if (sentiment === 'neutral') return weight >= NOTHING;
  return weight >= SURE && Math.abs(score) === 1;
}

/** An amount alone says nothing: "$214" is as often praised as blamed. */
function isNumber({ tokens }: AnnotatedText, from: number, to: number): boolean {
  return tokens.slice(from, to).every(({ kind }) => kind === 'number');
}

function verdictOf({ positive, neutral, negative }: Polarity, factor: number): Verdict {
  const opinion = Math.max(positive, negative);
  const score = (positive - negative) / (positive + negative);
  const weight = opinion / (positive + neutral * factor + negative);
  if (neutral * factor >= opinion) return { sentiment: 'neutral', score, weight };
  return { sentiment: positive > negative ? 'positive' : 'negative', score, weight };
}
