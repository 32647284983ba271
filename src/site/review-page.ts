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
import { truncate, formatCount, formatDate, formatSource } from './format.ts';
import { splitText } from './review-text.ts';
import { verificationAt } from '../snapshot/verification.ts';

/** UTF-16 units. */
const MAX_DESCRIPTION_LENGTH = 160;

/** The page of the review at a position. */
export function reviewPage(view: View, position: number): Page {
  const shown = view.reviewAt(position);
  const { review } = shown;
  const text = review.text?.replaceAll(/\s+/g, ' ') ?? formatCount(review.rating, 'star');
  const { title: headline } = splitText(shown);
  const byline = `Review by ${review.author}, ${formatDate(review.date)}`;
  const title = headline === null ? byline : `${headline}. ${byline}`;
  return {
    status: 200,
    title,
    description: truncate(text, MAX_DESCRIPTION_LENGTH) ?? text,
    canonical: reviewLink(review.id),
    usesProof: !view.isStatic && view.snapshot.log !== null,
    jsonLd: [
      reviewJsonLd(view, shown),
      breadcrumbJsonLd(view, [
        ['Reviews', PAGE_PATHS.reviews],
        [title, reviewLink(review.id)],
      ]),
    ],
    main: html`<div>
      <p class="path"><a href=${PAGE_PATHS.reviews}>Reviews</a></p>
      ${reviewCard(shown, view, { isWhole: true, heading: 'h1' })}
      ${verificationLine(view, position)} ${insightsSection(shown, view)}
      ${proofSection(view, review.id)}
    </div>`,
  };
}

/** How the review was verified. */
function verificationLine({ snapshot }: View, position: number): Markup {
  const found = verificationAt(snapshot, position);
  const { method, source_level: level, verified_at: day, published_since: since } = found;
  const how =
    method === null
      ? 'The business states that this review is by a customer, and not how it knows'
      : html`Verified by the business: <bdi>${method}</bdi>`;
  return html`<p class="aside verification">
    ${how}${day === null ? null : html`, on <time datetime=${day}>${formatDate(day)}</time>`}.
    ${level === null ? null : html` ${formatSource(found.source)} says: <bdi>${level}</bdi>.`}
    ${since === null ? null : html` Published here since <time datetime=${since}>${formatDate(since.slice(0, 10))}</time>.`}
    ${' '}<a href=${PAGE_PATHS.transparency}>What is left out</a>
  </p>`;
}

const HEADINGS = [
  ['aspects', 'Aspects'],
  ['technicians', 'People'],
  ['services', 'Services'],
  ['problems', 'Complaints'],
  ['service_areas', 'Places'],
] as const satisfies readonly (readonly [MentionKind, string])[];

function insightsSection({ insights, language }: ShownReview, view: View): Markup {
  if (language !== null && language !== 'en') {
    return html`<p class="aside">
      This review is not in English, so it is counted by its stars alone.
    </p>`;
  }
  if (insights === null) return null;
  const lists = HEADINGS.map(([list, heading]) => mentions(list, heading, insights, view));
  const topics = view.subjects('topics').filter(({ id }) => insights.topics.includes(id));
  if (lists.every((list) => list === null) && topics.length === 0) return null;
  return html`<section>
    <h2>Found in this review</h2>
    <dl class="found">
      ${lists}
      ${
        topics.length === 0
          ? null
          : html`<div>
              <dt>Topics</dt>
              ${topics.map(({ id, name }) => html`<dd><a href=${subjectLink('topics', id)}>${name}</a></dd>`)}
            </div>`
      }
    </dl>
  </section>`;
}

function mentions(
  list: (typeof HEADINGS)[number][0],
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
          <span class="aside"> ${sentiment}: </span><q dir="auto">${phrase}</q>
        </dd>`,
    )}
  </div>`;
}
