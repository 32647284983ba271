// The mean stars and part scores of the reviews that a question is about: of years, sources, places and values of
// attributes that its words name, alone and together; or of a filter.

import { labelIn } from '../model/review-parts.ts';
import { ATTRIBUTE, type Facet, parseFacets, type SearchFilter } from '../model/search.ts';
import { attributeField } from '../search/field-values.ts';
import { PARAMETERS } from '../search/names.ts';
import type { CountedSubject } from '../search/search-index.ts';
import { filtersIn, isWhole, listsOf, wordsOf } from './direct-answers.ts';
import type { Snapshot } from './snapshot.ts';

export type Filter = Omit<SearchFilter, 'limit'>;

/** Groups that are told, and values of an attribute that words are compared with. */
const MOST_GROUPS = 8;
const MOST_VALUES = 1_000;
/** More groups have only the part scores that are asked for. */
const MOST_SCORED = 3;
/** Attributes of few values are named by a part of one: "solo" of "Solo Leisure". */
const FEW_VALUES = 12;
const NUMBERS = /(?<= )\p{L}?\d{2,}(?= )/gu;
/** More routes with one end tell nothing. */
const MOST_ROUTES = 20;
const YEAR = /^(?:19|20)\d\d$/;

/** Reviews that words name, by what kind of thing. */
interface Group {
  readonly kind: string;
  readonly value: string;
  readonly filter: Filter;
}

export const reviewsOf = (count: number): string =>
  `${count} ${count === 1 ? 'review' : 'reviews'}`;
export const countOf = (snapshot: Snapshot, filter: Filter): number =>
  snapshot.search({ ...filter, limit: 1 }).matched;
const singular = (word: string) => word.replace(/(?:ie|y|e)?s?$/u, '');

/** The mean stars of the reviews of a filter and of their part scores of some names: "2.9 stars (80 reviews; Seat 2.7)". */
export function meansOf(snapshot: Snapshot, filter: Filter, parts: readonly string[] = []): string {
  const { matched, facets } = snapshot.search({ ...filter, limit: 1, facets: 'rating' });
  if (matched === 0) return 'no reviews';
  const stars = (facets?.['rating'] ?? []).map(({ value, count }) => Number(value) * count);
  const { ratings } = snapshot.head.business;
  const scores = parts.flatMap((name) => {
    const from = (least: number) => ({ ...filter, min_ratings: { [name]: least } });
    const counts = [1, 2, 3, 4, 5].map((least) => countOf(snapshot, from(least)));
    const [all = 0] = counts;
    const of = all < matched ? ` in ${all}` : '';
    return all === 0 ? [] : `; ${labelIn(ratings, name)} ${meanOf(counts, all)}${of}`;
  });
  return `${meanOf(stars, matched)} stars (${reviewsOf(matched)}${scores.join('')})`;
}

const meanOf = (list: readonly number[], count: number) =>
  (list.reduce((sum, one) => sum + one, 0) / count).toFixed(1);

