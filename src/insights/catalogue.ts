// Finds the technicians, services and service areas of the business's own catalogue in a review.

import type { Business } from '../model/business.ts';
import { fold } from '../model/fold.ts';
import type { Mention } from '../model/insights.ts';
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
    serviceAreas: [...new Map(business.service_areas.map((name) => [idOf(name), name]))].map(
      ([id, name]) => ({ id, name, names: [name] }),
    ),
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

/**
 * Builds the finder of a list. `properNames` must stand with a capital letter, so that the town of
 * Bath is not found in every bathroom.
 */
export function finderOf(entries: readonly CatalogueEntry[], properNames: boolean): Finder {
  const byName = new Map<string, Set<string>>();
  for (const { id, names } of entries) {
    for (const name of names.map(fold)) {
      byName.set(name, (byName.get(name) ?? new Set()).add(id));
    }
  }
  if (byName.size === 0) return () => [];
  const alternatives = [...byName.keys()]
    .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .map((name) => RegExp.escape(name));
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`,
    'gu',
  );
  return (text) => {
    // Folding first is a quick no for most texts; only the others are cut into sentences.
    if (fold(text).search(pattern) < 0) return [];
    const found = new Map<string, Mention>();
    for (const { segment } of SENTENCES.segment(text)) {
      const folded = fold(segment);
      for (const { 0: name, index } of folded.matchAll(pattern)) {
        const ids = byName.get(name);
        // A spelling that two entries share names neither of them for certain.
        if (ids?.size !== 1) continue;
        if (properNames && !standsCapitalised(segment, folded, index)) continue;
        const [id] = ids as unknown as [string];
        addMention(found, id, segment.trim(), index);
      }
    }
    return [...found.values()];
  };
}

/** Later mentions add their words to the sentiment, the first keeps the phrase. */
function addMention(
  found: Map<string, Mention>,
  id: string,
  sentence: string,
  index: number,
): void {
  const sentiment = sentimentOf(scoreOfWords(sentence) ?? 0);
  const known = found.get(id);
  if (!known) found.set(id, { id, sentiment, phrase: cut(sentence, index) });
  else if (known.sentiment === 'neutral') found.set(id, { ...known, sentiment });
}

/** Whether the name at `index` of the folded sentence begins with a capital in the sentence itself. */
function standsCapitalised(sentence: string, folded: string, index: number): boolean {
  const before = folded.slice(0, index).match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const word = sentence.match(/[\p{L}\p{N}\p{M}]+/gu)?.[before];
  return word !== undefined && word.charAt(0) !== word.charAt(0).toLowerCase();
}

/** A verbatim part of the sentence around the name, whole words only. */
function cut(sentence: string, index: number): string {
  if (sentence.length <= PHRASE_LIMIT) return sentence;
  const start = Math.max(0, Math.min(index, sentence.length) - PHRASE_LIMIT / 2);
  const part = sentence.slice(start, start + PHRASE_LIMIT);
  const first = start === 0 ? 0 : part.search(/\s/) + 1;
  const last = start + PHRASE_LIMIT >= sentence.length ? part.length : part.search(/\s\S*$/);
  return part
    .slice(first, last > first ? last : part.length)
    .replace(HALF_PAIR, '')
    .trim();
}
