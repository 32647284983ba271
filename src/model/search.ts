// The filter of a search: its parameters and their limits.

import { z } from 'zod';
import type { Issue, Parsed } from '../errors.ts';
import {
  Cursor,
  CURSOR_DESCRIPTION,
  cursorSchema,
  cursorTextSchema,
  type Sort,
  SORTS,
} from './cursor.ts';
import { dateSchema } from './date.ts';
import { sentimentSchema } from './insights.ts';
import { expected, issuesOf } from './issues.ts';
import { partNameOf, partNameSchema } from './review-parts.ts';
import { MAX_PHRASES, MAX_WORDS, WordQuery } from './word-query.ts';

const integer = (low: number, high: number) => {
  const message = expected(`an integer from ${low} to ${high}`);
  return z.int(message).min(low, message).max(high, message);
};
const number = (low: number, high: number) => {
  const message = expected(`a number from ${low} to ${high}`);
  return z.number(message).min(low, message).max(high, message);
};
const text = z.string(expected('text'));
/** Longer texts are refused before they are folded, which can make them 18 times as long. */
export const MAX_CHARACTERS = 1_000;
const boundedText = text.max(MAX_CHARACTERS, {
  ...expected(`at most ${MAX_CHARACTERS} characters`),
  abort: true,
});
const flag = z.boolean(expected('true or false'));

/** Values of a repeated parameter. */
export const MAX_VALUES = 20;

/** The order without `sort`: people who give words want the best matches first. */
export function standardSort({ words }: { readonly words?: unknown }): Sort {
  return words === undefined ? 'newest' : 'relevance';
}

/** Where words and `query` are searched: the review's text, the owner's reply, or either. */
const SEARCHED = ['text', 'reply', 'all'] as const;

/** What the matching reviews can be counted by. */
export const FACETS = [
  'rating',
  'source',
  'aspect',
  'service',
  'technician',
  'problem',
  'service_area',
  'topic',
  'sentiment',
  'language',
  'location',
  'month',
] as const;
/** Before the name of an attribute, and of a part score, in parameters and facets. */
export const ATTRIBUTE = 'attribute.';
export const MIN_RATING = 'min_rating.';
type AttributeFacet = `${typeof ATTRIBUTE}${string}`;
export type Facet = (typeof FACETS)[number] | AttributeFacet;

/** The facets of a comma-separated list, each once. */
export function parseFacets(list: string): readonly Facet[] {
  const names = new Set(list.split(',').map((name) => name.trim()));
  const attributes = [...names].flatMap((name): AttributeFacet[] => {
    const heading = name.slice(ATTRIBUTE.length);
    return name.startsWith(ATTRIBUTE) ? [`${ATTRIBUTE}${partNameOf(heading) ?? heading}`] : [];
  });
  return [...FACETS.filter((facet) => names.has(facet)), ...attributes];
}

export const limitSchema = integer(1, 100)
  .default(20)
  .describe('maximum number of reviews to return: 1 to 100, default 20');

const WORDS_DESCRIPTION =
  'words in any order, inflected, by synonyms and corrected; the last one may be the start of a word; ' +
  '"words in quotes" must be in a row and as they are; -word excludes. Also finds reviews with some of them';
const wordsSchema = boundedText
  .transform((given) => WordQuery.parse(given))
  .refine(
    ({ isShortEnough }) => isShortEnough,
    expected(`at most ${MAX_WORDS} words and ${MAX_PHRASES} phrases`),
  )
  .optional()
  .describe(WORDS_DESCRIPTION);

/** Each space can match in one place only, so that a failing match takes linear time. */
const FACET = `(?:${FACETS.join('|')}|attribute\\.[^ ,]+)`;
const FACET_LIST = new RegExp(`^ *(?:${FACET} *)?(?:, *(?:${FACET} *)?)*$`);