/** The means of what words name, each and together. */
export function meansIn(
  snapshot: Snapshot,
  text: string,
  asked: readonly string[],
  subjects: readonly CountedSubject[],
): string[] {
  const isAsked = (part: string) => asked.some((word) => singular(word) === singular(part));
  const { ratings } = snapshot.head.business;
  const aspects = subjects.flatMap(({ kind, id }) => (kind === 'aspect' ? id.split('_') : []));
  const scored = Object.entries(snapshot.insights.part('ratings') ?? {})
    .map(([name, score]) => ({ name, label: labelIn(ratings, name), ...score }))
    .filter(({ name, label }) => {
      const words = wordsOf(label);
      return words.every(isAsked) || isAsked(words.join('')) || aspects.includes(name);
    });
  // "Cabin crew" is not about cabins.
  const taken = new Set(scored.flatMap(({ label }) => wordsOf(label)));
  const all = [
    ...attributesIn(snapshot, rowOf(text), isAsked, taken),
    ...othersIn(snapshot, asked),
  ];
  // "Business" is also a part of "Business Class", unless words say of what.
  const isPart = ({ kind, value }: Group) =>
    !wordsOf(kind).some(isAsked) && all.some((one) => one.value.startsWith(`${value} `));
  const groups = all.filter((one) => !isPart(one)).slice(0, MOST_GROUPS);
  const [first = [], ...others] = Map.groupBy(groups, ({ kind }) => kind).values();
  const joint = others.reduce(
    (some, list) => some.flatMap((one) => list.map((other) => jointOf(one, other))),
    first,
  );
  const named = scored.map(({ name }) => name);
  const isFew = groups.length <= MOST_SCORED;
  const parts = named.length > 0 ? named : isFew ? snapshot.fields.ratingNames : [];
  const tell = ({ kind, value, filter }: Group) =>
    `${kind} ${value} ${meansOf(snapshot, filter, parts)}`.trim();
  const together = others.length > 0 ? joint.slice(0, MOST_SCORED).map(tell) : [];
  return [
    ...scored.map(
      (one) => `${one.label}: mean ${one.mean.toFixed(1)} of 5 in ${one.count} ratings of it.`,
    ),
    ...(groups.length > 0 ? [`Mean stars of all reviews by: ${groups.map(tell).join('; ')}.`] : []),
    ...(together.length > 0 ? [`Of both together: ${together.join('; ')}.`] : []),
  ];
}

const rowOf = (text: string) => ` ${wordsOf(text).join(' ')} `;

const jointOf = (one: Group, { kind, value, filter }: Group): Group => {
  const both = `${one.value}, ${`${kind} ${value}`.trim()}`;
  return { kind: one.kind, value: both, filter: merged(one.filter, filter) };
};

function merged(one: Filter, other: Filter): Filter {
  const attributes = { ...one.attributes, ...other.attributes };
  return { ...one, ...other, ...(Object.keys(attributes).length > 0 && { attributes }) };
}

/** The values of attributes that a text names, or all; those with a number, and routes with an end, as one. */
function attributesIn(
  { head, fields }: Snapshot,
  text: string,
  isAsked: (part: string) => boolean,
  taken: ReadonlySet<string>,
): Group[] {
  return fields.attributeNames.flatMap((name) => {
    const kind = labelIn(head.business.attributes, name);
    const values = fields.commonest(attributeField(name), MOST_VALUES).map(({ label }) => label);
    const groupOf = (value: string, all = [value]) => {
      const filter = { attributes: { [name]: all } };
      const isHub = all.length > MOST_ROUTES && all.some((one) => END.test(one));
      return all.length === 0 || isHub ? [] : [{ kind, value, filter }];
    };
    const lasts = Map.groupBy(values, (value) => wordsOf(value).at(-1));
    const tellingOf = (value: string) => {
      const words = wordsOf(value);
      const isShared = values.length <= FEW_VALUES && (lasts.get(words.at(-1)) ?? []).length > 1;
      return words.length > 1 && isShared ? words.slice(0, -1) : words;
    };
    const named = values.filter((value) => tellingOf(value).every(isAsked));
    const inRow = named.filter((value) => text.includes(rowOf(value)));
    const directed = inRow.filter((value) => END.test(value));
    if (directed.length > 0) return directed.flatMap((value) => groupOf(value));
    const numbers = (text.match(NUMBERS) ?? []).filter((one) => !YEAR.test(one));
    const ends = values.flatMap((value) => (END.test(value) ? value.split(END) : []));
    const parts = new Set([...numbers, ...ends.filter((end) => text.includes(rowOf(end)))]);
    const together = [...parts].flatMap((part) => {
      const hasPart = (value: string) => [...wordsOf(value), ...value.split(END)].includes(part);
      return groupOf(part, values.filter(hasPart));
    });
    if (together.length > 0) return together;
    // "Economy" is a part of "Premium Economy".
    const rest = inRow.reduce((left, value) => left.replace(rowOf(value), ' '), text);
    const isPart = (words: readonly string[]) =>
      inRow.some((one) => rowOf(one).includes(rowOf(words.join(' ')))) &&
      !words.some((word) => rest.includes(` ${word} `));
    const shown = named.filter((value) => inRow.includes(value) || !isPart(tellingOf(value)));
    const isAll = wordsOf(kind).every((word) => isAsked(word) && !taken.has(word));
    const told = shown.length > 0 || !isAll ? shown : values.slice(0, MOST_GROUPS);
    return told.flatMap((value) => groupOf(value));
  });
}
const END = /\sto\s/u;

