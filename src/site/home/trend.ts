// The section of the first page about change: stars and reviews by month.

import { chart, table } from '../parts/components.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { View } from '../view.ts';

/** Less is no trend. */
const FEWEST_MONTHS = 6;
const FEWEST_REVIEWS = 10;

/** Null if there are too few months or reviews. */
export function years(view: View): Markup {
  const { monthly, trend, comparison } = view.insights('temporal');
  const first = monthly[0];
  const last = monthly.at(-1);
  if (!first || !last || monthly.length < 3) return null;
  const span = monthOf(last.month) - monthOf(first.month) + 1;
  if (span < FEWEST_MONTHS || view.rating.review_count < FEWEST_REVIEWS) return null;
  const texts = view.strings.trend;
  return html`<section>
    <h2>${texts.title}</h2>
    ${comparison === null ? null : html`<p class="lead">${texts[trend](last.month, comparison.months)}</p>`}
    ${chart(
      view,
      'ratings',
      texts.ratings(first.month, last.month),
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

/** Months since the year 0, of YYYY-MM. */
function monthOf(month: string): number {
  return 12 * Number(month.slice(0, 4)) + Number(month.slice(5));
}
