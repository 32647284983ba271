// Evaluates problems on the gold set: precision and recall of the named problems of each item.

import { idOfProblem } from '../../src/insights/entities/problems/named.ts';
import type { AnalysedItem } from './gold-item.ts';
import { type Row, Share } from './tally.ts';

/** Items without `problems` are not measured. */
export function evaluateProblems(
  data: string,
  items: readonly AnalysedItem[],
  vertical: string,
  show: ((line: string) => void) | null,
): Row[] {
  const [precision, recall] = [new Share(), new Share()];
  const idsOf = (ids: readonly string[] = []) => ids.map((id) => idOfProblem(id, vertical));
  for (const { item, analysis } of items) {
    const { text, problems, optional_problems: optional } = item;
    if (problems === undefined) continue;
    const found = analysis.problems.map(({ id }) => id);
    const [expected, open] = [new Set(idsOf(problems)), new Set(idsOf(optional))];
    for (const id of found) {
      if (!expected.has(id) && open.has(id)) continue;
      precision.add(expected.has(id));
      if (!expected.has(id)) show?.(`EXTRA ${id} :: ${text}`);
    }
    for (const id of expected) {
      recall.add(found.includes(id));
      if (!found.includes(id)) show?.(`MISSED ${id} :: ${text}`);
    }
  }
  const rows = [
    precision.row(data, 'problems: precision', 0.9),
    recall.row(data, 'problems: recall', 0.6),
  ];
  return rows.filter(({ count }) => count > 0);
}
