// Counts the matches of a search by the values that they have.

import { dateOfDay } from '../model/date.ts';
import { ATTRIBUTE, type Facet } from '../model/search.ts';
import { STARS, VALUES } from './index-terms.ts';
import type { IndexParts } from './conditions.ts';
import { NAMED } from './names.ts';
import { bitsOf, countIn, type Posting } from './positions.ts';
import type { SetMemory } from './set-memory.ts';

export interface FacetValue {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

const SENTIMENT_NAMES = ['positive', 'neutral', 'negative'] as const;
const STAR_NUMBERS = [5, 4, 3, 2, 1] as const;
/** Values of an attribute that are counted, those of most reviews: one may differ in every review. */
const MAX_VALUES = 200;
const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** "Unknown" of a text whose language was not recognised (BCP 47: und). */
function nameOfLanguage(tag: string): string {
  return tag === 'und' ? 'Unknown' : (LANGUAGE_NAMES.of(tag) ?? tag);
}

export class FacetCounter {
  readonly #parts: IndexParts;
  readonly #days: Int32Array;
  /** The months that have reviews, newest first, with the positions of their reviews. */
  #months: readonly { readonly month: string; readonly first: number; readonly end: number }[] = [];

  constructor(parts: IndexParts, days: Int32Array) {
    this.#parts = parts;
    this.#days = days;
  }

  /** Exact counts by each value that a match has: stars and months in order, others most frequent first. */
  count(found: Posting, facets: readonly Facet[]): Record<string, FacetValue[]> {
    const bits = bitsOf(found, this.#parts.sets);
    return Object.fromEntries(
      facets.map((facet) => [facet, this.#valuesOf(facet, bits).filter(({ count }) => count > 0)]),
    );
  }

  #valuesOf(facet: Facet, found: Uint32Array): FacetValue[] {
    const { postings, fields, languages, judged, mentions, sets } = this.#parts;
    const valueOf = (value: string, label: string, posting: Posting | null) => ({
      value,
      label,
      count: posting ? countBoth(posting, found, sets) : 0,
    });
    switch (facet) {
      case 'rating':
        return STAR_NUMBERS.map((stars) => {
          const label = stars === 1 ? '1 star' : `${stars} stars`;
          return valueOf(String(stars), label, postings.of(STARS + stars));
        });
      case 'sentiment':
        return SENTIMENT_NAMES.map((name) => valueOf(name, name, judged(name)));
      case 'language':
        return sorted(
          languages.tags.map((tag) => valueOf(tag, nameOfLanguage(tag), languages.postingOf(tag))),
        );
      case 'month':
        return this.#monthsOf().map(({ month, first, end }) => ({
          value: month,
          label: month,
          count: countIn(found, first, end),
        }));
      case 'aspect':
      case 'service':
      case 'technician':
      case 'problem':
      case 'service_area':
      case 'topic': {
        const kind = NAMED[facet];
        const counted = mentions.idsOf(kind).map((id) => ({
          value: id,
          label: mentions.labelOf(kind, id),
          count: sets.countList(mentions.positionsOfId(kind, id), found),
        }));
        return sorted(counted);
      }
      case 'source':
      case 'location':
      default: {
        const most = facet.startsWith(ATTRIBUTE) ? MAX_VALUES : Infinity;
        const values = fields
          .commonest(facet, most)
          .map(({ key, label, number }) =>
            valueOf(facet.startsWith(ATTRIBUTE) ? label : key, label, postings.of(VALUES + number)),
          );
        return sorted(values);
      }
    }
  }

  #monthsOf() {
    if (this.#months.length > 0) return this.#months;
    const months: { month: string; first: number; end: number }[] = [];
    const days = this.#days;
    for (let position = 0; position < days.length;) {
      const day = days[position] as number;
      let end = position + 1;
      while (end < days.length && days[end] === day) end += 1;
      const month = dateOfDay(day).slice(0, 'YYYY-MM'.length);
      const last = months.at(-1);
      if (last?.month === month) last.end = end;
      else months.push({ month, first: position, end });
      position = end;
    }
    this.#months = months;
    return months;
  }
}

function countBoth(posting: Posting, found: Uint32Array, sets: SetMemory): number {
  return posting.bits
    ? sets.countShared(posting.bits, found)
    : sets.countList(posting.list(), found);
}

function sorted(values: readonly FacetValue[]): FacetValue[] {
  return values.toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}
