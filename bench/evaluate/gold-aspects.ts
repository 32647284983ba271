// Evaluates aspects on the gold set: precision, recall and sentiment. Held-out items are counted and never
// shown.

import { judgeAspects } from '../../src/insights/aspects/judge.ts';
import { findAspects } from '../../src/insights/learned/aspects.ts';
import { modelOf } from '../../src/insights/learned/models.ts';
import { annotateText } from '../../src/insights/text/annotate.ts';
import { verticalOf } from '../../src/insights/verticals/verticals.ts';
import { type Row, Share } from './tally.ts';

export interface GoldItem {
  readonly id: string;
  readonly text: string;
  readonly rating: number;
  readonly author: string;
  readonly aspects: readonly { readonly id: string; readonly sentiment: string }[];
  readonly optional_aspects: readonly string[];
  readonly technicians: readonly string[];
  readonly technician_sentiment: Readonly<Record<string, string>>;
  /** Ids of the named problems; left out where nobody looked for them. */
  readonly problems?: readonly string[];
  readonly optional_problems?: readonly string[];
}

export function evaluateAspects(
  data: string,
  items: readonly GoldItem[],
  show: ((line: string) => void) | null,
  verticalId = 'home_services',
): Row[] {
  const vertical = verticalOf(verticalId);
  const model = modelOf(vertical.id);
  const precision = new Share();
  const recall = new Share();
  const polarity = new Share();
  const coverage = new Share();
  for (const item of items) {
    const annotated = annotateText(item.text);
    const { tokens } = annotated;
    const found = judgeAspects(findAspects(annotated, vertical, model), item.rating);
    const expected = new Map(item.aspects.map(({ id, sentiment }) => [id, sentiment]));
    for (const { aspect, sentiment, hit } of found) {
      const gold = expected.get(aspect);
      if (gold === undefined && item.optional_aspects.includes(aspect)) continue;
      precision.add(gold !== undefined);
      if (gold !== undefined) polarity.add(gold === sentiment);
      if (gold !== sentiment)
        show?.(
          `${gold === undefined ? 'EXTRA' : 'WRONG'} ${aspect} ${sentiment} ${hit.score} [${item.text.slice(tokens[hit.from]?.start, tokens[hit.to - 1]?.end)}] :: ${item.text}`,
        );
    }
    for (const [id] of expected) {
      const isFound = found.some(({ aspect }) => aspect === id);
      recall.add(isFound);
      coverage.add(isFound);
      if (!isFound) show?.(`MISSED ${id} ${expected.get(id)} :: ${item.text}`);
    }
  }
  return [
    precision.row(data, 'aspects: precision', 0.9),
    recall.row(data, 'aspects: recall', 0.75),
    polarity.row(data, 'aspects: sentiment right where found', 0.95),
  ];
}
