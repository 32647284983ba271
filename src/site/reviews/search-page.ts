// The search page: a form, what is active, the matching reviews, and how many each further choice leaves.

import type { VNode } from 'preact';
import { type Issue, formatIssue } from '../../errors.ts';
import { fold } from '../../model/fold.ts';
import { asInUrl, parseSearchParameters, type SearchFilter } from '../../model/search.ts';
import { splitWords } from '../../model/words.ts';
import { evidenceList, pages, stars } from '../parts/components.ts';
import {
  filtersIn,
  listsOf,
  type Place,
  type PlacedAnswer,
  placedAnswers,
  wordsOf,
} from '../../snapshot/direct-answers.ts';
import { wordCounts } from '../../snapshot/queries.ts';
import { answersOf, aspectAnswer } from '../insights/facts.ts';
import { starCounts } from '../insights/people.ts';
import { PRICING } from '../insights/prices.ts';
import type { Page } from '../parts/layout.ts';
import {
  PAGE_PATHS,
  searchLink,
  SUBJECT_PATHS,
  subjectLink,
  withParameters,
} from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import { reviewList } from './review-card.ts';
import {
  activeChips,
  activeFilters,
  ANSWERED,
  answeredLink,
  dateSince,
  filterPanel,
  PANEL_FACETS,
  sortChoices,
  subjectChoices,
  toldAnswered,
} from './search-choices.ts';
import { searchFields, searchForm, type UrlParameters } from './search-form.ts';
import { businessJsonLd } from '../parts/structured-data.ts';
import { verificationNote } from '../proof/verification-page.ts';
import type { SearchResult } from '../../search/search-index.ts';
import { type NearName, type ResolvedFilter, resolveNames } from '../../snapshot/filter-names.ts';
import { WordQuery } from '../../model/word-query.ts';
import type { View } from '../view.ts';

export type { UrlParameters };

export function searchPage(view: View, parameters: UrlParameters): Page {
  const texts = view.strings.reviewsPage;
  const given = parseSearchParameters(parameters);
  const answers = given.ok ? placedAnswers(view.snapshot, given.value) : [];
  const parsed = given.ok
    ? resolveNames(view.snapshot, asMeant(view, given.value, answers))
    : given;
  const filter = parsed.ok ? parsed.value.filter : null;
  const isUnfiltered = filter !== null && searchLink(filter) === PAGE_PATHS.reviews;
  const shown = isUnfiltered ? view.reviewsAt(view.snapshot.search(filter).positions) : [];
  return {
    status: parsed.ok ? 200 : 400,
    title: parsed.ok ? (isUnfiltered ? texts.title : texts.foundTitle) : texts.invalidTitle,
    description: texts.description(view.business.name),
    canonical: isUnfiltered ? PAGE_PATHS.reviews : null,
    within: PAGE_PATHS.reviews,
    jsonLd: isUnfiltered ? [businessJsonLd(view, shown)] : [],
    main: html`<div>
      <h1>${texts.title}</h1>
      ${searchForm(view, parsed.ok ? parameters : validOf(parameters, parsed.issues))}
      <p class="unseen" id="search-status" role="status"></p>
      <div id="results">
        ${parsed.ok ? [direct(view, answers), results(view, parsed.value, parameters)] : problems(view, parsed.issues.map(asInUrl), parameters)}
      </div>
    </div>`,
  };
}

