// The FAQ and the summary: prose with the reviews that support it.

import { ROUTES } from '../../model/routes.ts';
import { evidenceList, sentimentBar } from '../parts/components.ts';
import { answersOf, summaryOf } from './facts.ts';
import type { Page } from '../parts/layout.ts';
import { PAGE_PATHS, reviewLink, SUBJECT_PATHS, subjectLink } from '../parts/links.ts';
import { html, type Markup, rich } from '../parts/markup.ts';
import { faqJsonLd } from '../parts/structured-data.ts';
import type { View } from '../view.ts';
import { bothSides, quotesOn } from './quotes.ts';

/** Aspects that the summary page quotes if none is a strength or a weak spot; their list has all. */
const MAX_ASPECTS = 4;
const FEW_QUESTIONS = 4;

export function faqPage(view: View): Page {
  const faq = answersOf(view);
  const texts = view.strings.questions;
  return {
    title: texts.title,
    description: texts.description(view.business.name),
    canonical: PAGE_PATHS.faq,
    jsonLd: faq.length === 0 ? [] : [faqJsonLd(view)],
    main: html`<div>
      <h1>${texts.title}</h1>
      ${faq.length === 0 ? html`<p>${texts.tooFew}</p>` : null}
      <div class="found-reviews answers">
        ${questionList(view.strings.layout.questions, faq)}
        <div>
          ${faq.map(
            ({ question, answer, reviewIds: ids, reviewCount: count, quotes = [] }, index) =>
              html`<section class="answer" id=${`answer-${index + 1}`}>
                <h2 dir="auto">${question}</h2>
                <p class="prose" dir="auto">${linked(answer, ids)}</p>
                ${bothSides(view, quotes)}
                ${evidenceList(view, ids, texts.behind(ids.length, count))}
              </section>`,
          )}
          ${faq.length === 0 ? null : html`<p class="aside">${texts.method}</p>`}
        </div>
      </div>
    </div>`,
  };
}

/** Links to the answers, folded where there is little room; few need none. */
function questionList(title: string, faq: readonly { readonly question: string }[]): Markup {
  if (faq.length <= FEW_QUESTIONS) return null;
  return html`<details class="panel narrow-fold">
    <summary>${title}</summary>
    <nav aria-label=${title}>
      <ul class="plain">
        ${faq.map(({ question }, index) => html`<li><a href=${`#answer-${index + 1}`} dir="auto">${question}</a></li>`)}
      </ul>
    </nav>
  </details>`;
}

export function summaryPage(view: View): Page {
  const paragraphs = summaryOf(view);
  const texts = view.strings.summary;
  const { path } = ROUTES.getInsights;
  return {
    title: texts.title,
    description: texts.description(view.business.name),
    canonical: PAGE_PATHS.summary,
    main: html`<div>
      <h1>${texts.heading}</h1>
      <div class="claimed">
        <div>
          ${paragraphs.length === 0 ? html`<p>${view.strings.home.noReviews}</p>` : null}
          ${paragraphs.map((paragraph) => html`<p class="prose" dir="auto">${withLinks(view, paragraph)}</p>`)}
        </div>
        ${aspectEvidence(view)}
      </div>
      <p class="aside">
        ${rich(texts.method, {
          a: (words) => html`<a href=${path}>${words}</a>`,
        })}
      </p>
    </div>`,
  };
}

/** A paragraph whose quotes lead to their reviews. In English only: other languages have no quotes in it. */
function withLinks(view: View, paragraph: string): Markup {
  const quoting = view
    .insights('summary_sentences')
    .filter(({ text }) => text.includes('“') && paragraph.includes(text));
  return linked(
    paragraph,
    quoting.flatMap(({ review_ids: [id = ''] }) => id),
  );
}

/** A text whose quotes lead to reviews in the same order. */
function linked(text: string, ids: readonly string[]): Markup {
  const parts = text.split(/(“[^”]*”)/);
  return html`<span
    >${parts.map((part, at) => {
      const id = at % 2 === 1 ? ids[(at - 1) / 2] : undefined;
      return id === undefined ? part : html`<a href=${reviewLink(id)}>${part}</a>`;
    })}</span
  >`;
}

/** The aspects that are mentioned most, with what both sides say. */
function aspectEvidence(view: View): Markup {
  const { strengths, weak_spots: weakSpots } = view.insights('selection');
  const chosen = [...strengths, ...weakSpots].flatMap(
    ({ id }) => view.subject('aspects', id) ?? [],
  );
  const listed = view.listedSubjects('aspects').slice(0, MAX_ASPECTS);
  const aspects =
    chosen.length > 0 ? chosen : listed.flatMap(({ id }) => view.subject('aspects', id) ?? []);
  if (aspects.length === 0) return null;
  const { strings } = view;
  const texts = strings.summary;
  return html`<section>
    <h2>${texts.evidence}</h2>
    ${aspects.map(
      (aspect) =>
        html`<section class="answer">
          <h3><a href=${subjectLink('aspects', aspect.id)}>${view.labelOf(aspect.label)}</a></h3>
          ${view.isSmall ? null : sentimentBar(aspect)}
          <p class="aside">
            ${texts.counts(aspect.positive_count, aspect.neutral_count, aspect.negative_count)}
          </p>
          ${quotesOn(view, aspect, 1)}
          ${evidenceList(view, aspect.example_review_ids, texts.examples(aspect.example_review_ids.length, aspect.mention_count))}
        </section>`,
    )}
    <p><a href=${SUBJECT_PATHS.aspects}>${strings.home.allAspects}</a></p>
  </section>`;
}
