// What the gate is asked about a review: its features for each aspect and problem, from what the sentence model and the
// patterns say of its sentences, and from its stars.

import type { AspectClasses, ProblemClass } from './classes.ts';
import { OPINION } from './features.ts';
import {
  neutralFeatures,
  type Peaks,
  peaksOf,
  problemFeatures,
  rivalryOf,
  type Side,
  signedFeatures,
} from './gate.ts';

/** Aspects of money: an amount alone is no praise. */
const PRICES = new Set(['pricing', 'fees', 'billing', 'value']);

export interface JudgedReview {
  /** Of each sentence the logits of all classes. */
  readonly logits: readonly Float64Array[];
  /** Of each sentence the features that patterns found, and those of opinions. */
  readonly found: readonly ReadonlySet<number>[];
  readonly rating: number;
}

/** The features of praise, complaint and neutral statement about an aspect. */
export function featuresOfAspect(
  { aspect, praise, complaint, neutral, evidence, rivals }: AspectClasses,
  review: JudgedReview,
) {
  const { logits, found, rating } = review;
  const stars = centred(rating);
  const sentences = logits.length;
  const name = has(review, evidence.name);
  const side = (classes: readonly number[], sign: keyof typeof OPINION): Side => {
    const own = logits.map((sentence) => largestOf(sentence, classes));
    const at = own.indexOf(Math.max(...own));
    const told = (features: readonly number[]) => features.some((one) => found[at]!.has(one));
    const [isTold, isNamed, isOpinion] = [evidence[sign], evidence.name, [OPINION[sign]]].map(told);
    const peak = peaksOf(own);
    const isOnlyNamed = isNamed && !isTold && !isOpinion;
    return {
      ...peak,
      cue: has(review, evidence[sign]),
      judged: (isTold || isNamed) && isOpinion ? 1 : 0,
      rival: isTold || isNamed ? 0 : rivalryOf(peak, largestOf(logits[at]!, rivals[sign])),
      bare: isOnlyNamed && sign === 'praise' && PRICES.has(aspect) ? 1 : 0,
    };
  };
  const praised = side(praise, 'praise');
  const blamed = side(complaint, 'complaint');
  const stated = { ...peaks(logits, neutral), cue: name };
  return {
    praise: signedFeatures(praised, blamed, name, { stars, sentences }),
    complaint: signedFeatures(blamed, praised, name, { stars: -stars, sentences }),
    neutral: neutralFeatures(stated, praised, blamed, { stars, sentences }),
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
  return found.some((sentence) => features.some((one) => sentence.has(one))) ? 1 : 0;
}

function peaks(logits: readonly Float64Array[], classes: readonly number[]): Peaks {
  return peaksOf(logits.map((sentence) => largestOf(sentence, classes)));
}

export function largestOf(logits: Float64Array, classes: readonly number[]): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (const index of classes) largest = Math.max(largest, logits[index] as number);
  return largest;
}
