// What the gate is asked about a review: its features for each aspect and problem, from what the sentence model and the
// patterns say of its sentences, and from its stars.

import type { AspectClasses, ProblemClass } from './classes.ts';
import {
  neutralFeatures,
  type Peaks,
  peaksOf,
  problemFeatures,
  type Side,
  signedFeatures,
} from './gate.ts';

export interface JudgedReview {
  /** Of each sentence the logits of all classes. */
  readonly logits: readonly Float64Array[];
  /** The features that patterns found anywhere in the text. */
  readonly found: ReadonlySet<number>;
  readonly rating: number;
}

/** The features of praise, complaint and neutral statement about an aspect. */
export function featuresOfAspect(
  { praise, complaint, neutral, evidence }: AspectClasses,
  review: JudgedReview,
) {
  const { logits, rating } = review;
  const stars = centred(rating);
  const sentences = logits.length;
  const name = has(review, evidence.name);
  const side = (classes: readonly number[], cue: number): Side => ({
    ...peaks(logits, classes),
    cue,
  });
  const praised = side(praise, has(review, evidence.praise));
  const blamed = side(complaint, has(review, evidence.complaint));
  return {
    praise: signedFeatures(praised, blamed, name, { stars, sentences }),
    complaint: signedFeatures(blamed, praised, name, { stars: -stars, sentences }),
    neutral: neutralFeatures(side(neutral, name), praised, blamed, { stars, sentences }),
  };
}

/** The features of a problem. `complaint` is of ProblemCues. */
export function featuresOfProblem(
  { index, evidence }: ProblemClass,
  review: JudgedReview,
  complaint: number,
): number[] {
  const told = {
    complaint,
    pattern: has(review, evidence.pattern),
    fact: has(review, evidence.fact),
    clue: has(review, evidence.clue),
    denied: has(review, evidence.denied),
  };
  const context = { stars: centred(review.rating), sentences: review.logits.length };
  return problemFeatures(peaks(review.logits, [index]), told, context);
}

/** Stars from -1 for one to 1 for five. */
function centred(rating: number): number {
  return (rating - 3) / 2;
}

function has({ found }: JudgedReview, features: readonly number[]): number {
  return features.some((feature) => found.has(feature)) ? 1 : 0;
}

function peaks(logits: readonly Float64Array[], classes: readonly number[]): Peaks {
  return peaksOf(logits.map((sentence) => largestOf(sentence, classes)));
}

export function largestOf(logits: Float64Array, classes: readonly number[]): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (const index of classes) largest = Math.max(largest, logits[index] as number);
  return largest;
}
