// Components shared by several pages: stars, bars, tables, charts, quotes, pagination.

import type { VNode } from 'preact';
import { type Chart, CHART_WIDTH_NAMES, chartName } from '../pictures/charts.ts';
import { MENTION_KINDS, type MentionKind } from '../../search/mentions.ts';
import { PAGE_PATHS, reviewLink, SUBJECT_PATHS } from './links.ts';
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

export interface Column<Row> {
  readonly label: Markup | string;
  readonly isNumber?: boolean;
  /** The link that sorts by this column, and whether the rows are sorted by it. */
  readonly sort?: { readonly href: string; readonly isChosen: boolean } | null;
  readonly cell: (row: Row) => Markup | string | number | null;
}

/** A table whose first column holds row headers. The caption is left out where a heading says the same. */
export function table<Row>(
  { format }: View,
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { isCaptionShown = true, isStacked = false } = {},
): VNode {
  const classOf = ({ isNumber = false }: Column<Row>) => (isNumber ? 'number' : null);
  const formatCell = (cell: ReturnType<Column<Row>['cell']>) =>
    typeof cell === 'number' ? format.number(cell) : (cell ?? '–');
  return html`<div
    class=${isStacked ? 'table stacked' : 'table'}
    role="region"
    aria-label=${caption}
    tabindex="0"
  >
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
          ${columns.map(
            (column) =>
              html`<th
                scope="col"
                class=${classOf(column)}
                aria-sort=${column.sort?.isChosen ? 'descending' : null}
              >
                ${column.sort ? html`<a rel="nofollow" href=${column.sort.href}>${column.label}</a>` : column.label}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((column, index) => {
                const cell = column.cell(row);
                const content = formatCell(cell);
                if (index === 0) return html`<th scope="row">${content}</th>`;
                const kind = cell === null ? 'empty' : classOf(column);
                return html`<td class=${kind}>${content}</td>`;
              })}
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

/** What is folded where there is little room. */
export function foldedOnPhones(
  title: string,
  content: VNode | null,
  heading: 'h2' | 'h3' = 'h2',
): Markup {
  if (content === null) return null;
  return html`<details class="narrow-fold">
    <summary>${title}</summary>
    <${heading}>${title}</${heading}>
    ${content}
  </details>`;
}

/** A field that searches the reviews. */
export function searchField(view: View): VNode {
  const { strings } = view;
  const [example = view.subjects('aspects')[0]] = view.listedSubjects('services');
  return html`<form class="find" action=${PAGE_PATHS.reviews} method="get" role="search">
    <label for="find">${strings.searchReviews}</label>
    <input
      id="find"
      type="search"
      name="words"
      maxlength="200"
      autocomplete="off"
      placeholder=${example && strings.forExample(strings.facts.inSentence(example.name))}
    />
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

/** Links, each with a number or a few words at its end. */
export function namedList(
  items: readonly (readonly [href: string | null, name: string, end: Markup | string])[],
) {
  return html`<ul class="plain named">
    ${items.map(
      ([href, name, end]) =>
        html`<li>
          ${href === null ? html`<bdi>${name}</bdi>` : html`<a href=${href}><bdi>${name}</bdi></a>`}
          <span class="aside">${end}</span>
        </li>`,
    )}
  </ul>`;
}

/** Links to the lists that have anything, but for the one that is shown. */
export function listLinks(view: View, shown?: MentionKind): Markup {
  const others = MENTION_KINDS.filter(
    (list) => list !== shown && view.listedSubjects(list).length > 0,
  );
  if (others.length === 0) return null;
  return html`<nav aria-label=${view.strings.lists.others}>
    <ul class="chips">
      ${others.map((list) => html`<li><a class="chip" href=${SUBJECT_PATHS[list]}>${view.titleOf(list)}</a></li>`)}
    </ul>
  </nav>`;
}

/** Colours of avatars, in `site.css`. */
const TINTS = 6;

/** The initials of a name, in place of a picture. */
export function avatar(name: string): VNode {
  const words = name.match(/[\p{L}\p{M}.’']+/gu)?.filter((word) => !word.endsWith('.')) ?? [];
  const initials = [words.at(0), words.length > 1 ? words.at(-1) : '']
    .map((word) => word?.match(/\p{L}\p{M}*/u)?.[0] ?? '')
    .join('');
  const sum = Array.from(name).reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return html`<bdi class=${`avatar tint-${sum % TINTS}`} aria-hidden="true"
    >${initials.toUpperCase() || '·'}</bdi
  >`;
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
