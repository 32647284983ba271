// The reviews of the first page: the newest and, beside them, the most telling complaint with its answer.

import { ROUTES } from '../../model/routes.ts';
import { type CriticalReview, criticalReview } from './aspect-opinions.ts';
import { PAGE_PATHS, searchLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import { reviewCard, reviewList } from '../reviews/review-card.ts';
import type { ShownReview, View } from '../view.ts';

const NEWEST_REVIEWS = 3;

interface SelectedReviews {
  readonly newest: readonly ShownReview[];
  /** Another review than the newest. */
  readonly complaint: CriticalReview | null;
}

export function selectReviews(view: View): SelectedReviews {
  // As many as are shown whole where there are few.
  const newest = view.newest(view.isSmall ? Infinity : NEWEST_REVIEWS);
  return { newest, complaint: view.isSmall ? null : criticalReview(view, newest) };
}

/** In the order of the page. */
export function shownReviews({ newest, complaint }: SelectedReviews): ShownReview[] {
  return [...newest, ...(complaint === null ? [] : [complaint.shown])];
}

/** Null without reviews. */
export function reviewsSection(view: View, { newest, complaint }: SelectedReviews): Markup {
  if (newest.length === 0) return null;
  const texts = view.strings.home;
  const list = reviewList(newest, view, { isShort: !view.isSmall });
  const others = view.isSmall
    ? null
    : html`<p class="links">
        <a class="button" href=${PAGE_PATHS.reviews}>${texts.allReviews}</a>
        ${view.isStatic ? null : html`<a href=${searchLink({ sort: 'lowest' })}>${texts.worstFirst}</a>`}
        <a href=${ROUTES.getAtomFeed.path}>${view.strings.layout.subscribe}</a>
      </p>`;
  return html`<section>
    <h2>${complaint === null && !view.isSmall ? texts.newest : view.strings.reviewsPage.title}</h2>
    ${
      complaint === null
        ? list
        : html`<div class="beside-each-other">
            <div>
              <p class="kicker">${texts.newest}</p>
              ${list}
            </div>
            <div>
              <p class="kicker">${complaint.title}</p>
              <div class="reviews">
                ${reviewCard(complaint.shown, view, { phrase: complaint.phrase })}
              </div>
              ${others}
            </div>
          </div>`
    }
    ${complaint === null ? others : null}
  </section>`;
}
