// The search page: a form, what is active, the matching reviews, and how many each further choice leaves.

import type { VNode } from 'preact';
import { type Issue, formatIssue } from '../../errors.ts';
import { asInUrl, parseSearchParameters, type SearchFilter } from '../../model/search.ts';
import { evidenceList, pages, stars } from '../parts/components.ts';
import { answersTo, listsOf, wordsOf } from '../../snapshot/direct-answers.ts';
import { starCounts } from '../insights/people.ts';
import { PRICING } from '../insights/prices.ts';
import type { Page } from '../parts/layout.ts';
import { PAGE_PATHS, searchLink, subjectLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import { reviewList } from './review-card.ts';
import {
  activeChips,
  activeFilters,
  filterPanel,
  PANEL_FACETS,
  sortChoices,
  subjectChoices,
} from './search-choices.ts';
import { searchFields, searchForm, type UrlParameters } from './search-form.ts';
import { businessJsonLd } from '../parts/structured-data.ts';
import { verificationNote } from '../proof/verification-page.ts';
import type { SearchResult } from '../../search/search-index.ts';
import { type NearName, type ResolvedFilter, resolveNames } from '../../snapshot/filter-names.ts';
import type { View } from '../view.ts';

export type { UrlParameters };

export function searchPage(view: View, parameters: UrlParameters): Page {
  const texts = view.strings.reviewsPage;
  const given = parseSearchParameters(parameters);
  const parsed = given.ok ? resolveNames(view.snapshot, asMeant(view, given.value)) : given;
  const filter = parsed.ok ? parsed.value.filter : null;
  const isUnfiltered = filter !== null && searchLink(filter) === PAGE_PATHS.reviews;
  const shown = isUnfiltered ? view.reviewsAt(view.snapshot.search(filter).positions) : [];
  return {
    status: parsed.ok ? 200 : 400,
    title: parsed.ok ? (isUnfiltered ? texts.title : texts.foundTitle) : texts.invalidTitle,
    description: texts.description(view.business.name),
    canonical: isUnfiltered ? PAGE_PATHS.reviews : null,
    jsonLd: isUnfiltered ? [businessJsonLd(view, shown)] : [],
    main: html`<div>
      <h1>${texts.title}</h1>
      ${searchForm(view, parsed.ok ? parameters : validOf(parameters, parsed.issues))}
      <p class="unseen" id="search-status" role="status"></p>
      <div id="results">
        ${parsed.ok ? results(view, parsed.value, parameters) : problems(view, parsed.issues.map(asInUrl), parameters)}
      </div>
    </div>`,
  };
}

/** "Worst reviews" asks for an order. Other words are looked for in the replies too, unless a reader chooses otherwise. */
function asMeant(view: View, filter: SearchFilter): SearchFilter {
  if (filter.words === undefined) return filter;
  const said = wordsOf(filter.words.toString());
  const lists = listsOf(view.snapshot);
  const sort = (['lowest', 'highest', 'newest'] as const).find(
    (one) =>
      said.some((word) => lists[one].has(word)) &&
      said.every((word) =>
        [lists[one], lists.review, lists.listing].some((list) => list.has(word)),
      ),
  );
  return sort === undefined ? { in: 'all', ...filter } : { sort, ...filter, words: undefined };
}

/** The parameters that can be sent again. */
function validOf(parameters: UrlParameters, issues: readonly Issue[]): UrlParameters {
  const invalid = new Set(issues.map(({ path: [name] }) => name));
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !invalid.has(name)));
}

function problems(view: View, issues: readonly Issue[], parameters: UrlParameters): VNode {
  const { strings, language } = view;
  const texts = strings.reviewsPage;
  return html`<div class="problems" role="alert">
    <h2>${texts.invalid}</h2>
    <ul lang=${language.code === 'en' ? null : 'en'}>
      ${issues.map((issue) => html`<li>${formatIssue(issue)}</li>`)}
    </ul>
    <p><a href=${PAGE_PATHS.reviews}>${texts.showAll}</a></p>
    ${searchFields(view, parameters)}
  </div>`;
}