const facetsSchema = boundedText
  .refine(
    (value) => FACET_LIST.test(value),
    expected(`some of ${FACETS.join(', ')}, attribute.NAME`),
  )
  .optional()
  .meta({
    description:
      'counts of all matches by value, comma-separated, such as "rating,aspect"; known: ' +
      `${FACETS.join(', ')}, and attribute.NAME`,
    pattern: FACET_LIST.source,
  });

const expectedValues = expected(
  `a text of at most ${MAX_CHARACTERS} characters, or at most ${MAX_VALUES} of them`,
);

/** The parameters as JSON, without the rules between them. */
const parametersSchema = z.strictObject({
  rating: integer(1, 5).optional().describe('number of stars, an integer from 1 to 5'),
  min_rating: number(1, 5).optional().describe('minimum number of stars, a number from 1 to 5'),
  max_rating: number(1, 5).optional().describe('maximum number of stars, a number from 1 to 5'),
  since: dateSchema.optional().describe('first day, YYYY-MM-DD'),
  until: dateSchema.optional().describe('last day, YYYY-MM-DD'),
  query: text.optional().describe('text that the review contains; case and accents do not matter'),
  mentions_technician: text.optional().describe("a technician's name, alias or id"),
  mentions_service: text.optional().describe("a service's id, label or alias"),
  author: boundedText.optional().describe("any part of the author's name"),
  source: text.optional().describe('source of the review, such as "google"'),
  in: z
    .enum(SEARCHED, expected(SEARCHED.join(', ')))
    .optional()
    .describe('where words and query are searched: text (default), reply of the owner, or all'),
  words: wordsSchema,
  strict: flag.optional().describe('only reviews with all the words themselves, inflected'),
  aspect: boundedText.optional().describe('an aspect that the review judges: id, label or synonym'),
  problem: boundedText.optional().describe('a problem that the review mentions: id or name'),
  service_area: boundedText.optional().describe('a place that the review mentions: id or name'),
  topic: boundedText.optional().describe('a topic of the review: id or label'),
  sentiment: z
    .enum(sentimentSchema.options, expected('positive, neutral or negative'))
    .optional()
    .describe(
      'opinion of the aspect, technician, service, problem or place that is filtered by, otherwise of ' +
        'the whole review',
    ),
  has_reply: flag.optional().describe('whether the owner replied'),
  has_text: flag.optional().describe('whether the review has a text'),
  language: boundedText.optional().describe('language of the text, such as "en"; "und" if unknown'),
  location: boundedText.optional().describe('branch of the business: id or name'),
  attributes: z
    .record(
      partNameSchema,
      z.union([boundedText, z.array(boundedText).max(MAX_VALUES)], expectedValues),
      expected('a list such as ["route=London to Rome"]'),
    )
    .optional()
    .describe('attributes by name, such as { "route": "London to Rome" }; of a list any value'),
  min_ratings: z
    .record(partNameSchema, number(1, 5), expected('a list such as ["seat=4"]'))
    .optional()
    .describe('minimum of part scores by name, such as { "seat": 4 }'),
  sort: z
    .enum(SORTS, expected(SORTS.join(', ')))
    .optional()
    .describe(
      'relevance (default with words), newest (default without), oldest, highest or lowest stars first',
    ),
  facets: facetsSchema,
  highlight: flag
    .optional()
    .describe('whether to return where each text matches words and query, in UTF-16 units'),
  limit: limitSchema,
  cursor: cursorSchema.optional().describe(CURSOR_DESCRIPTION),
});

/** The search parameters as JSON. An absent parameter does not filter. */
export const searchFilterSchema = parametersSchema.superRefine(
  ({ words, sort, cursor }, context) => {
    // An invalid cursor has an issue already.
    if (!(cursor instanceof Cursor)) return;
    const wanted = sort ?? standardSort({ words });
    if (cursor.sort === wanted) return;
    const message = `expected a next_cursor of an answer with sort=${wanted}, got one with sort=${cursor.sort}`;
    context.addIssue({ code: 'custom', path: ['cursor'], message });
  },
);

