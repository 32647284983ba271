// Evaluates names on the gold set: the people found in each item alone, and the sentiment about them.
// Held-out items are counted and never shown.

import { confirmNames } from '../../src/insights/entities/names/confirm.ts';
import type { AnalysedItem } from './gold-item.ts';
import { type Row, Share } from './tally.ts';

export function evaluateNames(
  data: string,
  items: readonly AnalysedItem[],
  show: ((line: string) => void) | null = null,
): Row[] {
  const [precision, recall] = [new Share(), new Share()];
  const [polarity, coverage] = [new Share(), new Share()];
  for (const { item, analysis } of items) {
    const { text, rating, technicians, technician_sentiment: expected } = item;
    const discovered = confirmNames([analysis], new Set());
    const nameOf = new Map(discovered.technicians.map(({ id, name }) => [id, name]));
    const mentions = discovered.mentionsOf(analysis.names, rating);
    const sentiments = new Map(mentions.map(({ id, sentiment }) => [nameOf.get(id), sentiment]));
    for (const name of sentiments.keys()) {
      const isRight = technicians.includes(name ?? '');
      precision.add(isRight);
      if (!isRight) show?.(`EXTRA ${name} :: ${text}`);
    }
    for (const name of technicians) {
      const sentiment = sentiments.get(name);
      recall.add(sentiment !== undefined);
      if (sentiment === undefined) show?.(`MISSED ${name} :: ${text}`);
      const gold = expected[name];
      if (sentiment === undefined || gold === undefined) continue;
      coverage.add(sentiment !== 'neutral' || gold === 'neutral');
      if (sentiment !== 'neutral') polarity.add(sentiment === gold);
    }
  }
  return [
    precision.row(data, 'names: precision', 0.98),
    recall.row(data, 'names: recall', 0.9),
    polarity.row(data, 'names: sentiment right where there is one', 0.95),
    coverage.row(data, 'names: sentiment told where there is one', 0.7),
  ];
}