/** "Worst reviews" asks for an order, "the last three months" for a period, "do they work on Sundays" for Sundays. */
function asMeant(view: View, filter: SearchFilter, answers: readonly PlacedAnswer[]): SearchFilter {
  if (filter.words === undefined) return filter;
  const { place, sought } = answers.find((one) => one.place ?? one.sought) ?? {};
  if (sought !== undefined) return { ...filter, words: WordQuery.parse(`${sought} `) };
  const all = { sort: 'newest', ...filter, words: undefined } as const;
  if (place?.to === 'verification' || place?.to === 'people') return all;
  if (place?.to === 'replies') return { ...all, ...ANSWERED };
  if (place?.to === 'changes') {
    const recent = place.since ? { ...all, since: dateSince(view, place.since) } : all;
    return view.snapshot.search({ ...recent, limit: 1 }).matched > 0 ? recent : all;
  }
  const said = wordsOf(filter.words.toString());
  const lists = listsOf(view.snapshot, said);
  // "Bad" alone is a word of reviews, "bad reviews" are some of them.
  const isOfReviews = said.some((word) => lists.review.has(word));
  const { critical: lowest, positive: highest } = lists;
  const orders = isOfReviews ? { ...lists, lowest, highest } : lists;
  const sort = (['lowest', 'highest', 'newest'] as const).find((one) => {
    const order = orders[one];
    const known = order.union(lists.review).union(lists.listing);
    return said.some((word) => order.has(word)) && said.every((word) => known.has(word));
  });
  return sort === undefined ? filter : { sort, ...filter, words: undefined };
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
  // Of chosen stars the average tells nothing.
  const isOfStars = filtersIn(filter).some(([name]) => /rating/.test(name));
  const isAveraged = isFiltered && !isOfStars && matched >= FEWEST_AVERAGED;
  const mean = isAveraged ? starCounts(view, first).mean : null;
  const texts = view.strings.reviewsPage;
  const highlight = view.snapshot.highlighter(filter, subjects);
  const isMarked = filter.words !== undefined || filter.query !== undefined;
  const title = view.strings.filters.more(activeFilters(view, first).length);
  const { start, previous } = placeOf(view, first, cursor === undefined ? undefined : positions[0]);
  // What was added stands below a heading of its own, so that both numbers are seen to be right.
  const isWider = related !== null && related > 0;
  // Where no review has all words, those that fit are what was found.
  const isNear = isWider && matched === 0;
  const isRanked = isWider && matched > 0 && (filter.sort ?? 'relevance') === 'relevance';
  const own = isRanked && start !== null ? Math.max(0, matched - start) : positions.length;
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
  return html`${cursor === undefined ? pricesOf(view, filter, subjects) : null}
    <section aria-labelledby="found" class="found-reviews">
      <div>
        <h2 id="found">
          ${isNear ? texts.relatedTitle(shown) : isFiltered ? texts.found(matched) : view.strings.reviews(matched)}
          ${mean === null ? null : html`<span class="mean">${stars(view, mean)} ${texts.averageOf(mean, matched)}</span>`}
        </h2>
        <p class="aside">
          ${start === null || shown <= filter.limit || isRanked ? null : html`${place} · `}
          ${verificationNote(view)}
        </p>
        ${activeChips(view, first)} ${understood(view, first, found)}
        ${cursor === undefined ? onlyInReplies(view, first, matched) : null}
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
/** An average of fewer reviews tells nothing that their stars do not. */
const FEWEST_AVERAGED = 3;

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
  const said = wordsOf(words?.toString() ?? '');
  const { price } = listsOf(view.snapshot, said);
  if (!said.some((word) => price.has(word))) return null;
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
      >${view.strings.prices.title}${view.strings.colon}${view.nameOf(list, about)}</a
    >
  </p>`;
}

/** Answers to words that are a question, each with a link to where there is more. */
function direct(view: View, answers: readonly PlacedAnswer[]): Markup {
  const shown = answers.flatMap(({ text, review_ids: ids, place }) => {
    const ofPage = text === '' && place ? toldBy(view, place) : null;
    if (text === '' && ofPage === null) return [];
    const evidence = ofPage?.reviewIds ?? ids;
    const link = place && placeLink(view, place);
    return html`<p class="prose" dir="auto">
        ${ofPage ? `${ofPage.question} ${ofPage.answer}` : text}
      </p>
      ${link && html`<p><a href=${link[0]}>${link[1]}</a></p>`}
      ${evidenceList(view, evidence, view.strings.questions.behind(evidence.length, evidence.length))}`;
  });
  if (shown.length === 0) return null;
  return html`<section class="answer" aria-label=${view.strings.reviewsPage.answers}>
    ${shown}
  </section>`;
}

/** What the pages tell of a place, in their language. */
function toldBy(view: View, { to, ids: [id = ''] = [] }: Place) {
  if (to === 'aspect') return aspectAnswer(view, id);
  if (to === 'changes') {
    const { isImproving } = view.strings.facts;
    return answersOf(view).find(({ question }) => question === isImproving) ?? null;
  }
  return { question: '', answer: toldAnswered(view), reviewIds: [] };
}

