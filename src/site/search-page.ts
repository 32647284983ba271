// The search page: a form with all filters and the matching reviews.

import type { VNode } from 'preact';
import { type Issue, formatIssue } from '../errors.ts';
import { fold } from '../model/fold.ts';
import { parseSearchParameters, type SearchFilter } from '../model/search.ts';
import { pages } from './components.ts';
import type { Page } from './layout.ts';
import { PAGE_PATHS, searchLink } from './links.ts';
import { html } from './markup.ts';
import { businessJsonLd } from './structured-data.ts';
import { reviewList } from './review-card.ts';
import type { View } from './view.ts';
import { formatCount, formatNumber, formatSource } from './format.ts';

/** The unparsed parameters of a URL's query string. */
export type UrlParameters = Parameters<typeof parseSearchParameters>[0];

export function searchPage(view: View, parameters: UrlParameters): Page {
  const parsed = parseSearchParameters(parameters);
  const filter = parsed.ok ? parsed.value : null;
  const isUnfiltered = filter !== null && searchLink(filter) === PAGE_PATHS.reviews;
  const shown = isUnfiltered ? view.reviewsAt(view.snapshot.search(filter).positions) : [];
  return {
    status: parsed.ok ? 200 : 400,
    title: parsed.ok
      ? isUnfiltered
        ? 'Reviews'
        : 'Reviews found'
      : 'Filters that cannot be applied',
    description: `All verified reviews of ${view.business.name}, to search and to filter.`,
    canonical: isUnfiltered ? PAGE_PATHS.reviews : null,
    jsonLd: isUnfiltered ? [businessJsonLd(view, shown)] : [],
    main: html`<div>
      <h1>Reviews</h1>
      ${form(view, parameters, !parsed.ok)}
      <p class="unseen" id="search-status" role="status"></p>
      <div id="results">${parsed.ok ? results(view, parsed.value) : problems(parsed.issues)}</div>
    </div>`,
  };
}

function problems(issues: readonly Issue[]): VNode {
  return html`<div class="problems" role="alert">
    <h2>These filters cannot be applied</h2>
    <ul>
      ${issues.map((issue) => html`<li>${formatIssue(issue)}</li>`)}
    </ul>
    <p><a href=${PAGE_PATHS.reviews}>Show all reviews</a></p>
  </div>`;
}

function results(view: View, filter: SearchFilter): VNode {
  const { matched, positions, nextCursor } = view.snapshot.search(filter);
  const { cursor, ...first } = filter;
  const isFiltered = searchLink({ ...first, limit: 20 }) !== PAGE_PATHS.reviews;
  const phrase = filter.query;
  return html`<section aria-labelledby="found">
    <h2 id="found">
      ${isFiltered ? `${formatCount(matched, 'review')} found` : formatCount(matched, 'review')}
    </h2>
    ${isFiltered ? html`<p><a href=${PAGE_PATHS.reviews}>Remove all filters</a></p>` : null}
    ${matched === 0 ? html`<p>No published review matches all of these filters.</p>` : null}
    ${reviewList(view.reviewsAt(positions), view, {
      phraseOf: ({ review }) => foundIn(review.text, phrase),
    })}
    ${pages(cursor === undefined ? null : searchLink(first), nextCursor === null ? null : searchLink({ ...first, cursor: nextCursor }))}
  </section>`;
}

/** The words that match the query, in the original spelling of the text. */
function foundIn(text: string | null, query: string | undefined): string | undefined {
  if (text === null || query === undefined) return undefined;
  const start = text.toLowerCase().indexOf(query.toLowerCase());
  const words = text.slice(start, start + query.length);
  return start >= 0 && fold(words) === fold(query) ? words : undefined;
}

function form(view: View, parameters: UrlParameters, isOpen: boolean): VNode {
  const given = (name: string) => {
    const value = parameters[name];
    return typeof value === 'string' ? value : '';
  };
  const sources = Object.entries(view.rating.by_source);
  const set = OTHER_FILTERS.filter((name) => given(name) !== '').length;
  return html`<form
    class="filters"
    action=${PAGE_PATHS.reviews}
    method="get"
    role="search"
    data-filters
  >
    <p class="wide">
      <label for="query">Words in the text</label>
      <input
        id="query"
        type="search"
        name="query"
        value=${given('query')}
        maxlength="200"
        autocomplete="off"
      />
    </p>
    <p class="act"><button type="submit">Show</button></p>
    <details open=${isOpen}>
      <summary>More filters${set === 0 ? '' : ` (${set} set)`}</summary>
      <div class="more">
        ${choice('rating', 'Stars', given('rating'), STARS)}
        ${choice('min_rating', 'Stars, at least', given('min_rating'), STARS)}
        ${named('mentions_technician', 'Person', given('mentions_technician'), view.queries.technicians())}
        ${named('mentions_service', 'Service', given('mentions_service'), view.queries.services())}
        ${choice(
          'source',
          'Source',
          given('source'),
          sources.map(([id, { review_count: count }]) => [
            id,
            `${formatSource(id)} (${formatNumber(count)})`,
          ]),
        )}
        <p>
          <label for="since">From</label
          ><input id="since" type="date" name="since" value=${given('since')} />
        </p>
        <p>
          <label for="until">Until</label
          ><input id="until" type="date" name="until" value=${given('until')} />
        </p>
        ${choice('limit', 'On a page', given('limit') === '20' ? '' : given('limit'), PAGE_SIZES, '20')}
      </div>
    </details>
  </form>`;
}

const STARS = [5, 4, 3, 2, 1].map((stars) => [String(stars), formatCount(stars, 'star')] as const);

const PAGE_SIZES = ['50', '100'].map((size) => [size, size] as const);

/** All filters except the text query. */
const OTHER_FILTERS = [
  'rating',
  'min_rating',
  'mentions_technician',
  'mentions_service',
  'source',
  'since',
  'until',
  'limit',
];

/** Longer lists become a text field. */
const MAX_CHOICES = 200;

type Choices = readonly (readonly [value: string, label: string])[];

function choice(name: string, label: string, given: string, choices: Choices, none = 'Any'): VNode {
  if (choices.length > MAX_CHOICES) {
    return html`<p>
      <label for=${name}>${label}</label>
      <input id=${name} name=${name} value=${given} autocomplete="off" />
    </p>`;
  }
  const known = choices.some(([value]) => value === given);
  // An unknown value stays in the form.
  const all = known || given === '' ? choices : [...choices, [given, given] as const];
  return html`<p>
    <label for=${name}>${label}</label>
    <select id=${name} name=${name}>
      <option value="" selected=${given === ''}>${none}</option>
      ${all.map(([value, text]) => html`<option value=${value} selected=${value === given}>${text}</option>`)}
    </select>
  </p>`;
}

function named(
  name: string,
  label: string,
  given: string,
  entries: readonly { readonly id: string; readonly name: string }[],
): VNode {
  const all = entries.map(({ id, name: text }) => [id, text] as const);
  if (all.length > MAX_CHOICES) return choice(name, label, given, all);
  const choices = all.toSorted(([, a], [, b]) => a.localeCompare(b, 'en'));
  const folded = fold(given);
  const meant = choices.find(([id, text]) => id === given || fold(text) === folded);
  return choice(name, label, meant?.[0] ?? given, choices);
}
