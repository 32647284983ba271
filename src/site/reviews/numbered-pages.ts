// Lists in numbered pages, and the list of all reviews in a static export.

import { pages } from '../parts/components.ts';
import type { Page } from '../parts/layout.ts';
import { numberedLink, PAGE_PATHS } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import { businessJsonLd } from '../parts/structured-data.ts';
import { reviewList } from './review-card.ts';
import type { View } from '../view.ts';

/** Reviews per page. */
export const REVIEWS_PER_PAGE = 20;

/** The number of a page by its name in a path ("page-2") or in a query ("2"); 1 without one, else NaN. */
export function pageNumber(name: string | readonly string[] | undefined): number {
  return name === undefined ? 1 : Number(/^(?:page-)?([1-9]\d{0,8})$/.exec(String(name))?.[1]);
}

/** A page of a list by its number; null if there is none. The range is the first and the last entry, and the number of all. */
export function listPage(
  count: number,
  number: number,
  linkTo: (number: number) => string,
  size = REVIEWS_PER_PAGE,
) {
  const start = (number - 1) * size;
  if (!(start === 0 || start < count)) return null;
  const end = Math.min(count, start + size);
  return {
    positions: Array.from({ length: end - start }, (_, index) => start + index),
    range: [start + 1, end, count] as const,
    first: number === 1 ? null : linkTo(1),
    previous: number === 1 ? null : linkTo(number - 1),
    next: end < count ? linkTo(number + 1) : null,
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
  const part = listPage(reviewCount, pageNumber(name), (number) =>
    numberedLink(PAGE_PATHS.reviews, number),
  );
  if (part === null) return null;
  const reviews = view.reviewsAt(part.positions);
  const isFirst = part.first === null;
  return {
    title: texts.title,
    description: texts.listDescription(view.business.name),
    canonical: isFirst ? PAGE_PATHS.reviews : null,
    jsonLd: isFirst ? [businessJsonLd(view, reviews)] : [],
    main: html`<div>
      <h1>${texts.title}</h1>
      <section aria-labelledby="found">
        <h2 id="found">${view.strings.reviews(reviewCount)}</h2>
        ${placeIn(view, part)} ${reviewList(reviews, view)}
        ${pages(view, part.first, part.next, part.previous)}
      </section>
    </div>`,
  };
}

/** Which entries of a list a page has; null if it has all. */
export function placeIn(
  { strings }: View,
  { first, next, range }: NonNullable<ReturnType<typeof listPage>>,
): Markup {
  if (first === null && next === null) return null;
  return html`<p class="aside">${strings.reviewsPage.place(...range)}</p>`;
}
