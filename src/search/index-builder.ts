// Builds the search index of reviews: most of it while their insights are still being derived.

import type { Business } from '../model/business.ts';
import { dayNumber } from '../model/date.ts';
import type { Insights } from '../model/insights.ts';
import type { Review } from '../model/review.ts';
import { placeTexts, type Records, type TextSections } from './folded-texts.ts';
import { indexTermsBeside, type TermSections, toIndex } from './index-terms.ts';
import { type LanguageSections, writeLanguages } from './languages.ts';
import { buildMentions, type MentionSections } from './mentions.ts';
import type { PostingSections } from './postings.ts';
import { buildStems, languagesOf, type StemSections } from './stems.ts';
import { synonymGroups } from './synonyms.ts';
import type { WordSections } from './word-writer.ts';

/** The index as arrays that can be stored and transferred to another thread. */
export type IndexSections = PostingSections &
  WordSections &
  TextSections &
  MentionSections &
  LanguageSections &
  StemSections & {
    readonly days: Int32Array;
    /** JSON of a list of names; the index of a name is the number of the source. */
    readonly sourceNames: Uint8Array;
    /** JSON of groups of words that mean the same. */
    readonly synonyms: Uint8Array;
  };

/** What is derived from the reviews meanwhile. */
export interface Derived {
  readonly insights: Insights;
  /** ISO 639-1 codes by the id of the review; null or absent if unknown. */
  readonly languages: ReadonlyMap<string, string | null>;
}

/** Indexes reviews, sorted newest first, while insights are still being derived. */
export class IndexBuilder {
  readonly #reviews: readonly Review[];
  readonly #sourceNames: readonly string[];
  readonly #terms: Promise<TermSections>;

  constructor(reviews: readonly Review[]) {
    this.#reviews = reviews;
    const { sourceNames, ...indexed } = toIndex(reviews);
    this.#sourceNames = sourceNames;
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
    const { texts, ownStarts, textLengths, ...terms } = await this.#terms;
    const languageOf = ({ id }: Review) => languages.get(id) ?? null;
    const stems = buildStems(terms, reviews.map(languageOf));
    const groups = synonymGroups(business.vertical, languagesOf(stems));
    return {
      days: Int32Array.from(reviews, ({ date }) => dayNumber(date)),
      sourceNames: Buffer.from(JSON.stringify(this.#sourceNames)),
      ...buildMentions(reviews, insights, business),
      ...writeLanguages(reviews, languages),
      ...stems,
      synonyms: Buffer.from(JSON.stringify(groups)),
      ...terms,
      ...placeTexts({ texts, ownStarts, textLengths }, records),
    };
  }
}