function results(view: View, { filter, near }: ResolvedFilter, parameters: UrlParameters): VNode {
  const { cursor, facets: _facets, ...first } = filter;
  const found = view.snapshot.search({ ...filter, facets: PANEL_FACETS });
  const { matched, related, positions, nextCursor, subjects, suggestions } = found;
  const shown = matched + (related ?? 0);
  const isFiltered = searchLink({ ...first, sort: undefined, limit: 20 }) !== PAGE_PATHS.reviews;
  // Of one number of stars the average is known.
  const mean = isFiltered && filter.rating === undefined ? starCounts(view, first).mean : null;
  const texts = view.strings.reviewsPage;
  const highlight = view.snapshot.highlighter(filter, subjects);
  const isMarked = filter.words !== undefined || filter.query !== undefined;
  const title = view.strings.filters.more(activeFilters(view, first).length);
  const { start, previous } = placeOf(view, first, cursor === undefined ? undefined : positions[0]);
  // What was added stands below a heading of its own, so that both numbers are seen to be right.
  const isWider = related !== null && related > 0 && matched > 0;
  const isRanked = isWider && (filter.sort ?? 'relevance') === 'relevance' && start !== null;
  const own = isRanked ? Math.max(0, matched - start) : positions.length;
  const place = texts.place((start ?? 0) + 1, (start ?? 0) + positions.length, shown);
  const listOf = (part: typeof positions) =>
    reviewList(view.reviewsAt(part), view, {
      marksOf: ({ review: { text, owner_reply: reply }, position }) =>
        isMarked
          ? {
              marks: text === null ? [] : (highlight(position, text) ?? []),
              replyMarks: reply === null ? [] : (highlight(position, reply.text, 'reply') ?? []),
            }
          : {},
    });
  return html`${cursor === undefined ? [pricesOf(view, filter, subjects), direct(view, filter, subjects)] : null}
    <section aria-labelledby="found" class="found-reviews">
      <div>
        <h2 id="found">
          ${isFiltered ? texts.found(matched > 0 ? matched : shown) : view.strings.reviews(matched)}
          ${mean === null ? null : html`<span class="mean">${view.format.mean(mean)} ${stars(view, mean)}</span>`}
        </h2>
        <p class="aside">
          ${start === null || shown <= filter.limit || isRanked ? null : html`${place} · `}
          ${verificationNote(view)}
        </p>
        ${activeChips(view, first)} ${understood(view, first, found)}
        ${subjectChoices(view, subjects)}
      </div>
      ${filterPanel(view, first, found, title, searchFields(view, parameters))}
      <div>
        ${shown > 1 ? sortChoices(view, first) : null}
        ${shown === 0 ? nothingFound(view, first, suggestions, near) : null}
        ${own > 0 ? listOf(positions.slice(0, own)) : null}
        ${
          own < positions.length
            ? html`<h2>${texts.relatedTitle(related ?? 0)}</h2>
                ${listOf(positions.slice(own))}
                ${start === null || shown <= filter.limit ? null : html`<p class="aside">${place}</p>`}`
            : null
        }
        ${pages(view, cursor === undefined ? null : searchLink(first), nextCursor === null ? null : searchLink({ ...first, cursor: nextCursor }), previous)}
      </div>
    </section>`;
}

const MAX_PLACED = 1000;

/** How many reviews are before a page with a cursor, and the page before it; both null far into a list. */
function placeOf(
  { snapshot }: View,
  first: Omit<SearchFilter, 'cursor'>,
  position: number | undefined,
): { readonly start: number | null; readonly previous: string | null } {
  if (position === undefined) return { start: 0, previous: null };
  const start = snapshot.search({ ...first, limit: MAX_PLACED }).positions.indexOf(position);
  if (start < 0) return { start: null, previous: null };
  const before = start - first.limit;
  if (before <= 0) return { start, previous: searchLink(first) };
  const cursor = snapshot.search({ ...first, limit: before }).nextCursor ?? undefined;
  return { start, previous: searchLink({ ...first, cursor }) };
}

