// Trains the sentence model: for each class a logistic regression over the features of a sentence. Where only a whole
// review is labelled, one of its sentences tells the label: the one that the model so far finds most telling.

import { classOfAspect, classOfProblem } from '../../../src/insights/claims/classes.ts';
import { weightOf } from '../../../src/insights/claims/model.ts';
import {
  classesOf,
  classesOfAspects,
  type ReviewExample,
  TRAINED_VERTICALS,
  trainedWith,
} from './examples.ts';
import { type Labels, NO_LABELS } from './labels.ts';
import { Random } from './random.ts';

/** The least number of sentences that have a feature. */
const MIN_EXAMPLES = 3;
const ROUNDS = 8;
/** Rounds of the first model, which chooses the sentences of reviews that are labelled as a whole. */
const FIRST_ROUNDS = 5;
const RATE = 0.25;
const DECAY = 0.01;
/** Weight of positive examples, which are fewer. */
const WEIGHT_OF_POSITIVE = 2;
const FIRST_BIAS = -3;
const SEED = 3;

export interface Trained {
  readonly classes: readonly string[];
  readonly features: Uint32Array;
  /** By feature the weight of each class. */
  readonly weights: Float32Array;
  /** By vertical the bias of each class. */
  readonly biases: Readonly<Record<string, Float64Array>>;
}

/** A sentence, with all labels as indexes of classes. */
interface Sentence {
  readonly rows: Int32Array;
  readonly vertical: string;
  /** The classes that are learned from it, and by class 1 where it holds. */
  readonly asked: Int32Array;
  readonly holds: Uint8Array;
}

interface Space {
  readonly classes: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly features: Uint32Array;
  readonly rowOf: ReadonlyMap<number, number>;
  /** By vertical the classes of its aspects, and these with all problems. */
  readonly aspects: ReadonlyMap<string, ReadonlySet<number>>;
  readonly problems: readonly number[];
}

/** Trains on all examples. */
export function trainModel(examples: readonly ReviewExample[]): Trained {
  const space = spaceOf(examples);
  const isWhole = ({ sentences }: ReviewExample) => sentences.some(({ labels }) => labels === null);
  const first = train(
    space,
    examples.filter((one) => !isWhole(one)),
    FIRST_ROUNDS,
  );
  return train(
    space,
    examples.map((one) => (isWhole(one) ? assigned(one, space, first) : one)),
    ROUNDS,
  );
}

function spaceOf(examples: readonly ReviewExample[]): Space {
  const counts = new Map<number, number>();
  const problems = new Set<string>();
  for (const { sentences, labels } of examples) {
    for (const problem of labels.problems) problems.add(classOfProblem(problem));
    for (const { features } of sentences)
      for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  }
  const aspects = new Set(
    TRAINED_VERTICALS.flatMap((vertical) =>
      classesOfAspects(vertical).flatMap(([, shared]) => signsOf(shared)),
    ),
  );
  const classes = [...[...aspects].toSorted(), ...[...problems].toSorted()];
  const indexOf = new Map(classes.map((name, index) => [name, index]));
  const features = Uint32Array.from(
    [...counts].filter(([, count]) => count >= MIN_EXAMPLES).map(([feature]) => feature),
  ).toSorted();
  return {
    classes,
    indexOf,
    features,
    rowOf: new Map([...features].map((feature, row) => [feature, row])),
    aspects: new Map(
      TRAINED_VERTICALS.map((vertical) => [
        vertical,
        new Set(
          classesOfAspects(vertical).flatMap(([, shared]) =>
            signsOf(shared).map((name) => indexOf.get(name) as number),
          ),
        ),
      ]),
    ),
    problems: [...problems].map((name) => indexOf.get(name) as number),
  };
}

function signsOf(aspect: string): string[] {
  return (['+', '-', '='] as const).map((sign) => classOfAspect(aspect, sign));
}

function rowsOf(features: Uint32Array, { rowOf }: Space): Int32Array {
  return Int32Array.from([...features].flatMap((feature) => rowOf.get(feature) ?? []));
}

function sentencesOf(example: ReviewExample, space: Space): Sentence[] {
  const { sentences, hasProblems } = example;
  const vertical = trainedWith(example);
  return sentences.map(({ features, labels }) => {
    const { holding, unknown } = classesOf(labels ?? NO_LABELS);
    const asked = new Set(space.aspects.get(vertical));
    if (hasProblems) for (const problem of space.problems) asked.add(problem);
    for (const name of unknown) asked.delete(space.indexOf.get(name) ?? -1);
    const holds = new Uint8Array(space.classes.length);
    for (const name of holding) {
      const index = space.indexOf.get(name);
      if (index !== undefined) holds[index] = 1;
    }
    return { rows: rowsOf(features, space), vertical, asked: Int32Array.from(asked), holds };
  });
}

