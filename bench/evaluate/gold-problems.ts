// Evaluates problems on the gold set: precision and recall of the named problems of each item.

import { judgeAspects } from '../../src/insights/aspects/judge.ts';
import { findOthers } from '../../src/insights/aspects/others.ts';
import { idOfProblem, labelOfProblem } from '../../src/insights/entities/problems/named.ts';
import { findProblems } from '../../src/insights/entities/problems/problems.ts';
import { findAspects } from '../../src/insights/learned/aspects.ts';
import { modelOf } from '../../src/insights/learned/models.ts';
import { annotateText } from '../../src/insights/text/annotate.ts';
import { verticalOf } from '../../src/insights/verticals/verticals.ts';
import type { GoldItem } from './gold-aspects.ts';
import { type Row, Share } from './tally.ts';

/** Items without `problems` are not measured. */
export function evaluateProblems(
  data: string,
  items: readonly GoldItem[],
  verticalId: string,
  show: ((line: string) => void) | null,
): Row[] {
  const vertical = verticalOf(verticalId);
  const model = modelOf(vertical.id);
  const [precision, recall] = [new Share(), new Share()];
  const idsOf = (ids: readonly string[] = []) => ids.map((id) => idOfProblem(id, vertical.id));
  for (const { text, rating, problems, optional_problems: optional } of items) {
    if (problems === undefined) continue;
    const annotated = annotateText(text);
    const hits = findAspects(annotated, vertical, model, rating);
    const aspects = judgeAspects(hits, rating);
    const found = findProblems(annotated, rating, {
      vertical: vertical.id,
      others: findOthers(annotated, vertical.others, vertical.own),
      aspects,
      hits,
    })
      .map(({ key }) => key)
      .filter((key) => labelOfProblem(key, vertical.id) !== null);
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
