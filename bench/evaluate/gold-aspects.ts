// Evaluates aspects on the gold set: precision, recall and sentiment. Held-out items are counted and never
// shown.

import type { AnalysedItem } from './gold-item.ts';
import { type Row, Share } from './tally.ts';

export function evaluateAspects(
  data: string,
  items: readonly AnalysedItem[],
  show: ((line: string) => void) | null,
): Row[] {
  const precision = new Share();
  const recall = new Share();
  const polarity = new Share();
  for (const { item, analysis } of items) {
    const { text } = item;
    const expected = new Map(item.aspects.map(({ id, sentiment }) => [id, sentiment]));
    for (const { id, sentiment, start, end } of analysis.aspects) {
      const gold = expected.get(id);
      if (gold === undefined && item.optional_aspects.includes(id)) continue;
      precision.add(gold !== undefined);
      if (gold !== undefined) polarity.add(gold === sentiment);
      if (gold !== sentiment) {
        const kind = gold === undefined ? 'EXTRA' : 'WRONG';
        show?.(`${kind} ${id} ${sentiment} [${text.slice(start, end)}] :: ${text}`);
      }
    }
    for (const [id] of expected) {
      const isFound = analysis.aspects.some((found) => found.id === id);
      recall.add(isFound);
      if (!isFound) show?.(`MISSED ${id} ${expected.get(id)} :: ${text}`);
    }
  }
  return [
    precision.row(data, 'aspects: precision', 0.9),
    recall.row(data, 'aspects: recall', 0.75),
    polarity.row(data, 'aspects: sentiment right where found', 0.95),
  ];
}
