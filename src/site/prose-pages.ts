// The FAQ and the summary: prose with the reviews that support it.

import { ROUTES } from '../model/routes.ts';
import { phrases, sentimentBar } from './components.ts';
import type { Insights } from '../model/insights.ts';
import type { Page } from './layout.ts';
import { PAGE_PATHS, reviewLink, subjectLink } from './links.ts';
import { html, type Markup } from './markup.ts';
import { faqJsonLd } from './structured-data.ts';
import type { View } from './view.ts';
import { formatCount, formatDate, formatNumber } from './format.ts';

type Aspect = Insights['aspects'][number];

export function faqPage(view: View): Page {
  const faq = view.insights('faq');
  return {
    status: 200,
    title: 'Questions, answered by reviews',
    description: `What buyers ask about ${view.business.name}, answered from its verified reviews.`,
    canonical: PAGE_PATHS.faq,
    jsonLd: faq.length === 0 ? [] : [faqJsonLd(view)],
    main: html`<div>
      <h1>Questions, answered by reviews</h1>
      ${faq.length === 0 ? html`<p>There are too few reviews yet to answer any.</p>` : null}
      ${faq.map(
        ({ question, answer, review_ids: ids }) =>
          html`<section class="answer">
            <h2 dir="auto">${question}</h2>
            <p class="prose" dir="auto">${answer}</p>
            ${evidence(view, ids, 'Reviews behind this answer')}
          </section>`,
      )}
    </div>`,
  };
}

/** Example reviews for a statement. The title must not suggest that these are all of them. */
function evidence(view: View, ids: readonly string[], title: string): Markup {
  const reviews = view.reviewsOf(ids);
  if (reviews.length === 0) return null;
  return html`<details>
    <summary>${title}</summary>
    <ul>
      ${reviews.map(
        ({ review }) =>
          html`<li>
            <a href=${reviewLink(review.id)}
              ><bdi>${review.author}</bdi>, ${formatDate(review.date)}</a
            >
            <span class="aside"> ${formatCount(review.rating, 'star')}</span>
          </li>`,
      )}
    </ul>
  </details>`;
}

export function summaryPage(view: View): Page {
  const paragraphs = view.insights('summary').split('\n\n').filter(Boolean);
  return {
    status: 200,
    title: 'Summary',
    description: `What the verified reviews of ${view.business.name} say, in short and with evidence.`,
    canonical: PAGE_PATHS.summary,
    main: html`<div>
      <h1>What the reviews say</h1>
      ${paragraphs.map((paragraph) => html`<p class="prose" dir="auto">${paragraph}</p>`)}
      ${aspectEvidence(view)}
      <p class="aside">
        Written by a program from counts (${view.insights('model')}): each figure can be checked in
        <a href=${ROUTES.getInsights.path}> ${ROUTES.getInsights.path}</a>.
      </p>
    </div>`,
  };
}

function aspectEvidence(view: View): Markup {
  const aspects = view.insights('aspects').filter(({ mention_count: count }) => count > 0);
  if (aspects.length === 0) return null;
  return html`<section>
    <h2>The evidence</h2>
    ${aspects.map(
      (aspect) =>
        html`<section class="answer">
          <h3><a href=${subjectLink('aspects', aspect.id)}>${aspect.label}</a></h3>
          ${sentimentBar(aspect)}
          <p>
            <a href=${subjectLink('aspects', aspect.id)}
              >${formatCount(aspect.mention_count, 'review')}</a
            >: ${formatNumber(aspect.positive_count)} positive,
            ${formatNumber(aspect.neutral_count)} neutral, ${formatNumber(aspect.negative_count)}
            negative.
          </p>
          ${phrases(view, aspect)}
          ${evidence(view, aspect.example_review_ids, examplesTitle(aspect))}
        </section>`,
    )}
  </section>`;
}

function examplesTitle({
  mention_count: all,
  example_review_ids: { length: shown },
}: Aspect): string {
  return shown < all
    ? `${formatNumber(shown)} of the ${formatCount(all, 'review')} that mention it`
    : `${all === 1 ? 'The' : 'All'} ${formatCount(all, 'review')} that ${all === 1 ? 'mentions' : 'mention'} it`;
}
