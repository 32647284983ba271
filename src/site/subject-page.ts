// The page of a subject (a technician, service, service area, problem, aspect or topic): its insight and
// the reviews that mention it.

import type { VNode } from 'preact';
import { type Sentiment, sentimentSchema } from '../model/insights.ts';
import { type Cursor, cursorSchema } from '../model/cursor.ts';
import type { MentionKind } from '../search/mentions.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import {
  type Evidence,
  pages,
  phrases,
  type Quoted,
  quotes,
  sentimentBar,
  stars,
} from './components.ts';
import type { Page } from './layout.ts';
import { PAGE_PATHS, SUBJECT_PATHS, subjectLink } from './links.ts';
import { html, type Markup } from './markup.ts';
import { breadcrumbJsonLd } from './structured-data.ts';
import { type ListPage, numberedPage, REVIEWS_PER_PAGE } from './numbered-pages.ts';
import { reviewList } from './review-card.ts';
import type { UrlParameters } from './search-page.ts';
import { SUBJECT_TITLES } from './subject-list.ts';
import { verificationNote } from './verification-page.ts';
import type { ShownReview, View } from './view.ts';
import { isFormer, isScored } from './people.ts';
import { formatCount, formatDate, formatNumber, formatRating } from './format.ts';

/** Maximum number of quotes above a list of one sentiment. */
const MAX_QUOTES = 5;
/** Number of newest reviews that are searched for quotes. */
const MAX_QUOTED_REVIEWS = 20;

const PERSON = {
  former: 'No longer works here.',
  formerScore: 'We show no score for people who have left.',
  fewReviews: 'Too few for a score to be fair.',
} as const;

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
  const name = 'label' in insight ? insight.label : insight.name;
  const sentiment = sentimentSchema.safeParse(parameters['sentiment']).data;
  const cursor = cursorSchema.safeParse(parameters['cursor']).data;
  const all = view.snapshot.mentioning(list, id, sentiment);
  const path = subjectLink(list, id);
  const part = view.isStatic
    ? numberedPage(all.length, (index) => all[index] as number, page, path)
    : cursorPart(view.snapshot.pageOf(all, cursor, REVIEWS_PER_PAGE), cursor, list, id, sentiment);
  if (part === null) return null;
  const count = formatCount(insight.mention_count, 'review');
  return {
    status: 200,
    title: name,
    description: `What ${count} of ${view.business.name} ${insight.mention_count === 1 ? 'says' : 'say'} about ${name}.`,
    canonical: view.isIndexed(list) && part.first === null && sentiment === undefined ? path : null,
    jsonLd: [
      breadcrumbJsonLd(view, [
        [SUBJECT_TITLES[list], SUBJECT_PATHS[list]],
        [name, subjectLink(list, id)],
      ]),
    ],
    main: html`<div>
      <p class="path"><a href=${SUBJECT_PATHS[list]}>${SUBJECT_TITLES[list]}</a></p>
      <h1><bdi>${name}</bdi></h1>
      ${figures(view, list, insight)} ${quotesSection(view, list, insight, all, sentiment)}
      <section>
        <h2>${heading(all.length, sentiment)}</h2>
        ${sentiment === undefined ? null : html`<p><a href=${subjectLink(list, id)}>Show all ${count}</a></p>`}
        ${reviewList(view.reviewsAt(part.positions), view, { phraseOf: phraseOf(list, id) })}
        ${pages(part.first, part.next)}
      </section>
    </div>`,
  };
}

/** Quotes about the subject, of the selected sentiment if any. */
function quotesSection(
  view: View,
  list: MentionKind,
  insight: SubjectInsight,
  all: Uint32Array,
  sentiment: Sentiment | undefined,
): Markup {
  if (!('top_phrases' in insight) || list === 'topics' || !isScored(insight)) return null;
  const quoted =
    sentiment === undefined
      ? phrases(view, insight)
      : quotes(quotesOf(view, list, insight, all, sentiment));
  if (quoted === null) return null;
  return html`<section>
    <h2>In customers’ words</h2>
    ${quoted}
  </section>`;
}

/** Distinct phrases of one sentiment: top phrases first, then the newest. */
function quotesOf(
  view: View,
  list: Exclude<MentionKind, 'topics'>,
  { id, example_review_ids: examples, top_phrases: top }: Evidence & { readonly id: string },
  all: Uint32Array,
  sentiment: Sentiment,
): Quoted[] {
  const newest = view.reviewsAt(all.subarray(0, MAX_QUOTED_REVIEWS));
  const found = [...view.reviewsOf(examples), ...newest].flatMap(({ review, insights }) => {
    const mention = insights?.[list].find((one) => one.id === id && one.sentiment === sentiment);
    return mention === undefined ? [] : [{ text: mention.phrase, from: review }];
  });
  const distinct = [...new Map(found.toReversed().map((quoted) => [quoted.text, quoted])).values()];
  const isTop = ({ text }: Quoted) => Number(top.includes(text));
  return distinct
    .toReversed()
    .toSorted((a, b) => isTop(b) - isTop(a))
    .slice(0, MAX_QUOTES);
}