/** The years, sources and places that words name, or all years, sources or places. */
function othersIn(snapshot: Snapshot, asked: readonly string[]): Group[] {
  const { year, site, town } = listsOf(snapshot, asked);
  const { earliest, latest } = snapshot.insights.part('date_range');
  const [first = 0, last = 0] = [earliest, latest].map((date) => Number(date?.slice(0, 4)));
  const years = Array.from({ length: last - first + 1 }, (_, at): Group => {
    const value = String(last - at);
    const since = `${value}-01-01`;
    const isFrom = SINCE.has(asked[asked.indexOf(value) - 1] ?? '');
    const filter = { since, ...(!isFrom && { until: `${value}-12-31` }) };
    return { kind: isFrom ? 'since' : '', value, filter };
  });
  const listed = (facet: 'source' | 'service_area'): Group[] =>
    (snapshot.search({ limit: 1, facets: facet }).facets?.[facet] ?? []).map((one) => ({
      kind: facet === 'source' ? facet : '',
      value: one.label,
      filter: { [facet]: one.value },
    }));
  const choose = (all: readonly Group[], any: ReadonlySet<string>) => {
    const named = all.filter(({ value }) => wordsOf(value).every((word) => asked.includes(word)));
    return named.length > 0 || !asked.some((word) => any.has(word)) ? named : all;
  };
  return [
    ...choose(years, year),
    ...choose(listed('source'), site),
    ...choose(listed('service_area'), town),
  ];
}
const SINCE: ReadonlySet<string> = new Set(['since', 'after', 'from', 'seit', 'desde', 'depuis']);

/** The means of the reviews of a filter without its words, and of the values by which they are counted. */
export function meansBy(snapshot: Snapshot, filter: Filter): string[] {
  const { words, facets = '', strict: _, ...others } = filter;
  const own: Filter = Object.fromEntries(filtersIn(others));
  if (Object.keys(own).some((name) => OF_STARS.test(name))) return [];
  const counted = parseFacets(words ? '' : facets).flatMap((facet) => {
    const found = snapshot.search({ ...own, limit: 1, facets: facet }).facets?.[facet] ?? [];
    const told = found.slice(0, MOST_GROUPS).flatMap(({ value, label }) => {
      const by = filterBy(facet, value);
      return by === null ? [] : `${label} ${meansOf(snapshot, merged(own, by))}`;
    });
    return told.length === 0 ? [] : `Mean stars by ${facet}: ${told.join('; ')}.`;
  });
  if (isWhole(own)) return counted;
  const of = words ? 'all reviews of these filters, whatever their words' : 'these reviews';
  return [
    `Mean stars of ${of}: ${meansOf(snapshot, own, snapshot.fields.ratingNames)}.`,
    ...counted,
  ];
}
/** Filters by which a mean tells nothing, and those of a page that was told. */
const OF_STARS = /rating|^query$|^cursor$/;

function filterBy(facet: Facet, value: string): Filter | null {
  if (facet in PARAMETERS) return { [PARAMETERS[facet as keyof typeof PARAMETERS]]: value };
  if (facet.startsWith(ATTRIBUTE))
    return { attributes: { [facet.slice(ATTRIBUTE.length)]: value } };
  return facet === 'source' || facet === 'location' ? { [facet]: value } : null;
}
