// Lists of subjects that reviews mention: people, services, places, topics, aspects, complaints; and people side by
// side.

import type { VNode } from 'preact';
import type { MentionKind } from '../../search/mentions.ts';
import {
  avatar,
  type Column,
  listLinks,
  namedList,
  pages,
  sentimentBar,
  stars,
  table,
} from '../parts/components.ts';
import type { Page } from '../parts/layout.ts';
import { SUBJECT_PATHS, subjectLink, withParameters } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import { breadcrumbJsonLd } from '../parts/structured-data.ts';
import { listPage, pageNumber } from '../reviews/numbered-pages.ts';
import type { UrlParameters } from '../reviews/search-page.ts';
import type { Subject, View } from '../view.ts';
import {
  aspectsAround,
  isFormer,
  isPerson,
  isScored,
  meanOf,
  type Person,
  praiseOf,
  type SubjectInsight,
  withStars,
} from './people.ts';
import { quotesOn } from './quotes.ts';
import { complaintsOf } from './troubles.ts';

const PAGE_SIZE = 200;
/** People side by side, by so many aspects. */
const MOST_COMPARED = 3;
const MOST_ASPECTS = 5;
const QUOTES_OF_COMPARED = 1;

/** One page of a list of subjects; null past the end. */
export function subjectListPage(
  view: View,
  list: MentionKind,
  parameters: UrlParameters,
): Page | null {
  const texts = view.strings.lists;
  const title = view.titleOf(list);
  const path = SUBJECT_PATHS[list];
  const compared = list === 'technicians' ? comparedIn(view, parameters['compare']) : [];
  const beside = compared.slice(0, MOST_COMPARED);
  const sort =
    (Object.keys(SORTS) as ListSort[]).find((one) => one === parameters['sort']) ?? 'reviews';
  const rows = rowsOf(view, list).toSorted(SORTS[sort]);
  const linkTo = (number: number) => sortLink(list, sort, number);
  const part = listPage(rows.length, pageNumber(parameters['page']), linkTo, PAGE_SIZE);
  if (part === null) return null;
  const shown = part.positions.map((at) => rows[at] as Row);
  const isPlain = part.first === null && sort === 'reviews' && compared.length === 0;
  return {
    title,
    description: texts.description(title, view.business.name),
    canonical: isPlain && view.isIndexed(list) ? path : null,
    jsonLd: [breadcrumbJsonLd(view, [[title, path]])],
    main: html`<div>
      <h1>${compared.length > 0 ? view.format.list(beside.map(({ name }) => name)) : title}</h1>
      ${
        compared.length > 0
          ? sideBySide(view, beside, compared.length > beside.length)
          : html`${rows.length === 0 ? html`<p>${texts.none(title)}</p>` : null}
            ${list === 'aspects' ? aspectList(view, shown) : tables(view, list, shown, sort, parameters['compare'])}
            ${view.isStatic ? null : pages(view, part.first, part.next, part.previous)}`
      }
      ${listLinks(view, list)}
    </div>`,
  };
}

interface Row extends Subject {
  readonly insight: SubjectInsight;
  readonly mean: number | null;
  /** The date of the newest review that mentions it, YYYY-MM-DD. */
  readonly last: string;
}

/** By what a list can be sorted; equal ones stay in the order of their reviews. */
const SORTS = {
  reviews: () => 0,
  stars: (a: Row, b: Row) => (b.mean ?? 0) - (a.mean ?? 0),
  last: (a: Row, b: Row) => b.last.localeCompare(a.last),
};
type ListSort = keyof typeof SORTS;

function rowsOf(view: View, list: MentionKind): Row[] {
  const subjects = list === 'problems' ? complaintsOf(view) : view.listedSubjects(list);
  return subjects.map((subject) => {
    const insight = view.subject(subject.list, subject.id) as SubjectInsight;
    const side = list === 'problems' ? 'negative' : undefined;
    const [newest] = view.snapshot.mentioning(subject.list, subject.id, side);
    const last = view.reviewAt(newest as number).review.date;
    return { ...subject, insight, mean: meanOf(view, list, insight), last };
  });
}

