// A review in lists and on its own page. Its text is untrusted and shown as text.

import type { VNode } from 'preact';
import type { Mention } from '../model/insights.ts';
import { stars } from './components.ts';
import type { TextRange } from '../search/highlights.ts';
import { PAGE_PATHS, reviewLink, safeLink } from './links.ts';
import { html, type Markup } from './markup.ts';
import type { ShownReview, View } from './view.ts';
import { formatDate, formatSource, truncate } from './format.ts';
import { MAX_LISTED_LENGTH, textOf } from './review-text.ts';

/** Maximum number of aspects below a review. */
const MAX_CHIPS = 6;

interface CardOptions {
  /** Whether to show the whole text, as on the review's own page. */
  readonly isWhole?: boolean;
  /** The phrase to highlight in the text. */
  readonly phrase?: string | undefined;
  /** Ranges to highlight in the text, in order and without overlaps. */
  readonly marks?: readonly TextRange[];
  readonly heading?: 'h1' | 'h2' | 'h3';
}

export function reviewCard(
  shown: ShownReview,
  view: View,
  { isWhole = false, phrase, marks, heading = 'h3' }: CardOptions = {},
): VNode {
  const { review, language } = shown;
  const origin = safeLink(review.source_url);
  const source = formatSource(review.source);
  return html`<article class="review" id=${`review-${review.id}`}>
    <header>
      ${stars(review.rating)}
      <${heading} class="author"><a href=${reviewLink(review.id)}><bdi>${review.author}</bdi></a></${heading}>
      <p class="byline">
        <time datetime=${review.date}>${formatDate(review.date)}</time> · ${
          origin === null
            ? html`<span>${source}</span>`
            : html`<a href=${origin} rel="nofollow noopener">${source}</a>`
        } · <a class="verified" href=${PAGE_PATHS.verification}>Verified</a>
      </p>
    </header>
    ${textOf(shown, { isWhole, phrase, marks: marks ?? [], heading })}
    ${replyOf(shown, view, isWhole)}
    ${language === null || language === 'en' || isWhole ? null : html`<p class="aside">Not in English: only its stars are counted.</p>`}
    ${isWhole ? null : chipsOf(shown.insights?.aspects ?? [], view)}
  </article>`;
}

function replyOf({ review }: ShownReview, view: View, isWhole: boolean): Markup {
  const reply = review.owner_reply;
  if (reply === null) return null;
  const beginning = isWhole ? null : truncate(reply.text, MAX_LISTED_LENGTH);
  return html`<div class="reply">
    <p class="byline">
      Reply from <bdi>${view.business.name}</bdi>,
      <time datetime=${reply.date}>${formatDate(reply.date)}</time>
    </p>
    <p class="words" dir="auto">${beginning ?? reply.text}</p>
    ${beginning === null ? null : html`<p><a href=${reviewLink(review.id)}>Read the whole reply</a></p>`}
  </div>`;
}

function chipsOf(aspects: readonly Mention[], view: View): Markup {
  const known = new Map(view.subjects('aspects').map(({ id, name }) => [id, name]));
  const shown = aspects.filter(({ id }) => known.has(id)).slice(0, MAX_CHIPS);
  if (shown.length === 0) return null;
  return html`<ul class="chips" aria-label="Found in this review">
    ${shown.map(
      ({ id, sentiment }) =>
        html`<li>
          <a class=${`chip chip-${sentiment}`} href=${view.sentimentLink('aspects', id, sentiment)}>
            <span aria-hidden="true">${SIGNS[sentiment]} </span>${known.get(id)}<span
              class="unseen"
            >
              ${SENTIMENT_WORDS[sentiment]}</span
            >
          </a>
        </li>`,
    )}
  </ul>`;
}

/** Shown in addition to the colour (WCAG 2.2, 1.4.1). */
const SIGNS = { positive: '+', neutral: '·', negative: '−' } as const;
const SENTIMENT_WORDS = {
  positive: 'praised',
  neutral: 'mentioned',
  negative: 'complaint',
} as const;

/** A list of reviews, each with its own heading. */
export function reviewList(
  reviews: readonly ShownReview[],
  view: View,
  { phraseOf = () => undefined, marksOf = () => [], heading = 'h3' }: ListOptions = {},
): VNode {
  return html`<div class="reviews">
    ${reviews.map((shown) => reviewCard(shown, view, { phrase: phraseOf(shown), marks: marksOf(shown), heading }))}
  </div>`;
}

interface ListOptions {
  readonly phraseOf?: (shown: ShownReview) => string | undefined;
  readonly marksOf?: (shown: ShownReview) => readonly TextRange[];
  readonly heading?: 'h2' | 'h3';
}
