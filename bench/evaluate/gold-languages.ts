// Evaluates aspects in other languages than English, as they are published. Half of each language's reviews is
// held out: counted, and never shown.

import { buildAnalyser } from '../../src/insights/analyse.ts';
import { businessSchema } from '../../src/model/business.ts';
import { reviewOf } from './gold-item.ts';
import { type Row, Share } from './tally.ts';

export interface LanguageItem {
  readonly set: 'dev' | 'held-out';
  readonly id: string;
  readonly rating: number;
  readonly text: string;
  /** The sentiment of each aspect that a careful reader finds. */
  readonly aspects: Readonly<Record<string, string>>;
  /** Aspects that one could find or not. */
  readonly optional: readonly string[];
}

export function evaluateLanguage(
  language: string,
  items: readonly LanguageItem[],
  show: ((line: string) => void) | null,
): Row[] {
  const of = (wanted: string) => items.filter(({ set }) => set === wanted);
  return [
    ...rowsOf(`${language}.held-out`, of('held-out'), null),
    ...rowsOf(`${language}.dev`, of('dev'), show),
  ];
}

function rowsOf(
  data: string,
  items: readonly LanguageItem[],
  show: ((line: string) => void) | null,
): Row[] {
  const analyse = buildAnalyser(businessSchema.parse({ name: 'Evaluated', vertical: 'general' }));
  const precision = new Share();
  const recall = new Share();
  const polarity = new Share();
  for (const { id, rating, text, aspects, optional } of items) {
    const found = analyse(reviewOf({ text, rating, author: '' }));
    for (const { id: aspect, sentiment, start, end } of found.aspects) {
      const gold = aspects[aspect];
      if (gold === undefined && optional.includes(aspect)) continue;
      precision.add(gold !== undefined);
      if (gold !== undefined) polarity.add(gold === sentiment);
      if (gold !== sentiment)
        show?.(
          `${gold ? 'WRONG' : 'EXTRA'} ${id} ${aspect} ${sentiment} [${text.slice(start, end)}]`,
        );
    }
    for (const [aspect, sentiment] of Object.entries(aspects)) {
      const isFound = found.aspects.some((one) => one.id === aspect);
      recall.add(isFound);
      if (!isFound) show?.(`MISSED ${id} ${aspect} ${sentiment} (${found.language}) :: ${text}`);
    }
  }
  return [
    precision.row(data, 'aspects: precision', 0.85),
    recall.row(data, 'aspects: recall'),
    polarity.row(data, 'aspects: sentiment right where found', 0.9),
  ];
}
