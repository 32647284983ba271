// The conditions of a filter as postings.

import { fold, foldAuthor } from '../model/fold.ts';
import type { Sentiment } from '../model/insights.ts';
import type { SearchFilter } from '../model/search.ts';
import { AT_LEAST, HAS_REPLY, HAS_TEXT, STARS, VALUES } from './index-terms.ts';
import type { FieldValues } from './field-values.ts';
import type { LanguageReader } from './languages.ts';
import type { MentionIndex } from './mentions.ts';
import { NAMED, PARAMETERS } from './names.ts';
import { type Posting, postingOf, uniteAll } from './positions.ts';
import type { Postings } from './postings.ts';
import type { SetMemory } from './set-memory.ts';
import { lookUp } from './text-query.ts';
import type { Meaning, Meanings } from './meaning.ts';
import type { WordIndex } from './word-index.ts';

/** The conditions of a filter but for its loose words. Matches are in all postings and hints, and contain the needle. */
export interface IndexConditions {
  readonly postings: readonly Posting[];
  readonly hints: readonly Posting[];
  readonly excluded: readonly Posting[];
  /** The string to scan for; null if there is none. */
  readonly needle: Uint8Array | null;
  /** A part of the author's name; null if there is none. */
  readonly author: Uint8Array | null;
  /** Null without `words`. */
  readonly words: Meaning | null;
}

export interface IndexParts {
  readonly sets: SetMemory;
  /** Of ratings, values and flags. */
  readonly postings: Postings;
  readonly mentions: MentionIndex;
  readonly texts: TextParts;
  readonly languages: LanguageReader;
  readonly fields: FieldValues;
  /** The reviews whose insights have a sentiment. */
  readonly judged: (sentiment: Sentiment) => Posting;
}

const KINDS = Object.keys(NAMED) as (keyof typeof NAMED)[];

export interface TextParts {
  readonly postings: Postings;
  readonly words: WordIndex;
  readonly meanings: Meanings;
}

/** Null if a value of the filter occurs in no review. */
export function conditionsOf(
  filter: Omit<SearchFilter, 'limit'>,
  parts: IndexParts,
): IndexConditions | null {
  const { postings: all, texts, sets } = parts;
  const { has_reply: hasReply, has_text: hasText, max_rating: maxRating } = filter;
  const postings: Posting[] = [...mentioned(filter, parts)];
  const excluded: Posting[] = [];
  const required: (Posting | null)[] = [...valuesOf(filter, parts)];
  const addFlag = (term: number, isWanted: boolean | undefined) => {
    if (isWanted === true) required.push(all.of(term));
    else if (isWanted === false) excluded.push(all.of(term) ?? postingOf(NONE, sets));
  };
  addFlag(HAS_REPLY, hasReply);
  addFlag(HAS_TEXT, hasText);
  if (maxRating !== undefined && maxRating < 5) {
    excluded.push(all.of(AT_LEAST + Math.floor(maxRating) + 1) ?? postingOf(NONE, sets));
  }
  const folded = filter.query === undefined ? null : fold(filter.query);
  if (folded === '') required.push(texts.postings.of(HAS_TEXT));
  for (const posting of required) {
    if (!posting) return null;
    postings.push(posting);
  }
  const words =
    filter.words === undefined
      ? null
      : texts.meanings.resolve(filter.words, filter.strict === true);
  if (words) {
    postings.push(...words.required.map(({ posting }) => posting));
    excluded.push(words.excluded);
  }
  const text =
    folded === null || folded === '' ? NO_TEXT : lookUp(folded, texts.words, texts.postings);
  const author = filter.author === undefined ? '' : foldAuthor(filter.author);
  if (!text || postings.some(({ count }) => count === 0)) return null;
  const { hints, needle } = text;
  return {
    postings: [...postings, ...text.postings],
    hints,
    excluded,
    needle,
    author: author === '' ? null : Buffer.from(author),
    words,
  };
}

const NONE = new Uint32Array(0);
const NO_TEXT = { postings: [], hints: [], needle: null };

/** The postings of the stars and the values of a filter; null for stars that no review has. */
function valuesOf(
  {
    rating,
    min_rating: minRating,
    source,
    location,
    attributes = {},
    min_ratings: minRatings = {},
  }: Omit<SearchFilter, 'limit'>,
  { postings, fields, sets }: IndexParts,
): (Posting | null)[] {
  const anyOf = (terms: readonly (number | undefined)[]): Posting => {
    const known = terms.flatMap((term) => (term === undefined ? [] : (postings.of(term) ?? [])));
    return uniteAll(known, sets);
  };
  const found: (Posting | null)[] = [];
  if (rating !== undefined) found.push(anyOf([rating].flat().map((stars) => STARS + stars)));
  if (minRating !== undefined && minRating > 1) {
    found.push(postings.of(AT_LEAST + Math.ceil(minRating)));
  }
  const addValues = (values: readonly ({ readonly number: number } | undefined)[]) =>
    found.push(anyOf(values.map((value) => value && VALUES + value.number)));
  if (source !== undefined) {
    addValues([source].flat().map((name) => fields.find('source', name)));
  }
  if (location !== undefined) addValues([fields.find('location', location)]);
  for (const [name, values] of Object.entries(attributes)) {
    addValues([values].flat().map((value) => fields.attribute(name, value)));
  }
  for (const [name, least] of Object.entries(minRatings)) {
    addValues(fields.ratingsFrom(name, least));
  }
  return found;
}

/** The postings of mentions, of a topic, of the review's sentiment and of its language. */
function mentioned(
  filter: Omit<SearchFilter, 'limit'>,
  { mentions, languages, judged: judgedAs, sets }: IndexParts,
): Posting[] {
  const { sentiment, language } = filter;
  const found: Posting[] = [];
  let isJudged = false;
  for (const kind of KINDS) {
    const value = filter[PARAMETERS[kind]];
    if (value === undefined) continue;
    // Topics have no sentiment.
    const judged = kind === 'topic' ? undefined : sentiment;
    isJudged ||= kind !== 'topic';
    found.push(postingOf(mentions.positionsOf(NAMED[kind], value, judged), sets));
  }
  if (sentiment !== undefined && !isJudged) found.push(judgedAs(sentiment));
  if (language !== undefined) found.push(languages.postingOf(language));
  return found;
}
