// The page of a branch: its score, how to reach it, and its newest reviews.

import { contactOf } from '../home/contact.ts';
import { stars } from '../parts/components.ts';
import type { Page } from '../parts/layout.ts';
import { locationLink, searchLink } from '../parts/links.ts';
import { html } from '../parts/markup.ts';
import { branchJsonLd, breadcrumbJsonLd } from '../parts/structured-data.ts';
import { branchFeeds } from './branch-files.ts';
import { verificationNote } from '../proof/verification-page.ts';
import { REVIEWS_PER_PAGE } from '../reviews/numbered-pages.ts';
import { reviewList } from '../reviews/review-card.ts';
import type { View } from '../view.ts';

/** Null if the business lists no such branch. */
export function locationPage(view: View, id: string): Page | null {
  const branch = view.branches.find((one) => one.id === id);
  if (!branch) return null;
  const { strings, format, snapshot } = view;
  const { name, average_rating: mean, review_count: count } = branch;
  const found = snapshot.search({ location: id, limit: REVIEWS_PER_PAGE });
  const reviews = view.reviewsAt(found.positions);
  return {
    title: name,
    description: `${view.business.name}, ${name}: ${strings.aggregate(mean, count)}.`,
    canonical: locationLink(id),
    feeds: branchFeeds(branch),
    jsonLd: [
      branchJsonLd(view, branch, reviews),
      breadcrumbJsonLd(view, [[name, locationLink(id)]]),
    ],
    main: html`<div>
      <h1><bdi>${name}</bdi></h1>
      ${
        mean === null
          ? html`<p class="lead">${strings.home.noReviews}</p>`
          : html`<p class="score">
              <span class="figure">${format.mean(mean)}</span>
              <span>${stars(view, mean)} <span class="of">${strings.reviews(count)}</span></span>
            </p>`
      }
      ${verificationNote(view)} ${contactOf(view, branch)}
      ${reviews.length === 0 ? null : html`<h2>${strings.home.newest}</h2>`}
      ${reviewList(reviews, view)}
      ${
        found.more && !view.isStatic
          ? html`<p>
              <a class="button" href=${searchLink({ location: id })}>${strings.home.allReviews}</a>
            </p>`
          : null
      }
    </div>`,
  };
}
