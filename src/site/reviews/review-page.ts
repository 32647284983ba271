// The page of one review, with its insights.

import { isRead } from '../../model/read-languages.ts';
import type { VNode } from 'preact';
import type { Mention } from '../../model/insights.ts';
import type { ReviewJson } from '../../model/review.ts';
import type { Page } from '../parts/layout.ts';
import { commaSeparated, namedList } from '../parts/components.ts';
import { PAGE_PATHS, reviewLink, safeLink, subjectLink, telephoneLink } from '../parts/links.ts';
import { html, type Markup, rich } from '../parts/markup.ts';
import { breadcrumbJsonLd, reviewJsonLd } from '../parts/structured-data.ts';
import { isSure, reviewCard } from './review-card.ts';
import { proofSection } from '../proof/transparency-page.ts';
import { shareLink } from '../pictures/share-picture.ts';
import type { ShownReview, View } from '../view.ts';
import { formatSource, truncate } from '../parts/format.ts';
import { splitText, wholeSentences } from './review-text.ts';
import { verificationAt } from '../../snapshot/verification.ts';

/** UTF-16 units. */
const MAX_DESCRIPTION_LENGTH = 160;
const MAX_QUOTED_LENGTH = 240;
/** What is found in a longer text is off a phone's first screen. */
const LONG = 600;

/** The page of the review at a position. */
export function reviewPage(view: View, position: number): Page {
  const shown = view.reviewAt(position);
  const { review } = shown;
  const { strings } = view;
  const text = review.text?.replaceAll(/\s+/g, ' ') ?? strings.review.noComment(review.rating);
  const { title: headline } = splitText(shown);
  const byline = strings.review.title(review.author, review.date);
  const title = headline === null ? byline : `${headline}. ${byline}`;
  const reviews = strings.reviewsPage.title;
  return {
    title,
    description: truncate(text, MAX_DESCRIPTION_LENGTH) ?? text,
    canonical: reviewLink(review.id),
    picture: shareLink(view, 'reviews', review.id),
    scripts: view.isStatic || view.snapshot.log === null ? [] : ['proof'],
    jsonLd: [
      reviewJsonLd(view, shown),
      breadcrumbJsonLd(view, [
        [reviews, PAGE_PATHS.reviews],
        [title, reviewLink(review.id)],
      ]),
    ],
    main: html`<div>
      <p class="path">
        <a href=${PAGE_PATHS.reviews}>${reviews}</a>
        ${(review.text ?? '').length > LONG ? html`<a class="narrow-only" href="#found">${strings.review.found}</a>` : null}
      </p>
      <div class="subject">
        <div>
          ${reviewCard(shown, view, { isWhole: true, heading: 'h1' })}
          ${verificationLine(view, position)}
        </div>
        <div class="beside" id="found">${insightsSection(shown, view)}</div>
        <div>
          ${more(view, shown)} ${proofSection(view, review.id)} ${report(view, review)}
          ${neighbours(view, position)}
        </div>
      </div>
    </div>`,
  };
}

/** How the review was verified. */
function verificationLine(view: View, position: number): Markup {
  const { format, language } = view;
  const texts = view.strings.review;
  const found = verificationAt(view.snapshot, position);
  const { method, source_level: level, verified_at: day, published_since: since } = found;
  const date = (time: string) =>
    html`<time datetime=${time}>${format.date(time.slice(0, 10))}</time>`;
  const how = day === null ? texts.method : texts.methodOn;
  return html`<p class="aside verification">
    ${
      method === null
        ? texts.methodUnstated
        : rich(how, {
            method: () => html`<bdi>${view.methodOf(method)}</bdi>`,
            date: () => date(day ?? ''),
          })
    }
    ${
      level === null
        ? null
        : rich(texts.sourceSays, {
            source: () => formatSource(language, found.source),
            level: () => html`<bdi>${level}</bdi>`,
          })
    }
    ${since === null ? null : rich(texts.publishedSince, { date: () => date(since) })} ${' '}<a
      href=${PAGE_PATHS.transparency}
      >${texts.leftOut}</a
    >
  </p>`;
}

/** The people and the services of a review, which lead to other reviews of them. */
function more(view: View, { insights }: ShownReview): Markup {
  const items = (['technicians', 'services'] as const).flatMap((list) =>
    (insights?.[list] ?? []).flatMap(({ id }) => {
      const subject = view.subject(list, id);
      if (subject === null || subject.mention_count < 2) return [];
      const { mention_count: count } = subject;
      return [[subjectLink(list, id), view.nameOf(list, subject), view.strings.reviews(count)]];
    }),
  ) as [href: string, name: string, end: string][];
  if (items.length === 0) return null;
  return html`<h2>${view.strings.subject.seeAlso}</h2>
    ${namedList(items)}`;
}

