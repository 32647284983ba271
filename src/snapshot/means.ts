// The mean stars and part scores of the reviews that a question is about: of years, sources, places and values of
// attributes that its words name, alone and together; or of a filter.

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
  const { ratings = {} } = snapshot.head.business;
  const scores = parts.flatMap((name) => {
    const from = (least: number) => ({ ...filter, min_ratings: { [name]: least } });
    const counts = [1, 2, 3, 4, 5].map((least) => countOf(snapshot, from(least)));
    const [all = 0] = counts;
    const of = all < matched ? ` in ${all}` : '';
    return all === 0 ? [] : `; ${ratings[name] ?? name} ${meanOf(counts, all)}${of}`;
  });
  return `${meanOf(stars, matched)} stars (${reviewsOf(matched)}${scores.join('')})`;
}

const meanOf = (list: readonly number[], count: number) =>
  (list.reduce((sum, one) => sum + one, 0) / count).toFixed(1);

/** The means of what words name. */
export function meansIn(
  snapshot: Snapshot,
  text: string,
  asked: readonly string[],
  subjects: readonly CountedSubject[],
): string[] {
  const isAsked = (part: string) => asked.some((word) => singular(word) === singular(part));
  const { head, insights } = snapshot;
  const { ratings = {} } = head.business;
  const aspects = subjects.flatMap(({ kind, id }) => (kind === 'aspect' ? id.split('_') : []));
  const scored = Object.entries(insights.part('ratings') ?? {})
    .map(([name, score]) => ({ name, label: ratings[name] ?? name, ...score }))
    .filter(({ name, label }) => {
      const words = wordsOf(label);
      return words.every(isAsked) || isAsked(words.join('')) || aspects.includes(name);
    });
  // "Cabin crew" is not about cabins.
  const taken = new Set(scored.flatMap(({ label }) => wordsOf(label)));
  const all = [
    ...attributesIn(snapshot, ` ${wordsOf(text).join(' ')} `, isAsked, taken),
    ...periodsIn(snapshot, asked),
    ...othersIn(snapshot, asked, isAsked, subjects),
  ];
  // "Business" is also a part of "Business Class", unless words say of what.
  const isPart = ({ kind, value }: Group) =>
    !wordsOf(kind).some(isAsked) && all.some((one) => one.value.startsWith(`${value} `));
  const groups = all.filter((one) => !isPart(one));
  const kinds = Map.groupBy(groups, ({ kind }) => kind);
  const isJoint = kinds.size > 1 && [...kinds.values()].every(({ length }) => length < MOST_GROUPS);
  const told = groups.slice(0, MOST_GROUPS);
  const named = scored.map(({ name }) => name);
  const parts =
    named.length > 0 ? named : told.length > MOST_SCORED ? [] : snapshot.fields.ratingNames;
  const meansOfGroup = ({ kind, value, filter }: Group) =>
    `${kind} ${value} ${meansOf(snapshot, filter, parts)}`.trim();
  const means = told.map(meansOfGroup);
  const joint = isJoint ? jointOf([...kinds.values()]) : [];
  const both = joint.map(meansOfGroup);
  return [
    ...scored.map(
      (one) => `${one.label}: mean ${one.mean.toFixed(1)} of 5 in ${one.count} ratings of it.`,
    ),
    ...(means.length === 0 ? [] : [`Mean stars of all reviews by: ${means.join('; ')}.`]),
    ...(both.length === 0 ? [] : [`Of both together: ${both.join('; ')}.`]),
  ];
}

/** Every group of one kind with every one of another. */
function jointOf([first = [], ...others]: readonly (readonly Group[])[]): Group[] {
  return others
    .reduce<readonly Group[]>(
      (all, list) =>
        all.flatMap((one) =>
          list.map(({ kind, value, filter }) => ({
            kind: one.kind,
            value: `${one.value}, ${`${kind} ${value}`.trim()}`,
            filter: merged(one.filter, filter),
          })),
        ),
      first,
    )
    .slice(0, MOST_SCORED);
}

function merged(one: Filter, other: Filter): Filter {
  const attributes = { ...one.attributes, ...other.attributes };
  return { ...one, ...other, ...(Object.keys(attributes).length > 0 && { attributes }) };
}

