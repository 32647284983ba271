// Where a text has what was searched for.

import { fold } from '../model/fold.ts';
import { type AlignedText, foldAligned } from '../model/fold-aligned.ts';
import { splitWords } from '../model/words.ts';

/** A half-open range of a text in UTF-16 units. */
export type TextRange = readonly [start: number, end: number];

/** What to look for in texts; everything is folded. */
export interface Sought {
  /** A string that may be anywhere; empty if there is none. */
  readonly needle: string;
  readonly words: ReadonlySet<string>;
  readonly prefixes: readonly string[];
  /** Words in a row. */
  readonly phrases: readonly (readonly string[])[];
}

/** The ranges of all hits, in order and without overlaps; without any, those of `evidence`: verbatim parts of the text. */
export function highlightsOf(
  text: string,
  sought: Sought,
  evidence: readonly string[] = [],
): TextRange[] {
  const isSought = sought.needle !== '' || hasWords(sought);
  const aligned = isSought ? foldAligned(text) : null;
  const found = aligned ? [...partsIn(aligned, sought.needle), ...wordsIn(aligned, sought)] : [];
  if (found.length > 0) return merge(found);
  const verbatim = evidence.flatMap((phrase): TextRange[] => {
    const start = phrase === '' ? -1 : text.indexOf(phrase);
    return start < 0 ? [] : [[start, start + phrase.length]];
  });
  return merge(verbatim);
}

/** The sought parts as a fold of the text would have them. */
export function seek(query: string | undefined, words: Omit<Sought, 'needle'> | null): Sought {
  const needle = query === undefined ? '' : fold(query);
  return { needle, ...(words ?? { words: new Set(), prefixes: [], phrases: [] }) };
}

function partsIn({ folded, starts, ends }: AlignedText, needle: string): TextRange[] {
  const ranges: TextRange[] = [];
  if (needle === '') return ranges;
  for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + needle.length)) {
    ranges.push([starts[at] as number, ends[at + needle.length - 1] as number]);
  }
  return ranges;
}

function hasWords({ words, prefixes, phrases }: Sought): boolean {
  return words.size + prefixes.length + phrases.length > 0;
}

function wordsIn(aligned: AlignedText, sought: Sought): TextRange[] {
  if (!hasWords(sought)) return [];
  const { words, prefixes, phrases } = sought;
  const { folded, starts, ends } = aligned;
  const all = splitWords(folded);
  const rangeOf = (first: number, last: number): TextRange => [
    starts[all[first]?.start ?? 0] as number,
    ends[(all[last]?.end ?? 1) - 1] as number,
  ];
  const ranges: TextRange[] = [];
  all.forEach(({ word }, at) => {
    if (words.has(word) || prefixes.some((prefix) => word.startsWith(prefix))) {
      ranges.push(rangeOf(at, at));
    }
    for (const phrase of phrases) {
      const isHere = phrase.every((one, index) => all[at + index]?.word === one);
      if (isHere) ranges.push(rangeOf(at, at + phrase.length - 1));
    }
  });
  return ranges;
}

function merge(ranges: readonly TextRange[]): TextRange[] {
  const merged: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = merged.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}
