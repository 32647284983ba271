// The content of a model file.

import { aspectsOf, examplesOf } from './examples.ts';
import { train } from './train.ts';

/** Trains the model of a vertical, and renders the file. */
export function trainFile(vertical: string): string {
  return `${JSON.stringify(train(examplesOf(vertical), aspectsOf(vertical)))}\n`;
}