/** Parameters that may be repeated: any of the values matches. */
export const REPEATABLE = ['rating', 'source'] as const;

/** A parsed filter; answers repeat it as `filters`. */
export interface SearchFilter extends Omit<z.infer<typeof parametersSchema>, 'rating' | 'source'> {
  readonly rating?: number | readonly number[] | undefined;
  readonly source?: string | readonly string[] | undefined;
  /** Names of parameters that the search does not know. */
  readonly ignored?: readonly string[];
}

const severalOf = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([schema, z.array(schema)]).optional();

/** What words of a search name. */
export const subjectSchema = z.strictObject({
  words: z.string().describe('the words of the search'),
  kind: z.enum(['service', 'technician', 'aspect', 'problem', 'service_area', 'topic']),
  id: z.string(),
  label: z.string(),
  sentiment: sentimentSchema.optional().describe('only mentions with this sentiment'),
  count: z.int().describe('number of reviews that mention it'),
});

/** A word that no review has, and what was searched for instead. */
const correctedSchema = z.strictObject({ word: z.string(), to: z.string() });

/** What a name in a filter was taken for, if it is not an id. */
const resolvedSchema = z.strictObject({
  parameter: z.string(),
  to: z.string().describe('the id'),
  label: z.string(),
  by: z.enum(['label', 'alias', 'spelling', 'part']),
});
export type Resolved = z.infer<typeof resolvedSchema>;

/** The filter as answers repeat it. */
export const appliedFilterSchema = parametersSchema.extend({
  rating: severalOf(z.int()),
  source: severalOf(z.string()),
  words: boundedText.optional().describe(WORDS_DESCRIPTION),
  cursor: cursorTextSchema.optional(),
  corrected: z
    .array(correctedSchema)
    .optional()
    .describe('words that no review has, and what was searched for instead'),
  resolved: z
    .array(resolvedSchema)
    .optional()
    .describe('what names were taken for that are not ids'),
  ignored: z.array(z.string()).optional().describe('unknown parameters'),
});

const NUMBERS = new Set(['rating', 'min_rating', 'max_rating', 'limit']);
const FLAGS = new Set(['has_reply', 'has_text', 'highlight', 'strict']);
/** The parameters of a URL but for those of one attribute or part score, whose names begin with a prefix. */
export const SEARCH_PARAMETERS = Object.keys(parametersSchema.shape).filter(
  (name) => name !== 'attributes' && name !== 'min_ratings',
);

export function isSearchParameter(name: string): boolean {
  return [ATTRIBUTE, MIN_RATING].some((prefix) => name.startsWith(prefix)) || KNOWN.has(name);
}
const KNOWN: ReadonlySet<string> = new Set(SEARCH_PARAMETERS);
const PLACES = new Set(['since', 'until', 'cursor']);
/** Parameters that count as absent when empty; empty numbers, dates and cursors are invalid. */
export const EMPTY_IS_ABSENT: ReadonlySet<string> = new Set(
  SEARCH_PARAMETERS.filter((name) => !NUMBERS.has(name) && !PLACES.has(name)),
);
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
/** More names of unknown parameters are not repeated in an answer. */
const MAX_IGNORED = 20;

type UrlParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Parses the query parameters of a URL. Unknown parameters are ignored. Returns all issues at once. */
export function parseSearchParameters(parameters: UrlParameters): Parsed<SearchFilter> {
  const issues: Issue[] = [];
  const values: Record<string, unknown> = {};
  const several: Record<string, unknown[]> = {};
  for (const name of SEARCH_PARAMETERS) {
    const value = parameters[name];
    if (value === undefined) continue;
    if (typeof value === 'string') {
      values[name] = toJson(name, value);
    } else if (name === 'rating' || name === 'source') {
      const parsed = parseSeveral(name, value);
      if (!parsed.ok) issues.push(...parsed.issues);
      else if (parsed.value.length === 1) values[name] = parsed.value[0];
      else if (parsed.value.length > 1) several[name] = parsed.value;
    } else {
      const message = `expected ${name} once, got it ${value.length} times`;
      issues.push({ code: 'repeated', path: [name], message });
    }
  }
  const result = searchFilterSchema.safeParse({ ...withoutEmpty(values), ...partsIn(parameters) });
  if (!result.success || issues.length > 0) {
    return { ok: false, issues: [...issues, ...issuesOf(result.error).map(asInUrl)] };
  }
  const ignored = unknownNames(parameters);
  const value = { ...result.data, ...several, ...(ignored.length > 0 ? { ignored } : {}) };
  return { ok: true, value };
}

/** The attributes and part scores that a URL filters by; empty values count as absent. */
function partsIn(parameters: UrlParameters): Pick<SearchFilter, 'attributes' | 'min_ratings'> {
  const attributes = partsAfter(ATTRIBUTE, parameters, (value) => value);
  const minRatings = partsAfter(MIN_RATING, parameters, (value) => toJson('min_rating', value));
  return {
    ...(attributes && { attributes: attributes as SearchFilter['attributes'] }),
    ...(minRatings && { min_ratings: minRatings as SearchFilter['min_ratings'] }),
  };
}

/** By name the values of the parameters that begin with a prefix; null without any. */
function partsAfter(
  prefix: string,
  parameters: UrlParameters,
  read: (value: string) => unknown,
): Record<string, unknown> | null {
  const parts = new Map<string, unknown[]>();
  for (const [name, given] of Object.entries(parameters)) {
    const values = [given ?? []].flat().filter((value) => value !== '');
    if (!name.startsWith(prefix) || values.length === 0) continue;
    const heading = name.slice(prefix.length);
    const known = partNameOf(heading) ?? heading;
    parts.set(known, [...(parts.get(known) ?? []), ...values.map(read)]);
  }
  if (parts.size === 0) return null;
  return Object.fromEntries(
    [...parts].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

/** An issue of a part, as its parameter in a URL names it. */
export function asInUrl({ code, path, message }: Issue): Issue {
  const [first, name] = path;
  const prefix = { attributes: ATTRIBUTE, min_ratings: MIN_RATING }[String(first)];
  return { code, path: prefix && name !== undefined ? [`${prefix}${name}`] : path, message };
}

function toJson(name: string, value: string): unknown {
  if (NUMBERS.has(name) && DECIMAL.test(value)) return Number(value);
  if (FLAGS.has(name) && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

/** The distinct values of a repeated parameter. */
function parseSeveral(
  name: (typeof REPEATABLE)[number],
  given: readonly string[],
): Parsed<unknown[]> {
  if (given.length > MAX_VALUES) {
    const message = `expected ${name} at most ${MAX_VALUES} times, got it ${given.length} times`;
    return { ok: false, issues: [{ code: 'repeated', path: [name], message }] };
  }
  const values = new Set(given.filter((value) => value !== '' || name === 'rating'));
  const schema = z.object({ [name]: parametersSchema.shape[name] });
  const issues = [...values].flatMap((value) =>
    issuesOf(schema.safeParse({ [name]: toJson(name, value) }).error),
  );
  if (issues.length > 0) return { ok: false, issues };
  return { ok: true, value: [...values].map((value) => toJson(name, value)) };
}

function unknownNames(parameters: UrlParameters): string[] {
  return Object.keys(parameters)
    .filter((name) => !isSearchParameter(name))
    .slice(0, MAX_IGNORED);
}

/** The values without the empty ones that count as absent. */
function withoutEmpty(
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const isEmpty = ([name, value]: [string, unknown]) => value === '' && EMPTY_IS_ABSENT.has(name);
  const entries = Object.entries(values);
  return entries.some(isEmpty)
    ? Object.fromEntries(entries.filter((entry) => !isEmpty(entry)))
    : values;
}
