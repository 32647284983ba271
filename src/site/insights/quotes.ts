// Quotes on a subject from both sides: praise from reviews with many stars, criticism from reviews with few.

import type { Sentiment } from '../../model/insights.ts';
import { stars } from '../parts/components.ts';
import { reviewLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { ShownReview, View } from '../view.ts';
import type { SubjectInsight } from './people.ts';

/** Quotes within a quote, which has double ones. */
const INNER = /["“„«]\s?([^"“”„«»]*?)\s?["“”»]/g;

export interface Quote {
  readonly text: string;
  readonly from: ShownReview;
}

/** At most `most` quotes of each side, or only of one; null without any. */
export function quotesOn(
  view: View,
  insight: SubjectInsight,
  most: number,
  sentiment?: Sentiment,
): Markup {
  const sides = sentiment === undefined ? (['positive', 'negative'] as const) : [sentiment];
  const quotes = sides.flatMap((side) => quotesOf(view, insight, side).slice(0, most));
  return quotes.length === 0 ? null : quoteList(view, quotes);
}

/** The quotes of one side with their reviews, those in the language of the page first. */
export function quotesOf(view: View, { quotes }: SubjectInsight, side: Sentiment): Quote[] {
  const texts = new Map(
    quotes.filter((one) => one.sentiment === side).map((one) => [one.review_id, one.text]),
  );
  return view
    .reviewsOf([...texts.keys()])
    .map((from) => ({ text: texts.get(from.review.id) ?? '', from }))
    .toSorted((a, b) => Number(isOwn(view, b)) - Number(isOwn(view, a)));
}

function isOwn({ language }: View, { from }: Quote): boolean {
  return language.tag.startsWith(from.language ?? '-');
}

/** Quotes, each with the stars, the author and the month of its review. */
export function quoteList(view: View, quotes: readonly Quote[]): Markup {
  return html`<ul class="phrases">
    ${quotes.map(
      ({ text, from: { review, language } }) =>
        html`<li>
          <q dir="auto" lang=${language === 'und' ? '' : language}
            >${text.replaceAll(INNER, view.strings.filters.quotedWithin('$1'))}</q
          >
          <span class="aside"
            >${stars(view, review.rating)}
            <a href=${reviewLink(review.id)}><bdi>${review.author}</bdi></a
            >, ${view.format.month(review.date.slice(0, 7))}</span
          >
        </li>`,
    )}
  </ul>`;
}

/** The words of the majority, and after them those of others. */
export function bothSides(view: View, [first, ...others]: readonly Quote[]): Markup {
  if (first === undefined) return null;
  return html`${quoteList(view, [first])}
  ${others.length === 0 ? null : html`<p class="aside">${view.strings.facts.but}</p>`}
  ${others.length === 0 ? null : quoteList(view, others)}`;
}
