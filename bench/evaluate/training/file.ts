// The content of the model file, from all training data.

import { goldReviews, labelledReviews, writtenSentences } from './examples.ts';
import { fitGate } from './fit-gate.ts';
import { modelFileOf } from './model-file.ts';
import { trainModel } from './train.ts';

/** Trains the sentence model and fits the gate; takes minutes. */
export function trainFile(): string {
  const gold = goldReviews();
  const others = [...writtenSentences(), ...gold.filter(({ hasProblems }) => !hasProblems)];
  const reviews = [
    ...labelledReviews('labels.txt').flatMap(([, own]) => own),
    ...gold.filter(({ hasProblems }) => hasProblems),
  ];
  const gate = fitGate(reviews, (some) => trainModel([...others, ...some]));
  return `${JSON.stringify(modelFileOf(trainModel([...others, ...reviews]), gate))}\n`;
}
