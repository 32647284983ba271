// The training data of the learned models: the sentences of each vertical, and for home services the first two
// development sets as well. The third development set and the held-out set are kept for evaluation.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';
import { type Block, examplesOfBlock, parseBlocks } from './sentences.ts';
import type { Example } from './train.ts';

const SETS: ReadonlyMap<string, readonly string[]> = new Map([
  ['home_services', ['home-services.dev.json', 'home-services.dev-2.json']],
]);

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');

export function aspectsOf(vertical: string): string[] {
  return verticalOf(vertical).aspects.map(({ id }) => id);
}

/** The sentences of a vertical by heading. */
export function blocksOf(vertical: string): Block[] {
  const file = `${vertical}.txt`;
  return parseBlocks(read(file), file, aspectsOf(vertical));
}

/** The annotated reviews that a vertical is trained on in addition to its sentences. */
export function reviewsOf(vertical: string): Example[] {
  return (SETS.get(vertical) ?? []).flatMap(
    (name) => JSON.parse(read(`../gold/${name}`)) as Example[],
  );
}

export function examplesOf(vertical: string): Example[] {
  return [...blocksOf(vertical).flatMap(examplesOfBlock), ...reviewsOf(vertical)];
}
