// The classes of the sentence model: praise, complaint and neutral statement for each aspect, and each problem. Aspects of
// several verticals that mean the same share a class.

import { idOfProblem, problemPatternsOf } from '../entities/problems/named.ts';
import type { Vertical } from '../verticals/verticals.ts';
import {
  type AspectEvidence,
  evidenceOfAspect,
  evidenceOfProblem,
  type ProblemEvidence,
} from './evidence.ts';

/** By aspect the aspects whose classes it has, where they are not its own. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  technical_knowledge: ['knowledge'],
  expertise: ['knowledge'],
  fees: ['pricing'],
  quality: ['quality_of_work', 'product_quality', 'care_quality'],
};

/** The aspects whose classes an aspect has. */
export function sharedBy(aspect: string): readonly string[] {
  return SHARED[aspect] ?? [aspect];
}

export function classOfAspect(aspect: string, sign: '+' | '-' | '='): string {
  return `${aspect}${sign}`;
}

export function classOfProblem(problem: string): string {
  return `!${problem}`;
}

/** The classes of an aspect by sentiment, as indexes. */
export interface AspectClasses {
  readonly aspect: string;
  readonly praise: readonly number[];
  readonly complaint: readonly number[];
  readonly neutral: readonly number[];
  readonly evidence: AspectEvidence;
  /** The praise of other aspects, and the complaints about them. */
  readonly rivals: Readonly<Record<'praise' | 'complaint', readonly number[]>>;
}

export interface ProblemClass {
  readonly problem: string;
  readonly index: number;
  readonly evidence: ProblemEvidence;
}

/** What a vertical is asked for, by the indexes of the classes that a model has. */
export interface Questions {
  readonly aspects: readonly AspectClasses[];
  readonly problems: readonly ProblemClass[];
}

export function questionsOf(vertical: Vertical, classes: readonly string[]): Questions {
  const indexOf = new Map(classes.map((name, index) => [name, index]));
  const indexes = (aspect: string, sign: '+' | '-' | '=') =>
    sharedBy(aspect).flatMap((shared) => indexOf.get(classOfAspect(shared, sign)) ?? []);
  const ids = vertical.aspects.map(({ id }) => id);
  const others = (id: string, sign: '+' | '-') =>
    ids.filter((one) => one !== id).flatMap((one) => indexes(one, sign));
  return {
    aspects: ids.map((id) => ({
      aspect: id,
      praise: indexes(id, '+'),
      complaint: indexes(id, '-'),
      neutral: indexes(id, '='),
      evidence: evidenceOfAspect(id),
      rivals: { praise: others(id, '+'), complaint: others(id, '-') },
    })),
    problems: problemPatternsOf(vertical.id).ids.flatMap((problem) => {
      const index = indexOf.get(classOfProblem(problem));
      const evidence = evidenceOfProblem(idOfProblem(problem, vertical.id));
      return index === undefined ? [] : [{ problem, index, evidence }];
    }),
  };
}
