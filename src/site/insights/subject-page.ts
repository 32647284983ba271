// The page of a subject (a person, service, place, complaint, aspect or topic): what customers think of it, and the
// reviews that mention it.

import type { VNode } from 'preact';
import { type Sentiment, sentimentSchema } from '../../model/insights.ts';
import type { SearchFilter } from '../../model/search.ts';
import { lineageOf } from '../../model/verticals.ts';
import type { MentionKind } from '../../search/mentions.ts';
import {
  avatar,
  commaSeparated,
  foldedOnPhones,
  pages,
  sentimentBar,
  stars,
} from '../parts/components.ts';
import type { Page } from '../parts/layout.ts';
import {
  numberedLink,
  searchFilter,
  searchLink,
  SUBJECT_PATHS,
  subjectLink,
  withParameters,
} from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import { breadcrumbJsonLd } from '../parts/structured-data.ts';
import { listPage, pageNumber, placeIn } from '../reviews/numbered-pages.ts';
import { reviewList } from '../reviews/review-card.ts';
import { filterPanel, PANEL_FACETS, sortChoices, toldReplies } from '../reviews/search-choices.ts';
import type { UrlParameters } from '../reviews/search-page.ts';
import { verificationNote } from '../proof/verification-page.ts';
import { subjectShareLink } from '../pictures/share-picture.ts';
import type { ShownReview, View } from '../view.ts';
import {
  isFormer,
  isPerson,
  isScored,
  meanOf,
  starCounts,
  withStars,
  type SubjectInsight,
} from './people.ts';
import { prices } from './prices.ts';
import { keywordPattern } from '../../model/quotable.ts';
import { changeOf, overTime } from './over-time.ts';
import { type Quote, quoteList, quotesOf } from './quotes.ts';
import { CRITICAL } from '../../snapshot/replies.ts';
import { aspectOf, complaintsAbout } from './troubles.ts';
import { sentenceWith } from '../reviews/review-text.ts';

const MAX_QUOTES = 2;
const MAX_QUOTES_OF_ONE = 4;
const MAX_QUOTES_OF_PROBLEM = 3;
/** UTF-16 units of a sentence that is quoted, and the newest reviews that are read for them. */
const LONGEST_PHRASE = 160;
const MOST_READ = 20;
/** The most people to compare with. */
const MAX_NAMED = 4;

interface SubjectRequest {
  readonly id: string;
  /** The name of a numbered page, such as "page-2". */
  readonly page?: string | undefined;
  readonly parameters: UrlParameters;
}

/** The page of a subject; null if no review mentions it. */
export function subjectPage(
  view: View,
  list: MentionKind,
  { id, page, parameters }: SubjectRequest,
): Page | null {
  const insight = view.subject(list, id);
  if (insight === null) return null;
  const name = view.nameOf(list, insight);
  const { subject: texts } = view.strings;
  const title = view.titleOf(list);
  const sentiment = sentimentSchema.safeParse(parameters['sentiment']).data;
  const all = view.snapshot.mentioning(list, id, sentiment);
  const path = subjectLink(list, id);
  const part = listPage(all.length, pageNumber(page ?? parameters['page']), (number) =>
    view.isStatic
      ? numberedLink(path, number)
      : withParameters(path, { sentiment, page: number === 1 ? undefined : number }),
  );
  if (part === null) return null;
  const isFirst = part.first === null;
  const reviews = view.reviewsAt(part.positions.map((at) => all[at] as number));
  return {
    title: name,
    description: texts.description(insight.mention_count, view.business.name, name),
    canonical: view.isIndexed(list) && isFirst && sentiment === undefined ? path : null,
    picture: subjectShareLink(view, list, id),
    jsonLd: [
      breadcrumbJsonLd(view, [
        [title, SUBJECT_PATHS[list]],
        [name, path],
      ]),
    ],
    main: html`<div class="subject">
      <div>
        <p class="path"><a href=${SUBJECT_PATHS[list]}>${title}</a></p>
        <h1>${list === 'technicians' ? avatar(name) : null}<bdi>${name}</bdi></h1>
      </div>
      <div class="beside">
        ${subjectFacts(view, list, insight)} ${comparison(view, insight)}
        ${filters(view, list, id, sentiment)}
      </div>
      <div>
        ${isFirst ? opinions(view, list, insight, all, sentiment) : null}
        <section>
          <h2>${texts.headings[sentiment ?? 'all'](all.length)}</h2>
          ${sentiment === undefined ? null : html`<p><a href=${path}>${texts.showAll(insight.mention_count)}</a></p>`}
          ${placeIn(view, part)}
          ${reviewList(reviews, view, { phraseOf: phraseOf(list, insight), about: list === 'aspects' ? id : undefined })}
          ${pages(view, part.first, part.next, part.previous)}
        </section>
      </div>
    </div>`,
  };
}

