// Finds aspects with the cues and the learned model together. The model rejects cues in sentences where
// their aspect is very unlikely, and adds aspects without a cue where a sentence is likely about them and
// its words or the stars support that.

import { type AspectHit, findCueHits } from '../aspects/cues.ts';
import { type Facts, factsOf } from '../aspects/facts.ts';
import { readPrice } from '../aspects/money.ts';
import { hasWish, isAboutOthers } from '../aspects/unmeant.ts';
import type { Clause } from '../text/clauses.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import type { Sentence } from '../text/text.ts';
import type { Vertical } from '../verticals/verticals.ts';
import type { PromiseOutcome } from '../aspects/promises.ts';
import type { Model, Odds } from './model.ts';
import { isSupported } from './support.ts';

/** Below MISREAD a cue is rejected, below MISREAD_SPECIFIC also a specific one; below DOUBTFUL it is if another cue in the sentence has an aspect that is
 * OUTDONE times likelier. */
const MISREAD = 0.02;
const MISREAD_SPECIFIC = 0.006;
const DOUBTFUL = 0.05;
const OUTDONE = 4;
/** The absolute score of an aspect without a cue. */
const SCORE_WITHOUT_CUE = 0.5;

/** An aspect, and what became of a promise about it. */
type Outcome = readonly [aspect: string, PromiseOutcome | null];

/**
 * The hits of the aspects of a vertical; those of one aspect are in the order of the text.
 *
 * @param rating the stars, null if they shall not support anything
 */
export function findAspects(
  annotated: AnnotatedText,
  vertical: Vertical,
  model: Model | null,
  rating: number | null,
  { others, promise, bill }: Facts = factsOf(annotated, vertical),
): AspectHit[] {
  const isOwn = (hit: AspectHit) => others[annotated.clauseOf[hit.from] as number] === 0;
  const cueHits = findCueHits(annotated, vertical)
    .filter(isOwn)
    .flatMap((hit) => readPrice(annotated, hit, rating) ?? []);
  if (model === null) return cueHits;
  const facts = vertical.promises
    ? promiseHits(annotated, [
        ['punctuality', promise()],
        ['transparency', bill()],
      ])
    : [];
  // "Quoted 150, it was 150": the words before a kept promise look like a broken one.
  const hits = cueHits.filter(
    (hit) =>
      hit.score >= 0 ||
      !facts.some((one) => one.aspect === hit.aspect && one.score > 0 && overlaps(one, hit)),
  );
  const odds = annotated.sentences.map(({ from, to }) => model.oddsOf(annotated, from, to));
  const likeliest = model.aspects.map((_, at) =>
    odds.reduce((most, sentence) => Math.max(most, likelihood(sentence[at])), 0),
  );
  const likeliestOf = (aspect: string) => likeliest[model.aspects.indexOf(aspect)] ?? 1;
  /** By sentence the likelihood of its likeliest aspect that has a cue. */
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
    const misread = hit.isSpecific ? MISREAD_SPECIFIC : MISREAD;
    if (
      own < misread ||
      (!hit.isSpecific && own < DOUBTFUL && own * OUTDONE < (best.get(sentence) ?? 0))
    )
      return [];
    return [{ ...hit, phraseScore: phraseScoreOf(hit.score, odds[sentence]?.[at]) }];
  });
  const likely = model.likelyIn(odds.length);
  const found = new Set([...hits, ...facts].map(({ aspect }) => aspect));
  const added = model.aspects.flatMap((aspect, at) => {
    if (found.has(aspect) || (likeliest[at] as number) < likely) return [];
    const hit = withoutCue(
      annotated,
      model,
      aspect,
      likely,
      (sentence) => odds[sentence]?.[at] as Odds,
    );
    return hit &&
      isOwn(hit) &&
      readPrice(annotated, hit, rating) !== null &&
      isSupported(annotated, clauseOfHit(annotated, hit), hit.score > 0, rating)
      ? [hit]
      : [];
  });
  return [...kept, ...facts, ...added].toSorted((a, b) => a.from - b.from);
}

function overlaps(one: AspectHit, other: AspectHit): boolean {
  return one.from < other.to && other.from < one.to;
}

/** "Promised two days, and it took five." */
function promiseHits({ keys }: AnnotatedText, outcomes: readonly Outcome[]): AspectHit[] {
  return outcomes.flatMap(([aspect, outcome]) => {
    if (outcome === null) return [];
    const from = keys.tokenOf[outcome.from] as number;
    const to = (keys.tokenOf[outcome.to - 1] as number) + 1;
    return [{ aspect, from, to, score: outcome.isKept ? 1 : -1 }];
  });
}

/** A cue is clearer in a sentence that the model also assigns to its aspect. */
function phraseScoreOf(score: number, odds: Odds | undefined): number {
  const agreed = (score > 0 ? odds?.praise : odds?.complaint) ?? 0;
  return Math.abs(score) * (0.4 + 0.6 * agreed);
}

function clauseOfHit({ clauses, clauseOf }: AnnotatedText, { from }: AspectHit): Clause {
  return clauses[clauseOf[from] as number] as Clause;
}

function sentenceOf(annotated: AnnotatedText, hit: AspectHit): number {
  return clauseOfHit(annotated, hit).sentence;
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
  likely: number,
  oddsOf: (sentence: number) => Odds,
): AspectHit | null {
  const best = annotated.sentences
    .map((sentence, index): Likely => ({ sentence, odds: oddsOf(index) }))
    .filter((one) => likelihood(one.odds) >= likely && isStatement(annotated, one))
    .reduce<Likely | null>(
      (most, one) => (most && likelihood(most.odds) >= likelihood(one.odds) ? most : one),
      null,
    );
  return best ? hitIn(annotated, model, aspect, best) : null;
}

/** Whether a sentence is about the business and about what happened: no other company, condition, wish or
 * friendly question. */
function isStatement(annotated: AnnotatedText, { sentence, odds }: Likely): boolean {
  const clause = annotated.clauses[annotated.clauseOf[sentence.from] as number] as Clause;
  if (clause.mood === 'condition' || clause.mood === 'wish') return false;
  const isPraise = odds.praise > odds.complaint;
  if (sentence.isQuestion && isPraise) return false;
  const { firstOf } = annotated.keys;
  const [from, to] = [firstOf[sentence.from] as number, firstOf[sentence.to] as number];
  return !isAboutOthers(annotated, clause, to) && !(isPraise && hasWish(annotated, from, to));
}

/** Of some clauses the one in which the aspect `at` is likeliest; the first of equals. */
function likeliestClause(
  annotated: AnnotatedText,
  model: Model,
  at: number,
  [first, ...others]: readonly Clause[],
): Clause {
  let best = first as Clause;
  if (others.length === 0) return best;
  const oddsOf = ({ from, to }: Clause) => likelihood(model.oddsOf(annotated, from, to)[at]);
  let most = oddsOf(best);
  for (const clause of others) {
    const odds = oddsOf(clause);
    if (odds > most) [best, most] = [clause, odds];
  }
  return best;
}

/** The clause of the sentence in which the aspect is likeliest, as a hit. */
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
  const clause = likeliestClause(annotated, model, at, own);
  return {
    aspect,
    from: clause.from,
    to: clause.to,
    score: isPraise ? SCORE_WITHOUT_CUE : -SCORE_WITHOUT_CUE,
    isGuess: true,
  };
}