/** The table of a list, and the names of people who have left, folded. */
function tables(
  view: View,
  list: MentionKind,
  rows: readonly Row[],
  sort: ListSort,
  asked: UrlParameters[string],
): Markup {
  const { former = [], current = [] } = Object.groupBy(rows, ({ insight }) =>
    isFormer(insight) ? 'former' : 'current',
  );
  const { person, reviews } = view.strings;
  const columns = columnsOf(view, list, sort, idsIn(asked));
  const options = { isCaptionShown: false, isStacked: true };
  const shown =
    current.length > 0 ? table(view, view.titleOf(list), columns, current, options) : null;
  const canCompare =
    list === 'technicians' &&
    !view.isStatic &&
    current.filter(({ insight }) => isScored(insight)).length > 1;
  return html`${
    canCompare
      ? html`<form action=${SUBJECT_PATHS[list]} method="get">
          <p class="links compare">
            <input type="hidden" name="compare" value="" />
            <button>${person.compare}</button>
            ${
              asked === undefined
                ? html`<span class="aside">${person.compareHow}</span>`
                : html`<strong class="problems" role="alert">${person.compareHow}</strong>`
            }
          </p>
          ${shown}
        </form>`
      : shown
  }
  ${
    former.length === 0
      ? null
      : html`<details>
          <summary>${person.formerPeople(former.length)}</summary>
          <p class="aside">${person.formerScore}</p>
          ${namedList(former.map(({ id, name, mentionCount }) => [subjectLink(list, id), name, reviews(mentionCount)]))}
        </details>`
  }`;
}

function columnsOf(
  view: View,
  list: MentionKind,
  sort: ListSort,
  ticked: ReadonlySet<string>,
): Column<Row>[] {
  const { strings, format, isStatic } = view;
  const texts = strings.lists.columns;
  const sortBy = (own: ListSort) =>
    isStatic ? null : { href: sortLink(list, own), isChosen: own === sort };
  const isPeople = list === 'technicians';
  const praised = ({ insight }: Row) => (isPerson(insight) ? praiseOf(view, insight) : '');
  const pick = ({ id, name, insight }: Pick<Row, 'id' | 'name' | 'insight'>) =>
    isPeople && !isStatic && isScored(insight)
      ? html`<input
          type="checkbox"
          name="compare"
          value=${id}
          checked=${ticked.has(id)}
          aria-label=${texts.pick(name)}
        />`
      : null;
  const columns: (Column<Row> | false)[] = [
    {
      label: view.titleOf(list),
      cell: ({ list: own, id, name, insight }) =>
        html`${pick({ id, name, insight })}<a href=${subjectLink(own, id)}
            >${isPeople ? avatar(name) : null}<bdi>${name}</bdi></a
          >`,
    },
    list !== 'problems' && {
      label: texts.stars,
      sort: sortBy('stars'),
      cell: ({ mean, insight }) => {
        if (!isScored(insight)) return html`<span class="aside">${strings.lists.tooFew}</span>`;
        const told = mean === null ? null : html`${stars(view, mean)} ${format.mean(mean)}`;
        if (!isPerson(insight)) return told;
        const { positive_count: praise, mention_count: all } = insight;
        return html`${told}
          <span class="aside">${strings.home.shareOf.positive(praise, all)}</span>`;
      },
    },
    {
      label: texts.reviews,
      sort: sortBy('reviews'),
      cell: ({ mentionCount }) => strings.reviews(mentionCount),
    },
    isPeople && {
      label: strings.subject.praisedFor,
      cell: (row) =>
        praised(row) &&
        html`<span class="narrow-only">${strings.subject.praisedFor}${strings.colon}</span
          >${praised(row)}`,
    },
    {
      label: texts.last,
      sort: sortBy('last'),
      cell: ({ last }) =>
        html`<span class="narrow-only">${texts.last}${strings.colon}</span
          >${format.month(last.slice(0, 7))}`,
    },
  ];
  return columns.filter((column) => column !== false);
}

function sortLink(list: MentionKind, sort: ListSort, page = 1): string {
  return withParameters(SUBJECT_PATHS[list], {
    sort: sort === 'reviews' ? undefined : sort,
    page: page === 1 ? undefined : page,
  });
}

