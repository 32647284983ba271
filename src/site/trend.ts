// The section of the first page about change: charts of ratings and reviews by month.

import { chart, table } from './components.ts';
import { html, type Markup } from './markup.ts';
import type { View } from './view.ts';

/** Null if there are too few months. */
export function years(view: View): Markup {
  const { monthly, trend } = view.insights('temporal');
  const first = monthly[0];
  const last = monthly.at(-1);
  if (!first || !last || monthly.length < 3) return null;
  const texts = view.strings.trend;
  return html`<section>
    <h2>${texts.title}</h2>
    <p class="lead">${texts[trend]}</p>
    ${chart(view, 'ratings', texts.ratings(first.month, last.month), null)}
    ${chart(
      view,
      'volume',
      texts.volume(first.month, last.month),
      table(
        view,
        texts.table,
        [
          { label: texts.month, cell: ({ month }) => view.format.month(month) },
          { label: texts.reviews, isNumber: true, cell: (month) => month.review_count },
          {
            label: texts.averageStars,
            isNumber: true,
            cell: ({ average_rating: mean }) =>
              mean === null ? null : view.format.exactMean(mean),
          },
        ],
        monthly.toReversed(),
      ),
    )}
  </section>`;
}