/** The reviews before and after it, by date. */
function neighbours({ snapshot, strings }: View, position: number): Markup {
  const links = [
    [position - 1, 'prev', strings.review.newer],
    [position + 1, 'next', strings.review.older],
  ] as const;
  const shown = links.filter(([at]) => at >= 0 && at < snapshot.reviewCount);
  if (shown.length === 0) return null;
  return html`<nav class="pages" aria-label=${strings.reviewsPage.title}>
    ${shown.map(
      ([at, rel, words]) =>
        html`<a class="button quiet" rel=${rel} href=${reviewLink(snapshot.idAt(at))}>${words}</a>`,
    )}
  </nav>`;
}

/** Whom to tell that a review is wrong: the business by e-mail or telephone, or else the site that it is from. */
function report({ business, strings, language }: View, review: ReviewJson): Markup {
  const texts = strings.review;
  const { email, telephone } = business;
  const subject = encodeURIComponent(texts.reportSubject(review.id));
  const call = telephoneLink(telephone);
  const origin = safeLink(review.source_url);
  const way =
    (email && { href: `mailto:${email}?subject=${subject}`, words: texts.report }) ||
    (telephone && call && { href: call, words: texts.reportCall(telephone) }) ||
    (origin && { href: origin, words: texts.reportAt(formatSource(language, review.source)) });
  if (!way) return null;
  return html`<p class="aside">${texts.reportAsk} <a href=${way.href}>${way.words}</a></p>`;
}

const LISTS = ['aspects', 'problems', 'technicians', 'services', 'service_areas'] as const;

/** What is found in a review: each phrase once, with all that it says. */
function insightsSection({ insights, language, review }: ShownReview, view: View): Markup {
  const { strings } = view;
  if (!isRead(language)) {
    return html`<p class="aside">${strings.review.otherLanguage}</p>`;
  }
  if (insights === null) return null;
  const found = LISTS.flatMap((list) =>
    insights[list].map((one) => ({
      list,
      ...one,
      words: wholeSentences(review.text ?? '', one.phrase),
    })),
  );
  const { sure = [], unsure = [] } = Object.groupBy(found, (one) =>
    isSure(one) ? 'sure' : 'unsure',
  );
  const topics = view.subjects('topics').filter(({ id }) => insights.topics.includes(id));
  if (found.length === 0 && topics.length === 0) return null;
  return html`<h2>${strings.review.found}</h2>
    <ul class="plain found">
      ${findings(view, sure)}
      ${
        topics.length === 0
          ? null
          : html`<li>
              ${strings.topics}:
              ${commaSeparated(topics.map(({ id, name }) => html`<a href=${subjectLink('topics', id)}>${name}</a>`))}
            </li>`
      }
      ${
        unsure.length === 0
          ? null
          : html`<li>
              <details open=${sure.length === 0}>
                <summary>${strings.review.lessCertain}</summary>
                <ul class="plain found">
                  ${findings(view, unsure)}
                </ul>
              </details>
            </li>`
      }
    </ul>`;
}

interface Finding extends Mention {
  readonly list: (typeof LISTS)[number];
  /** The sentences with the phrase. */
  readonly words: string;
}

/** Sentences, of long ones the phrase, each once, with all that they say: the review stands beside them. */
function findings(view: View, found: readonly Finding[]): VNode[] {
  const widest = ({ words }: Finding) =>
    found.map((one) => one.words).find((other) => other !== words && other.includes(words)) ??
    words;
  return [...Map.groupBy(found, widest)].map(
    ([words, all]) =>
      html`<li>
        <q dir="auto"
          >${truncate(words, MAX_QUOTED_LENGTH) === null ? words : `… ${all[0]?.phrase}`}</q
        >
        <ul class="chips">
          ${all.map((one) => html`<li>${findingChip(view, one)}</li>`)}
        </ul>
      </li>`,
  );
}

function findingChip(view: View, { list, id, sentiment }: Finding): VNode {
  const subject = view.subject(list, id);
  const name = subject === null ? id : view.nameOf(list, subject);
  // That a service or a place is named is no praise of it.
  const isJudged = list !== 'services' && list !== 'service_areas' && list !== 'problems';
  return html`<a
    class=${`chip chip-${list === 'problems' ? 'negative' : isJudged ? sentiment : 'neutral'}`}
    href=${subjectLink(list, id)}
    ><bdi>${name}</bdi>${isJudged ? ` ${view.strings.review.sentiments[sentiment]}` : ''}</a
  >`;
}
