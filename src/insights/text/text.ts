// The types of a text that is split into tokens and sentences, each with its offsets in the text, so that
// every finding can be shown verbatim.
//
// - A token is a word, a number or an emoji. `start` and `end` are UTF-16 offsets into the text:
//   `text.slice(token.start, token.end)` is what the author wrote. `folded` is for comparing
//   (model/fold.ts); `bare` is `folded` without a possessive ("mike's" gives "mike"). A word keeps an
//   apostrophe inside it ("don't"); a hyphen separates words ("on-time" is two tokens).
// - Punctuation is not a token. `gap` has bits of GAP for what stands between a token and the one before
//   it, so that distances count words only.
// - A sentence is a range of tokens [from, to) and a span of the text [start, end) without white space at
//   its ends: `text.slice(sentence.start, sentence.end)` can be quoted.
//
// Every step takes time linear in the length of the text, for any text.

/** A part of a text in UTF-16 units: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How a word is written: "house", "House", "HOUSE" (two letters at least), "iPhone"; "none" for
 * digits, emoji and scripts without capitals. A single capital letter is "title". */
export type Capital = 'lower' | 'title' | 'upper' | 'mixed' | 'none';

export interface Token extends Span {
  readonly kind: 'word' | 'number' | 'emoji';
  readonly folded: string;
  readonly bare: string;
  readonly capital: Capital;
  /** Bits of GAP for what stands between the token before and this one. */
  readonly gap: number;
}

/** Bits of what stands before a token. Several may be set: ", -" sets comma and dash. */
export const GAP = {
  comma: 1,
  stop: 2,
  exclamation: 4,
  question: 8,
  colon: 16,
  /** A dash between words; a hyphen inside a compound is `hyphen`. */
  dash: 32,
  hyphen: 64,
  bracket: 128,
  quote: 256,
  line: 512,
  ellipsis: 1024,
  currency: 2048,
  slash: 4096,
  /** Anything else that is not white space, such as "@" or an HTML tag. */
  other: 8192,
  ampersand: 16384,
} as const;

export interface Sentence extends Span {
  /** Its tokens: [from, to) of `tokens`; never empty. */
  readonly from: number;
  readonly to: number;
  /** Whether a question mark closes it. */
  readonly isQuestion: boolean;
  /** Whether punctuation closes it, as a quotable sentence needs. */
  readonly isClosed: boolean;
}

export interface SegmentedText {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly sentences: readonly Sentence[];
}