/** Where a reader finds more than an answer tells, and its name. */
function placeLink(view: View, { to, ids }: Place): [href: string, name: string] | null {
  const { strings, format } = view;
  const { technicians: people } = SUBJECT_PATHS;
  if (to === 'verification') return [PAGE_PATHS.verification, strings.howWeVerify];
  if (to === 'replies') return answeredLink(view);
  if (to === 'people' && ids === undefined) return [people, strings.people];
  const [id = '', other] = ids ?? [];
  if (to === 'aspect') return [subjectLink('aspects', id), strings.theNumbers];
  if (to === 'changes') return null;
  const named = (ids ?? []).flatMap((one) => view.subject('technicians', one)?.name ?? []);
  const names = format.list(named);
  if (other === undefined) return [subjectLink('technicians', id), names];
  const compare = ids?.join(',');
  return [withParameters(people, { compare }), `${strings.person.compare}${strings.colon}${names}`];
}

/** A link to what only replies say: they are the words of the business, not of its customers. */
function onlyInReplies(view: View, filter: Omit<SearchFilter, 'cursor'>, matched: number): Markup {
  if (filter.words === undefined || filter.in !== undefined) return null;
  const everywhere = view.snapshot.search({ ...filter, in: 'all', sort: 'newest', limit: 1 });
  const count = everywhere.matched - matched;
  if (count <= 0) return null;
  const link = searchLink({ ...filter, in: 'reply' });
  return html`<p class="aside">
    <a rel="nofollow" href=${link}>${view.strings.reviewsPage.inReplies(count)}</a>
  </p>`;
}

/** What no review says of some words: single ones, or all together. */
function unsaid({ snapshot, strings, format }: View, words: WordQuery): string {
  const said = wordsOf(words.toString());
  const { first, best, come } = listsOf(snapshot, said);
  const all = wordCounts(snapshot, words);
  const telling = all.filter(({ word }) => ![first, best, come].some((list) => list.has(word)));
  const counts = telling.length > 0 ? telling : all;
  const absent = counts.filter(({ matched }) => matched === 0).map(({ word }) => word);
  const { noneHasAll, nothing, nothingSays } = strings.reviewsPage;
  const shown = (some: readonly string[]) => asTyped(words, some);
  if (absent.length === 0 && all.length === 1) return nothing;
  if (absent.length === 0) return noneHasAll(shown(all.map(({ word }) => word)).join(', '));
  // "Solar panels" is one thing.
  const together = absent.join(' ');
  const isOne = ` ${said.join(' ')} `.includes(` ${together} `);
  return nothingSays(format.choice(shown(isOne ? [together] : absent).map(strings.filters.quoted)));
}

/** Some folded words as the reader wrote them: with capitals, umlauts and accents. */
function asTyped(words: WordQuery, folded: readonly string[]): string[] {
  const typed = new Map(splitWords(words.toString()).map(({ word }) => [fold(word), word]));
  return folded.map((each) => each.replace(/\S+/g, (word) => typed.get(word) ?? word));
}

/** How the words of a search were understood, and the search without what was added. */
function understood(
  view: View,
  filter: Omit<SearchFilter, 'cursor'>,
  { matched, related, corrected }: SearchResult,
): Markup {
  const texts = view.strings.reviewsPage;
  const isWider = related !== null && related > 0;
  const none = filter.words && isWider && matched === 0 ? unsaid(view, filter.words) : '';
  const counts = isWider && matched > 0 ? texts.related(related) : none;
  const spelled = corrected.map(({ word, to }) =>
    texts.corrected(filter.words ? asTyped(filter.words, [word]).join() : word, to),
  );
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
  view: View,
  filter: Omit<SearchFilter, 'cursor'>,
  suggestions: SearchResult['suggestions'],
  near: readonly NearName[],
): VNode {
  const { strings, format } = view;
  const texts = strings.reviewsPage;
  const { words: said, ...others } = filter;
  const isOnlyWords =
    said !== undefined && searchLink({ ...others, sort: undefined }) === PAGE_PATHS.reviews;
  const nothing = isOnlyWords ? unsaid(view, said) : texts.nothing;
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
