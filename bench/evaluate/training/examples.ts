// The training data of the learned model: the training sentences and the first two development sets. The
// third development set and the held-out set are kept for evaluation.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSentences } from './sentences.ts';
import type { Example } from './train.ts';

const SETS = ['home-services.dev.json', 'home-services.dev-2.json'];

export function examplesOf(): Example[] {
  const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');
  return [
    ...parseSentences(read('sentences.txt')),
    ...SETS.flatMap((name) => JSON.parse(read(`../gold/${name}`)) as Example[]),
  ];
}
