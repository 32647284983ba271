// Splits a text into sentences with `Intl.Segmenter`, and corrects its errors in reviews: a split after
// "Mr.", a missing split in "great.They came", and splits at the line breaks of wrapped text.

import type { Span } from './text.ts';

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Abbreviations that end with a full stop within a sentence. */
const ABBREVIATIONS = new Set(
  `mr mrs ms dr prof st sr jr vs no inc ltd co corp dept approx appt est etc ave blvd rd apt ext
   tel fig min max sq ft hr hrs lbs oz eg ie a.m p.m e.g i.e`.split(/\s+/),
);
/** A fast check before MISSING_SPACE: few sentences match. */
const MAYBE_MISSING_SPACE = /[.!?]\p{Lu}/u;
/** Closing punctuation between words without a space after it. */
const MISSING_SPACE = /\p{Ll}{2}[.!?]+(?=\p{Lu}\p{L})/gu;

/** The sentences of a text in order, without surrounding white space. */
export function splitSentences(text: string): Span[] {
  const cuts: number[] = [0];
  let start = 0;
  for (const { segment, index } of SEGMENTER.segment(text)) {
    if (index > start && !continues(text, start, index)) {
      cuts.push(index);
      start = index;
    }
    if (!MAYBE_MISSING_SPACE.test(segment)) continue;
    for (const { 0: match, index: offset } of segment.matchAll(MISSING_SPACE)) {
      cuts.push(index + offset + match.length);
      start = index + offset + match.length;
    }
  }
  cuts.push(text.length);
  return cuts.slice(0, -1).flatMap((from, at) => trimmed(text, from, cuts[at + 1] as number));
}

/** Whether the sentence that begins at `start` continues at `at`, where the segmenter split it. */
function continues(text: string, start: number, at: number): boolean {
  const tail = text.slice(Math.max(start, at - 16), at);
  // An amount and its currency: "20.GBP".
  if (/\d\.$/.test(tail) && /^\p{Lu}{2}/u.test(text.slice(at, at + 2))) return true;
  const abbreviation = /([\p{L}.]+)\.\s*$/u.exec(tail)?.[1];
  if (abbreviation !== undefined) {
    if (ABBREVIATIONS.has(abbreviation.toLowerCase())) return isMidSentence(abbreviation, text, at);
    // An initial, as in "J. Smith", but not the pronoun in "so did I."
    if (/^\p{Lu}$/u.test(abbreviation) && abbreviation !== 'I')
      return /^\p{Lu}/u.test(text.slice(at, at + 2));
  }
  // A line break in wrapped text: no closing punctuation before it, a small letter after it.
  return /[\p{L}\p{N},][^\S\n]*\n[^\S\n]*$/u.test(tail) && /^\p{Ll}/u.test(text.slice(at, at + 2));
}

/** "etc." or "a.m." ends the sentence if a capital letter follows. */
function isMidSentence(abbreviation: string, text: string, at: number): boolean {
  if (/^(?:mr|mrs|ms|dr|prof|st)$/i.test(abbreviation)) return true;
  return !/^\p{Lu}/u.test(text.slice(at, at + 2));
}

function trimmed(text: string, from: number, to: number): Span[] {
  let [start, end] = [from, to];
  while (start < end && isBlank(text, start)) start += 1;
  while (end > start && isBlank(text, end - 1)) end -= 1;
  return start < end ? [{ start, end }] : [];
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/u.test(text.charAt(at)));
}
