// The training data of the learned models: the sentences of each vertical, for home services the first two
// development sets as well, and for some the sentences of the other verticals. The third development set and the
// held-out set are kept for evaluation.

import { verticalOf } from '../../../src/insights/verticals/verticals.ts';
import { LEARNED_VERTICALS } from '../../../src/insights/learned/models.ts';
import { readData, readItems } from '../data.ts';
import { type Block, examplesOfBlock, parseBlocks } from './sentences.ts';
import type { Example } from './train.ts';

const SETS: ReadonlyMap<string, readonly string[]> = new Map([
  ['home_services', ['home-services.dev', 'home-services.dev-2']],
]);

/** Trained on the sentences of all verticals: in cross-validation that is better for these, and worse for others. */
const BORROWERS: ReadonlySet<string> = new Set([
  'hospitality_and_travel',
  'health_and_senior_living',
  'legal_and_professional',
]);

export function aspectsOf(vertical: string): string[] {
  return verticalOf(vertical).aspects.map(({ id }) => id);
}

/** The sentences of a vertical by heading. */
export function blocksOf(vertical: string): Block[] {
  const file = `${vertical}.txt`;
  return parseBlocks(readData(`sentences/${file}`), file, aspectsOf(vertical));
}

/** The annotated reviews that a vertical is trained on in addition to its sentences. */
export function reviewsOf(vertical: string): Example[] {
  return (SETS.get(vertical) ?? []).flatMap((name) => readItems<Example>(`gold/${name}.ndjson`));
}

/** The sentences of the other verticals, with the labels of the aspects that this vertical has too. Whether they
 * are about its other aspects is not known. */
export function borrowedBy(vertical: string): Example[] {
  if (!BORROWERS.has(vertical)) return [];
  const aspects = aspectsOf(vertical);
  return LEARNED_VERTICALS.filter((other) => other !== vertical).flatMap((other) => {
    const theirs = new Set(aspectsOf(other));
    const unknown = aspects.filter((aspect) => !theirs.has(aspect));
    return blocksOf(other)
      .flatMap(examplesOfBlock)
      .map(({ text, aspects: labels, optional_aspects }) => ({
        text,
        aspects: labels.filter(({ id }) => aspects.includes(id)),
        optional_aspects: [...optional_aspects, ...unknown],
      }));
  });
}

/** Own examples come last: training gives the last ones more weight. */
export function examplesOf(vertical: string): Example[] {
  return [
    ...borrowedBy(vertical),
    ...blocksOf(vertical).flatMap(examplesOfBlock),
    ...reviewsOf(vertical),
  ];
}
