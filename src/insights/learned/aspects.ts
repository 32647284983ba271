// What the learned layer adds to the cues: a cue that stands where its aspect is very unlikely is taken
// for a misreading, and an aspect without a cue is found where a sentence is likely to be about it.

import { type AspectHit, findAspectHits, isAboutOthers } from '../aspects/aspects.ts';
import type { Clause, Reading } from '../text/reading.ts';
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
  reading: Reading,
  vertical: Vertical,
  model: Model | null,
): AspectHit[] {
  const hits = findAspectHits(reading, vertical);
  if (model === null) return hits;
  const odds = reading.sentences.map(({ from, to }) => model.oddsOf(reading, from, to));
  const likeliest = model.aspects.map((_, at) =>
    odds.reduce((most, sentence) => Math.max(most, likelihood(sentence[at])), 0),
  );
  const likeliestOf = (aspect: string) => likeliest[model.aspects.indexOf(aspect)] ?? 1;
  /** Of each sentence the aspect with a cue that is likeliest. */
  const best = new Map<number, number>();
  for (const hit of hits) {
    if (hit.score === 0) continue;
    const sentence = sentenceOf(reading, hit);
    best.set(sentence, Math.max(best.get(sentence) ?? 0, likeliestOf(hit.aspect)));
  }
  const kept = hits.flatMap((hit) => {
    const at = model.aspects.indexOf(hit.aspect);
    if (at < 0 || hit.score === 0) return [hit];
    const sentence = sentenceOf(reading, hit);
    const own = likeliestOf(hit.aspect);
    if (own < MISREAD || (own < DOUBTFUL && own * OUTDONE < (best.get(sentence) ?? 0))) return [];
    return [{ ...hit, clarity: clarityOf(hit.score, odds[sentence]?.[at]) }];
  });
  const found = new Set(hits.map(({ aspect }) => aspect));
  const added = model.aspects.flatMap((aspect, at) => {
    if (found.has(aspect) || (likeliest[at] as number) < LIKELY) return [];
    return withoutCue(reading, model, aspect, (sentence) => odds[sentence]?.[at] as Odds);
  });
  return [...kept, ...added];
}

/** Clearest is a cue in a sentence that also sounds like its aspect. */
function clarityOf(score: number, odds: Odds | undefined): number {
  const agreed = (score > 0 ? odds?.praise : odds?.complaint) ?? 0;
  return Math.abs(score) * (0.4 + 0.6 * agreed);
}

function sentenceOf({ clauses, clauseOf }: Reading, { from }: AspectHit): number {
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
  reading: Reading,
  model: Model,
  aspect: string,
  oddsOf: (sentence: number) => Odds,
): AspectHit[] {
  const best = reading.sentences
    .map((sentence, index): Likely => ({ sentence, odds: oddsOf(index) }))
    .filter((one) => likelihood(one.odds) >= LIKELY && tellsWhatHappened(reading, one))
    .reduce<Likely | null>(
      (most, one) => (most && likelihood(most.odds) >= likelihood(one.odds) ? most : one),
      null,
    );
  return best ? [hitIn(reading, model, aspect, best)] : [];
}

/** Not what another firm did, what might have been, or a friendly question. */
function tellsWhatHappened(reading: Reading, { sentence, odds }: Likely): boolean {
  const clause = reading.clauses[reading.clauseOf[sentence.from] as number] as Clause;
  if (clause.mood === 'condition' || clause.mood === 'wish') return false;
  if (sentence.isQuestion && odds.praise > odds.complaint) return false;
  return !isAboutOthers(reading, clause, reading.keys.firstOf[sentence.to] as number);
}

/** The clause of the sentence that says it most. */
function hitIn(
  reading: Reading,
  model: Model,
  aspect: string,
  { sentence, odds }: Likely,
): AspectHit {
  const { clauseOf, clauses } = reading;
  const isPraise = odds.praise > odds.complaint;
  const at = model.aspects.indexOf(aspect);
  const first = clauseOf[sentence.from] as number;
  const own = clauses.slice(first, (clauseOf[sentence.to - 1] as number) + 1);
  const oddsOf = ({ from, to }: Clause) => likelihood(model.oddsOf(reading, from, to)[at]);
  const clause = own.reduce((best, one) => (oddsOf(one) > oddsOf(best) ? one : best));
  return {
    aspect,
    from: clause.from,
    to: clause.to,
    score: isPraise ? CLARITY : -CLARITY,
  };
}
