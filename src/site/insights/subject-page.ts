// The page of a subject (a technician, service, service area, problem, aspect or topic): its insight and
// the reviews that mention it.

import type { VNode } from 'preact';
import { type Sentiment, sentimentSchema } from '../../model/insights.ts';
import { type Cursor, cursorSchema } from '../../model/cursor.ts';
import type { MentionKind } from '../../search/mentions.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import {
  commaSeparated,
  type Evidence,
  pages,
  phrases,
  type Quoted,
  quotes,
  sentimentBar,
  stars,
} from '../parts/components.ts';
import type { Page } from '../parts/layout.ts';
import { SUBJECT_PATHS, subjectLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import { breadcrumbJsonLd } from '../parts/structured-data.ts';
import { type ListPage, numberedPage, REVIEWS_PER_PAGE } from '../reviews/numbered-pages.ts';
import { reviewList } from '../reviews/review-card.ts';
import type { UrlParameters } from '../reviews/search-page.ts';
import { verificationNote } from '../proof/verification-page.ts';
import { prices } from './prices.ts';
import { subjectShareLink } from '../pictures/share-picture.ts';
import type { ShownReview, View } from '../view.ts';
import { isFormer, isJudged, isScored } from './people.ts';

/** Maximum number of quotes above a list of one sentiment. */
const MAX_QUOTES = 5;
/** Number of newest reviews that are searched for quotes. */
const MAX_QUOTED_REVIEWS = 20;
/** A score beyond it is plainly good or bad, and so are stars above or below the middle. */
const PLAIN_SCORE = 0.2;
const MIDDLE_STARS = 3.5;
/** Words that a topic is recognised by. */
const MAX_KEYWORDS = 8;

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
  const { subject: texts, lists } = view.strings;
  const title = lists.titles[list];
  const sentiment = sentimentSchema.safeParse(parameters['sentiment']).data;
  const cursor = cursorSchema.safeParse(parameters['cursor']).data;
  const all = view.snapshot.mentioning(list, id, sentiment);
  const path = subjectLink(list, id);
  const part = view.isStatic
    ? numberedPage(all.length, (index) => all[index] as number, page, path)
    : cursorPart(view.snapshot.pageOf(all, cursor, REVIEWS_PER_PAGE), cursor, list, id, sentiment);
  if (part === null) return null;
  return {
    title: name,
    description: texts.description(insight.mention_count, view.business.name, name),
    canonical: view.isIndexed(list) && part.first === null && sentiment === undefined ? path : null,
    picture: subjectShareLink(view, list, id),
    jsonLd: [
      breadcrumbJsonLd(view, [
        [title, SUBJECT_PATHS[list]],
        [name, subjectLink(list, id)],
      ]),
    ],
    main: html`<div>
      <p class="path"><a href=${SUBJECT_PATHS[list]}>${title}</a></p>
      <h1><bdi>${name}</bdi></h1>
      ${figures(view, list, insight)} ${traitsOf(view, insight)}
      ${quotesSection(view, list, insight, all, sentiment)} ${prices(view, list, id, all)}
      <section>
        <h2>${texts.headings[sentiment ?? 'all'](all.length)}</h2>
        ${sentiment === undefined ? null : html`<p><a href=${subjectLink(list, id)}>${texts.showAll(insight.mention_count)}</a></p>`}
        ${reviewList(view.reviewsAt(part.positions), view, { phraseOf: phraseOf(list, id) })}
        ${pages(view, part.first, part.next)}
      </section>
    </div>`,
  };
}

