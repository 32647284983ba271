// Components shared by several pages: stars, bars, tables, charts, quotes, pagination.

import type { VNode } from 'preact';
import type { ReviewJson } from '../../model/review.ts';
import { type Chart, CHART_WIDTH_NAMES, chartName } from '../pictures/charts.ts';
import { PAGE_PATHS, reviewLink } from './links.ts';
import { html, type Markup } from './markup.ts';
import { starShape } from './star.ts';
import type { View } from '../view.ts';

/** Five stars, filled in proportion to the rating, with a text label. */
export function stars({ strings }: View, rating: number): VNode {
  const label = strings.outOfFive(rating);
  return html`<svg class="stars" viewBox="0 0 100 20" role="img" aria-label=${label}>
    <use href="#stars" width="100" height="20" class="stars-empty" />
    <svg width=${rating * 20} height="20">
      <use href="#stars" width="100" height="20" class="stars-full" />
    </svg>
  </svg>`;
}

/** The symbols that every `stars` and "Copy link" of a page refer to. */
export function shapes(): VNode {
  return html`<svg class="shapes" aria-hidden="true">
    <symbol id="stars" viewBox="0 0 100 20">
      ${[0, 20, 40, 60, 80].map((x) => html`<path d=${starShape} transform=${`translate(${x})`} />`)}
    </symbol>
    <symbol id="link" viewBox="0 0 20 20">
      <path d="M8 12l4-4M9 6l2-2a3.5 3.5 0 015 5l-2 2M11 14l-2 2a3.5 3.5 0 01-5-5l2-2" />
    </symbol>
  </svg>`;
}

/** A partly filled bar. It is hidden from assistive technology: show its value as text beside it. */
export function bar(share: number, kind = 'accent'): VNode {
  return html`<svg
    class=${`bar bar-${kind}`}
    viewBox="0 0 100 6"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <rect class="bar-ground" width="100" height="6" />
    <rect class="bar-share" width=${Math.round(share * 1000) / 10} height="6" />
  </svg>`;
}

/** One bar with the shares of positive, neutral and negative mentions. */
export function sentimentBar(counts: SentimentCounts): VNode {
  const { positive_count: positive, neutral_count: neutral, negative_count: negative } = counts;
  const all = Math.max(positive + neutral + negative, 1);
  const width = (count: number) => Math.round((count / all) * 1000) / 10;
  return html`<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="bar-ground" width="100" height="6" />
    <rect class="bar-positive" width=${width(positive)} height="6" />
    <rect class="bar-neutral" x=${width(positive)} width=${width(neutral)} height="6" />
    <rect
      class="bar-negative"
      x=${width(positive) + width(neutral)}
      width=${width(negative)}
      height="6"
    />
  </svg>`;
}

interface SentimentCounts {
  readonly positive_count: number;
  readonly neutral_count: number;
  readonly negative_count: number;
}

interface Column<Row> {
  readonly label: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => Markup | string | number | null;
}

