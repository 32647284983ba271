// A review in lists and on its own page.

import type { VNode } from 'preact';
import type { Mention } from '../../model/insights.ts';
import { isRead } from '../../model/read-languages.ts';
import { avatar, stars } from '../parts/components.ts';
import type { TextRange } from '../../search/highlights.ts';
import { formatSource } from '../parts/format.ts';
import { verificationAt } from '../../snapshot/verification.ts';
import { PAGE_PATHS, reviewLink, safeLink, withParameters } from '../parts/links.ts';
import { html, type Markup, rich } from '../parts/markup.ts';
import { partsOf } from './review-parts.ts';
import { textOf } from './review-text.ts';
import type { ShownReview, View } from '../view.ts';

/** Maximum number of aspects below a review in lists. */
const MAX_CHIPS = 4;
/** Findings in fewer words may rest on an idiom. */
const FEWEST_WORDS = 3;

interface CardOptions {
  /** Whether to show the whole text, as on the review's own page. */
  readonly isWhole?: boolean;
  /** The phrase to highlight in the text. */
  readonly phrase?: string | undefined;
  /** Ranges to highlight in the text, in order and without overlaps. */
  readonly marks?: readonly TextRange[];
  /** Ranges to highlight in the reply. */
  readonly replyMarks?: readonly TextRange[];
  readonly heading?: 'h1' | 'h2' | 'h3' | 'h4';
  /** Whether to fold the text early and to leave out the reply, as on the first page. */
  readonly isShort?: boolean;
  /** The aspect that is named first, and although it is not sure. */
  readonly about?: string | undefined;
}

export function reviewCard(
  shown: ShownReview,
  view: View,
  {
    isWhole = false,
    isShort = false,
    about,
    phrase,
    marks,
    replyMarks = [],
    heading = 'h3',
  }: CardOptions = {},
): VNode {
  const { review, language } = shown;
  const { strings } = view;
  const ranges = marks?.length ? marks : rangesOf(review.text, phrase);
  return html`<article class="review" id=${`review-${review.id}`}>
    <header>
      ${avatar(review.author)}
      <div class="who">
        <${heading} class="author"><a href=${reviewLink(review.id)}><bdi>${review.author}</bdi></a></${heading}>
        ${stars(view, review.rating)}
      </div>
      ${copyLink(view, review.id)} ${byline(shown, view)}
    </header>
    ${
      review.text === null
        ? html`<p class="aside">${strings.review.noComment(review.rating)}</p>`
        : textOf(view, review.text, {
            isWhole,
            isShort,
            title: { length: shown.titleLength, element: BELOW[heading] },
            lang: language === 'und' ? '' : language,
            marks: ranges,
            rest: wholeLink(view, review.id),
          })
    }
    ${isShort ? null : partsOf(shown, view)}
    ${isShort ? null : replyOf(shown, view, isWhole, replyMarks)}
    ${foreign(shown, view, isWhole)} ${isWhole ? null : chipsOf(shown.insights?.aspects ?? [], view, about)}
  </article>`;
}

/** Of a review in another language than the page: what is not read in it, and a link to a translation. */
function foreign({ review, language }: ShownReview, view: View, isWhole: boolean): Markup {
  const { code, strings } = view.language;
  const isOther = language !== null && language !== 'und' && language !== code;
  if (review.text === null || !isOther) return null;
  const page = view.origin + reviewLink(review.id);
  const link = withParameters('https://translate.google.com/translate', {
    sl: language,
    tl: code,
    u: page,
  });
  return html`<p class="aside">
    ${isWhole || isRead(language) || code !== 'en' ? null : strings.review.otherLanguage}${' '}
    <a href=${link} rel="nofollow noopener noreferrer">${strings.review.translate}</a>
  </p>`;
}

const BELOW = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5' } as const;

function byline({ review, position }: ShownReview, view: View): VNode {
  const { strings, format, language } = view;
  const texts = strings.review;
  const origin = safeLink(review.source_url);
  // Google's terms name what the Places API gives; its reviews link to the map.
  const isOfMaps = /^https:\/\/(?:www\.google\.[a-z.]+\/maps|maps\.google\.)/.test(origin ?? '');
  const source = isOfMaps ? 'Google Maps' : formatSource(language, review.source);
  const { method } = verificationAt(view.snapshot, position);
  return html`<p class="byline">
    <time datetime=${review.date} title=${format.fullDate(review.date)}
      >${format.date(review.date)}</time
    >
    ${' · '}
    ${
      origin === null
        ? html`<bdi class="source">${source}</bdi>`
        : html`<a href=${origin} rel="nofollow noopener"><bdi class="source">${source}</bdi></a>`
    }
    ${' · '}
    <a
      class="verified"
      href=${PAGE_PATHS.verification}
      title=${method === null ? texts.methodUnstated : view.methodOf(method)}
      >${texts.verified}</a
    >
  </p>`;
}

