// How reviews are verified, for customers: what counts as proof, what is left out and removed, and which rules of
// law this answers.

import type { VNode } from 'preact';
import { sum, starsOf } from './counts.ts';
import { REASON_LABELS, type RemovalReason } from '../model/removal.ts';
import type { WithheldReason } from '../model/verification.ts';
import { verificationCounts } from '../snapshot/verification.ts';
import { WITHHELD_LABELS } from './transparency-page.ts';
import { formatCount, formatNumber, formatSource } from './format.ts';
import type { Page } from './layout.ts';
import { PAGE_PATHS } from './links.ts';
import { html, type Markup } from './markup.ts';
import type { View } from './view.ts';

const TEXTS = {
  title: 'How we verify reviews',
  note: 'How we verify',
  what: 'For every review here the business states how it knows that the author was a customer, for example an order, an appointment, or the check of the site where it was written. Reviews without such a proof are stored, but neither shown nor counted.',
  methods: 'How the business knows its customers',
  method: 'In the words of the business',
  methodMissing: 'Says only that they are verified',
  sources: 'Where the reviews are from',
  source: 'Source',
  published: 'Published',
  leftOut: 'What you do not see',
  leftOutNone: 'Nothing was left out: every review that the business has is published.',
  leftOutStars: 'Reviews that are stored but not published, by stars:',
  leftOutWhy:
    'They are left out because nobody could check that the author was a customer, or because they are in dispute. Stars are no reason: compare the two columns.',
  removed: 'What was removed',
  removedNone: 'No published review has ever been removed.',
  removedWhy:
    'A published review is removed only for one of these reasons. Each removal is an entry of a public log, which cannot be changed later without being noticed.',
  neverTitle: 'The rules of this site',
  never: [
    'No review is left out or removed because it is negative.',
    'What customers wrote is shown as they wrote it. The reply of the business stands below, marked as its own.',
    'No reviews by people who were not customers, and none that were paid for.',
  ],
  interest:
    'This site is run by the business itself, not by an independent reviewer. Nobody can prove that a review is true, or that the business took in all of them. What was published, changed and removed here can be checked.',
  check: 'See the public log',
  law: 'The rules that this answers',
} as const;

interface Rule {
  readonly name: string;
  readonly url: string;
  readonly says: string;
}

const FTC = 'https://www.ecfr.gov/current/title-16/chapter-I/subchapter-D/part-465';
const EU = 'https://eur-lex.europa.eu/eli/dir/2005/29/2022-05-28';

const RULES: readonly Rule[] = [
  {
    name: 'United States, 16 CFR 465.2',
    url: FTC,
    says: 'No reviews by people who do not exist, who were not customers, or who say something else than they experienced. Answered by: only reviews of verified customers are published.',
  },
  {
    name: 'United States, 16 CFR 465.6',
    url: FTC,
    says: 'A site that a business runs may not look independent. Answered by: every page says that the business publishes it.',
  },
  {
    name: 'United States, 16 CFR 465.7',
    url: FTC,
    says: 'Reviews may not be suppressed because they are negative while the rest looks complete. Answered by: the counts above, by stars, and the public log of removals.',
  },
  {
    name: 'European Union, Directive 2005/29/EC, Article 7(6)',
    url: EU,
    says: 'Who shows reviews says whether and how it makes sure that they are by real customers. Answered by: this page.',
  },
  {
    name: 'European Union, Directive 2005/29/EC, Annex I, 23b',
    url: EU,
    says: 'Nobody may call reviews those of real customers without reasonable steps to check it. Answered by: the checks above.',
  },
  {
    name: 'European Union, Directive 2005/29/EC, Annex I, 23c',
    url: EU,
    says: 'No fake or distorted reviews. Answered by: texts are shown as written, and an edit is an entry of the log.',
  },
];

/** The line beside a score. */
export function verificationNote(): VNode {
  return html`<p class="aside"><a href=${PAGE_PATHS.verification}>${TEXTS.note}</a></p>`;
}