/** A table whose first column holds row headers. The caption is hidden where a heading says the same. */
export function table<Row>(
  { format }: View,
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { isCaptionShown = true } = {},
): VNode {
  const classOf = ({ isNumber = false }: Column<Row>) => (isNumber ? 'number' : null);
  const formatCell = (cell: ReturnType<Column<Row>['cell']>) =>
    typeof cell === 'number' ? format.number(cell) : (cell ?? '–');
  return html`<div class="table" role="region" aria-label=${caption} tabindex="0">
    <table>
      ${
        isCaptionShown
          ? html`<caption>
              ${caption}
            </caption>`
          : null
      }
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col" class=${classOf(column)}>${column.label}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((column, index) =>
                index === 0
                  ? html`<th scope="row">${formatCell(column.cell(row))}</th>`
                  : html`<td class=${classOf(column)}>${formatCell(column.cell(row))}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A chart with a description, and its numbers in an expandable table. */
export function chart(view: View, name: Chart, description: string, numbers: VNode | null): Markup {
  const drawn = CHART_WIDTH_NAMES.flatMap((width) => {
    const picture = view.snapshot.picture(chartName(name, width));
    return picture
      ? [
          html`<div
            class=${`chart-${width}`}
            dangerouslySetInnerHTML=${{ __html: picture.toString() }}
          />`,
        ]
      : [];
  });
  if (drawn.length === 0) return null;
  return html`<div class="chart">
    <figure>
      <div role="img" aria-label=${description}>${drawn}</div>
      <figcaption>${description}</figcaption>
    </figure>
    ${
      numbers &&
      html`<details>
        <summary>${view.strings.theNumbers}</summary>
        ${numbers}
      </details>`
    }
  </div>`;
}

/** Parts of a sentence with commas between them. */
export function commaSeparated(parts: readonly Markup[]): Markup {
  return parts.map((part, index) => html`${index > 0 ? ', ' : null}${part}`);
}

/** A code block that can be scrolled with the keyboard. */
export function code(text: string, label: string): VNode {
  return html`<div class="code">
    <pre tabindex="0" role="group" aria-label=${label}><code>${text}</code></pre>
  </div>`;
}

/** A field that searches the reviews. */
export function searchField({ strings }: View): VNode {
  return html`<form class="find" action=${PAGE_PATHS.reviews} method="get" role="search">
    <label for="find">${strings.searchReviews}</label>
    <input id="find" type="search" name="words" maxlength="200" autocomplete="off" />
    <button type="submit">${strings.search}</button>
  </form>`;
}

/** Links to the other pages of a list. */
export function pages(
  { strings }: View,
  first: string | null,
  next: string | null,
  previous: string | null = null,
): Markup {
  const links = [
    first === previous ? null : ['first', first, strings.firstPage],
    ['prev', previous, strings.previousPage],
    ['next', next, strings.nextPage],
  ].flatMap((link) => (link?.[1] ? [link] : []));
  if (links.length === 0) return null;
  return html`<nav class="pages" aria-label=${strings.pages}>
    ${links.map(
      ([rel, href, words]) => html`<a class="button quiet" href=${href} rel=${rel}>${words}</a>`,
    )}
  </nav>`;
}

/** A quote from a review. */
export interface Quoted {
  readonly text: string;
  /** Undefined if the review is no longer published. */
  readonly from: Pick<ReviewJson, 'id' | 'author'> | undefined;
}

/** The top phrases of an insight, each with its review. */
export function phrases(view: View, evidence: Evidence): Markup {
  const examples = view.reviewsOf(evidence.example_review_ids);
  return quotes(
    evidence.top_phrases.map((text) => ({
      text,
      from: examples.find(({ review }) => review.text?.includes(text))?.review,
    })),
  );
}

export function quotes(quoted: readonly Quoted[]): Markup {
  if (quoted.length === 0) return null;
  return html`<ul class="phrases">
    ${quoted.map(
      ({ text, from }) =>
        html`<li>
          <q dir="auto">${text}</q>
          ${from ? html`<a class="aside" href=${reviewLink(from.id)}><bdi>${from.author}</bdi></a>` : null}
        </li>`,
    )}
  </ul>`;
}

/** The evidence of an insight. */
export interface Evidence {
  readonly top_phrases: readonly string[];
  readonly example_review_ids: readonly string[];
}

/** Example reviews for a statement. The title must not suggest that these are all of them. */
export function evidenceList(view: View, ids: readonly string[], title: string): Markup {
  const reviews = view.reviewsOf(ids);
  if (reviews.length === 0) return null;
  return html`<details>
    <summary>${title}</summary>
    <ul>
      ${reviews.map(
        ({ review }) =>
          html`<li>
            <a href=${reviewLink(review.id)}
              ><bdi>${review.author}</bdi>, ${view.format.date(review.date)}</a
            >
            <span class="aside"> ${view.strings.stars(review.rating)}</span>
          </li>`,
      )}
    </ul>
  </details>`;
}