/** The values of attributes that a text names, all of an attribute that it names itself; those of one number as one. */
function attributesIn(
  { head, fields }: Snapshot,
  text: string,
  isAsked: (part: string) => boolean,
  taken: ReadonlySet<string>,
): Group[] {
  return fields.attributeNames.flatMap((name) => {
    const kind = head.business.attributes?.[name] ?? name;
    const values = fields.commonest(attributeField(name), MOST_VALUES).map(({ label }) => label);
    const own = wordsOf(kind);
    const groupOf = (value: string, all: readonly string[] = [value]): Group => ({
      kind,
      value,
      filter: { attributes: { [name]: all.slice(0, MOST_TOGETHER) } },
    });
    const lasts = Map.groupBy(values, (value) => wordsOf(value).at(-1));
    const tellingOf = (value: string) => {
      const words = wordsOf(value);
      const isShared = values.length <= FEW_VALUES && (lasts.get(words.at(-1)) ?? []).length > 1;
      return words.length > 1 && isShared ? words.slice(0, -1) : words;
    };
    const named = values.filter((value) => tellingOf(value).every(isAsked));
    const rowOf = (value: string) => ` ${wordsOf(value).join(' ')} `;
    const inRow = named.filter((value) => text.includes(rowOf(value)));
    // "Economy" is a part of "Premium Economy", and a route has a direction.
    const rest = inRow.reduce((left, value) => left.replace(rowOf(value), ' '), text);
    const isLeft = (value: string) => tellingOf(value).some((word) => rest.includes(` ${word} `));
    const isPart = (value: string) =>
      inRow.some((one) => rowOf(one).includes(rowOf(tellingOf(value).join(' '))));
    const shown = named.filter((value) => inRow.includes(value) || isLeft(value) || !isPart(value));
    const directed = inRow.filter((value) => END.test(value));
    const numbers = new Set(
      text.match(/(?<= )\p{L}?\d{2,}(?= )/gu)?.filter((one) => !YEAR.test(one)),
    );
    const together = [...numbers].flatMap((number) => {
      const all = values.filter((value) => wordsOf(value).includes(number));
      return all.length > 0 ? groupOf(number, all) : [];
    });
    const ends = new Set(
      values.filter((value) => END.test(value)).flatMap((value) => value.split(END)),
    );
    const atEnds = [...ends].flatMap((end) => {
      const all = text.includes(rowOf(end))
        ? values.filter((one) => one.split(END).includes(end))
        : [];
      return all.length > 0 && all.length <= MOST_TOGETHER ? groupOf(end, all) : [];
    });
    const found =
      directed.length > 0 ? directed.map((value) => groupOf(value)) : [...together, ...atEnds];
    if (found.length > 0) return found;
    if (shown.length > 0) return shown.map((value) => groupOf(value));
    const isAll = own.every((word) => isAsked(word) && !taken.has(word));
    return isAll ? values.slice(0, MOST_GROUPS).map((value) => groupOf(value)) : [];
  });
}
/** Between the ends of a route. */
const END = /\sto\s/u;
/** Values of an attribute in one filter. */
const MOST_TOGETHER = 20;

/** The years that words name, or all. */
function periodsIn(snapshot: Snapshot, asked: readonly string[]): Group[] {
  const { earliest, latest } = snapshot.insights.part('date_range');
  const [first, last] = [Number(earliest?.slice(0, 4)), Number(latest?.slice(0, 4))];
  const all = Array.from({ length: last - first + 1 || 0 }, (_, at) => String(last - at));
  const isAll = asked.some((word) => listsOf(snapshot, asked).year.has(word));
  const named = all.filter((year) => asked.includes(year));
  return (named.length === 0 && isAll ? all.slice(0, MOST_GROUPS) : named).map((year) => {
    const isFrom = SINCE.has(asked[asked.indexOf(year) - 1] ?? '');
    return {
      kind: '',
      value: isFrom ? `since ${year}` : year,
      filter: { since: `${year}-01-01`, ...(!isFrom && { until: `${year}-12-31` }) },
    };
  });
}
const SINCE: ReadonlySet<string> = new Set(['since', 'after', 'from', 'seit', 'desde', 'depuis']);

/** The sources and places that words name, or all. */
function othersIn(
  snapshot: Snapshot,
  asked: readonly string[],
  isAsked: (part: string) => boolean,
  subjects: readonly CountedSubject[],
): Group[] {
  const { site, town } = listsOf(snapshot, asked);
  const sources = snapshot.fields.commonest('source', MOST_GROUPS).map(({ label }) => label);
  const named = sources.filter((source) => wordsOf(source).every(isAsked));
  const isOf = (words: ReadonlySet<string>) => asked.some((word) => words.has(word));
  const areas = snapshot.insights.part('entities').service_areas;
  const ids = subjects.flatMap(({ kind, id }) => (kind === 'service_area' ? id : []));
  const places = areas.filter(({ id }) => (ids.length > 0 ? ids.includes(id) : isOf(town)));
  return [
    ...(named.length === 0 && isOf(site) && sources.length > 1 ? sources : named).map((source) => ({
      kind: 'source',
      value: source,
      filter: { source },
    })),
    ...places.map(({ id, name }) => ({ kind: 'place', value: name, filter: { service_area: id } })),
  ];
}

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
