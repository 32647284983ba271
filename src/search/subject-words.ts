// Words by which people search for aspects and problems, beside the labels of insights, and which of those of aspects
// mean an opinion. Within a vertical, no two aspects share a word.

import { fold } from '../model/fold.ts';
import type { Sentiment } from '../model/insights.ts';
import data from './subject-words.json' with { type: 'json' };

/** By the id of the aspect, of all verticals. */
export const ASPECT_WORDS = wordsById(data.aspects);
/** By the id of the problem, in English; they tell the problem, not its opposite. */
export const PROBLEM_WORDS = wordsById(data.problems);
export const OPINIONS: ReadonlyMap<string, Sentiment> = new Map(
  (['positive', 'negative'] as const).flatMap((sentiment) =>
    data.opinions[sentiment].map((word) => [fold(word), sentiment] as const),
  ),
);

function wordsById(words: Readonly<Record<string, readonly string[]>>) {
  return new Map(Object.entries(words));
}
