// Fits the gate (src/insights/claims/gate.ts) on reviews that the sentence model has not seen: each is judged by a model that
// was trained on the others.

import { questionsOf } from '../../../src/insights/claims/classes.ts';
import {
  type GateFile,
  type GateWeights,
  logOddsOf,
  probabilityOf,
} from '../../../src/insights/claims/gate.ts';
import {
  featuresOfAspect,
  featuresOfProblem,
  type JudgedReview,
} from '../../../src/insights/claims/judged-review.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';
import type { ReviewExample } from './examples.ts';
import { logitsOf, rowMap, type Trained } from './train.ts';

/** The reviews are cut into this many parts. */
const FOLDS = 4;
const ROUNDS = 25;
const RIDGE = 1;
/** What a reader could say or not is no claim to publish, but less wrong than others. */
const DOUBTFUL = 0.5;
/** Written reviews count more, since there are fewer: so all kinds of businesses count. */
const WEIGHT_OF_WRITTEN = 4;

/** A possible claim and whether it is right. */
interface Judged {
  readonly features: readonly number[];
  readonly isRight: boolean;
  readonly weight: number;
}

interface JudgedClaims {
  readonly signed: Judged[];
  readonly neutral: Judged[];
  /** The problems of each review, which need the weights of complaints. */
  readonly problems: ((signed: GateWeights) => Judged[])[];
}

/** @param trainOn trains a model on some of the reviews, and on what else there is */
export function fitGate(
  reviews: readonly ReviewExample[],
  trainOn: (reviews: readonly ReviewExample[]) => Trained,
): GateFile {
  const judged: JudgedClaims = { signed: [], neutral: [], problems: [] };
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const isOut = (_: unknown, index: number) => index % FOLDS === fold;
    const model = trainOn(reviews.filter((one, index) => !isOut(one, index)));
    const rows = rowMap(model);
    for (const review of reviews.filter(isOut)) judge(review, model, rows, judged);
  }
  const signed = fit(judged.signed);
  const problem = fit(judged.problems.flatMap((problemsOf) => problemsOf(signed)));
  return { signed, neutral: fit(judged.neutral), problem };
}

function judge(
  review: ReviewExample,
  model: Trained,
  rows: Map<number, number>,
  { signed, neutral, problems }: JudgedClaims,
): void {
  const { labels, rating, vertical, isReal, sentences } = review;
  if (rating === null || sentences.length === 0) return;
  const found = sentences.map(({ features }) => new Set(features));
  const judged: JudgedReview = { logits: logitsOf(review, model, rows), found, rating };
  const all = isReal ? 1 : WEIGHT_OF_WRITTEN;
  // The patterns of problems were made on the gold sets, those of aspects too; only of problems there is not enough else.
  const isGold = sentences.some(({ labels: own }) => own === null);
  const questions = questionsOf(verticalOf(vertical), model.classes);
  for (const classes of isGold ? [] : questions.aspects) {
    const sign = labels.aspects.get(classes.aspect);
    const weight = labels.optional.has(classes.aspect) ? all * DOUBTFUL : all;
    const features = featuresOfAspect(classes, judged);
    signed.push(
      { features: features.praise, isRight: sign === '+', weight },
      { features: features.complaint, isRight: sign === '-', weight },
    );
    neutral.push({ features: features.neutral, isRight: sign === '=', weight });
  }
  problems.push((weights) => {
    const complaints = questions.aspects.map((classes) =>
      probabilityOf(featuresOfAspect(classes, judged).complaint, weights),
    );
    const complaint = logOddsOf(Math.max(...complaints));
    return questions.problems.map((problem) => ({
      features: featuresOfProblem(problem, judged, complaint),
      isRight: labels.problems.has(problem.problem),
      weight: labels.optionalProblems.has(problem.problem) ? all * DOUBTFUL : all,
    }));
  });
}

/** Ridge logistic regression by Newton's method, over standardised features. */
function fit(judged: readonly Judged[]): GateWeights {
  const size = (judged[0] as Judged).features.length;
  const means = Array.from({ length: size }, (_, at) =>
    mean(judged.map(({ features }) => features[at]!)),
  );
  const deviations = means.map(
    (average, at) =>
      Math.sqrt(mean(judged.map(({ features }) => (features[at]! - average) ** 2))) || 1,
  );
  const rows = judged.map(({ features }) => [
    ...features.map((value, at) => (value - means[at]!) / deviations[at]!),
    1,
  ]);
  let weights = Array.from({ length: size + 1 }, () => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const gradient = weights.map((weight, at) => (at < size ? RIDGE * weight : 0));
    const hessian = weights.map((_, at) =>
      weights.map((__, other) => (at === other && at < size ? RIDGE : 0)),
    );
    rows.forEach((row, index) => {
      const sum = row.reduce((all, value, at) => all + value * weights[at]!, 0);
      const likely = 1 / (1 + Math.exp(-sum));
      const { isRight, weight } = judged[index]!;
      const error = (likely - (isRight ? 1 : 0)) * weight;
      const curve = likely * (1 - likely) * weight;
      for (let at = 0; at <= size; at += 1) {
        gradient[at]! += error * row[at]!;
        const own = hessian[at]!;
        for (let other = 0; other <= size; other += 1)
          own[other]! += curve * row[at]! * row[other]!;
      }
    });
    const step = solve(hessian, gradient);
    weights = weights.map((weight, at) => weight - step[at]!);
  }
  const plain = weights.slice(0, size).map((weight, at) => weight / deviations[at]!);
  const bias = plain.reduce((rest, weight, at) => rest - weight * means[at]!, weights[size]!);
  return [...plain, bias].map((weight) => Math.round(weight * 1e4) / 1e4);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Solves a system of linear equations by Gaussian elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at]!]);
  const size = rows.length;
  for (let at = 0; at < size; at += 1) {
    const pivot = rows
      .slice(at)
      .reduce((best, row) => (Math.abs(row[at]!) > Math.abs(best[at]!) ? row : best));
    rows.splice(rows.indexOf(pivot), 1, rows[at]!);
    rows[at] = pivot;
    for (let other = 0; other < size; other += 1) {
      if (other === at) continue;
      const factor = rows[other]![at]! / pivot[at]!;
      rows[other] = rows[other]!.map((value, column) => value - factor * pivot[column]!);
    }
  }
  return rows.map((row, at) => row[size]! / row[at]!);
}
