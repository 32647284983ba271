// Titles of reviews. The published text begins with the title as a line of its own, so that every reader of
// the record has it; pages show it as a heading.

import { fold } from './fold.ts';
import { plainText } from './text.ts';

/** A longer title is the beginning of the text. UTF-16 units. */
const LONGEST_TITLE = 300;
/** Between the title and the rest of the text. */
const BREAK = '\n\n';

interface TitledText {
  /** The text begins with it; null if there is none. */
  readonly title: string | null;
  readonly text: string | null;
}

/** Puts a title before a text. A title that only repeats the beginning of the text is dropped. */
export function withTitle(rawTitle: string | null, rawText: string | null): TitledText {
  const title = plainText(rawTitle ?? '').replaceAll(/\s+/g, ' ');
  const text = plainText(rawText ?? '') || null;
  if (title === '') return { title: null, text };
  if (text === null) return { title: asTitle(title), text: title };
  const beginning = fold(title.replace(/(?:…|\.\.\.)$/, '')).trim();
  if (fold(text).startsWith(beginning)) return { title: null, text };
  return { title: asTitle(title), text: title + BREAK + text };
}

function asTitle(title: string): string | null {
  return title.length > LONGEST_TITLE ? null : title;
}

/** The text without its title, if it has one that is not known; null if there is nothing else. */
export function withoutFirstPart(text: string | null): string | null {
  return text?.split(BREAK).slice(1).join(BREAK) || null;
}

export function withoutTitle({ title, text }: TitledText): string | null {
  if (title === null || text === null || !text.startsWith(title)) return text;
  return text.slice(title.length).trim() || null;
}
