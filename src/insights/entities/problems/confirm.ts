// The problems that the reviews of a business report.

import type { FoundMention } from '../merging.ts';
import { labelOfProblem } from './named.ts';

export interface Problem {
  readonly id: string;
  readonly name: string;
}

/** The problems that reviews mention, by their labels in a vertical. */
export function problemsIn(
  reviews: Iterable<{ readonly problems: readonly FoundMention[] }>,
  vertical: string,
): Problem[] {
  const ids = [...reviews].flatMap(({ problems }) => problems.map(({ id }) => id));
  return [...new Set(ids)].flatMap((id) => {
    const name = labelOfProblem(id, vertical);
    return name === null ? [] : [{ id, name }];
  });
}
