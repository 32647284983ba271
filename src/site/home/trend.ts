// The section of the first page about change: the last months beside those before, and charts by month.

import { chart, commaSeparated, table } from '../parts/components.ts';
import { subjectLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { View } from '../view.ts';

/** Less is no trend. */
const FEWEST_MONTHS = 6;
const FEWEST_REVIEWS = 10;

/** Null if there are too few months or reviews. */
export function years(view: View): Markup {
  const { monthly, trend } = view.insights('temporal');
  const first = monthly[0];
  const last = monthly.at(-1);
  if (!first || !last || monthly.length < 3) return null;
  const span = monthOf(last.month) - monthOf(first.month) + 1;
  if (span < FEWEST_MONTHS || view.rating.review_count < FEWEST_REVIEWS) return null;
  const texts = view.strings.trend;
  return html`<section>
    <h2>${texts.title}</h2>
    <p class="lead">${texts[trend]}</p>
    ${comparison(view)} ${chart(view, 'ratings', texts.ratings(first.month, last.month), null)}
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

/** Months since the year 0, of YYYY-MM. */
function monthOf(month: string): number {
  return 12 * Number(month.slice(0, 4)) + Number(month.slice(5));
}

/** The kinds of change in the order in which they are shown. */
const CHANGES = [
  ['aspect', 'rose', 'aspectRose'],
  ['aspect', 'fell', 'aspectFell'],
  ['problem', 'fell', 'problemFell'],
  ['problem', 'rose', 'problemRose'],
] as const;

/** The business beside its own past; null without enough ratings. */
function comparison(view: View): Markup {
  const { comparison: compared } = view.insights('temporal');
  if (compared === null) return null;
  const texts = view.strings.trend;
  const { months, recent, earlier } = compared;
  const until = (view.insights('date_range').latest ?? '').slice(0, 7);
  const changed = CHANGES.flatMap(([kind, direction, text]) => {
    const list = kind === 'aspect' ? 'aspects' : 'problems';
    const own = compared.changes
      .filter((one) => one.kind === kind && one.direction === direction)
      .flatMap(({ id }) => {
        const subject = view.subject(list, id);
        return subject === null ? [] : [{ id, name: view.nameOf(list, subject) }];
      });
    if (own.length === 0) return [];
    return html`<li>
      ${texts.changed[text]}
      ${commaSeparated(own.map(({ id, name }) => html`<a href=${subjectLink(list, id)}>${name}</a>`))}
    </li>`;
  });
  return html`<div>
    <p>
      ${texts.recent(months, recent.average_rating, recent.review_count, until)}
      ${texts.earlier(months, earlier.average_rating, earlier.review_count)}
    </p>
    ${
      changed.length === 0
        ? null
        : html`<ul>
            ${changed}
          </ul>`
    }
  </div>`;
}
