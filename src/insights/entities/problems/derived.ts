// Finds problems in complaints about aspects: by clues in the sentences of the complaint ("the third visit"),
// and otherwise the problem that the aspect stands for (rudeness, a high price).

import type { AspectHit } from '../../aspects/cues.ts';
import type { AspectVerdict } from '../../aspects/judge.ts';
import type { AnnotatedText } from '../../text/annotate.ts';
import type { Span } from '../../text/text.ts';
import type { NamedProblems } from './named.ts';

/** What the analyser found about the aspects of a review. */
export interface AspectsOfReview {
  readonly aspects: readonly AspectVerdict[];
  readonly hits: readonly AspectHit[];
}

/**
 * @param found the problems that are already found
 * @param add takes the problem and the tokens [from, to) that tell it
 * @param isUndone whether what is said at a key is denied or about another company
 */
export function deriveProblems(
  annotated: AnnotatedText,
  { aspects, hits }: AspectsOfReview,
  problems: NamedProblems,
  found: ReadonlyMap<string, Span>,
  add: (problem: string, from: number, to: number) => void,
  isUndone: (key: number) => boolean,
): void {
  for (const { aspect, sentiment, hit } of aspects) {
    const possible = problems.ofAspect.get(aspect);
    if (sentiment !== 'negative' || possible === undefined) continue;
    const isFound = () => [...possible].some((problem) => found.has(problem));
    if (isFound()) continue;
    const sentences = new Set(
      hits
        .filter((one) => one.aspect === aspect && one.score < 0)
        .map(({ from }) => annotated.clauses[annotated.clauseOf[from] as number]?.sentence ?? 0),
    );
    for (const sentence of sentences)
      addClues(annotated, aspect, sentence, problems, add, isUndone);
    const otherwise = problems.otherwise.get(aspect);
    if (otherwise === undefined || hit.isGuess || isFound() || isTold(annotated, hit, found))
      continue;
    add(otherwise, hit.from, hit.to);
  }
}

/** Whether a problem is found in the sentence of a hit: the complaint is about that. */
function isTold(
  { tokens, sentences, clauses, clauseOf }: AnnotatedText,
  { from }: AspectHit,
  found: ReadonlyMap<string, Span>,
): boolean {
  const sentence = sentences[clauses[clauseOf[from] as number]?.sentence ?? 0];
  const start = tokens[sentence?.from ?? 0]?.start ?? 0;
  const end = tokens[(sentence?.to ?? 1) - 1]?.end ?? start;
  return [...found.values()].some((one) => one.start < end && one.end > start);
}

/** Adds the problem that the first clue in a sentence tells; of several clues there the longest. */
function addClues(
  { keys, sentences }: AnnotatedText,
  aspect: string,
  sentence: number,
  { clues }: NamedProblems,
  add: (problem: string, from: number, to: number) => void,
  isUndone: (key: number) => boolean,
): void {
  const { from, to } = sentences[sentence] ?? { from: 0, to: 0 };
  const end = keys.firstOf[to] as number;
  for (let at = keys.firstOf[from] as number; at < end; at += 1) {
    const matches = clues.matchesAt(keys, at, end).filter(({ value }) => value.aspects.has(aspect));
    const [first, ...others] = matches;
    if (first === undefined || isUndone(at)) continue;
    const longest = others.reduce((best, one) => (one.to > best.to ? one : best), first);
    add(
      longest.value.problem,
      keys.tokenOf[at] as number,
      (keys.tokenOf[longest.to - 1] as number) + 1,
    );
    return;
  }
}
