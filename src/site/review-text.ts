// The title of a review as a heading, and the rest of its text. Both are untrusted and shown as text.

import type { VNode } from 'preact';
import type { TextRange } from '../search/highlights.ts';
import { formatCount, truncate } from './format.ts';
import { reviewLink } from './links.ts';
import { html, type Markup } from './markup.ts';
import type { ShownReview } from './view.ts';

/** Lists truncate longer texts. UTF-16 units. */
export const MAX_LISTED_LENGTH = 1_200;

/** The text of a review as lists show it. */
export function listedText(text: string): string {
  return truncate(text, MAX_LISTED_LENGTH) ?? text;
}

/** The title of a review and the rest of its text. */
export interface SplitText {
  /** Null if the review has none. */
  readonly title: string | null;
  /** Null if there is nothing but the title. */
  readonly rest: string | null;
  /** Where the rest begins in the text. UTF-16 units. */
  readonly start: number;
}

export function splitText({
  review: { text },
  titleLength,
}: Pick<ShownReview, 'review' | 'titleLength'>): SplitText {
  if (text === null || titleLength === 0) return { title: null, rest: text, start: 0 };
  const after = text.slice(titleLength);
  const rest = after.trimStart();
  const title = text.slice(0, titleLength);
  return { title, rest: rest || null, start: text.length - rest.length };
}

export interface TextOptions {
  /** Whether to show the whole text, as on the review's own page. */
  readonly isWhole: boolean;
  /** The phrase to highlight in the text. */
  readonly phrase: string | undefined;
  /** Ranges of the text to highlight, in order and without overlaps. */
  readonly marks: readonly TextRange[];
  /** The heading of the review, below which the title is. */
  readonly heading: 'h1' | 'h2' | 'h3';
}

const BELOW = { h1: 'h2', h2: 'h3', h3: 'h4' } as const;

export function textOf(
  shown: ShownReview,
  { isWhole, phrase, marks, heading }: TextOptions,
): VNode {
  const { review, language } = shown;
  if (review.text === null)
    return html`<p class="aside">Rated ${formatCount(review.rating, 'star')}, no comment.</p>`;
  const { title, rest, start } = splitText(shown);
  const beginning = isWhole ? null : truncate(rest ?? '', MAX_LISTED_LENGTH);
  const text = beginning ?? rest;
  const inTitle = marks.filter(([, end]) => end <= (title?.length ?? 0));
  const inRest = marks.flatMap(([from, to]): TextRange[] =>
    from >= start ? [[from - start, to - start]] : [],
  );
  return html`<div class="words" dir="auto" lang=${languageTag(language)}>
    ${title === null ? null : html`<${BELOW[heading]} class="title">${markUp(title, title, inTitle, phrase)}</${BELOW[heading]}>`}
    ${text === null ? null : html`<p>${markUp(text, rest ?? '', inRest, phrase)}</p>`}
    ${beginning === null ? null : html`<p><a href=${reviewLink(review.id)}>Read the whole review</a></p>`}
  </div>`;
}

function languageTag(language: string | null): string | null {
  return language === 'und' ? '' : language;
}

function markUp(
  shown: string,
  whole: string,
  ranges: readonly TextRange[],
  phrase: string | undefined,
): Markup | string {
  return ranges.length > 0 ? markedAt(shown, whole, ranges) : marked(shown, phrase);
}

function marked(text: string, phrase: string | undefined): Markup | string {
  const start = phrase ? text.indexOf(phrase) : -1;
  if (phrase === undefined || start < 0) return text;
  return html`${text.slice(0, start)}<mark>${phrase}</mark>${text.slice(start + phrase.length)}`;
}

/** The text with marks at these ranges of the whole text, as far as they are shown. */
function markedAt(shown: string, whole: string, ranges: readonly TextRange[]): Markup {
  let length = 0;
  while (length < shown.length && shown[length] === whole[length]) length += 1;
  let end = 0;
  const pieces = ranges
    .filter(([, last]) => last <= length)
    .map(([start, last]) => {
      const before = shown.slice(end, start);
      end = last;
      return html`${before}<mark>${shown.slice(start, last)}</mark>`;
    });
  return html`${pieces}${shown.slice(end)}`;
}