/** Aspects with the shares of praise and criticism. */
function aspectList(view: View, rows: readonly Row[]): VNode {
  return html`<ol class="plain figures">
    ${rows.map(({ list, id, name, mentionCount, insight }) =>
      'positive_count' in insight
        ? html`<li>
            <a href=${subjectLink(list, id)}>${name}</a>
            <span class="aside"
              >${view.strings.lists.praiseAndBlame(mentionCount, insight.positive_count, insight.negative_count, insight.neutral_count)}</span
            >
            ${view.isSmall ? null : sentimentBar(insight)}
          </li>`
        : null,
    )}
  </ol>`;
}

function idsIn(query: UrlParameters[string]): ReadonlySet<string> {
  return new Set(String(query ?? '').split(','));
}

/** The people whom a query names; none unless there are two who have a score. */
function comparedIn(view: View, query: UrlParameters[string]): Person[] {
  const found = [...idsIn(query)].flatMap((id) => view.subject('technicians', id) ?? []);
  const people = found.filter(isPerson).filter(isScored);
  return people.length < 2 || view.isStatic ? [] : people;
}

/** What is known of people, in rows side by side. */
function sideBySide(view: View, people: readonly Person[], isCut: boolean): VNode {
  const { strings, format } = view;
  const { columns, compared } = strings.lists;
  const rows: [label: string, cell: (person: Person) => Markup | string | number | null][] = [
    [
      columns.stars,
      (person) => {
        const mean = meanOf(view, 'technicians', person);
        return mean && html`${stars(view, mean)} <strong>${format.mean(mean)}</strong>`;
      },
    ],
    [columns.reviews, ({ mention_count: count }) => strings.reviews(count)],
    [
      strings.home.positive,
      (person) =>
        html`${strings.home.partOf(person.positive_count, person.mention_count)}
        ${sentimentBar(person)}`,
    ],
    [strings.subject.praisedFor, (person) => praiseOf(view, person) || null],
    ...aspectRows(view, people),
    [strings.services, (person) => withStars(view, 'technicians', person.id, 'services')],
    [columns.last, ({ last_mentioned: last }) => last && format.month(last.slice(0, 7))],
    [strings.subject.inCustomersWords, (person) => quotesOn(view, person, QUOTES_OF_COMPARED)],
  ];
  return html`${isCut ? html`<p role="alert"><strong class="problems">${strings.person.compareHow}</strong></p>` : null}
    <div class=${`versus of-${people.length}`}>
      ${table(
        view,
        compared,
        [
          { label: html`<span class="unseen">${compared}</span>`, cell: ([label]) => label },
          ...people.map((person) => ({
            label: html`<a href=${subjectLink('technicians', person.id)}
              >${avatar(person.name)}<bdi>${person.name}</bdi></a
            >`,
            cell: ([, cell]: (typeof rows)[number]) => cell(person),
          })),
        ],
        rows,
        { isCaptionShown: false },
      )}
    </div>
    <p><a href=${SUBJECT_PATHS.technicians}>${view.strings.home.all.technicians}</a></p>`;
}

/** What the reviews that name each person think of the aspects that those of two or more speak of. */
function aspectRows(view: View, people: readonly Person[]) {
  const found = people.map(({ id }) =>
    aspectsAround(view, view.snapshot.mentioning('technicians', id)),
  );
  const named = [...Map.groupBy(found.flat(), ({ id }) => id)];
  return named
    .filter(([, own]) => own.length > 1)
    .slice(0, MOST_ASPECTS)
    .map(([id, [first]]): [label: string, cell: (person: Person) => Markup] => [
      first?.name ?? id,
      (person) => {
        const own = found[people.indexOf(person)]?.find((one) => one.id === id);
        if (own === undefined) return null;
        const counts = { positive_count: own.praise, negative_count: own.of - own.praise };
        return html`${view.strings.home.shareOf.positive(own.praise, own.of)}
        ${sentimentBar({ ...counts, neutral_count: 0 })}`;
      },
    ]);
}
