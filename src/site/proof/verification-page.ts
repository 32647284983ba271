// How reviews are verified, for customers: what counts as proof, what is left out and removed, and which rules of
// law this answers.

import type { VNode } from 'preact';
import { starsIn, sum } from '../../log/entries.ts';
import { type LoggedReason, REMOVAL_REASONS } from '../../model/removal.ts';
import { ROUTES } from '../../model/routes.ts';
import type { WithheldReason } from '../../model/verification.ts';
import { verificationCounts } from '../../snapshot/verification.ts';
import { table } from '../parts/components.ts';
import { formatSource } from '../parts/format.ts';
import type { Page } from '../parts/layout.ts';
import { PAGE_PATHS } from '../parts/links.ts';
import { html, type Markup, rich } from '../parts/markup.ts';
import type { View } from '../view.ts';

const FTC = 'https://www.ecfr.gov/current/title-16/chapter-I/subchapter-D/part-465';
const EU = 'https://eur-lex.europa.eu/eli/dir/2005/29/2022-05-28';
const UK = 'https://www.legislation.gov.uk/ukpga/2024/13/schedule/20';

/** Where the rules are, in the order of their texts. */
const RULE_URLS = [FTC, FTC, FTC, EU, EU, EU, UK];

/** The link beside a score. */
export function verificationNote({ strings }: View): VNode {
  return html`<a class="aside" href=${PAGE_PATHS.verification}>${strings.howWeVerify}</a>`;
}

export function verificationPage(view: View): Page {
  const { strings, business } = view;
  const texts = strings.verification;
  return {
    title: strings.layout.verification,
    description: texts.description(business.name),
    canonical: PAGE_PATHS.verification,
    main: html`<div class="spaced">
      <h1>${strings.layout.verification}</h1>
      <p class="lead">${texts.what}</p>
      ${methods(view)} ${sources(view)} ${leftOut(view)} ${removed(view)}
      <section>
        <h2>${texts.neverTitle}</h2>
        <ul>
          ${texts.never.map((sentence) => html`<li>${sentence}</li>`)}
        </ul>
        <p>${texts.interest} <a href=${PAGE_PATHS.transparency}>${texts.check}</a></p>
      </section>
      <section>
        <details>
          <summary>${texts.law}</summary>
          <dl class="rules">
            ${texts.rules.map(
              ([rule, says], index) =>
                html`<div>
                  <dt><a href=${RULE_URLS[index]} rel="noopener">${rule}</a></dt>
                  <dd>${says}</dd>
                </div>`,
            )}
          </dl>
        </details>
      </section>
    </div>`,
  };
}

function methods(view: View): Markup {
  const { snapshot, strings } = view;
  const texts = strings.verification;
  const found = verificationCounts(snapshot)?.methods ?? [];
  if (found.length === 0) return null;
  const data = (words: string) => html`<a href=${ROUTES.getVerification.path}>${words}</a>`;
  return html`<section>
    <h2>${texts.methods}</h2>
    <p>
      ${rich(texts.methodsAbout, { a: data })}
      ${found.some(({ method }) => /\bmatch/i.test(method ?? '')) ? ` ${texts.methodMatched}` : null}
    </p>
    ${counts(
      view,
      texts.methods,
      [texts.method, texts.published],
      found.map(({ method, count }) => [
        method === null ? texts.methodMissing : html`<bdi>${view.methodOf(method)}</bdi>`,
        count,
      ]),
    )}
  </section>`;
}

function sources(view: View): Markup {
  const { rating, language, strings } = view;
  const texts = strings.verification;
  const rows = Object.entries(rating.by_source).toSorted(
    ([, a], [, b]) => b.review_count - a.review_count,
  );
  if (rows.length === 0) return null;
  return html`<section>
    <h2>${texts.sources}</h2>
    ${counts(
      view,
      texts.sources,
      [texts.source, texts.published],
      rows.map(([source, { review_count: count }]) => [formatSource(language, source), count]),
    )}
  </section>`;
}

function leftOut(view: View): Markup {
  const { snapshot, strings } = view;
  const texts = strings.verification;
  const { reasons: labels } = strings.transparency;
  const manifest = snapshot.log?.manifest;
  if (!manifest) return null;
  const withheld = starsIn(manifest.publication.withheld);
  const published = starsIn(manifest.publication.published);
  const byReason = verificationCounts(snapshot)?.withheld.by_reason ?? {};
  const reasons = Object.entries(byReason) as [WithheldReason, number][];
  const has = (reason: WithheldReason) => byReason[reason] !== undefined;
  return html`<section>
    <h2>${texts.leftOut}</h2>
    ${
      sum(withheld) === 0
        ? html`<p>${texts.leftOutNone}</p>`
        : html`<p><strong>${strings.reviews(sum(withheld))}.</strong> ${texts.leftOutStars}</p>
            ${counts(
              view,
              texts.leftOut,
              [strings.transparency.stars, texts.notPublished, texts.published],
              withheld
                .map((count, index): Row => [
                  strings.stars(index + 1),
                  count,
                  published[index] ?? 0,
                ])
                .toReversed(),
            )}
            <ul>
              ${reasons.map(
                ([reason, count]) =>
                  html`<li>${strings.transparency.reason(labels[reason], count)}</li>`,
              )}
            </ul>
            <p>
              ${reasons.length === 1 && has('not_verified') ? texts.leftOutWhy : null}
              ${byStars(view, withheld, published)}
              ${has('not_verified') ? texts.leftOutProof : null}
              ${has('not_agreed') ? texts.leftOutAgree : null}
            </p>`
    }
  </section>`;
}

/** Whether reviews with few stars are left out more often than those with many. */
function byStars(
  { strings: { verification: texts } }: View,
  withheld: readonly number[],
  published: readonly number[],
): string {
  const shareOf = (stars: readonly number[]) => {
    const part = sum(stars.map((star) => withheld[star - 1] ?? 0));
    return { part, total: part + sum(stars.map((star) => published[star - 1] ?? 0)) };
  };
  const [low, high] = [shareOf([1, 2]), shareOf([4, 5])];
  return low.part * high.total <= high.part * low.total
    ? texts.leftOutAlike
    : texts.leftOutByStars(low.part, low.total, high.part, high.total);
}

function removed(view: View): Markup {
  const { snapshot, strings } = view;
  const texts = strings.verification;
  const { reasons: labels } = strings.transparency;
  const reasons = snapshot.log?.manifest.reasons;
  if (!reasons) return null;
  const rows = Object.entries(reasons) as [LoggedReason, number][];
  return html`<section>
    <h2>${texts.removed}</h2>
    ${
      rows.length === 0
        ? html`<p>${texts.removedNone}</p>`
        : counts(
            view,
            texts.removed,
            [texts.reason, strings.transparency.columns.removed],
            rows.map(([reason, count]) => [labels[reason], count]),
          )
    }
    <p>${texts.removedWhy}</p>
    ${
      rows.length > 0
        ? null
        : html`<ul>
            ${REMOVAL_REASONS.map((reason) => html`<li>${labels[reason]}</li>`)}
          </ul>`
    }
  </section>`;
}

/** The name of a row, and its numbers. */
type Row = readonly [name: VNode | string, ...numbers: number[]];

function counts(
  view: View,
  caption: string,
  [name, ...others]: readonly string[],
  rows: readonly Row[],
): VNode {
  const columns = [
    { label: name ?? '', cell: ([label]: Row) => label },
    ...others.map((label, index) => ({
      label,
      isNumber: true,
      cell: (row: Row) => row[index + 1] ?? null,
    })),
  ];
  return table(view, caption, columns, rows, { isCaptionShown: false });
}
