// The page of one review, with its insights.

import type { VNode } from 'preact';
import type { ReviewInsights } from '../model/insights.ts';
import type { MentionKind } from '../search/mentions.ts';
import type { Page } from './layout.ts';
import { PAGE_PATHS, reviewLink, subjectLink } from './links.ts';
import { html, type Markup } from './markup.ts';
import { breadcrumbJsonLd, reviewJsonLd } from './structured-data.ts';
import { reviewCard } from './review-card.ts';
import { proofSection } from './transparency-page.ts';
import type { ShownReview, View } from './view.ts';
import { truncate } from './format.ts';

/** UTF-16 units. */
const MAX_DESCRIPTION_LENGTH = 160;

/** The page of the review at a position. */
export function reviewPage(view: View, position: number): Page {
  const shown = view.reviewAt(position);
  const { review } = shown;
  const { strings } = view;
  const text = review.text?.replaceAll(/\s+/g, ' ') ?? strings.review.noComment(review.rating);
  const title = strings.review.title(review.author, review.date);
  const reviews = strings.reviewsPage.title;
  return {
    status: 200,
    title,
    description: truncate(text, MAX_DESCRIPTION_LENGTH) ?? text,
    canonical: reviewLink(review.id),
    usesProof: !view.isStatic && view.snapshot.log !== null,
    jsonLd: [
      reviewJsonLd(view, shown),
      breadcrumbJsonLd(view, [
        [reviews, PAGE_PATHS.reviews],
        [title, reviewLink(review.id)],
      ]),
    ],
    main: html`<div>
      <p class="path"><a href=${PAGE_PATHS.reviews}>${reviews}</a></p>
      ${reviewCard(shown, view, { isWhole: true, heading: 'h1' })} ${insightsSection(shown, view)}
      ${proofSection(view, review.id)}
    </div>`,
  };
}

const LISTS = [
  ['aspects', 'aspects'],
  ['technicians', 'people'],
  ['services', 'services'],
  ['problems', 'complaints'],
  ['service_areas', 'places'],
] as const satisfies readonly (readonly [MentionKind, string])[];

function insightsSection({ insights, language }: ShownReview, view: View): Markup {
  if (language !== null && language !== 'en') {
    return html`<p class="aside">${view.strings.review.otherLanguage}</p>`;
  }
  if (insights === null) return null;
  const { strings } = view;
  const lists = LISTS.map(([list, heading]) => mentions(list, strings[heading], insights, view));
  const topics = view.subjects('topics').filter(({ id }) => insights.topics.includes(id));
  if (lists.every((list) => list === null) && topics.length === 0) return null;
  return html`<section>
    <h2>${strings.review.found}</h2>
    <dl class="found">
      ${lists}
      ${
        topics.length === 0
          ? null
          : html`<div>
              <dt>${strings.topics}</dt>
              ${topics.map(({ id, name }) => html`<dd><a href=${subjectLink('topics', id)}>${name}</a></dd>`)}
            </div>`
      }
    </dl>
  </section>`;
}

function mentions(
  list: (typeof LISTS)[number][0],
  heading: string,
  insights: ReviewInsights,
  view: View,
): VNode | null {
  const names = new Map(view.subjects(list).map(({ id, name }) => [id, name]));
  if (insights[list].length === 0) return null;
  return html`<div>
    <dt>${heading}</dt>
    ${insights[list].map(
      ({ id, sentiment, phrase }) =>
        html`<dd>
          <a class=${`chip chip-${sentiment}`} href=${subjectLink(list, id)}
            ><bdi>${names.get(id) ?? id}</bdi></a
          >
          <span class="aside"> ${view.strings.review.sentiments[sentiment]}: </span
          ><q dir="auto">${phrase}</q>
        </dd>`,
    )}
  </div>`;
}
