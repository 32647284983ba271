// Words that name what reviews mention: services, technicians, aspects and problems.

import { ASPECT_WORD_SENTIMENTS } from '../model/aspect-words.ts';
import type { Sentiment } from '../model/insights.ts';
import type { WordClause } from '../model/word-query.ts';
import { splitWords } from '../model/words.ts';
import type { MentionIndex, MentionKind } from './mentions.ts';
import type { StemIndex } from './stems.ts';

/** Kinds of mentions that words also select, by what an answer calls them. */
export const WIDENING = {
  service: 'services',
  technician: 'technicians',
  aspect: 'aspects',
  problem: 'problems',
} as const satisfies Record<string, MentionKind>;

/** What some words also select: the reviews that mention it. */
export interface Widened {
  readonly words: string;
  readonly kind: keyof typeof WIDENING;
  readonly id: string;
  readonly label: string;
  /** Only mentions with this sentiment. */
  readonly sentiment?: Sentiment;
}

export type Meaning = Omit<Widened, 'words'>;

export class Names {
  readonly #stems: StemIndex;
  /** By the stems of the words of each name. */
  readonly #meanings: ReadonlyMap<string, readonly Meaning[]>;
  /** In words. */
  readonly #longest: number;

  constructor(mentions: MentionIndex, stems: StemIndex) {
    this.#stems = stems;
    this.#meanings = this.#read(mentions);
    const lengths = [...this.#meanings.keys()].map((name) => name.split(' ').length);
    this.#longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  }

  /** The longest run of clauses from `at` on whose words are a name, and what the name means. */
  longestAt(
    clauses: readonly WordClause[],
    at: number,
  ): { readonly length: number; readonly meanings: readonly Meaning[] } {
    let found = { length: 0, meanings: [] as readonly Meaning[] };
    const words: string[] = [];
    for (let end = at; end < clauses.length && words.length < this.#longest; end++) {
      const clause = clauses[end] as WordClause;
      if (clause.isQuoted) break;
      words.push(...clause.words);
      const meanings = this.#meanings.get(this.#keyOf(words));
      if (meanings) found = { length: end - at + 1, meanings };
    }
    return found;
  }

  #read(mentions: MentionIndex): Map<string, Meaning[]> {
    const meanings = new Map<string, Meaning[]>();
    for (const [kind, list] of Object.entries(WIDENING) as [keyof typeof WIDENING, MentionKind][]) {
      const mentioned = new Set(mentions.idsOf(list));
      for (const { name, ids } of mentions.namesOf(list)) {
        const key = this.#keyOf(splitWords(name).map(({ word }) => word));
        const sentiment = kind === 'aspect' ? ASPECT_WORD_SENTIMENTS.get(name) : undefined;
        for (const id of ids.filter((one) => mentioned.has(one))) {
          const known = meanings.get(key) ?? [];
          if (key === '' || known.some((one) => one.kind === kind && one.id === id)) continue;
          const label = mentions.labelOf(list, id);
          const meaning = { kind, id, label, ...(sentiment === undefined ? {} : { sentiment }) };
          meanings.set(key, [...known, meaning]);
        }
      }
    }
    return meanings;
  }

  #keyOf(words: readonly string[]): string {
    return words.map((word) => this.#stems.mainStemOf(word)).join(' ');
  }
}
