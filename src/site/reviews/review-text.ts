// The text of a review or a reply: its title, its beginning, and the rest folded. It is untrusted and shown as
// text. Folding needs no script.

import type { VNode } from 'preact';
import type { TextRange } from '../../search/highlights.ts';
import { truncate } from '../parts/format.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { ShownReview, View } from '../view.ts';

/** The length of a text in the structured data of lists. UTF-16 units. */
const MAX_DESCRIBED_LENGTH = 1_200;

/** Lists omit the rest of longer texts. UTF-16 units. */
const MAX_LISTED_LENGTH = 4_000;
/** Lists fold texts that are longer than both. UTF-16 units of what is shown, and of a text worth folding. */
const FOLDED_LENGTH = 480;
const SHORT_FOLDED_LENGTH = 220;
const MIN_FOLDED_REST = 120;
/** The first part of a text ends with a sentence, if one ends in its last half. */
const SENTENCE_END = /[.!?…。！？]["”’»)]*\s/gu;

/** The text of a review as the structured data of lists has it: a beginning of what they show. */
export function listedText(text: string): string {
  return truncate(text, MAX_DESCRIBED_LENGTH) ?? text;
}

/** The title of a review and the rest of its text. */
interface SplitText {
  /** Null if the review has none. */
  readonly title: string | null;
  /** Null if there is nothing but the title. */
  readonly rest: string | null;
}

export function splitText({
  review: { text },
  titleLength,
}: Pick<ShownReview, 'review' | 'titleLength'>): SplitText {
  if (text === null || titleLength === 0) return { title: null, rest: text };
  return { title: text.slice(0, titleLength), rest: text.slice(titleLength).trimStart() || null };
}

/** Longer ones begin at the phrase. UTF-16 units. */
const LONGEST_QUOTE = 300;
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A phrase of a text from the beginning of its sentence on, with up to two sentences before for `least` units. */
export function wholeSentences(text: string, phrase: string, least = 0): string {
  const at = text.indexOf(phrase);
  if (at < 0) return phrase;
  const starts = [...SENTENCES.segment(text)]
    .map(({ index }) => index)
    .filter((index) => index <= at)
    .slice(-3);
  const whole = starts.findLast((start) => at + phrase.length - start >= least) ?? starts[0] ?? at;
  const shown = text.slice(whole, at + phrase.length).trim();
  return shown.length > LONGEST_QUOTE ? `… ${phrase}` : shown;
}

/** The first sentence of a text that has what a pattern finds. */
export function sentenceWith(text: string, pattern: RegExp | null): string | undefined {
  const found = [...SENTENCES.segment(text)].find(({ segment }) => pattern?.test(segment));
  return found?.segment.trim();
}

interface TextOptions {
  readonly isWhole: boolean;
  /** Whether to fold early. */
  readonly isShort?: boolean;
  /** The length of the title that the text begins with, and the element to show it in. */
  readonly title?: { readonly length: number; readonly element: 'h2' | 'h3' | 'h4' | 'h5' };
  readonly lang: string | null;
  /** Ranges to highlight, in order and without overlaps. */
  readonly marks?: readonly TextRange[];
  /** A link to the whole text, for texts that are too long for lists. */
  readonly rest: VNode;
}

export function textOf(
  { strings }: View,
  text: string,
  {
    isWhole,
    isShort = false,
    title = { length: 0, element: 'h4' },
    lang,
    marks = [],
    rest,
  }: TextOptions,
): VNode {
  const shown = isWhole ? text.length : listedLength(text);
  const part = (from: number, to: number) => markedPart(text, from, to, marks);
  const cut = isWhole ? shown : foldAt(text, shown, isShort ? SHORT_FOLDED_LENGTH : FOLDED_LENGTH);
  const isCutInside = cut < shown && !/[.!?…。！？]\W*$/u.test(text.slice(0, cut));
  // What is sought, and the part that is shown does not have.
  const wordAt = ([start, end]: TextRange) => text.slice(start, end).toLowerCase();
  const seen = new Set(marks.filter(([, end]) => end <= cut).map(wordAt));
  const isHitFolded = marks.some((mark) => mark[1] > cut && !seen.has(wordAt(mark)));
  return html`<div class="words" dir="auto" lang=${lang}>
    ${title.length === 0 ? null : html`<${title.element} class="title">${part(0, title.length)}</${title.element}>`}
    ${
      text.slice(title.length, cut).trim() === ''
        ? null
        : html`<p>${part(title.length, cut)}${isCutInside ? '…' : null}</p>`
    }
    ${
      cut === shown
        ? null
        : html`<details class="fold" open=${isHitFolded}>
            <summary>${strings.review.readOn}</summary>
            <p>${part(cut, shown)}</p>
          </details>`
    }
    ${shown === text.length ? null : rest}
  </div>`;
}

function listedLength(text: string): number {
  const beginning = truncate(text, MAX_LISTED_LENGTH);
  return beginning === null ? text.length : beginning.length - '…'.length;
}

/** Where to fold: after a sentence, else after a word; at `end` if the text is short enough. */
function foldAt(text: string, end: number, folded: number): number {
  if (end <= folded + MIN_FOLDED_REST) return end;
  const beginning = text.slice(0, folded);
  const last = [...beginning.matchAll(SENTENCE_END)].at(-1);
  const sentence = last ? last.index + last[0].length : 0;
  if (sentence > folded / 2) return sentence;
  const space = beginning.lastIndexOf(' ');
  if (space > folded / 2) return space;
  // Not inside a surrogate pair.
  return beginning.isWellFormed() ? folded : folded - 1;
}

/** A part of a text without white space around it, with the marks that are in it. */
function markedPart(text: string, from: number, to: number, marks: readonly TextRange[]): Markup {
  const part = text.slice(from, to);
  const start = from + part.length - part.trimStart().length;
  const end = from + part.trimEnd().length;
  let done = start;
  const pieces = marks.flatMap(([first, last]) => {
    const [begin, stop] = [Math.max(first, done), Math.min(last, end)];
    if (begin >= stop) return [];
    const before = text.slice(done, begin);
    done = stop;
    return [html`${before}<mark>${text.slice(begin, stop)}</mark>`];
  });
  return html`${pieces}${text.slice(done, Math.max(done, end))}`;
}
