// Lists of reviews as files hold them: in pages that are numbered, because nothing answers a cursor there.

import type { VNode } from 'preact';
import { ROUTES } from '../model/routes.ts';
import { pages } from './components.ts';
import type { Page } from './layout.ts';
import { numberedLink, PAGE_PATHS } from './links.ts';
import { html } from './markup.ts';
import { businessRecord } from './structured-data.ts';
import { reviewList } from './review-card.ts';
import type { View } from './view.ts';
import { wordCount, wordNumber } from './wording.ts';

/** Reviews on a page. */
export const SHOWN = 20;

/** Part of a list, and where the first part and the next are. */
export interface ListPart {
  readonly positions: Iterable<number>;
  /** Null where this is the first. */
  readonly first: string | null;
  /** Null where this is the last. */
  readonly next: string | null;
}

/** The part of a number, which is written as in a path ("page-2"); null where a list has none such. */
export function numberedPart(
  count: number,
  positionAt: (place: number) => number,
  name: string | undefined,
  path: string,
): ListPart | null {
  const number = name === undefined ? 1 : Number(/^page-([1-9]\d{0,8})$/.exec(name)?.[1]);
  const start = (number - 1) * SHOWN;
  if (!(start === 0 || start < count)) return null;
  const length = Math.min(SHOWN, count - start);
  return {
    positions: Array.from({ length }, (_, place) => positionAt(start + place)),
    first: number === 1 ? null : path,
    next: start + SHOWN < count ? numberedLink(path, number + 1) : null,
  };
}

/** The paths of all parts of a list but the first. */
export function* partPaths(count: number, path: string): Generator<string> {
  for (let number = 2; (number - 1) * SHOWN < count; number++) yield numberedLink(path, number);
}

/** A part of all reviews, without the search that `searchPage` has. */
export function allReviewsPage(view: View, name: string | undefined): Page | null {
  const { reviewCount } = view.snapshot;
  const part = numberedPart(reviewCount, (position) => position, name, PAGE_PATHS.reviews);
  if (part === null) return null;
  const reviews = view.reviewsAt(part.positions);
  const isFirst = part.first === null;
  return {
    status: 200,
    title: 'Reviews',
    description: `All verified reviews of ${view.business.name}, the newest first.`,
    canonical: isFirst ? PAGE_PATHS.reviews : null,
    records: isFirst ? [businessRecord(view, reviews)] : [],
    main: html`<div>
      <h1>Reviews</h1>
      ${isFirst ? noSearch() : null}
      <section aria-labelledby="found">
        <h2 id="found">${heading(name, reviewCount)}</h2>
        ${reviewList(reviews, view)} ${pages(part.first, part.next)}
      </section>
    </div>`,
  };
}

function heading(name: string | undefined, count: number): string {
  const reviews = wordCount(count, 'review');
  const number = Number(name?.replace('page-', '') ?? 1);
  const last = Math.ceil(count / SHOWN);
  return number === 1 ? reviews : `${reviews}, page ${wordNumber(number)} of ${wordNumber(last)}`;
}

function noSearch(): VNode {
  return html`<p class="aside">
    These pages are files, so they cannot be searched here. All reviews are in
    <a href=${ROUTES.getReviews.path}>${ROUTES.getReviews.path}</a>.
  </p>`;
}
