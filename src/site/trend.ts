// The section of the first page about change: charts of ratings and reviews by month.

import { chart, table } from './components.ts';
import { formatMonth } from './format.ts';
import { html, type Markup } from './markup.ts';
import type { View } from './view.ts';

const TRENDS = {
  improving: 'Ratings are going up.',
  stable: 'Ratings are steady.',
  declining: 'Ratings are going down.',
} as const;

/** Null if there are too few months. */
export function years(view: View): Markup {
  const { monthly, trend } = view.insights('temporal');
  const first = monthly[0];
  const last = monthly.at(-1);
  if (!first || !last || monthly.length < 3) return null;
  const period = `${formatMonth(first.month)} to ${formatMonth(last.month)}`;
  return html`<section>
    <h2>Over the years</h2>
    <p class="lead">${TRENDS[trend]}</p>
    ${chart(
      view.snapshot,
      'ratings',
      `Average stars by month, ${period}. Larger dots are months with more reviews; the line is the average of twelve months.`,
      null,
    )}
    ${chart(
      view.snapshot,
      'volume',
      `Reviews by month, ${period}.`,
      table(
        'Ratings and reviews by month',
        [
          { label: 'Month', cell: ({ month }) => formatMonth(month) },
          { label: 'Reviews', isNumber: true, cell: (month) => month.review_count },
          {
            label: 'Average stars',
            isNumber: true,
            cell: (month) => month.average_rating?.toFixed(2) ?? null,
          },
        ],
        monthly.toReversed(),
      ),
    )}
  </section>`;
}
