// What the polarity net reads: the words around a thing, in its sentence, each with its distance to the
// thing, the clause it is in, and marks (opinion of the lexicon, punctuation before it, part of the thing).

import { firstOpinion } from '../sentiment/attribution.ts';
import type { Opinion } from '../sentiment/opinions.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import { GAP, type Token } from '../text/text.ts';

/** How many keys before and after the thing are read, so that the time for a thing is bounded. */
const REACH = 24;
/** Longer things are cut. */
const LONGEST_THING = 12;
export const LONGEST_INPUT = 2 * REACH + LONGEST_THING;

/** The number of different marks, distances and clauses. */
export const MARKS = 50;
export const DISTANCES = 21;
export const CLAUSES = 7;

/** A window of keys. The lists are parallel. */
export interface PolarityInput {
  readonly words: readonly string[];
  /** (opinion * 5 + gap) * 2, plus 1 for words of the thing; below MARKS. */
  readonly marks: Uint8Array;
  /** The signed distance to the thing in classes; below DISTANCES. */
  readonly distances: Uint8Array;
  /** Clauses between the word and the thing, signed and shifted; below CLAUSES. */
  readonly clauses: Uint8Array;
  /** The thing: [from, to) of the lists, never empty. */
  readonly from: number;
  readonly to: number;
}

/** The input about the thing named by the tokens [from, to). */
export function inputAbout(annotated: AnnotatedText, from: number, to: number): PolarityInput {
  const { keys, clauses, clauseOf, sentences } = annotated;
  const clause = clauseOf[from] as number;
  const sentence = sentences[(clauses[clause] as Clause).sentence];
  const first = keys.firstOf[from] as number;
  const last = Math.min(keys.firstOf[to] as number, first + LONGEST_THING);
  const start = Math.max(first - REACH, keys.firstOf[sentence?.from ?? from] as number);
  const end = Math.min(last + REACH, keys.firstOf[Math.max(sentence?.to ?? to, to)] as number);
  const length = end - start;
  const marks = new Uint8Array(length);
  const distances = new Uint8Array(length);
  const clausesBetween = new Uint8Array(length);
  for (let at = start; at < end; at += 1) {
    const token = keys.tokenOf[at] as number;
    const isFirst = at === keys.firstOf[token];
    const isThing = at >= first && at < last;
    marks[at - start] = (isFirst ? gapOf(annotated, token) * 2 : 0) + (isThing ? 1 : 0);
    distances[at - start] = distanceClass(at < first ? at - first : Math.max(0, at - last + 1));
    const between = (clauseOf[token] as number) - clause;
    clausesBetween[at - start] = Math.max(0, Math.min(CLAUSES - 1, between + 3));
  }
  markOpinions(annotated, start, end, marks);
  return {
    words: keys.words.slice(start, end),
    marks,
    distances,
    clauses: clausesBetween,
    from: first - start,
    to: last - start,
  };
}

/** The class of what precedes a token: nothing, a comma, or the beginning of a clause by its link. */
function gapOf({ tokens, clauses, clauseOf }: AnnotatedText, token: number): number {
  const clause = clauses[clauseOf[token] as number] as Clause;
  if (clause.from === token) {
    if (clause.link === 'contrast') return 3;
    return clause.link === 'concession' ? 4 : 2;
  }
  return ((tokens[token] as Token).gap & GAP.comma) === 0 ? 0 : 1;
}

/** Adds the classes of the opinions in the keys [start, end) to their marks. */
function markOpinions(
  { keys, opinions }: AnnotatedText,
  start: number,
  end: number,
  marks: Uint8Array,
): void {
  const firstToken = keys.tokenOf[start] as number;
  // An opinion of several words may begin before the window.
  let index = Math.max(0, firstOpinion(opinions, firstToken) - 1);
  for (; index < opinions.length; index += 1) {
    const { from, to, value } = opinions[index] as Opinion;
    if ((keys.firstOf[from] as number) >= end) break;
    const limit = Math.min(end, keys.firstOf[to] as number);
    for (let at = Math.max(start, keys.firstOf[from] as number); at < limit; at += 1) {
      marks[at - start]! += opinionClass(value) * 10;
    }
  }
}

/** 1 to 4 from a clear complaint to clear praise; 0 is for words without an opinion. */
function opinionClass(value: number): number {
  if (value > 0) return value > 0.5 ? 4 : 3;
  return value < -0.5 ? 1 : 2;
}

/** Near distances have a class each, farther ones share one. */
function distanceClass(distance: number): number {
  const far = Math.abs(distance);
  const middle = (DISTANCES - 1) / 2;
  const steps = FARTHEST.findIndex((most) => far <= most);
  const size = steps < 0 ? middle : steps;
  return distance < 0 ? middle - size : middle + size;
}

/** The farthest distance of each class; the last class has no limit. */
const FARTHEST = [0, 1, 2, 3, 4, 6, 8, 11, 15, 20];
