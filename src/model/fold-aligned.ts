// Folds a text and keeps where each folded character comes from.

import { fold } from './fold.ts';

/** A folded text; offsets are in UTF-16 units. */
export interface AlignedText {
  readonly folded: string;
  /** For each unit of `folded`, the start and the end of the characters of the text that it is from. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });
const RUNS = /\s+|\S+/g;
// oxlint-disable-next-line no-control-regex -- the range is all of ASCII
const PLAIN = /^[\0-\x7f]*$/;

/** Null if folding depends on characters that are not adjacent; no known text is like that. */
export function foldAligned(text: string): AlignedText | null {
  const starts: number[] = [];
  const ends: number[] = [];
  const units: string[] = [];
  const append = (piece: string, start: number, end: number) => {
    for (const unit of piece.split('')) {
      // Runs of spaces fold to one.
      if (unit === ' ' && units.at(-1) === ' ') continue;
      units.push(unit);
      starts.push(start);
      ends.push(end);
    }
  };
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    for (const { piece, start, end } of foldRun(run)) append(piece, index + start, index + end);
  }
  const folded = units.join('');
  return folded === fold(text) ? { folded, starts, ends } : null;
}

/** The folded characters of a run; the run as a whole if its characters fold differently together. */
function foldRun(run: string) {
  const split = PLAIN.test(run)
    ? run.split('').map((segment, index) => ({ segment, index }))
    : Array.from(GRAPHEMES.segment(run));
  const pieces = split.map(({ segment, index }) => ({
    piece: fold(segment),
    start: index,
    end: index + segment.length,
  }));
  const whole = fold(run);
  const isEqual = pieces.map(({ piece }) => piece).join('') === whole;
  return isEqual ? pieces : [{ piece: whole, start: 0, end: run.length }];
}
