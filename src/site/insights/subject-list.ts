// Lists of subjects that reviews mention: people, services, places, topics, aspects, complaints.

import type { VNode } from 'preact';
import type { MentionKind } from '../../search/mentions.ts';
import { bar, chart, pages, sentimentBar, stars, table } from '../parts/components.ts';
import type { Page } from '../parts/layout.ts';
import { SUBJECT_PATHS, subjectLink, withParameters } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import { breadcrumbJsonLd } from '../parts/structured-data.ts';
import type { UrlParameters } from '../reviews/search-page.ts';
import type { Subject, View } from '../view.ts';
import { isFormer, isJudged } from './people.ts';

/** Entries per page. */
const PAGE_SIZE = 200;

/** One page of a list of subjects; null past the end. */
export function subjectListPage(
  view: View,
  list: MentionKind,
  parameters: UrlParameters,
): Page | null {
  const texts = view.strings.lists;
  const title = texts.titles[list];
  const subjects = view.listedSubjects(list);
  const number = /^[1-9]\d{0,5}$/.test(String(parameters['page'])) ? Number(parameters['page']) : 1;
  const shown = subjects.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE);
  if (shown.length === 0 && number > 1) return null;
  const hasMore = number * PAGE_SIZE < subjects.length && !view.isStatic;
  return {
    title,
    description: texts.description(title, view.business.name),
    canonical: number === 1 && view.isIndexed(list) ? SUBJECT_PATHS[list] : null,
    jsonLd: [breadcrumbJsonLd(view, [[title, SUBJECT_PATHS[list]]])],
    main: html`<div>
      <h1>${title}</h1>
      ${subjects.length === 0 ? html`<p>${texts.none}</p>` : null}
      <ol class="plain figures wide-figures">
        ${shown.map((subject) => listed(view, subject, subjects[0]?.mentionCount ?? 1))}
      </ol>
      ${pages(
        view,
        number === 1 ? null : SUBJECT_PATHS[list],
        hasMore ? withParameters(SUBJECT_PATHS[list], { page: number + 1 }) : null,
      )}
      ${list === 'aspects' && number === 1 ? aspectChart(view) : null} ${otherLists(view, list)}
    </div>`,
  };
}

/** The bar of a subject that is not judged is as long as its part of the most mentioned one. */
function listed(view: View, { list, id, name, mentionCount }: Subject, most: number): VNode {
  const insight = view.subject(list, id);
  const judged =
    insight !== null && 'positive_count' in insight && isJudged(list, insight) ? insight : null;
  const { strings } = view;
  return html`<li>
    <a href=${subjectLink(list, id)}><bdi>${name}</bdi></a>
    ${insight !== null && isFormer(insight) ? html` <span class="chip">${strings.person.formerMark}</span>` : null}
    <span class="aside">
      ${judged === null ? meanOf(view, list, insight) : null}
      ${
        judged === null
          ? strings.reviews(mentionCount)
          : strings.lists.praiseAndBlame(mentionCount, judged.positive_count, judged.negative_count)
      }
    </span>
    ${judged === null ? bar(mentionCount / most) : sentimentBar(judged)}
  </li>`;
}

/** The stars of the reviews that mention a service or town. Those of a complaint are few by its nature. */
function meanOf(view: View, list: MentionKind, insight: ReturnType<View['subject']>): Markup {
  if (list !== 'services' && list !== 'service_areas') return null;
  if (insight === null || !('average_rating' in insight)) return null;
  const { average_rating: mean } = insight;
  return mean === null ? null : html`${stars(view, mean)} ${view.format.mean(mean)} · `;
}

function aspectChart(view: View): Markup {
  const texts = view.strings.home;
  const mentioned = view.insights('aspects').filter(({ mention_count: count }) => count > 0);
  const columns = [
    {
      label: texts.aspect,
      cell: ({ id, label }: (typeof mentioned)[number]) =>
        html`<a href=${subjectLink('aspects', id)}>${view.labelOf(label)}</a>`,
    },
    ...(['positive', 'neutral', 'negative'] as const).map((sentiment) => ({
      label: texts[sentiment],
      isNumber: true,
      cell: (aspect: (typeof mentioned)[number]) => aspect[`${sentiment}_count`],
    })),
  ];
  return chart(
    view,
    'aspects',
    texts.aspectChart,
    table(view, texts.aspectTable, columns, mentioned),
  );
}

function otherLists({ strings }: View, shown: MentionKind): VNode {
  const { titles, others: name } = strings.lists;
  const others = (Object.keys(titles) as MentionKind[]).filter((list) => list !== shown);
  return html`<nav aria-label=${name}>
    <ul class="chips">
      ${others.map((list) => html`<li><a class="chip" href=${SUBJECT_PATHS[list]}>${titles[list]}</a></li>`)}
    </ul>
  </nav>`;
}