/** What reviews praise in a person, each with a phrase. */
function traitsOf(view: View, insight: SubjectInsight): Markup {
  if (!('traits' in insight) || insight.traits.length === 0) return null;
  return html`<section>
    <h2>${view.strings.subject.praisedFor}</h2>
    <ul>
      ${insight.traits.map(
        ({ label, review_count: count, phrases: [phrase] }) =>
          html`<li>
            <strong>${view.labelOf(label)}</strong> (${view.format.number(count)}):
            <q dir="auto" lang="en">${phrase}</q>
          </li>`,
      )}
    </ul>
  </section>`;
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
    <h2>${view.strings.subject.inCustomersWords}</h2>
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

type SubjectInsight = NonNullable<ReturnType<View['subject']>>;

function figures(view: View, list: MentionKind, insight: SubjectInsight): VNode {
  const { strings } = view;
  if (!('positive_count' in insight)) {
    const { mention_count: count, share_pct: share, keywords } = insight;
    const words = keywords.map((word) => word.replace('*', '…'));
    return html`<div class="facts">
      <p>${share === null ? strings.reviews(count) : strings.subject.share(count, share)}</p>
      <p class="aside">${strings.subject.foundBy(words.slice(0, MAX_KEYWORDS).join(', '))}</p>
    </div>`;
  }
  if (!isScored(insight)) return unscored(view, insight);
  const facts = 'average_rating' in insight ? entityFacts(view, list, insight) : null;
  if (!isJudged(list, insight)) {
    return html`<div class="facts">
      <p>${strings.reviews(insight.mention_count)}.</p>
      ${facts}
    </div>`;
  }
  const link = (kind: Sentiment, count: number) => {
    const words = strings[kind](count);
    if (view.isStatic || count === 0) return words;
    return html`<a href=${view.sentimentLink(list, insight.id, kind)}>${words}</a>`;
  };
  return html`<div class="facts">
    ${sentimentBar(insight)}
    <p>
      ${strings.reviews(insight.mention_count)}: ${link('positive', insight.positive_count)},
      ${link('neutral', insight.neutral_count)}, ${link('negative', insight.negative_count)}.
    </p>
    ${facts}
  </div>`;
}

/** A person without a score: too few reviews, or no longer with the business. */
function unscored(
  view: View,
  insight: Extract<SubjectInsight, { positive_count: unknown }>,
): VNode {
  const { person, reviews } = view.strings;
  return html`<div class="facts">
    <p>
      ${isFormer(insight) ? html`<strong>${person.former}</strong> ` : null}
      ${reviews(insight.mention_count)}.
      ${isFormer(insight) ? person.formerScore : person.fewReviews}
    </p>
    ${
      'first_mentioned' in insight &&
      insight.first_mentioned !== null &&
      insight.last_mentioned !== null
        ? html`<p>${mentionedBetween(view, insight.first_mentioned, insight.last_mentioned)}</p>`
        : null
    }
  </div>`;
}

function entityFacts(
  view: View,
  list: MentionKind,
  insight: Extract<SubjectInsight, { average_rating: unknown }>,
): Markup {
  const texts = view.strings.subject;
  const labels = new Map(view.subjects('aspects').map(({ id, name }) => [id, name]));
  return html`<div>
    ${
      insight.average_rating === null || (isJudged(list, insight) && contradicts(insight))
        ? null
        : html`<p>
              ${stars(view, insight.average_rating)} ${texts.average(insight.average_rating)}
            </p>
            ${verificationNote(view)}`
    }
    ${
      insight.first_mentioned === null || insight.last_mentioned === null
        ? null
        : html`<p>${mentionedBetween(view, insight.first_mentioned, insight.last_mentioned)}</p>`
    }
    ${
      insight.top_aspects.length === 0
        ? null
        : html`<p>
            ${texts.mostlyWith}
            ${commaSeparated(insight.top_aspects.map((id) => html`<a href=${subjectLink('aspects', id)}>${labels.get(id) ?? id}</a>`))}.
          </p>`
    }
  </div>`;
}

/**
 * Whether the stars of the reviews that mention it contradict what they say of it: somebody who is praised in bad
 * reviews is not shown with their stars.
 */
function contradicts({
  score,
  average_rating: mean,
}: Extract<SubjectInsight, { average_rating: unknown }>): boolean {
  if (score === null || mean === null) return false;
  return (
    (score > PLAIN_SCORE && mean < MIDDLE_STARS) || (score < -PLAIN_SCORE && mean > MIDDLE_STARS)
  );
}

function mentionedBetween({ strings }: View, first: string, last: string): string {
  const { mentionedOn, mentionedBetween: between } = strings.subject;
  return first === last ? mentionedOn(first) : between(first, last);
}

function phraseOf(list: MentionKind, id: string): (shown: ShownReview) => string | undefined {
  if (list === 'topics') return () => undefined;
  return ({ insights }) => insights?.[list].find((mention) => mention.id === id)?.phrase;
}