/** Gradient descent with a learning rate for each weight (AdaGrad), in a random order that is the same each time. */
function train(space: Space, examples: readonly ReviewExample[], rounds: number): Trained {
  const size = space.classes.length;
  const weights = new Float32Array(space.features.length * size);
  const squares = new Float32Array(weights.length).fill(0.1);
  const biases = Object.fromEntries(
    TRAINED_VERTICALS.map((vertical) => [vertical, new Float64Array(size).fill(FIRST_BIAS)]),
  );
  const biasSquares = Object.fromEntries(
    TRAINED_VERTICALS.map((vertical) => [vertical, new Float64Array(size).fill(1)]),
  );
  const sentences = examples.flatMap((example) => sentencesOf(example, space));
  const order = sentences.map((_, index) => index);
  const random = new Random(SEED);
  const sums = new Float64Array(size);
  for (let round = 0; round < rounds; round += 1) {
    random.shuffle(order);
    for (const index of order) {
      const { rows, vertical, asked, holds } = sentences[index] as Sentence;
      const factor = weightOf(rows.length);
      const [bias, biasSquare] = [biases[vertical]!, biasSquares[vertical]!];
      sums.fill(0);
      for (const row of rows) {
        const at = row * size;
        for (const one of asked) sums[one]! += weights[at + one]!;
      }
      for (const one of asked) {
        const likely = 1 / (1 + Math.exp(-(sums[one]! * factor + bias[one]!)));
        const error = holds[one] === 1 ? (likely - 1) * WEIGHT_OF_POSITIVE : likely;
        biasSquare[one]! += error * error;
        bias[one]! -= (RATE * error) / Math.sqrt(biasSquare[one]!);
        sums[one] = error * factor;
      }
      for (const row of rows) {
        const at = row * size;
        for (const one of asked) {
          const weight = weights[at + one]!;
          const gradient = sums[one]! + DECAY * weight;
          squares[at + one]! += gradient * gradient;
          weights[at + one] = weight - (RATE * gradient) / Math.sqrt(squares[at + one]!);
        }
      }
    }
  }
  return { classes: space.classes, features: space.features, weights, biases };
}

/** The logits of all classes for each sentence of a review. */
export function logitsOf(
  example: ReviewExample,
  model: Trained,
  rowOf = rowMap(model),
): Float64Array[] {
  const size = model.classes.length;
  const bias = model.biases[trainedWith(example)] as Float64Array;
  return example.sentences.map(({ features }) => {
    const sums = new Float64Array(size);
    let count = 0;
    for (const feature of features) {
      const row = rowOf.get(feature);
      if (row === undefined) continue;
      count += 1;
      for (let one = 0; one < size; one += 1) sums[one]! += model.weights[row * size + one]!;
    }
    const factor = weightOf(count);
    return sums.map((sum, one) => sum * factor + bias[one]!);
  });
}

export function rowMap({ features }: Trained): Map<number, number> {
  return new Map([...features].map((feature, row) => [feature, row]));
}

/** A review whose labels are given to its most telling sentences; of the others nothing is known about these. */
function assigned(example: ReviewExample, space: Space, model: Trained): ReviewExample {
  const logits = logitsOf(example, model, space.rowOf as Map<number, number>);
  const labels = example.sentences.map(() => ({
    aspects: new Map(),
    optional: new Set(example.labels.optional),
    problems: new Set<string>(),
    optionalProblems: new Set(example.labels.optionalProblems),
  }));
  const best = (names: readonly string[]) => {
    const indexes = names.flatMap((name) => space.indexOf.get(name) ?? []);
    const scores = logits.map((one) => Math.max(...indexes.map((index) => one[index]!)));
    return scores.indexOf(Math.max(...scores));
  };
  for (const [aspect, sign] of example.labels.aspects) {
    const chosen = best(classesOf({ ...NO_LABELS, aspects: new Map([[aspect, sign]]) }).holding);
    for (const [index, { aspects, optional }] of labels.entries()) {
      if (index === chosen) aspects.set(aspect, sign);
      else optional.add(aspect);
    }
  }
  for (const problem of example.labels.problems) {
    const chosen = best([classOfProblem(problem)]);
    for (const [index, one] of labels.entries())
      (index === chosen ? one.problems : one.optionalProblems).add(problem);
  }
  return {
    ...example,
    sentences: example.sentences.map((sentence, index) => ({
      ...sentence,
      labels: labels[index] as Labels,
    })),
  };
}
