// Lists of subjects that reviews mention: people, services, places, topics, aspects, complaints.

import type { VNode } from 'preact';
import type { MentionKind } from '../search/mentions.ts';
import { bar, pages, sentimentBar } from './components.ts';
import type { Page } from './layout.ts';
import { SUBJECT_PATHS, subjectLink, withParameters } from './links.ts';
import { html } from './markup.ts';
import { breadcrumbJsonLd } from './structured-data.ts';
import type { UrlParameters } from './search-page.ts';
import type { Subject, View } from './view.ts';
import { isFormer, isScored } from './people.ts';
import { formatCount, formatNumber } from './format.ts';

/** Titles of the lists. */
export const SUBJECT_TITLES = {
  technicians: 'People whom customers name',
  services: 'Services that customers name',
  service_areas: 'Places that customers name',
  topics: 'What customers write about',
  aspects: 'What customers say',
  problems: 'What customers complain about',
} as const satisfies Record<MentionKind, string>;

/** Beside the name of a person who has left. */
const FORMER = 'former';

/** Entries per page. */
const PAGE_SIZE = 200;

/** One page of a list of subjects; null past the end. */
export function subjectListPage(
  view: View,
  list: MentionKind,
  parameters: UrlParameters,
): Page | null {
  const title = SUBJECT_TITLES[list];
  const subjects = view.subjects(list);
  const number = /^[1-9]\d{0,5}$/.test(String(parameters['page'])) ? Number(parameters['page']) : 1;
  const shown = subjects.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE);
  if (shown.length === 0 && number > 1) return null;
  const hasMore = number * PAGE_SIZE < subjects.length && !view.isStatic;
  return {
    status: 200,
    title,
    description: `${title}, counted in the verified reviews of ${view.business.name}.`,
    canonical: number === 1 && view.isIndexed(list) ? SUBJECT_PATHS[list] : null,
    jsonLd: [breadcrumbJsonLd(view, [[title, SUBJECT_PATHS[list]]])],
    main: html`<div>
      <h1>${title}</h1>
      ${subjects.length === 0 ? html`<p>No published review names any.</p>` : null}
      <ol class="plain figures wide-figures">
        ${shown.map((subject) => listed(view, subject))}
      </ol>
      ${pages(
        number === 1 ? null : SUBJECT_PATHS[list],
        hasMore ? withParameters(SUBJECT_PATHS[list], { page: number + 1 }) : null,
      )}
      ${otherLists(list)}
    </div>`,
  };
}

function listed(view: View, { list, id, name, mentionCount }: Subject): VNode {
  const counts = view.subject(list, id);
  const hasSentiment = counts !== null && 'positive_count' in counts && isScored(counts);
  const sentiment = hasSentiment
    ? `: ${formatNumber(counts.positive_count)} positive, ${formatNumber(counts.negative_count)} negative`
    : '';
  return html`<li>
    <a href=${subjectLink(list, id)}><bdi>${name}</bdi></a>
    ${counts !== null && isFormer(counts) ? html` <span class="chip">${FORMER}</span>` : null}
    <span class="aside">${formatCount(mentionCount, 'review')}${sentiment}</span>
    ${hasSentiment ? sentimentBar(counts) : bar(mentionCount / Math.max(view.snapshot.reviewCount, 1))}
  </li>`;
}

function otherLists(shown: MentionKind): VNode {
  const others = (Object.keys(SUBJECT_TITLES) as MentionKind[]).filter((list) => list !== shown);
  return html`<nav aria-label="Other lists">
    <ul class="chips">
      ${others.map((list) => html`<li><a class="chip" href=${SUBJECT_PATHS[list]}>${SUBJECT_TITLES[list]}</a></li>`)}
    </ul>
  </nav>`;
}
