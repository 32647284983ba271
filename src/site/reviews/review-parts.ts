// What reviews carry beside stars and text on pages: part scores, attributes and branches, and their filters. The
// business file may choose which are shown, in which order and under which labels.

import { partLabel } from '../../model/review-parts.ts';
import { ATTRIBUTE, MIN_RATING, type SearchFilter } from '../../model/search.ts';
import { attributeField } from '../../search/field-values.ts';
import { bar, namedList } from '../parts/components.ts';
import { locationLink, searchLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { ShownReview, View } from '../view.ts';

/** Values among which a reader can choose. */
const MAX_CHOICES = 200;
/** Values of an attribute that are told with their stars, and the least number of their reviews. */
const MAX_RATED = 5;
const FEWEST_RATED = 5;
/** Attributes that are a verdict themselves. */
const VERDICT = /^(?:recommended|score)/;

type Named = readonly (readonly [name: string, label: string])[];

/** The names that are shown, with their labels. */
function shownNames({ business, snapshot }: View, kind: 'attributes' | 'ratings'): Named {
  const { attributeNames, ratingNames } = snapshot.fields;
  const known = kind === 'ratings' ? ratingNames : attributeNames;
  const chosen = business[kind];
  if (chosen === undefined) return known.map((name) => [name, partLabel(name)] as const);
  return Object.entries(chosen).filter(([name]) => known.includes(name));
}

/** The branch and the attributes of a review on one line, and its part scores on the next. */
export function partsOf({ review }: ShownReview, view: View): Markup {
  const { attributes = {}, ratings = {}, location } = review;
  const branch = view.branches.find(({ id }) => id === location);
  const told = [
    ...(branch ? [html`<a href=${locationLink(branch.id)}><bdi>${branch.name}</bdi></a>`] : []),
    ...shownNames(view, 'attributes').flatMap(([name, label]) =>
      Object.hasOwn(attributes, name)
        ? [html`${label}${view.strings.colon}<bdi>${attributes[name]}</bdi>`]
        : [],
    ),
  ];
  const scores = shownNames(view, 'ratings').filter(([name]) => Object.hasOwn(ratings, name));
  return html`${
    told.length === 0
      ? null
      : html`<p class="aside">${told.map((one, at) => html`${at > 0 ? ' · ' : null}${one}`)}</p>`
  }
  ${
    scores.length === 0
      ? null
      : html`<ul class="parts" aria-label=${view.strings.partScores}>
          ${scores.map(([name, label]) => html`<li><span>${label}</span> ${bar((ratings[name] as number) / 5)} <strong>${view.format.stars(ratings[name] as number)}</strong></li>`)}
        </ul>`
  }`;
}

/** The means of the part scores, as bars. */
export function partMeans(view: View): Markup {
  const ratings = view.insights('ratings') ?? {};
  const shown = shownNames(view, 'ratings').filter(([name]) => Object.hasOwn(ratings, name));
  if (shown.length === 0) return null;
  return html`<section>
    <h2>${view.strings.partScores}</h2>
    <ul class="distribution means">
      ${shown.map(([name, label]) => {
        const { mean, count } = ratings[name] as { mean: number; count: number };
        return html`<li>
          <div title=${view.strings.reviews(count)}>
            <span>${label}</span> ${bar(mean / 5)} <span>${view.format.mean(mean)}</span>
          </div>
        </li>`;
      })}
    </ul>
  </section>`;
}

/** The stars of the commonest values of each attribute that has several, such as of cabins, under its label. */
export function ratedValues(view: View): Markup[] {
  const known = view.insights('attributes') ?? {};
  return shownNames(view, 'attributes').flatMap(([name, label]) => {
    const values = known[name]?.values.filter((one) => one.review_count >= FEWEST_RATED) ?? [];
    if (values.length < 2 || VERDICT.test(name)) return [];
    return html`<div>
      <h3>${label}</h3>
      ${namedList(
        values
          .slice(0, MAX_RATED)
          .map(({ value, review_count: count, average_rating: mean }) => [
            view.isStatic ? null : searchLink({ attributes: { [name]: value } }),
            value,
            scored(view, mean, count),
          ]),
      )}
    </div>`;
  });
}

function scored({ format, strings }: View, mean: number | null, count: number): Markup {
  const stars = mean === null ? null : html`<strong>${format.mean(mean)}</strong>${' · '}`;
  return html`${stars}${strings.reviews(count)}`;
}

interface PartField {
  /** Of the parameter. */
  readonly name: string;
  readonly label: string;
  /** Null if there are too many. */
  readonly choices: readonly (readonly [value: string, label: string])[] | null;
}

const few = <T>(choices: readonly T[]) => (choices.length <= MAX_CHOICES ? choices : null);

/** The filters of a search by branch, attribute and part score. */
export function partFields(view: View): PartField[] {
  const { fields } = view.snapshot;
  const { strings, business } = view;
  const places = view.branches.map(({ id, name }) => [id, name] as const);
  const attributes = shownNames(view, 'attributes').map(([name, label]): PartField => {
    const values = fields.commonest(attributeField(name), MAX_CHOICES + 1);
    const choices = few(values.map((value) => [value.label, value.label] as const));
    return { name: ATTRIBUTE + name, label, choices };
  });
  const scores = [5, 4, 3, 2].map(
    (stars) => [String(stars), strings.filters.atLeast(stars)] as const,
  );
  return [
    ...(places.length > 0
      ? [{ name: 'location', label: strings.location, choices: few(places) }]
      : []),
    // One that differs in most reviews is no filter, unless the business says so.
    ...attributes.filter(({ choices }) => choices !== null || business.attributes !== undefined),
    ...shownNames(view, 'ratings').map(([name, label]) => ({
      name: MIN_RATING + name,
      label,
      choices: scores,
    })),
  ];
}

/** Each attribute and part score that a filter selects by: its words, and the filter without it. */
export function partFilters<Filter extends Partial<SearchFilter>>(
  view: View,
  filter: Filter,
): { readonly label: string; readonly without: Filter }[] {
  const labels = new Map([...shownNames(view, 'attributes'), ...shownNames(view, 'ratings')]);
  const each = <T>(
    kind: 'attributes' | 'min_ratings',
    parts: Readonly<Record<string, T>> | undefined,
    told: (value: T) => string,
  ) =>
    Object.entries(parts ?? {}).map(([name, value]) => {
      const { [name]: _removed, ...rest } = parts ?? {};
      const kept = Object.keys(rest).length > 0 ? rest : undefined;
      const label = `${labels.get(name) ?? partLabel(name)}: ${told(value)}`;
      return { label, without: { ...filter, [kind]: kept } };
    });
  return [
    ...each('attributes', filter.attributes, (value) => [value].flat().join(', ')),
    ...each('min_ratings', filter.min_ratings, (stars) => view.strings.filters.atLeast(stars)),
  ];
}

/** The branches, each with its score. */
export function branchList(view: View): Markup {
  if (view.branches.length === 0) return null;
  return html`<section>
    <h2>${view.strings.locations}</h2>
    ${namedList(
      view.branches.map(({ id, name, review_count: count, average_rating: mean }) => [
        locationLink(id),
        name,
        scored(view, mean, count),
      ]),
    )}
  </section>`;
}