function cursorPart(
  { positions, nextCursor }: ReturnType<Snapshot['pageOf']>,
  cursor: Cursor | undefined,
  list: MentionKind,
  id: string,
  sentiment: Sentiment | undefined,
): ListPage {
  return {
    positions,
    first: cursor === undefined ? null : subjectLink(list, id, { sentiment }),
    next: nextCursor === null ? null : subjectLink(list, id, { sentiment, cursor: nextCursor }),
  };
}

function heading(count: number, sentiment: Sentiment | undefined): string {
  const reviews = sentiment === undefined ? 'review' : `${sentiment} review`;
  return formatCount(count, reviews);
}

type SubjectInsight = NonNullable<ReturnType<View['subject']>>;

function figures(view: View, list: MentionKind, insight: SubjectInsight): VNode {
  if (!('positive_count' in insight)) {
    return html`<div class="facts">
      <p>
        ${formatCount(insight.mention_count, 'review')}${
          insight.share_pct === null ? null : `, ${insight.share_pct}% of all`
        }.
        Recognised by: ${insight.keywords.map((word) => word.replace('*', '…')).join(', ')}.
      </p>
    </div>`;
  }
  if (!isScored(insight)) return unscored(insight);
  const link = (kind: Sentiment, count: number) => {
    const words = `${formatNumber(count)} ${kind}`;
    if (view.isStatic || count === 0) return words;
    return html`<a href=${view.sentimentLink(list, insight.id, kind)}>${words}</a>`;
  };
  return html`<div class="facts">
    ${sentimentBar(insight)}
    <p>
      ${formatCount(insight.mention_count, 'review')}: ${link('positive', insight.positive_count)},
      ${link('neutral', insight.neutral_count)}, ${link('negative', insight.negative_count)}.
    </p>
    ${'average_rating' in insight ? entityFacts(view, insight) : null}
  </div>`;
}

/** A person without a score: too few reviews, or no longer with the business. */
function unscored(insight: Extract<SubjectInsight, { positive_count: unknown }>): VNode {
  return html`<div class="facts">
    <p>
      ${isFormer(insight) ? html`<strong>${PERSON.former}</strong> ` : null}
      ${formatCount(insight.mention_count, 'review')}.
      ${isFormer(insight) ? PERSON.formerScore : PERSON.fewReviews}
    </p>
    ${
      'first_mentioned' in insight &&
      insight.first_mentioned !== null &&
      insight.last_mentioned !== null
        ? html`<p>${namedBetween(insight.first_mentioned, insight.last_mentioned)}</p>`
        : null
    }
  </div>`;
}

function entityFacts(
  view: View,
  insight: Extract<SubjectInsight, { average_rating: unknown }>,
): Markup {
  const labels = new Map(view.insights('aspects').map(({ id, label }) => [id, label]));
  return html`<div>
    ${
      insight.average_rating === null
        ? null
        : html`<p>
              ${stars(insight.average_rating)} ${formatRating(insight.average_rating)} stars on
              average in these reviews.
            </p>
            ${verificationNote()}`
    }
    ${
      insight.first_mentioned === null || insight.last_mentioned === null
        ? null
        : html`<p>${namedBetween(insight.first_mentioned, insight.last_mentioned)}</p>`
    }
    ${
      insight.top_aspects.length === 0
        ? null
        : html`<p>
            Mostly with:
            ${insight.top_aspects.map((id, index) => html`${index > 0 ? ', ' : ''}<a href=${subjectLink('aspects', id)}>${labels.get(id) ?? id}</a>`)}.
          </p>`
    }
  </div>`;
}

function namedBetween(first: string, last: string): string {
  if (first === last) return `Named on ${formatDate(first)}.`;
  return `First named on ${formatDate(first)}, last on ${formatDate(last)}.`;
}

function phraseOf(list: MentionKind, id: string): (shown: ShownReview) => string | undefined {
  if (list === 'topics') return () => undefined;
  return ({ insights }) => insights?.[list].find((mention) => mention.id === id)?.phrase;
}

/** The 404 page. */
export function missingPage(): Page {
  return {
    status: 404,
    title: 'Not found',
    description: 'There is nothing at this address.',
    canonical: null,
    main: html`<div>
      <h1>Not found</h1>
      <p>
        There is nothing at this address. It may have been a review that is not published any more.
      </p>
      <p><a class="button" href=${PAGE_PATHS.home}>To the first page</a></p>
    </div>`,
  };
}
