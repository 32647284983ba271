// What the learned layer adds to the cues: a cue that stands where its aspect is very unlikely is taken
// for a misreading, and an aspect without a cue is found where a sentence is likely to be about it.

import { type AspectHit, findCueHits } from '../aspects/cues.ts';
import { isAboutOthers } from '../aspects/unmeant.ts';
import type { Clause } from '../text/clauses.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import type { Sentence } from '../text/text.ts';
import type { Vertical } from '../verticals/verticals.ts';
import type { Model, Odds } from './model.ts';

/** Below the first odds a cue is a misreading; below the second where another aspect with a cue in the
 * sentence is so many times likelier; from the last on a sentence speaks of an aspect without a cue. */
const MISREAD = 0.02;
const DOUBTFUL = 0.05;
const OUTDONE = 4;
const LIKELY = 0.3;
/** How clearly a sentence without a cue says it, beside 1 for a cue. */
const CLARITY = 0.5;

/** What a text says of the aspects of a vertical, in the order of the text for each of them. */
export function findAspects(
  annotated: AnnotatedText,
  vertical: Vertical,
  model: Model | null,
): AspectHit[] {
  const hits = findCueHits(annotated, vertical);
  if (model === null) return hits;
  const odds = annotated.sentences.map(({ from, to }) => model.oddsOf(annotated, from, to));
  const likeliest = model.aspects.map((_, at) =>
    odds.reduce((most, sentence) => Math.max(most, likelihood(sentence[at])), 0),
  );
  const likeliestOf = (aspect: string) => likeliest[model.aspects.indexOf(aspect)] ?? 1;
  /** Of each sentence the aspect with a cue that is likeliest. */
  const best = new Map<number, number>();
  for (const hit of hits) {
    if (hit.score === 0) continue;
    const sentence = sentenceOf(annotated, hit);
    best.set(sentence, Math.max(best.get(sentence) ?? 0, likeliestOf(hit.aspect)));
  }
  const kept = hits.flatMap((hit) => {
    const at = model.aspects.indexOf(hit.aspect);
    if (at < 0 || hit.score === 0) return [hit];
    const sentence = sentenceOf(annotated, hit);
    const own = likeliestOf(hit.aspect);
    if (own < MISREAD || (own < DOUBTFUL && own * OUTDONE < (best.get(sentence) ?? 0))) return [];
    return [{ ...hit, phraseScore: phraseScoreOf(hit.score, odds[sentence]?.[at]) }];
  });
  const found = new Set(hits.map(({ aspect }) => aspect));
  const added = model.aspects.flatMap((aspect, at) => {
    if (found.has(aspect) || (likeliest[at] as number) < LIKELY) return [];
    return withoutCue(annotated, model, aspect, (sentence) => odds[sentence]?.[at] as Odds);
  });
  return [...kept, ...added];
}

/** Clearest is a cue in a sentence that also sounds like its aspect. */
function phraseScoreOf(score: number, odds: Odds | undefined): number {
  const agreed = (score > 0 ? odds?.praise : odds?.complaint) ?? 0;
  return Math.abs(score) * (0.4 + 0.6 * agreed);
}

function sentenceOf({ clauses, clauseOf }: AnnotatedText, { from }: AspectHit): number {
  return clauses[clauseOf[from] as number]?.sentence ?? 0;
}

function likelihood(odds: Odds | undefined): number {
  return odds === undefined ? 0 : Math.max(odds.praise, odds.complaint);
}

interface Likely {
  readonly sentence: Sentence;
  readonly odds: Odds;
}

function withoutCue(
  annotated: AnnotatedText,
  model: Model,
  aspect: string,
  oddsOf: (sentence: number) => Odds,
): AspectHit[] {
  const best = annotated.sentences
    .map((sentence, index): Likely => ({ sentence, odds: oddsOf(index) }))
    .filter((one) => likelihood(one.odds) >= LIKELY && tellsWhatHappened(annotated, one))
    .reduce<Likely | null>(
      (most, one) => (most && likelihood(most.odds) >= likelihood(one.odds) ? most : one),
      null,
    );
  return best ? [hitIn(annotated, model, aspect, best)] : [];
}

/** Not what another firm did, what might have been, or a friendly question. */
function tellsWhatHappened(annotated: AnnotatedText, { sentence, odds }: Likely): boolean {
  const clause = annotated.clauses[annotated.clauseOf[sentence.from] as number] as Clause;
  if (clause.mood === 'condition' || clause.mood === 'wish') return false;
  if (sentence.isQuestion && odds.praise > odds.complaint) return false;
  return !isAboutOthers(annotated, clause, annotated.keys.firstOf[sentence.to] as number);
}

/** The clause of the sentence that says it most. */
function hitIn(
  annotated: AnnotatedText,
  model: Model,
  aspect: string,
  { sentence, odds }: Likely,
): AspectHit {
  const { clauseOf, clauses } = annotated;
  const isPraise = odds.praise > odds.complaint;
  const at = model.aspects.indexOf(aspect);
  const first = clauseOf[sentence.from] as number;
  const own = clauses.slice(first, (clauseOf[sentence.to - 1] as number) + 1);
  const oddsOf = ({ from, to }: Clause) => likelihood(model.oddsOf(annotated, from, to)[at]);
  const clause = own.reduce((best, one) => (oddsOf(one) > oddsOf(best) ? one : best));
  return {
    aspect,
    from: clause.from,
    to: clause.to,
    score: isPraise ? CLARITY : -CLARITY,
  };
}