/** What a person is praised for, what customers say in their words, and what they paid. */
function opinions(
  view: View,
  list: MentionKind,
  insight: SubjectInsight,
  all: Uint32Array,
  sentiment: Sentiment | undefined,
): Markup {
  const paid = prices(view, list, insight.id, all);
  const side = sentiment ?? (list === 'problems' ? 'negative' : undefined);
  const most = side === undefined ? (paid === null ? MAX_QUOTES : 1) : MAX_QUOTES_OF_ONE;
  const sides = side === undefined ? (['positive', 'negative'] as const) : [side];
  const count = list === 'topics' && side === undefined ? 1 : most;
  const told = sides.flatMap((one) => {
    return isScored(insight) ? quotesOf(view, insight, one).slice(0, count) : [];
  });
  const quotes = list === 'problems' ? withPhrases(view, told, insight.id, all) : told;
  return html`${
    quotes.length === 0
      ? null
      : html`<section>
          <h2>${view.strings.subject.inCustomersWords}</h2>
          ${quoteList(view, quotes)}
        </section>`
  }
  ${paid} ${list === 'aspects' || list === 'problems' ? overTime(view, list, insight.id) : null}`;
}

/** Quotes on a problem, and where they are few the sentences that report it. */
function withPhrases(view: View, told: readonly Quote[], id: string, all: Uint32Array): Quote[] {
  const more = view.reviewsAt(all.subarray(0, MOST_READ)).flatMap((from): Quote[] => {
    const { phrase: text = '' } = from.insights?.problems.find((one) => one.id === id) ?? {};
    return text === '' || text.length > LONGEST_PHRASE || from.review.rating > CRITICAL + 1
      ? []
      : [{ text, from }];
  });
  const known = new Map([...more, ...told].map((one) => [one.text, one]));
  return [...new Set([...told, ...known.values()])].slice(
    0,
    Math.max(MAX_QUOTES_OF_PROBLEM, told.length),
  );
}

/** Stars, opinions, and of a person what they are praised for and what they do. */
function subjectFacts(view: View, list: MentionKind, insight: SubjectInsight): VNode {
  const { strings } = view;
  const [mean, changed] = [meanOf(view, list, insight), changeOf(view, list, insight.id)];
  const former = isFormer(insight) ? strings.person.formerScore : strings.person.fewReviews;
  return html`<div class="facts">
    ${isFormer(insight) ? html`<p><strong>${strings.person.former}</strong></p>` : null}
    <p>
      ${mean === null ? null : html`${stars(view, mean)} <strong>${view.format.mean(mean)}</strong> · `}
      ${(isPerson(insight) && mean !== null ? strings.person.starsOf : strings.reviews)(insight.mention_count)}
      ${mean === null ? null : html`· ${verificationNote(view)}`}
    </p>
    ${list === 'problems' && 'last_mentioned' in insight ? html`<p>${strings.lists.columns.last}${strings.colon}${view.format.month(insight.last_mentioned?.slice(0, 7) ?? '')}. ${toldReplies(view, searchFilter(list, insight.id), insight.mention_count)}</p>` : split(view, list, insight)}
    ${changed && html`<p>${changed}</p>`} ${alike(view, list, insight.id)}
    ${isScored(insight) ? null : html`<p>${former}</p>`}
    ${isPerson(insight) && isScored(insight) ? praise(view, insight) : null}
    ${list === 'technicians' ? servicesOf(view, insight.id) : null}
    ${list === 'services' ? foldedOnPhones(strings.subject.whoDoesIt, withStars(view, list, insight.id, 'technicians')) : null}
  </div>`;
}

/** What a person does, which tells more of them than their stars. */
function servicesOf(view: View, id: string): Markup {
  const services = withStars(view, 'technicians', id, 'services');
  return (
    services &&
    html`<h2>${view.strings.services}</h2>
      ${services}`
  );
}

/** The aspect that a complaint is about, and the complaints about an aspect, each with its number: one is part of the other. */
function alike(view: View, list: MentionKind, id: string): Markup {
  const { strings, format } = view;
  const aspect = list === 'problems' ? aspectOf(view, id) : null;
  const named = list === 'aspects' ? complaintsAbout(view, id) : [];
  const links = [
    ...(aspect
      ? [
          [
            'aspects',
            aspect.id,
            view.labelOf(aspect.label),
            strings.negative(aspect.negative_count),
          ] as const,
        ]
      : []),
    ...named.map((one) => [one.list, one.id, one.name, format.number(one.mentionCount)] as const),
  ].map(
    ([kind, other, name, told]) => html`<a href=${subjectLink(kind, other)}>${name}</a> (${told})`,
  );
  if (links.length === 0) return null;
  return html`<p>${strings.subject.seeAlso}${strings.colon}${commaSeparated(links)}</p>`;
}