/** A link to what customers paid, where words name a price of a service, or prices. */
function pricesOf(view: View, { words }: SearchFilter, subjects: SearchResult['subjects']): Markup {
  const { price } = listsOf(view.snapshot);
  if (!wordsOf(words?.toString() ?? '').some((word) => price.has(word))) return null;
  const { mentions } = view.insights('prices');
  const isPriced = (service: string | null) => mentions.some((one) => one.service === service);
  const priced =
    subjects.find(({ kind, id }) => kind === 'service' && isPriced(id)) ??
    subjects.find(({ kind, id }) => kind === 'aspect' && id === PRICING && mentions.length > 0);
  if (priced === undefined) return null;
  const list = priced.kind === 'service' ? 'services' : 'aspects';
  const about = view.subject(list, priced.id);
  if (!about) return null;
  return html`<p>
    <a href=${`${subjectLink(list, about.id)}#prices`}
      >${view.strings.prices.title}: ${view.nameOf(list, about)}</a
    >
  </p>`;
}

/** Answers to words that are a question. */
function direct(view: View, filter: SearchFilter, subjects: SearchResult['subjects']): Markup {
  const answers = answersTo(view.snapshot, filter, subjects);
  if (answers.length === 0) return null;
  return html`<section class="answer" aria-label=${view.strings.reviewsPage.answers}>
    ${answers.map(
      ({ text, review_ids: ids }) =>
        html`<p class="prose" dir="auto">${text}</p>
          ${evidenceList(view, ids, view.strings.questions.behind(ids.length, ids.length))}`,
    )}
  </section>`;
}

/** How the words of a search were understood, and the search without what was added. */
function understood(
  { strings }: View,
  filter: Omit<SearchFilter, 'cursor'>,
  { matched, related, corrected }: SearchResult,
): Markup {
  const texts = strings.reviewsPage;
  const isWider = related !== null && related > 0;
  const counts = isWider ? (matched > 0 ? texts.related(related) : texts.onlyRelated) : '';
  const spelled = corrected.map(({ word, to }) => texts.corrected(word, to));
  if (!isWider && spelled.length === 0) return null;
  return html`<p class="aside">
    ${[...spelled, counts].join(' ')}
    ${
      matched > 0 && isWider
        ? html` <a rel="nofollow" href=${searchLink({ ...filter, strict: true })}
            >${texts.strictly}</a
          >`
        : null
    }
  </p>`;
}

function nothingFound(
  { strings, format }: View,
  filter: Omit<SearchFilter, 'cursor'>,
  suggestions: SearchResult['suggestions'],
  near: readonly NearName[],
): VNode {
  const texts = strings.reviewsPage;
  const { words: said, in: _everywhere, ...others } = filter;
  const isOnlyWords =
    said !== undefined && searchLink({ ...others, sort: undefined }) === PAGE_PATHS.reviews;
  const nothing = isOnlyWords ? texts.nothingSays(said.toString()) : texts.nothing;
  if (suggestions.length + near.length === 0) return html`<p>${nothing}</p>`;
  return html`<p>${nothing} ${texts.tryThese}</p>
    <ul class="choices">
      ${near.map(
        ({ parameter, id, name }) =>
          html`<li><a href=${searchLink({ ...filter, [parameter]: id })}>${name}</a></li>`,
      )}
      ${suggestions.map(
        ({ words, matched }) =>
          html`<li>
            <a href=${searchLink({ ...filter, words })}>${words.toString()}</a>
            ${format.number(matched)}
          </li>`,
      )}
    </ul>`;
}
