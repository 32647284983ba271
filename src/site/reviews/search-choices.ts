// Links of the search page that add or remove one filter, with the number of reviews that each leaves.

import type { VNode } from 'preact';
import { dateBefore } from '../../model/date.ts';
import type { Sentiment } from '../../model/insights.ts';
import { SORTS } from '../../model/cursor.ts';
import { ROUTES } from '../../model/routes.ts';
import { type SearchFilter, standardSort } from '../../model/search.ts';
import { PARAMETERS } from '../../search/names.ts';
import { CRITICAL } from '../../snapshot/replies.ts';
import type { CountedSubject, SearchResult } from '../../search/search-index.ts';
import { formatSource } from '../parts/format.ts';
import { starCounts } from '../insights/people.ts';
import { PAGE_PATHS, searchLink, subjectLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import { partFilters } from './review-parts.ts';
import type { View } from '../view.ts';

/** The filter of a page without its cursor, so that links lead to first pages. */
type PageFilter = Omit<SearchFilter, 'cursor'>;

/** Months before today from which reviews can be chosen: links have the period, as pages know no clock. */
const PERIODS = [3, 6, 12] as const;

/** The critical reviews that have a reply. */
export const ANSWERED = { has_reply: true, max_rating: CRITICAL };

export function answeredLink({ strings }: View): [href: string, name: string] {
  return [searchLink(ANSWERED), strings.filters.withReply];
}

/** Values of a facet that are offered. */
const MAX_VALUES = 5;

/** A link that changes the filter, with the number of reviews that it leaves if that is known. */
function choice(
  { format }: View,
  href: string,
  label: Markup | string,
  count: number | null,
  isChosen = false,
): VNode {
  return html`<li>
    <a class="choice" rel="nofollow" href=${href} aria-current=${isChosen ? 'true' : null}>
      ${label} ${count === null ? null : html`<span class="amount">${format.number(count)}</span>`}
    </a>
  </li>`;
}

/** All numbers of stars with the reviews that have them; the chosen one leads back. */
function starChoices(view: View, filter: PageFilter): Markup {
  const { rating, min_rating: _minimum, max_rating: _maximum, ...others } = filter;
  const chosen = new Set([rating ?? []].flat());
  const found = starCounts(view, others)
    .counts.map((count, at) => [at + 1, count] as const)
    .filter(([, count]) => count > 0)
    .toReversed();
  if (found.length < 2 && chosen.size === 0) return null;
  const choices = found.map(([stars, count]) => {
    const link = searchLink(chosen.has(stars) ? others : { ...others, rating: stars });
    return choice(view, link, view.strings.stars(stars), count, chosen.has(stars));
  });
  return group(view.strings.transparency.stars, choices);
}

/** Choices below a heading; null without any. */
function group(heading: string, choices: readonly VNode[]): Markup {
  if (choices.length === 0) return null;
  return html`<h3>${heading}</h3>
    <ul class="choices" aria-label=${heading}>
      ${choices}
    </ul>`;
}

/** "With a reply: 5 of 6." */
export function toldReplies(view: View, filter: Partial<SearchFilter>, all: number): string {
  const { matched } = view.snapshot.search({ ...filter, has_reply: true, limit: 1 });
  return `${view.strings.filters.withReply}${view.strings.colon}${view.strings.home.partOf(matched, all)}.`;
}

/** The date that is a period, such as "3m", before the day of publication. */
export function dateSince({ snapshot }: View, period: string): string {
  const { changedAtSeconds = 0 } = snapshot.documents.get(ROUTES.getReviews.path) ?? {};
  const published = new Date(changedAtSeconds * 1000).toISOString().slice(0, 10);
  return dateBefore(published, period) ?? published;
}

/** The share of critical reviews that have a reply. */
export function toldAnswered(view: View): string {
  const critical = { max_rating: CRITICAL };
  return toldReplies(view, critical, view.snapshot.search({ ...critical, limit: 1 }).matched);
}

/** Periods before today that leave some of the reviews out, and the choice of those with a reply. */
function recentChoices(view: View, filter: PageFilter, matched: number): Markup {
  const { snapshot, strings } = view;
  const { filters } = strings;
  const told = new Set([0, matched]);
  const isDated = filter.since !== undefined || filter.until !== undefined;
  const periods = (isDated ? [] : PERIODS).flatMap((months) => {
    const since = `${months}m`;
    const count = snapshot.search({ ...filter, since: dateSince(view, since), limit: 1 }).matched;
    if (told.has(count)) return [];
    told.add(count);
    return [choice(view, searchLink({ ...filter, since }), filters.months(months), null)];
  });
  const replied = { ...filter, has_reply: true };
  const count =
    filter.has_reply === undefined ? snapshot.search({ ...replied, limit: 1 }).matched : 0;
  const isSome = count > 0 && count < matched;
  return html`${group(filters.period, periods)}
  ${isSome ? group(filters.replies, [choice(view, searchLink(replied), filters.withReply, count)]) : null}`;
}

/** Links to the other orders of the results. */
export function sortChoices({ strings }: View, filter: PageFilter): VNode {
  const chosen = filter.sort ?? standardSort(filter);
  const others = SORTS.filter((sort) => sort !== 'relevance');
  const orders = filter.words === undefined ? others : (['relevance', ...others] as const);
  return html`<nav aria-label=${strings.filters.order}>
    <ul class="choices sorts">
      ${orders.map(
        (sort) =>
          html`<li>
            <a
              rel="nofollow"
              href=${searchLink({ ...filter, sort })}
              aria-current=${sort === chosen ? 'true' : null}
              >${strings.filters.sorts[sort]}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

type Labels = Readonly<Record<string, (value: string, view: View) => string>>;

const nameIn =
  (list: 'aspects' | 'problems' | 'topics' | 'service_areas' | 'technicians' | 'services') =>
  (value: string, view: View) =>
    view.subjects(list).find(({ id }) => id === value)?.name ?? value;

const LABELS: Labels = {
  query: (value, { strings }) => strings.filters.quoted(value),
  rating: (value, { strings }) => strings.stars(Number(value)),
  min_rating: (value, { strings }) => strings.filters.atLeast(Number(value)),
  max_rating: (value, { strings }) => strings.filters.atMost(Number(value)),
  author: (value, { strings }) => strings.filters.by(value),
  in: (value, { strings }) => strings.filters.places[value as keyof typeof strings.filters.places],
  since: (value, { strings }) => strings.filters.since(value),
  until: (value, { strings }) => strings.filters.to(value),
  source: (value, { language }) => formatSource(language, value),
  language: (value, { strings }) => strings.filters.language(value),
  sentiment: (value, { strings }) => strings.home[value as Sentiment],
  has_reply: (value, { strings }) =>
    value === 'true' ? strings.filters.withReply : strings.filters.withoutReply,
  has_text: (value, { strings }) =>
    value === 'true' ? strings.filters.withText : strings.filters.withoutText,
  strict: (_value, { strings }) => strings.filters.strict,
  aspect: nameIn('aspects'),
  problem: nameIn('problems'),
  mentions_technician: nameIn('technicians'),
  mentions_service: nameIn('services'),
  topic: nameIn('topics'),
  service_area: nameIn('service_areas'),
  location: (value, { branches }) => branches.find(({ id }) => id === value)?.name ?? value,
};

/** Parameters that do not select reviews, and the words, which the field has. */
const NOT_SHOWN = new Set(['limit', 'ignored', 'highlight', 'facets', 'sort', 'words']);

/** Filters that leave nothing out. */
const NO_LIMITS = new Set(['min_rating 1', 'max_rating 5', 'in text']);

/** The filters that can be removed one by one: their words, and the filter without them. */
export function activeFilters(
  view: View,
  filter: PageFilter,
): { readonly label: string; readonly without: PageFilter }[] {
  const { attributes: _attributes, min_ratings: _ratings, ...others } = filter;
  return [
    ...Object.entries(others)
      .filter(([name, value]) => value !== undefined && !NOT_SHOWN.has(name))
      .filter((entry) => !NO_LIMITS.has(entry.join(' ')))
      .map(([name, value]) => ({
        label: [value]
          .flat()
          .map((one) => (LABELS[name] ?? String)(String(one), view))
          .join(', '),
        without: { ...filter, [name]: undefined },
      })),
    ...partFilters(view, filter),
  ];
}

/** What the words of a search name, each with the reviews that mention it. */
export function subjectChoices(view: View, subjects: readonly CountedSubject[]): Markup {
  const isListed = ({ kind, id }: CountedSubject) => listedIn(view, kind)(id);
  // Two words may name the same.
  const distinct = new Map(subjects.filter(isListed).map((one) => [`${one.kind} ${one.id}`, one]));
  if (distinct.size === 0) return null;
  return html`<ul class="choices" aria-label=${view.strings.reviewsPage.named}>
    ${[...distinct.values()]
      .flatMap((one) => bothSides(view, one))
      .slice(0, MAX_VALUES)
      .map(({ kind, id, label, sentiment, count }) =>
        choice(
          view,
          kind === 'technician'
            ? subjectLink('technicians', id)
            : searchLink({ [PARAMETERS[kind]]: id, ...(sentiment && { sentiment }), limit: 20 }),
          html`<bdi>${facetLabel(view, kind, id, label)}</bdi>
            ${sentiment === undefined ? null : html`<span>${view.strings.home[sentiment]}</span>`}`,
          count,
        ),
      )}
  </ul>`;
}

/** The praise and the criticism of an aspect that words name, whichever of them they mean. */
function bothSides(view: View, one: CountedSubject): CountedSubject[] {
  const aspect = one.kind === 'aspect' ? view.subject('aspects', one.id) : null;
  if (aspect === null) return [one];
  return (['positive', 'negative'] as const)
    .map((sentiment) => ({ ...one, sentiment, count: aspect[`${sentiment}_count`] }))
    .filter(({ count }) => count > 0);
}

/** The active filters, each with a link that removes it. */
export function activeChips(view: View, filter: PageFilter): Markup {
  const chips = activeFilters(view, filter);
  if (chips.length === 0) return null;
  return html`<ul class="choices" aria-label=${view.strings.reviewsPage.active}>
    ${chips.map(
      ({ label, without }) =>
        html`<li>
          <a class="choice" rel="nofollow" href=${searchLink(without)}>
            <span class="unseen">${view.strings.reviewsPage.remove} </span><bdi>${label}</bdi
            ><span aria-hidden="true"> ×</span>
          </a>
        </li>`,
    )}
    <li><a href=${PAGE_PATHS.reviews}>${view.strings.reviewsPage.removeAll}</a></li>
  </ul>`;
}

/** Facets, the parameters that their choices set, and the names of their headings. */
const FACETS = [
  ['aspect', 'aspect', 'aspects'],
  ['problem', 'problem', 'complaints'],
  ['service', 'mentions_service', 'services'],
  ['technician', 'mentions_technician', 'people'],
  ['location', 'location', 'locations'],
  ['source', 'source', 'sources'],
  ['language', 'language', 'languages'],
] as const;
export const PANEL_FACETS = FACETS.map(([facet]) => facet).join(',');

/**
 * All filters: what the matches have, with how many of them have it, and fields for what no link offers.
 *
 * @param title The name of the panel where it is folded; null if what is around it is folded.
 */
export function filterPanel(
  view: View,
  filter: PageFilter,
  { facets, matched }: SearchResult,
  title: string | null,
  fields: Markup = null,
): VNode {
  const groups = FACETS.flatMap(([facet, parameter, heading]) => {
    // What all matches have leaves nothing out.
    const isListed = listedIn(view, facet);
    const values = (facets?.[facet] ?? []).filter(
      ({ value, count }) => count < matched && isListed(value),
    );
    if (filter[parameter] !== undefined) return [];
    const choices = values
      .slice(0, MAX_VALUES)
      .map(({ value, label, count }) =>
        choice(
          view,
          searchLink({ ...filter, [parameter]: value }),
          html`<bdi>${facetLabel(view, facet, value, label)}</bdi>`,
          count,
        ),
      );
    return group(view.strings[heading], choices);
  });
  const content = html`${starChoices(view, filter)} ${recentChoices(view, filter, matched)}
  ${groups}
  ${
    fields &&
    html`<details>
      <summary>${view.strings.filters.exact}</summary>
      ${fields}
    </details>`
  }`;
  return title === null
    ? html`<div class="panel">${content}</div>`
    : html`<details class="panel narrow-fold">
        <summary>${title}</summary>
        <div>${content}</div>
      </details>`;
}

/** Whether a value of a facet has enough evidence to be offered. */
function listedIn(view: View, facet: string): (value: string) => boolean {
  if (facet !== 'problem') return () => true;
  const listed = new Set(view.listedSubjects('problems').map(({ id }) => id));
  return (value) => listed.has(value);
}

/** Facets and kinds of subjects whose labels may be English in another language. */
const TRANSLATED: ReadonlySet<string> = new Set(['aspect', 'problem', 'topic', 'service']);

function facetLabel(view: View, facet: string, value: string, label: string): string {
  if (facet === 'source') return formatSource(view.language, label);
  if (facet === 'language') return view.strings.filters.language(value);
  return TRANSLATED.has(facet) ? view.labelOf(label) : label;
}