/** How many reviews praise and criticise it, each number with its reviews. */
function split(view: View, list: MentionKind, insight: SubjectInsight): Markup {
  if (!isScored(insight)) return null;
  // What mentions a service, a town or a topic judges something else more often than not.
  const isJudged = list === 'aspects' || list === 'technicians';
  if (!isJudged || !('positive_count' in insight))
    return html`${splitByStars(view, searchFilter(list, insight.id))}${saidOfThing(view, list, insight)}`;
  const link = (kind: Sentiment, count: number) => {
    const words = view.strings[kind](count);
    if (view.isStatic || count === 0) return words;
    return html`<a href=${view.sentimentLink(list, insight.id, kind)}>${words}</a>`;
  };
  const kinds = sentimentSchema.options.filter(
    (kind) => kind !== 'neutral' || insight.neutral_count > 0,
  );
  const told = kinds.map((kind) => html`${link(kind, insight[`${kind}_count`])}`);
  return html`${sentimentBar(insight)}
    <p>${commaSeparated(told)}.</p>`;
}

/** What is said of a service that is a thing, such as a pool: of work, sentences tell how the job went. */
function saidOfThing(view: View, list: MentionKind, insight: SubjectInsight): Markup {
  if (list !== 'services' || !('positive_count' in insight)) return null;
  if (lineageOf(view.business.vertical).includes('home_services')) return null;
  const { positive_count: good, negative_count: bad } = insight;
  return html`<p>${view.strings.subject.whereNamed(good, bad)}</p>`;
}

/** How many of some reviews have many stars and how many few. */
function splitByStars(view: View, filter: Partial<SearchFilter>): Markup {
  const [one = 0, two = 0, three = 0, four = 0, five = 0] = starCounts(view, filter).counts;
  const [bad, good] = [one + two, four + five];
  const { manyStars, fewStars } = view.strings.subject;
  const link = (words: string, count: number, bounds: Partial<SearchFilter>) =>
    view.isStatic || count === 0
      ? words
      : html`<a rel="nofollow" href=${searchLink({ ...filter, ...bounds })}>${words}</a>`;
  return html`${sentimentBar({ positive_count: good, neutral_count: three, negative_count: bad })}
    <p>
      ${link(manyStars(good), good, { min_rating: 4 })},
      ${link(fewStars(bad), bad, { max_rating: 2 })}.
    </p>`;
}

/** What reviews praise in a person. */
function praise(view: View, { traits }: Extract<SubjectInsight, { traits: unknown }>): Markup {
  if (traits.length === 0) return null;
  return html`<h2>${view.strings.subject.praisedFor}</h2>
    <ul class="plain">
      ${traits.map(
        ({ label, review_count: count }) =>
          html`<li><strong>${view.labelOf(label)}</strong> (${view.format.number(count)})</li>`,
      )}
    </ul>`;
}

/** Links into the search with the filter of this page, in other orders and with further filters. */
function filters(view: View, list: MentionKind, id: string, sentiment?: Sentiment): Markup {
  if (view.isStatic) return null;
  const filter = { ...searchFilter(list, id), sentiment, limit: 20 };
  const found = view.snapshot.search({ ...filter, limit: 1, facets: PANEL_FACETS });
  if (found.matched < 2) return null;
  const texts = view.strings.subject;
  return foldedOnPhones(
    texts.filter,
    html`<p><a href=${searchLink(filter)}>${texts.searchThese(found.matched)}</a></p>
      ${sortChoices(view, filter)} ${filterPanel(view, filter, found, null)}`,
  );
}

/** Links that put a person beside others who have a score. */
function comparison(view: View, insight: SubjectInsight): Markup {
  if (view.isStatic || !isPerson(insight) || !isScored(insight)) return null;
  const links = view.subjects('technicians').flatMap(({ id, name }) => {
    const other = view.subject('technicians', id);
    if (id === insight.id || other === null || !isScored(other)) return [];
    const to = withParameters(SUBJECT_PATHS.technicians, { compare: `${insight.id},${id}` });
    return [html`<a rel="nofollow" href=${to}>${name}</a>`];
  });
  if (links.length === 0) return null;
  return html`<p>
    ${view.strings.person.compareWith}${view.strings.colon}${commaSeparated(links.slice(0, MAX_NAMED))}
  </p>`;
}

/** The words of a review that mention a subject. */
function phraseOf(
  list: MentionKind,
  insight: SubjectInsight,
): (shown: ShownReview) => string | undefined {
  if (list !== 'topics') {
    return ({ insights }) => insights?.[list].find(({ id }) => id === insight.id)?.phrase;
  }
  const sought = 'keywords' in insight ? keywordPattern(insight.keywords) : null;
  return ({ review }) => sentenceWith(review.text ?? '', sought);
}
