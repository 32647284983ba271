// Builds the search index of reviews: most of it while their insights are still being derived.

import type { Business } from '../model/business.ts';
import type { Section } from '../model/bytes.ts';
import { dayNumber } from '../model/date.ts';
import type { Insights } from '../model/insights.ts';
import type { Review } from '../model/review.ts';
import { type NumberedValues, writeValues } from './field-values.ts';
import {
  foldTexts,
  placeTexts,
  RECORD_KEYS,
  type Records,
  type TextSections,
} from './folded-texts.ts';
import { type IndexedTerms, indexTermsBeside, type TermSections, toIndex } from './index-terms.ts';
import { type LanguageSections, writeLanguages } from './languages.ts';
import { buildMentions, type MentionSections } from './mentions.ts';
import type { PostingSections } from './postings.ts';
import { buildStems, languagesOf, type StemSections } from './stems.ts';
import { synonymGroups } from './synonyms.ts';
import type { WordSections } from './word-writer.ts';

/** What texts are searched by: those of the reviews, or the owner's replies. */
export type SideSections = PostingSections & WordSections & TextSections & StemSections;

/** Prefixes of the names of sections. */
const REPLIES = 'reply.';
const AUTHORS = 'author.';

/** The index as arrays that can be stored and transferred to another thread. */
export type IndexSections = SideSections &
  MentionSections &
  LanguageSections & {
    readonly days: Int32Array;
    /** JSON of the values by number (see field-values.ts). */
    readonly fieldValues: Uint8Array;
    /** JSON of groups of words that mean the same. */
    readonly synonyms: Uint8Array;
  } & Readonly<Record<`${typeof REPLIES | typeof AUTHORS}${string}`, Section>>;

/** The sections of the replies; null if there are none. */
export function repliesIn(sections: IndexSections): SideSections | null {
  const found = sectionsFrom(sections, REPLIES);
  return 'terms' in found ? (found as unknown as SideSections) : null;
}

export function authorsIn(sections: IndexSections): TextSections {
  return sectionsFrom(sections, AUTHORS) as unknown as TextSections;
}

function sectionsFrom(sections: IndexSections, prefix: string): Record<string, Section> {
  const own = Object.entries<Section>(sections).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, section]) => [name.slice(prefix.length), section]));
}

function named(prefix: string, sections: Readonly<Record<string, Section>>) {
  return Object.fromEntries(
    Object.entries(sections).map(([name, section]) => [`${prefix}${name}`, section]),
  );
}

/** What is derived from the reviews meanwhile. */
export interface Derived {
  readonly insights: Insights;
  /** ISO 639-1 codes by the id of the review; null or absent if unknown. */
  readonly languages: ReadonlyMap<string, string | null>;
}

/** Indexes reviews, sorted newest first, while insights are still being derived. */
export class IndexBuilder {
  readonly #reviews: readonly Review[];
  readonly #known: NumberedValues['known'];
  readonly #terms: Promise<IndexedTerms>;

  constructor(reviews: readonly Review[]) {
    this.#reviews = reviews;
    const { known, ...indexed } = toIndex(reviews);
    this.#known = known;
    this.#terms = indexTermsBeside(indexed);
    // `finish` awaits it; if the publish fails before, its error is irrelevant.
    this.#terms.catch(() => undefined);
  }

  /** Adds what depends on the insights. @throws if indexing failed */
  async finish(
    { insights, languages }: Derived,
    business: Business,
    records: Records,
  ): Promise<IndexSections> {
    const reviews = this.#reviews;
    const terms = await this.#terms;
    const inLanguages = reviews.map(({ id }) => languages.get(id) ?? null);
    const sideOf = (
      { texts, ownStarts, textLengths, ...rest }: TermSections,
      key: string,
    ): SideSections => ({
      ...buildStems(rest, inLanguages),
      ...rest,
      ...placeTexts({ texts, ownStarts, textLengths }, records, key),
    });
    const texts = sideOf(terms.texts, RECORD_KEYS.text);
    const groups = synonymGroups(business, languagesOf(texts));
    const authors = foldTexts(reviews.map(({ author }) => author));
    return {
      days: Int32Array.from(reviews, ({ date }) => dayNumber(date)),
      fieldValues: writeValues(this.#known, business),
      ...buildMentions(reviews, insights, business),
      ...writeLanguages(reviews, languages),
      synonyms: Buffer.from(JSON.stringify(groups)),
      ...texts,
      ...(terms.replies && named(REPLIES, sideOf(terms.replies, RECORD_KEYS.reply))),
      ...named(AUTHORS, placeTexts(authors, records, RECORD_KEYS.author)),
    };
  }
}
