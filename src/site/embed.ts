// What other sites embed: a custom element with its script and data, and an SVG badge.

import { roundTo, shownMean } from '../model/rating.ts';
import { readFileSync } from 'node:fs';
import { ROUTES } from '../model/routes.ts';
import { locationLink, PAGE_PATHS, reviewLink } from './parts/links.ts';
import { branchJsonLd, ratedBusinessJsonLd } from './parts/structured-data.ts';
import { readableTint } from './parts/theme.ts';
import { type Branch, DEFAULT_COLOR, type ShownReview, type View } from './view.ts';
import { truncate } from './parts/format.ts';

export const EMBED_PATHS = {
  script: ROUTES.getEmbedScript.path,
  data: ROUTES.getEmbedData.path,
  badge: ROUTES.getBadge.path,
} as const;

export const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** The stars of the pages, on light ground and on dark. */
const STARS = ['#c77700', '#f0a93b'] as const;

/** The colours of stars elsewhere: those of the pages, or of an operator who chose a colour. */
export function starColors(color: string): readonly [light: string, dark: string] {
  if (color === DEFAULT_COLOR) return STARS;
  return [readableTint(color, 'light').accent, readableTint(color, 'dark').accent];
}
/** Maximum number of reviews in an embedded list. */
export const MAX_REVIEWS = 10;
/** The most words that a list can require of a review. */
export const MOST_WORDS = 50;
/** Among so many of the newest reviews there are enough of that length. */
const MOST_READ = 100;
/** Maximum UTF-16 units of a text among others. */
const MAX_TEXT_LENGTH = 400;

/** Reads the script of the element, without comments. In a block, its names are none of the page. */
export function readEmbedScript(): string {
  const text = readFileSync(new URL('./assets/embed.js', import.meta.url), 'utf8');
  return `'use strict';{${text.replaceAll(/^(?:\s+|\s*\/[/*].*\n)+/gm, '')}}`;
}

/**
 * Renders the element's data as a script, so that a host page needs `script-src` but not
 * `connect-src`. Since ECMAScript 2019 all JSON is valid JavaScript.
 */
export function renderEmbedData(
  view: View,
  color: string,
  of?: { readonly branch: Branch; readonly shown: readonly ShownReview[] },
): string {
  const { business, rating, origin, strings } = view;
  const value = of ? of.branch.average_rating : rating.rating_value;
  const mean = of ? value && roundTo(value, 1) : shownMean(rating);
  const name = (of ? `${business.name}, ${of.branch.name}` : business.name).toWellFormed();
  const all = (of?.shown ?? view.newest(MOST_READ)).map((shown) =>
    embeddedReview(view, shown, MAX_TEXT_LENGTH),
  );
  const words = all.map(({ text }) => Math.min(text?.split(' ').length ?? 0, MOST_WORDS));
  // The newest of each length: those that fewer than ten newer ones are as long as.
  const isShown = (length: number, at: number) =>
    words.slice(0, at).filter((other) => other >= length).length < MAX_REVIEWS;
  const data = {
    name,
    url: origin + (of ? locationLink(of.branch.id) : PAGE_PATHS.home),
    rating: value,
    count: strings.verified((of?.branch ?? rating).review_count),
    words: mean === null ? '' : strings.outOfFive(mean),
    mean: mean === null ? null : view.format.mean(mean),
    label: strings.embed.reviewsOf(name),
    previous: strings.embed.previous,
    next: strings.embed.next,
    about: of ? branchJsonLd(view, of.branch, []) : ratedBusinessJsonLd(view),
    colors: starColors(color),
    reviews: all.filter((_review, at) => isShown(words[at] as number, at)),
  };
  return scriptOf(`${of ? `locations/${of.branch.id}/` : ''}embed-data.js`, data);
}

/** Renders one review as a script, for the element that shows it. */
export function renderEmbedReview(view: View, position: number): string {
  const shown = view.reviewAt(position);
  return scriptOf(`embed-reviews/${shown.review.id}.js`, embeddedReview(view, shown));
}

/** Gives the element data under a path. Without "<", so that a page which has the script inline is not ended by a text. */
function scriptOf(path: string, data: object): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return `publicReviews[${JSON.stringify(path)}]=${json};\n`;
}

function embeddedReview(
  { origin, strings, format }: View,
  { review, language }: ShownReview,
  longest = Infinity,
) {
  return {
    author: review.author,
    rating: review.rating,
    stars: strings.outOfFive(review.rating),
    date: review.date,
    day: format.date(review.date),
    text: review.text && (truncate(review.text, longest) ?? review.text),
    lang: language === 'und' ? null : language,
    url: origin + reviewLink(review.id),
  };
}
