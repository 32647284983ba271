// The search page: a form, what is active, the matching reviews, and how many each further choice leaves.

import type { VNode } from 'preact';
import { type Issue, formatIssue } from '../errors.ts';
import { parseSearchParameters, type SearchFilter } from '../model/search.ts';
import { pages } from './components.ts';
import { formatCount } from './format.ts';
import type { Page } from './layout.ts';
import { PAGE_PATHS, searchLink } from './links.ts';
import { html } from './markup.ts';
import { reviewList } from './review-card.ts';
import { activeChips, narrowing, starChoices } from './search-choices.ts';
import { searchForm, type UrlParameters } from './search-form.ts';
import { businessJsonLd } from './structured-data.ts';
import { verificationNote } from './verification-page.ts';
import type { View } from './view.ts';

export type { UrlParameters };

export function searchPage(view: View, parameters: UrlParameters): Page {
  const parsed = parseSearchParameters(withSort(parameters));
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
      ${verificationNote()} ${searchForm(view, parameters, !parsed.ok)}
      <p class="unseen" id="search-status" role="status"></p>
      <div id="results">${parsed.ok ? results(view, parsed.value) : problems(parsed.issues)}</div>
    </div>`,
  };
}

/** People who type words want the best matches first. */
function withSort(parameters: UrlParameters): UrlParameters {
  const { words, sort, cursor } = parameters;
  const isOrdered = (sort ?? '') !== '' || cursor !== undefined;
  return (words ?? '') === '' || isOrdered ? parameters : { ...parameters, sort: 'relevance' };
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
  const { cursor, facets: _facets, ...first } = filter;
  const found = view.snapshot.search({ ...filter, facets: NARROWING });
  const { matched, positions, nextCursor, widened, suggestions } = found;
  const isFiltered = searchLink({ ...first, sort: undefined, limit: 20 }) !== PAGE_PATHS.reviews;
  const isMarked = filter.words !== undefined || filter.query !== undefined;
  return html`<section aria-labelledby="found">
    <h2 id="found">
      ${isFiltered ? `${formatCount(matched, 'review')} found` : formatCount(matched, 'review')}
    </h2>
    ${starChoices(view, first)} ${isFiltered ? activeChips(view, first) : null}
    ${
      widened.length === 0
        ? null
        : html`<p class="aside">
            Also reviews about ${[...new Set(widened.map(({ label }) => label))].join(', ')}.
          </p>`
    }
    ${matched === 0 ? nothingFound(first, suggestions) : null}
    ${narrowing(first, found.facets ?? {}, matched)}
    ${reviewList(view.reviewsAt(positions), view, {
      marksOf: ({ review, position }) =>
        isMarked && review.text !== null
          ? view.snapshot.highlights(position, review.text, filter, widened)
          : [],
    })}
    ${pages(cursor === undefined ? null : searchLink(first), nextCursor === null ? null : searchLink({ ...first, cursor: nextCursor }))}
  </section>`;
}

const NARROWING = 'aspect,problem,service,technician,source,language';

function nothingFound(
  filter: Omit<SearchFilter, 'cursor'>,
  suggestions: readonly { readonly words: string; readonly matched: number }[],
): VNode {
  if (suggestions.length === 0)
    return html`<p>No published review matches all of these filters.</p>`;
  return html`<p>No published review matches all of these filters. Try:</p>
    <ul class="choices">
      ${suggestions.map(
        ({ words, matched }) =>
          html`<li><a href=${searchLink({ ...filter, words })}>${words}</a> ${matched}</li>`,
      )}
    </ul>`;
}
