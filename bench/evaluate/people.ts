// `npm run evaluate -- people` compares who works for the business by the model of names with what readers found, each
// review alone; on the held-out half with --held-out. Text is not needed: the features of the names are stored.

import { CLEAR, logitOfName } from '../../src/insights/entities/names/model.ts';
import { labelledNames } from './training/people-examples.ts';
import { type Row, Share } from './tally.ts';

/** Precision and recall of all sets. */
export function evaluatePeople(isHeldOut: boolean): Row[] {
  return labelledNames(isHeldOut).flatMap(({ name, reviews }) => {
    const [precision, recall] = [new Share(), new Share()];
    for (const { names, missed } of reviews) {
      for (let one = 0; one < missed; one += 1) recall.add(false);
      for (const { holds, features } of names) {
        if (holds === null) continue;
        const isFound = logitOfName()(new Set(features)) >= CLEAR;
        if (isFound) precision.add(holds);
        if (holds) recall.add(isFound);
      }
    }
    return [precision.row(name, 'people: precision', 0.9), recall.row(name, 'people: recall', 0.8)];
  });
}
