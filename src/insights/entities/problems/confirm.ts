// Decides which complaints are problems of the business: all named ones, and others that several reviews
// share.

import type { FoundMention } from '../merging.ts';
import type { ProblemCandidate } from './problems.ts';
import { slugOf } from '../../text/slug.ts';
import { labelOfProblem } from './named.ts';

/** The least number of reviews that share a complaint without a name. */
const MIN_REVIEWS = 3;

export interface Problem {
  readonly id: string;
  readonly name: string;
}

export interface ConfirmedProblems {
  readonly problems: readonly Problem[];
  /** What `mentionsOf` depends on, as plain JSON. */
  readonly basis: unknown;
  /** The problems among the candidates of a review, each once. */
  readonly mentionsOf: (candidates: readonly ProblemCandidate[]) => FoundMention[];
}

export function confirmProblems(
  reviews: Iterable<{ readonly problems: readonly ProblemCandidate[] }>,
  vertical: string,
): ConfirmedProblems {
  const counts = new Map<string, number>();
  for (const { problems } of reviews) {
    for (const key of new Set(problems.map(({ key: one }) => one)))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const confirmed = new Map<string, Problem>();
  for (const [key, count] of counts) {
    const label = labelOfProblem(key, vertical);
    if (label !== null) confirmed.set(key, { id: key, name: label });
    else if (count >= MIN_REVIEWS) confirmed.set(key, { id: slugOf(key), name: capitalised(key) });
  }
  return {
    problems: [...confirmed.values()],
    basis: [...confirmed].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    mentionsOf: (candidates) => {
      const found = new Map<string, FoundMention>();
      for (const { key, phraseStart: start, phraseEnd: end } of candidates) {
        const id = confirmed.get(key)?.id;
        if (id !== undefined && !found.has(id))
          found.set(id, { id, sentiment: 'negative', start, end });
      }
      return [...found.values()];
    },
  };
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