export function verificationPage(view: View): Page {
  const { name } = view.business;
  return {
    status: 200,
    title: TEXTS.title,
    description: `How ${name} checks that reviews are by its customers, what is left out, and what was removed.`,
    canonical: PAGE_PATHS.verification,
    main: html`<div>
      <h1>${TEXTS.title}</h1>
      <p class="lead">${TEXTS.what}</p>
      ${methods(view)} ${sources(view)} ${leftOut(view)} ${removed(view)}
      <section>
        <h2>${TEXTS.neverTitle}</h2>
        <ul>
          ${TEXTS.never.map((sentence) => html`<li>${sentence}</li>`)}
        </ul>
        <p>${TEXTS.interest} <a href=${PAGE_PATHS.transparency}>${TEXTS.check}</a></p>
      </section>
      <section>
        <h2>${TEXTS.law}</h2>
        <dl class="rules">
          ${RULES.map(
            ({ name: rule, url, says }) =>
              html`<div>
                <dt><a href=${url} rel="noopener">${rule}</a></dt>
                <dd>${says}</dd>
              </div>`,
          )}
        </dl>
      </section>
    </div>`,
  };
}

function methods({ snapshot }: View): Markup {
  const found = verificationCounts(snapshot)?.methods ?? [];
  if (found.length === 0) return null;
  return html`<section>
    <h2>${TEXTS.methods}</h2>
    ${counts(
      TEXTS.methods,
      [TEXTS.method, TEXTS.published],
      found.map(({ method, count }) => [method ?? TEXTS.methodMissing, formatNumber(count)]),
    )}
  </section>`;
}

function sources({ rating }: View): Markup {
  const rows = Object.entries(rating.by_source).toSorted(
    ([, a], [, b]) => b.review_count - a.review_count,
  );
  if (rows.length === 0) return null;
  return html`<section>
    <h2>${TEXTS.sources}</h2>
    ${counts(
      TEXTS.sources,
      [TEXTS.source, TEXTS.published],
      rows.map(([source, { review_count: count }]) => [formatSource(source), formatNumber(count)]),
    )}
  </section>`;
}

function leftOut({ snapshot }: View): Markup {
  const manifest = snapshot.log?.manifest;
  if (!manifest) return null;
  const withheld = starsOf(manifest.publication.withheld);
  const byReason = verificationCounts(snapshot)?.withheld.by_reason ?? {};
  const reasons = Object.entries(byReason) as [WithheldReason, number][];
  return html`<section>
    <h2>${TEXTS.leftOut}</h2>
    ${
      sum(withheld) === 0
        ? html`<p>${TEXTS.leftOutNone}</p>`
        : html`<p>
              <strong>${formatCount(sum(withheld), 'review')}.</strong> ${TEXTS.leftOutStars}
            </p>
            ${counts(
              TEXTS.leftOut,
              ['Stars', 'Not published', TEXTS.published],
              withheld
                .map((count, index) => [
                  formatCount(index + 1, 'star'),
                  formatNumber(count),
                  formatNumber(starsOf(manifest.publication.published)[index] ?? 0),
                ])
                .toReversed(),
            )}
            <ul>
              ${reasons.map(
                ([reason, count]) =>
                  html`<li>${WITHHELD_LABELS[reason]}: ${formatCount(count, 'review')}</li>`,
              )}
            </ul>
            <p>${TEXTS.leftOutWhy}</p>`
    }
  </section>`;
}

function removed({ snapshot }: View): Markup {
  const reasons = snapshot.log?.manifest.reasons;
  if (!reasons) return null;
  const rows = Object.entries(reasons) as [RemovalReason, number][];
  return html`<section>
    <h2>${TEXTS.removed}</h2>
    ${
      rows.length === 0
        ? html`<p>${TEXTS.removedNone}</p>`
        : counts(
            TEXTS.removed,
            ['Reason', 'Removed'],
            rows.map(([reason, count]) => [REASON_LABELS[reason], formatNumber(count)]),
          )
    }
    <p>${TEXTS.removedWhy}</p>
  </section>`;
}

/** A table whose first column names the row, and whose others are numbers. */
function counts(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): VNode {
  return html`<div class="table" tabindex="0" role="group" aria-label=${caption}>
    <table>
      <thead>
        <tr>
          ${head.map((label, index) => html`<th scope="col" class=${index > 0 ? 'number' : null}>${label}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([label, ...numbers]) =>
            html`<tr>
              <th scope="row">${label}</th>
              ${numbers.map((number) => html`<td class="number">${number}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
