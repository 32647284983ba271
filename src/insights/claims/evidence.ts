// What the patterns of a vertical find in a text: cues of aspects (verticals/) and the words that tell problems
// (entities/problems/). They decide nothing: each is a feature, whose weight was learned (model.ts).

import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import type { Match } from '../text/patterns.ts';
import { isNegated } from '../sentiment/negation.ts';
import type { Cue, CueKind, Vertical } from '../verticals/verticals.ts';
import { type ProblemPattern, problemPatternsOf } from '../entities/problems/named.ts';
import { findCues, isInverted } from './cues.ts';
import { hashOf, mix } from './hashing.ts';

/** A feature of the text that belongs to a token. */
export interface Evidence {
  readonly token: number;
  readonly feature: number;
}

/** Kinds of features; those of features.ts are below. */
export const EVIDENCE_KIND = {
  cue: 32,
  invertedCue: 33,
  cueWords: 34,
  problem: 35,
  deniedProblem: 36,
} as const;

/** What patterns say about an aspect, as features of which any may be in a text. */
export interface AspectEvidence {
  readonly praise: readonly number[];
  readonly complaint: readonly number[];
  readonly name: readonly number[];
}

/** What patterns say about a problem. */
export interface ProblemEvidence {
  readonly pattern: readonly number[];
  readonly fact: readonly number[];
  readonly clue: readonly number[];
  readonly denied: readonly number[];
}

export function evidenceOfAspect(aspect: string): AspectEvidence {
  const cue = (kind: CueKind) => mix(EVIDENCE_KIND.cue, hashOf(aspect), hashOf(kind));
  const inverted = (kind: CueKind) => mix(EVIDENCE_KIND.invertedCue, hashOf(aspect), hashOf(kind));
  return {
    praise: [cue('positive'), inverted('negative')],
    complaint: [cue('negative'), inverted('positive')],
    name: [cue('names'), cue('neutral'), cue('weak')],
  };
}

export function evidenceOfProblem(problem: string): ProblemEvidence {
  const of = (kind: ProblemPattern['kind']) => featureOfProblem({ problem, kind }, false);
  const denied = (kind: ProblemPattern['kind']) => featureOfProblem({ problem, kind }, true);
  return {
    pattern: [of('pattern')],
    fact: [of('fact')],
    clue: [of('clue')],
    denied: [denied('pattern'), denied('fact'), denied('clue')],
  };
}

/** What the patterns find, in the order of the text. */
export function findEvidence(annotated: AnnotatedText, vertical: Vertical): Evidence[] {
  const { keys } = annotated;
  const found: Evidence[] = [];
  const add = (at: number, feature: number) =>
    found.push({ token: keys.tokenOf[at] as number, feature });
  for (const match of findCues(annotated, vertical)) {
    for (const feature of featuresOfCue(annotated, match)) add(match.from, feature);
  }
  const { patterns } = problemPatternsOf(vertical.id);
  for (const { from, to } of annotated.sentences) {
    const end = keys.firstOf[to] as number;
    for (let at = keys.firstOf[from] as number; at < end; at += 1) {
      for (const { value } of patterns.matchesAt(keys, at, end)) {
        add(at, featureOfProblem(value, isDenied(annotated, at)));
      }
    }
  }
  return found.toSorted((one, other) => one.token - other.token);
}

function featuresOfCue(annotated: AnnotatedText, match: Match<Cue>): number[] {
  const { keys } = annotated;
  const { aspect, kind } = match.value;
  const sign = kind === 'positive' ? 1 : kind === 'negative' ? -1 : 0;
  const isOther =
    sign !== 0 && isInverted(annotated, match, clauseStart(annotated, match.from), sign);
  const words = keys.words.slice(match.from, match.to).join(' ');
  return [
    mix(isOther ? EVIDENCE_KIND.invertedCue : EVIDENCE_KIND.cue, hashOf(aspect), hashOf(kind)),
    mix(EVIDENCE_KIND.cueWords, hashOf(aspect), hashOf(words)),
  ];
}

function featureOfProblem({ problem, kind }: ProblemPattern, isOther: boolean): number {
  return mix(
    isOther ? EVIDENCE_KIND.deniedProblem : EVIDENCE_KIND.problem,
    hashOf(problem),
    hashOf(kind),
  );
}

/** Whether a negation reaches the words at a key: "no hidden fees". */
function isDenied(annotated: AnnotatedText, at: number): boolean {
  return isNegated(annotated.tokens, annotated.keys, at, clauseStart(annotated, at), -1);
}

/** The first key of the clause of a key. */
function clauseStart({ keys, clauses, clauseOf }: AnnotatedText, at: number): number {
  const clause = clauses[clauseOf[keys.tokenOf[at] as number] as number] as Clause;
  return keys.firstOf[clause.from] as number;
}
