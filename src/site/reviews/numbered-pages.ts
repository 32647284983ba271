// Lists of reviews in a static export: numbered pages instead of cursors.

import type { VNode } from 'preact';
import { ROUTES } from '../../model/routes.ts';
import { pages } from '../parts/components.ts';
import type { Page } from '../parts/layout.ts';
import { numberedLink, PAGE_PATHS } from '../parts/links.ts';
import { html, rich } from '../parts/markup.ts';
import { businessJsonLd } from '../parts/structured-data.ts';
import { reviewList } from './review-card.ts';
import type { View } from '../view.ts';

/** Reviews per page. */
export const REVIEWS_PER_PAGE = 20;

/** One page of a list, with links to the first and the next page. */
export interface ListPage {
  readonly positions: Iterable<number>;
  /** Null on the first page. */
  readonly first: string | null;
  /** Null on the last page. */
  readonly next: string | null;
  readonly previous?: string | null;
}

/** The page of a list by its name in the path ("page-2", undefined for the first); null if there is none. */
export function numberedPage(
  count: number,
  positionAt: (index: number) => number,
  name: string | undefined,
  path: string,
): ListPage | null {
  const number = name === undefined ? 1 : Number(/^page-([1-9]\d{0,8})$/.exec(name)?.[1]);
  const start = (number - 1) * REVIEWS_PER_PAGE;
  if (!(start === 0 || start < count)) return null;
  const length = Math.min(REVIEWS_PER_PAGE, count - start);
  return {
    positions: Array.from({ length }, (_, index) => positionAt(start + index)),
    first: number === 1 ? null : path,
    next: start + REVIEWS_PER_PAGE < count ? numberedLink(path, number + 1) : null,
    previous: number === 1 ? null : numberedLink(path, number - 1),
  };
}

/** The paths of all pages of a list except the first. */
export function* pagePaths(count: number, path: string): Generator<string> {
  for (let number = 2; (number - 1) * REVIEWS_PER_PAGE < count; number++)
    yield numberedLink(path, number);
}

/** A page of all reviews, without the search form of `searchPage`. */
export function allReviewsPage(view: View, name: string | undefined): Page | null {
  const { reviewCount } = view.snapshot;
  const texts = view.strings.reviewsPage;
  const part = numberedPage(reviewCount, (position) => position, name, PAGE_PATHS.reviews);
  if (part === null) return null;
  const reviews = view.reviewsAt(part.positions);
  const isFirst = part.first === null;
  const start = reviews[0]?.position ?? 0;
  return {
    title: texts.title,
    description: texts.listDescription(view.business.name),
    canonical: isFirst ? PAGE_PATHS.reviews : null,
    jsonLd: isFirst ? [businessJsonLd(view, reviews)] : [],
    main: html`<div>
      <h1>${texts.title}</h1>
      ${isFirst ? noSearch(view) : null}
      <section aria-labelledby="found">
        <h2 id="found">${view.strings.reviews(reviewCount)}</h2>
        ${reviewCount <= REVIEWS_PER_PAGE ? null : html`<p class="aside">${texts.place(start + 1, start + reviews.length, reviewCount)}</p>`}
        ${reviewList(reviews, view)} ${pages(view, part.first, part.next, part.previous)}
      </section>
    </div>`,
  };
}

function noSearch({ strings }: View): VNode {
  const { path } = ROUTES.getReviews;
  return html`<p class="aside">
    ${rich(strings.reviewsPage.noSearch, { a: () => html`<a href=${path}><code>${path}</code></a>` })}
  </p>`;
}
