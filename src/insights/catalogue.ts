// Finds the technicians, services and service areas of the business's own catalogue in a review.

import type { Business } from '../model/business.ts';
import { fold } from '../model/fold.ts';
import type { Mention, Sentiment } from '../model/insights.ts';
import { scoreOfWords, sentimentOf } from './sentiment.ts';

/** Something of the catalogue that reviews may name. */
export interface CatalogueEntry {
  readonly id: string;
  readonly name: string;
  /** Every spelling that names it, its name included. */
  readonly names: readonly string[];
}

export interface Catalogue {
  readonly technicians: readonly CatalogueEntry[];
  readonly services: readonly CatalogueEntry[];
  readonly serviceAreas: readonly CatalogueEntry[];
}

export function catalogueOf(business: Business): Catalogue {
  return {
    technicians: business.technicians.map(({ id, name, aliases }) => ({
      id,
      name,
      names: [name, ...aliases],
    })),
    services: business.services.map(({ id, label, aliases }) => ({
      id,
      name: label,
      names: [label, ...aliases],
    })),
    serviceAreas: [...Map.groupBy(business.service_areas, idOf)].map(([id, names]) => ({
      id,
      name: names[0] as string,
      names,
    })),
  };
}

function idOf(name: string): string {
  return fold(name)
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** Finds entries of one list in a text: one mention for each entry, with its sentence. */
export type Finder = (text: string) => Mention[];

/** A phrase longer than this is cut around the name, in UTF-16 units. */
const PHRASE_LIMIT = 240;
/** Half of a surrogate pair that a cut through a long word may leave at either end. */
const HALF_PAIR = /^[\udc00-\udfff]|[\ud800-\udbff]$/g;
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });
/** Words, and what stands between them. */
const PIECES = /[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu;

/**
 * Builds the finder of a list. `properNames` must stand with a capital letter, so that the town of
 * Bath is not found in every bathroom.
 */
export function finderOf(entries: readonly CatalogueEntry[], properNames: boolean): Finder {
  const byName = new Map<string, Set<string>>();
  for (const { id, names } of entries) {
    for (const name of names.map((spelling) => fold(spelling).trim())) {
      if (name !== '') byName.set(name, (byName.get(name) ?? new Set()).add(id));
    }
  }
  if (byName.size === 0) return () => [];
  const alternatives = [...byName.keys()]
    .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .map((name) => RegExp.escape(name));
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}\\p{M}])`,
    'gu',
  );
  return (text) => {
    // Folding first is a quick no for most texts; only in the others is every word placed.
    if (fold(text).search(pattern) < 0) return [];
    const found = new Map<string, Mention>();
    const { folded, pieces } = foldPieces(text);
    const sentences = new SentenceWalk(text);
    let at = 0;
    for (const { 0: name, index } of folded.matchAll(pattern)) {
      const [id, ...others] = byName.get(name) ?? [];
      // A spelling that two entries share names neither of them for certain.
      if (id === undefined || others.length > 0) continue;
      while ((pieces[at + 1]?.foldedStart ?? Infinity) <= index) at += 1;
      let last = at;
      while ((pieces[last + 1]?.foldedStart ?? Infinity) < index + name.length) last += 1;
      const [first, end] = [pieces[at], pieces[last]] as [Piece, Piece];
      if (properNames && !isCapitalised(first.text)) continue;
      const sentence = sentences.around(first.start, end.start + end.text.length);
      addMention(found, id, sentence, first.start, end.start + end.text.length);
    }
    return [...found.values()];
  };
}

interface Piece {
  readonly text: string;
  readonly start: number;
  readonly foldedStart: number;
}

/** Folds a text piece by piece, which leads from a place in the folded text back to the text. */
function foldPieces(text: string): { folded: string; pieces: Piece[] } {
  const pieces: Piece[] = [];
  let folded = '';
  for (const { 0: piece, index: start } of text.matchAll(PIECES)) {
    pieces.push({ text: piece, start, foldedStart: folded.length });
    folded += fold(piece);
  }
  return { folded, pieces };
}

interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly sentiment: Sentiment;
}

/** Gives the sentences of a text around one place after another, each analysed once. */
class SentenceWalk {
  readonly #text: string;
  readonly #starts: readonly number[];
  #at = 0;
  #end = 0;
  #sentence: Sentence | null = null;

  constructor(text: string) {
    this.#text = text;
    this.#starts = Array.from(SENTENCES.segment(text), ({ index }) => index);
  }

  /** Where a name goes on behind a full stop, as in "St. Ives", both sentences are one. */
  around(from: number, to: number): Sentence {
    while ((this.#starts[this.#at + 1] ?? Infinity) <= from) this.#at += 1;
    let next = this.#at + 1;
    while ((this.#starts[next] ?? Infinity) < to) next += 1;
    const start = this.#starts[this.#at] ?? 0;
    const end = this.#starts[next] ?? this.#text.length;
    if (this.#sentence?.start === start && this.#end === end) return this.#sentence;
    const text = this.#text.slice(start, end);
    this.#end = end;
    this.#sentence = { text, start, sentiment: sentimentOf(scoreOfWords(text) ?? 0) };
    return this.#sentence;
  }
}

/** The first mention counts, unless it is neutral and a later one is not: the phrase that is shown
 * has to bear the sentiment out. */
function addMention(
  found: Map<string, Mention>,
  id: string,
  { text, start, sentiment }: Sentence,
  from: number,
  to: number,
): void {
  const known = found.get(id);
  if (!known || (known.sentiment === 'neutral' && sentiment !== 'neutral')) {
    found.set(id, { id, sentiment, phrase: cut(text, from - start, to - start) });
  }
}

/** Whether a word begins with a capital; where a script has none, every word does. */
function isCapitalised(word: string): boolean {
  return !/^\P{L}*\p{Ll}/u.test(word);
}

/** A verbatim part of the sentence around the name, whole words only. */
function cut(sentence: string, from: number, to: number): string {
  if (sentence.length <= PHRASE_LIMIT) return sentence.trim();
  const start = Math.max(0, from - PHRASE_LIMIT / 2);
  const end = Math.min(sentence.length, Math.max(start + PHRASE_LIMIT, to));
  const before = start === 0 ? 0 : sentence.slice(start, from).search(/\s/) + 1;
  const after = end === sentence.length ? -1 : sentence.slice(to, end).search(/\s\S*$/);
  return sentence
    .slice(start + before, after < 0 ? end : to + after)
    .replace(HALF_PAIR, '')
    .trim();
}
