// The sentence model and the gate, from all training data.

import { SentenceModel } from '../../../src/insights/claims/model.ts';
import { goldReviews, labelledReviews, type ReviewExample, writtenSentences } from './examples.ts';
import { fitGate } from './fit-gate.ts';
import { modelFileOf } from './model-file.ts';
import { trainModel } from './train.ts';

/** Trains and fits; takes minutes. `change` is applied to all that is trained on. */
function train(change: (example: ReviewExample) => ReviewExample) {
  const gold = goldReviews();
  const others = [...writtenSentences(), ...gold.filter(({ hasProblems }) => !hasProblems)].map(
    change,
  );
  const reviews = [
    ...labelledReviews('labels.txt').flatMap(([, own]) => own),
    ...gold.filter(({ hasProblems }) => hasProblems),
  ].map(change);
  const gate = fitGate(reviews, (some) => trainModel([...others, ...some]));
  return modelFileOf(trainModel([...others, ...reviews]), gate);
}

/** The content of the model file. */
export function trainFile(): string {
  return `${JSON.stringify(train((example) => example))}\n`;
}

/** The model of changed data. */
export function trainOn(change: (example: ReviewExample) => ReviewExample) {
  const file = train(change);
  return { sentences: new SentenceModel(file), gate: file.gate };
}