function copyLink({ origin, strings: { review: texts } }: View, id: string): VNode {
  return html`<button
    type="button"
    class="copy-link"
    title=${texts.copyLink}
    data-copy=${origin + reviewLink(id)}
    data-copied=${texts.copied}
  >
    <svg viewBox="0 0 20 20" aria-hidden="true"><use href="#link" /></svg
    ><span class="unseen">${texts.copyLink}</span>
  </button>`;
}

function wholeLink({ strings }: View, id: string): VNode {
  return html`<p><a href=${reviewLink(id)}>${strings.review.readWhole}</a></p>`;
}

/** The place of a phrase in a text. */
function rangesOf(text: string | null, phrase: string | undefined): TextRange[] {
  const start = text !== null && phrase ? text.indexOf(phrase) : -1;
  return phrase === undefined || start < 0 ? [] : [[start, start + phrase.length]];
}

function replyOf(
  { review }: ShownReview,
  view: View,
  isWhole: boolean,
  marks: readonly TextRange[],
): Markup {
  const reply = review.owner_reply;
  if (reply === null) return null;
  const { format, strings, business } = view;
  return html`<div class="reply">
    <p class="byline">
      ${rich(strings.review.reply, { name: () => html`<bdi>${business.name}</bdi>` })}
      ${
        reply.date === null
          ? null
          : html`${' · '}<time datetime=${reply.date} title=${format.fullDate(reply.date)}
                >${format.date(reply.date)}</time
              >`
      }
    </p>
    ${textOf(view, reply.text, { isWhole, lang: null, marks, rest: wholeLink(view, review.id) })}
  </div>`;
}

/** Whether a finding rests on more than an idiom; a name, which has no confidence, does. */
export function isSure({ confidence, phrase }: Mention): boolean {
  return !confidence || phrase.split(/\s+/).length >= FEWEST_WORDS;
}

/** The more probable finding first. */
export function byConfidence({ confidence: a = 1 }: Mention, { confidence: b = 1 }: Mention) {
  return b - a;
}

function chipsOf(aspects: readonly Mention[], view: View, about?: string): Markup {
  const known = new Map(view.subjects('aspects').map(({ id, name }) => [id, name]));
  const shown = aspects
    .filter((one) => known.has(one.id) && (one.id === about || isSure(one)))
    .toSorted((a, b) => Number(b.id === about) - Number(a.id === about) || byConfidence(a, b))
    .slice(0, MAX_CHIPS);
  if (shown.length === 0) return null;
  return html`<ul class="chips" aria-label=${view.strings.review.found}>
    ${shown.map(
      ({ id, sentiment }) =>
        html`<li>
          <a class=${`chip chip-${sentiment}`} href=${view.sentimentLink('aspects', id, sentiment)}>
            <span aria-hidden="true">${SIGNS[sentiment]} </span>${known.get(id)}<span
              class="unseen"
            >
              ${view.strings.review.sentiments[sentiment]}</span
            >
          </a>
        </li>`,
    )}
  </ul>`;
}

/** Shown in addition to the colour (WCAG 2.2, 1.4.1). */
const SIGNS = { positive: '+', neutral: '·', negative: '−' } as const;

/** A list of reviews, each with its own heading. */
export function reviewList(
  reviews: readonly ShownReview[],
  view: View,
  {
    phraseOf = () => undefined,
    marksOf = () => ({}),
    heading = 'h3',
    isShort = false,
    about,
  }: ListOptions = {},
): VNode {
  return html`<div class="reviews">
    ${reviews.map((shown) => reviewCard(shown, view, { phrase: phraseOf(shown), ...marksOf(shown), heading, isShort, about }))}
  </div>`;
}

interface ListOptions {
  readonly phraseOf?: (shown: ShownReview) => string | undefined;
  readonly marksOf?: (shown: ShownReview) => Pick<CardOptions, 'marks' | 'replyMarks'>;
  readonly heading?: 'h2' | 'h3';
  readonly isShort?: boolean;
  readonly about?: string | undefined;
}
