// Links of the search page that add or remove one filter, with the number of reviews that each leaves.

import type { VNode } from 'preact';
import type { SearchFilter } from '../model/search.ts';
import type { FacetValue } from '../search/facets.ts';
import { formatCount, formatDate, formatNumber, formatSource } from './format.ts';
import { PAGE_PATHS, searchLink } from './links.ts';
import { html, type Markup } from './markup.ts';
import { SORT_LABELS } from './search-form.ts';
import type { View } from './view.ts';

/** The filter of a page without its cursor, so that links lead to first pages. */
type PageFilter = Omit<SearchFilter, 'cursor'>;

/** Values of a facet that are offered. */
const MAX_VALUES = 8;

/** All numbers of stars with the reviews that have them; the chosen one leads back. */
export function starChoices(view: View, filter: PageFilter): VNode {
  const { rating, min_rating: _minimum, ...others } = filter;
  const { facets } = view.snapshot.search({
    ...others,
    limit: 1,
    sort: undefined,
    facets: 'rating',
  });
  const counts = new Map((facets?.['rating'] ?? []).map(({ value, count }) => [value, count]));
  const chosen = new Set([rating ?? []].flat());
  return html`<ul class="choices" aria-label="Reviews by stars">
    ${[5, 4, 3, 2, 1].map((stars) => {
      const isChosen = chosen.has(stars);
      const link = searchLink(isChosen ? others : { ...others, rating: stars });
      return html`<li>
        <a class="choice" rel="nofollow" href=${link} aria-current=${isChosen ? 'true' : null}>
          ${formatCount(stars, 'star')}
          <span class="amount">${formatNumber(counts.get(String(stars)) ?? 0)}</span>
        </a>
      </li>`;
    })}
  </ul>`;
}

type Labels = Readonly<Record<string, (value: string, view: View) => string>>;

const nameIn =
  (list: 'aspects' | 'problems' | 'topics' | 'service_areas') => (value: string, view: View) =>
    view.subjects(list).find(({ id }) => id === value)?.name ?? value;

const LABELS: Labels = {
  words: (value) => value,
  query: (value) => `“${value}”`,
  rating: (value) => formatCount(Number(value), 'star'),
  min_rating: (value) => `at least ${value} stars`,
  since: (value) => `from ${formatDate(value)}`,
  until: (value) => `until ${formatDate(value)}`,
  source: (value) => formatSource(value),
  has_reply: (value) => (value === 'true' ? 'with a reply' : 'without a reply'),
  has_text: (value) => (value === 'true' ? 'with a text' : 'without a text'),
  aspect: nameIn('aspects'),
  problem: nameIn('problems'),
  topic: nameIn('topics'),
  service_area: nameIn('service_areas'),
  sort: (value) => SORT_LABELS[value as keyof typeof SORT_LABELS],
};

/** Parameters that do not select reviews. */
const NOT_SHOWN = new Set(['limit', 'ignored', 'highlight', 'facets', 'sort']);

/** The active filters, each with a link that removes it. */
export function activeChips(view: View, filter: PageFilter): VNode {
  const entries = Object.entries(filter).filter(
    ([name, value]) => value !== undefined && !NOT_SHOWN.has(name),
  );
  return html`<ul class="choices" aria-label="Active filters">
    ${entries.map(([name, value]) => {
      const label = [value].flat().map((one) => (LABELS[name] ?? String)(String(one), view));
      return html`<li>
        <a class="choice" rel="nofollow" href=${searchLink({ ...filter, [name]: undefined })}>
          <span class="unseen">Remove </span><bdi>${label.join(', ')}</bdi
          ><span aria-hidden="true"> ×</span>
        </a>
      </li>`;
    })}
    <li><a href=${PAGE_PATHS.reviews}>Remove all filters</a></li>
  </ul>`;
}

/** Facets by the parameter that a choice sets, with their headings. */
const FACETS = [
  ['aspect', 'aspect', 'Aspects'],
  ['problem', 'problem', 'Problems'],
  ['service', 'mentions_service', 'Services'],
  ['technician', 'mentions_technician', 'People'],
  ['source', 'source', 'Sources'],
  ['language', 'language', 'Languages'],
] as const;

/** What the matches have, with how many of them have it. */
export function narrowing(
  filter: PageFilter,
  facets: Readonly<Record<string, readonly FacetValue[]>>,
  matched: number,
): Markup {
  const groups = FACETS.flatMap(([facet, parameter, heading]) => {
    // What all matches have leaves nothing out.
    const values = (facets[facet] ?? []).filter(({ count }) => count < matched);
    if (values.length === 0 || filter[parameter] !== undefined) return [];
    return html`<div>
      <h3>${heading}</h3>
      <ul class="choices">
        ${values.slice(0, MAX_VALUES).map(
          ({ value, label, count }) =>
            html`<li>
              <a
                class="choice"
                rel="nofollow"
                href=${searchLink({ ...filter, [parameter]: value })}
              >
                <bdi>${facet === 'source' ? formatSource(label) : label}</bdi>
                <span class="amount">${formatNumber(count)}</span>
              </a>
            </li>`,
        )}
      </ul>
    </div>`;
  });
  if (groups.length === 0) return null;
  return html`<details class="narrowing">
    <summary>Narrow down</summary>
    ${groups}
  </details>`;
}
