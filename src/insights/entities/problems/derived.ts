// Finds problems in complaints about aspects: by clues in the sentences of the complaint ("the third visit"),
// and otherwise the problem that the aspect stands for (rudeness, a high price).

import type { AspectHit } from '../../aspects/cues.ts';
import { judgesPrice } from '../../aspects/money.ts';
import type { AspectVerdict } from '../../aspects/judge.ts';
import type { AnnotatedText } from '../../text/annotate.ts';
import type { Clause } from '../../text/clauses.ts';
import type { Sentence } from '../../text/text.ts';
import type { NamedProblems } from './named.ts';
import type { IsUndone } from './undone.ts';

/** What the analyser found about the aspects of a review. */
export interface AspectsOfReview {
  readonly aspects: readonly AspectVerdict[];
  readonly hits: readonly AspectHit[];
}

/** The search for problems of a review, as far as it has come. */
export interface Progress {
  /** The problems that are already found. */
  readonly found: ReadonlyMap<string, unknown>;
  /** By token, 1 where words tell a problem. */
  readonly covered: Uint8Array;
  /** Adds the problem that the tokens [from, to) tell. */
  readonly add: (problem: string, from: number, to: number) => void;
  readonly isUndone: IsUndone;
}

/** Poor value is a high price only where a price is judged: not "not worth the risk". */
const VALUE = 'value';
const HIGH_PRICE = 'high-price';

export function deriveProblems(
  annotated: AnnotatedText,
  { aspects, hits }: AspectsOfReview,
  problems: NamedProblems,
  progress: Progress,
): void {
  const { found, covered, add } = progress;
  for (const { aspect, sentiment, hit } of aspects) {
    const possible = problems.ofAspect.get(aspect);
    if (sentiment !== 'negative' || possible === undefined) continue;
    const isFound = () => [...possible].some((problem) => found.has(problem));
    if (isFound()) continue;
    // A complaint whose words tell another problem is about that.
    const untold = hits.filter(
      (one) => one.aspect === aspect && one.score < 0 && !isTold(covered, one),
    );
    const sentences = new Set(
      untold.map(
        ({ from }) => annotated.clauses[annotated.clauseOf[from] as number]?.sentence ?? 0,
      ),
    );
    for (const sentence of sentences) addClues(annotated, aspect, sentence, problems, progress);
    const otherwise = problems.otherwise.get(aspect);
    if (otherwise === undefined || hit.isGuess || isFound()) continue;
    if (isTold(covered, sentenceOf(annotated, hit))) continue;
    if (aspect === VALUE && otherwise === HIGH_PRICE && !judgesPrice(annotated, hit.from)) continue;
    const key = annotated.keys.firstOf[hit.from] as number;
    if (!progress.isUndone(otherwise, clauseOf(annotated, hit), key, true))
      add(otherwise, hit.from, hit.to);
  }
}

/** Whether words in the tokens [from, to) tell a problem. */
function isTold(covered: Uint8Array, { from, to }: { readonly from: number; readonly to: number }) {
  return covered.subarray(from, to).includes(1);
}

function clauseOf({ clauses, clauseOf: index }: AnnotatedText, { from }: AspectHit): Clause {
  return clauses[index[from] as number] as Clause;
}

function sentenceOf(annotated: AnnotatedText, hit: AspectHit): Sentence {
  return annotated.sentences[clauseOf(annotated, hit).sentence] as Sentence;
}

/** Adds the problem that the first clue in a sentence tells; of several clues there the longest. */
function addClues(
  annotated: AnnotatedText,
  aspect: string,
  sentence: number,
  { clues }: NamedProblems,
  { add, isUndone }: Progress,
): void {
  const { keys, sentences, clauses, clauseOf: index } = annotated;
  const { from, to } = sentences[sentence] ?? { from: 0, to: 0 };
  const end = keys.firstOf[to] as number;
  for (let at = keys.firstOf[from] as number; at < end; at += 1) {
    const matches = clues.matchesAt(keys, at, end).filter(({ value }) => value.aspects.has(aspect));
    const [first, ...others] = matches;
    if (first === undefined) continue;
    const longest = others.reduce((best, one) => (one.to > best.to ? one : best), first);
    const token = keys.tokenOf[at] as number;
    if (isUndone(longest.value.problem, clauses[index[token] as number] as Clause, at)) continue;
    add(longest.value.problem, token, (keys.tokenOf[longest.to - 1] as number) + 1);
    return;
  }
}
