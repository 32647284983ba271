// What the log says, for people; and the proof on the page of a review.

import type { VNode } from 'preact';
import type { RemovalReason } from '../model/removal.ts';
import { fillPath, ROUTES } from '../model/routes.ts';
import type { WithheldReason } from '../model/verification.ts';
import { verificationCounts } from '../snapshot/verification.ts';
import { bar, stars } from './components.ts';
import { starsOf, sum } from './counts.ts';
import type { Page } from './layout.ts';
import { PAGE_PATHS } from './links.ts';
import { html, type Markup, rich } from './markup.ts';
import type { View } from './view.ts';

const ALL_STARS = [5, 4, 3, 2, 1] as const;
const COLUMNS = ['published', 'withheld', 'removed'] as const;

export function transparencyPage(view: View): Page {
  const texts = view.strings.transparency;
  return {
    status: 200,
    title: texts.title,
    description: texts.description(view.business.name),
    canonical: PAGE_PATHS.transparency,
    main: html`<div>
      <h1>${texts.heading}</h1>
      <p class="prose">${texts.about}</p>
      ${figures(view)} ${methods(view)}
      <section>
        <h2>${texts.checkTitle}</h2>
        <p>${texts.check}</p>
        <pre
          tabindex="0"
          role="group"
          aria-label=${texts.checkTitle}
        ><code>npx public-reviews verify ${view.origin}</code></pre>
        <p>
          ${rich(texts.log, {
            checkpoint: (words) => html`<a href=${ROUTES.getCheckpoint.path}>${words}</a>`,
            key: (words) => html`<a href=${ROUTES.getLogKey.path}>${words}</a>`,
          })}
        </p>
      </section>
      <section>
        <h2>${texts.limitsTitle}</h2>
        <p class="prose">${texts.limits}</p>
      </section>
    </div>`,
  };
}

function figures(view: View): Markup {
  const texts = view.strings.transparency;
  const manifest = view.snapshot.log?.manifest;
  if (!manifest) return html`<p>${texts.noLog}</p>`;
  const { publication, reasons, size } = manifest;
  const totals = COLUMNS.map((name) => starsOf(publication[name]));
  const most = Math.max(1, ...totals.flat());
  const rows = Object.entries(reasons) as [RemovalReason, number][];
  return html`<section>
    <h2>${texts.figures}</h2>
    <p>${texts.entries(size, publication.at.slice(0, 10))} ${texts.terms}</p>
    <div class="table" tabindex="0" role="group" aria-label=${texts.byStars}>
      <table>
        <thead>
          <tr>
            <th scope="col">${texts.stars}</th>
            ${COLUMNS.map((name) => html`<th scope="col">${texts.columns[name]}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${ALL_STARS.map(
            (rating) =>
              html`<tr>
                <th scope="row">${stars(view, rating)}</th>
                ${totals.map((counts) => cell(view, counts[rating - 1] ?? 0, most))}
              </tr>`,
          )}
          <tr>
            <th scope="row">${texts.all}</th>
            ${totals.map((counts) => html`<td>${view.format.number(sum(counts))}</td>`)}
          </tr>
        </tbody>
      </table>
    </div>
    ${
      rows.length === 0
        ? html`<p>${texts.noneRemoved}</p>`
        : html`<h3>${texts.whyRemoved}</h3>
            <ul>
              ${rows.map(
                ([reason, count]) => html`<li>${texts.reason(texts.reasons[reason], count)}</li>`,
              )}
            </ul>`
    }
  </section>`;
}

/** How the published reviews were verified, and why others are withheld. */
function methods({ snapshot, strings }: View): Markup {
  const counts = verificationCounts(snapshot);
  if (counts === null) return null;
  const texts = strings.transparency;
  const withheld = Object.entries(counts.withheld.by_reason) as [WithheldReason, number][];
  const data = (words: string) => html`<a href=${ROUTES.getVerification.path}>${words}</a>`;
  return html`<section>
    <h2>${texts.methodsTitle}</h2>
    <p>${rich(texts.methodsAbout, { a: data })}</p>
    <ul>
      ${counts.methods.map(
        ({ method, count }) =>
          html`<li>
            ${method === null ? texts.methodUnstated : html`<bdi>${method}</bdi>`}:
            ${' '}${strings.reviews(count)}
          </li>`,
      )}
    </ul>
    ${
      withheld.length === 0
        ? null
        : html`<h3>${texts.whyWithheld}</h3>
            <ul>
              ${withheld.map(
                ([reason, count]) => html`<li>${texts.reason(texts.reasons[reason], count)}</li>`,
              )}
            </ul>`
    }
  </section>`;
}

function cell({ format }: View, count: number, most: number): VNode {
  return html`<td>${format.number(count)} ${bar(count / most)}</td>`;
}

/** "Proof" on the page of a review: a script computes it when it is opened. An export has no live proofs. */
export function proofSection({ snapshot, isStatic, strings }: View, id: string): Markup {
  if (isStatic || snapshot.log === null) return null;
  const texts = strings.transparency;
  const data = fillPath(ROUTES.getReviewProof.path, { id });
  return html`<details
    class="proof"
    data-proof=${data}
    data-texts=${JSON.stringify(strings.proof)}
    data-review=${fillPath(ROUTES.getReview.path, { id })}
  >
    <summary>${texts.proof}</summary>
    <p><output>${texts.proofNeedsScripts}</output></p>
    <p class="aside">
      ${rich(texts.proofLinks, {
        about: (words) => html`<a href=${PAGE_PATHS.transparency}>${words}</a>`,
        data: (words) => html`<a href=${data}>${words}</a>`,
      })}
    </p>
  </details>`;
}
