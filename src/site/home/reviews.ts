// The reviews of the first page: the newest and, beside them, the most telling praise and complaint.

import { ROUTES } from '../../model/routes.ts';
import { tellingReview, type TellingReview } from './aspect-opinions.ts';
import { PAGE_PATHS, searchLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import { reviewCard, reviewList } from '../reviews/review-card.ts';
import type { ShownReview, View } from '../view.ts';

const NEWEST_REVIEWS = 4;
/** Beside others, which are in columns of their own. */
const NEWEST_BESIDE = 2;

interface SelectedReviews {
  readonly newest: readonly ShownReview[];
  /** Other reviews than the newest. */
  readonly praise: TellingReview | null;
  readonly complaint: TellingReview | null;
}

export function selectReviews(view: View): SelectedReviews {
  const count = Math.min(NEWEST_REVIEWS, view.snapshot.reviewCount);
  const newest = view.reviewsAt(Array.from({ length: count }, (_, position) => position));
  const beside = newest.slice(0, NEWEST_BESIDE);
  const [praise, complaint] = (['positive', 'negative'] as const).map((opinion) =>
    tellingReview(view, opinion, beside),
  ) as [TellingReview | null, TellingReview | null];
  if (praise === null && complaint === null) return { newest, praise, complaint };
  return { newest: beside, praise, complaint };
}

/** In the order of the page. */
export function shownReviews({ newest, praise, complaint }: SelectedReviews): ShownReview[] {
  return [...newest, ...[praise, complaint].flatMap((telling) => telling?.shown ?? [])];
}

/** Null without reviews. */
export function reviewsSection(view: View, selected: SelectedReviews): Markup {
  const { newest } = selected;
  if (newest.length === 0) return null;
  const texts = view.strings.home;
  const besides = [
    column(view, texts.mostPraised, selected.praise),
    column(view, texts.mostComplaints, selected.complaint),
  ].filter((each) => each !== null);
  const list = reviewList(newest, view, { isShort: true });
  return html`<section>
    <h2>${besides.length > 0 ? view.strings.reviewsPage.title : texts.newest}</h2>
    ${
      besides.length === 0
        ? list
        : html`<div class="beside-each-other">
            <div>
              <p class="kicker">${texts.newest}</p>
              ${list}
            </div>
            ${besides}
          </div>`
    }
    <p class="links">
      <a class="button" href=${PAGE_PATHS.reviews}>${texts.allReviews}</a>
      ${view.isStatic ? null : html`<a href=${searchLink({ sort: 'lowest' })}>${texts.worstFirst}</a>`}
      <a href=${ROUTES.getAtomFeed.path}>${view.strings.layout.subscribe}</a>
    </p>
  </section>`;
}

function column(view: View, title: string, telling: TellingReview | null): Markup {
  if (telling === null) return null;
  const { shown, label, phrase } = telling;
  return html`<div>
    <p class="kicker">${title}: ${label}</p>
    <div class="reviews">${reviewCard(shown, view, { phrase, isShort: true })}</div>
  </div>`;
}
