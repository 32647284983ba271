// Cuts a text into sentences with `Intl.Segmenter`, and mends what it gets wrong in reviews: a cut
// after "Mr.", a missing one in "great.They came", and the line breaks of wrapped text.

import type { Span } from './text.ts';

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Words that end with a full stop in the middle of a sentence. */
const ABBREVIATIONS = new Set(
  `mr mrs ms dr prof st sr jr vs no inc ltd co corp dept approx appt est etc ave blvd rd apt ext
   tel fig min max sq ft hr hrs lbs oz eg ie a.m p.m e.g i.e`.split(/\s+/),
);
/** Most sentences have none of these: that is told quickly. */
const MAYBE_FORGOTTEN = /[.!?]\p{Lu}/u;
/** A full stop with no blank behind it, between words: the author forgot the blank. */
const FORGOTTEN_BLANK = /\p{Ll}{2}[.!?]+(?=\p{Lu}\p{L})/gu;

/** The sentences of a text in order, without the blanks around them. */
export function splitSentences(text: string): Span[] {
  const cuts: number[] = [0];
  let start = 0;
  for (const { segment, index } of SEGMENTER.segment(text)) {
    if (index > start && !goesOn(text, start, index)) {
      cuts.push(index);
      start = index;
    }
    if (!MAYBE_FORGOTTEN.test(segment)) continue;
    for (const { 0: match, index: offset } of segment.matchAll(FORGOTTEN_BLANK)) {
      cuts.push(index + offset + match.length);
      start = index + offset + match.length;
    }
  }
  cuts.push(text.length);
  return cuts.slice(0, -1).flatMap((from, at) => trimmed(text, from, cuts[at + 1] as number));
}

/** Whether the sentence that began at `start` goes on at `at`, where the segmenter cut it. */
function goesOn(text: string, start: number, at: number): boolean {
  const tail = text.slice(Math.max(start, at - 16), at);
  const abbreviation = /([\p{L}.]+)\.\s*$/u.exec(tail)?.[1];
  if (abbreviation !== undefined) {
    if (ABBREVIATIONS.has(abbreviation.toLowerCase())) return isMidSentence(abbreviation, text, at);
    // An initial, as in "J. Smith", but not the pronoun in "so did I."
    if (/^\p{Lu}$/u.test(abbreviation) && abbreviation !== 'I')
      return /^\p{Lu}/u.test(text.slice(at, at + 2));
  }
  // A line break inside wrapped text: no closing punctuation before, a small letter behind.
  return /[\p{L}\p{N},][^\S\n]*\n[^\S\n]*$/u.test(tail) && /^\p{Ll}/u.test(text.slice(at, at + 2));
}

/** "etc.", "a.m." and the like may also close a sentence: then a capital letter follows. */
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
