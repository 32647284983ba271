// What the log says, for people; and the proof on the page of a review.

import type { VNode } from 'preact';
import { REASON_LABELS, type RemovalReason } from '../model/removal.ts';
import { fillPath, ROUTES } from '../model/routes.ts';
import type { WithheldReason } from '../model/verification.ts';
import { verificationCounts } from '../snapshot/verification.ts';
import { bar, stars } from './components.ts';
import { starsOf, sum } from './counts.ts';
import { formatCount, formatDate, formatNumber } from './format.ts';
import type { Page } from './layout.ts';
import { PAGE_PATHS } from './links.ts';
import { html, type Markup } from './markup.ts';
import type { View } from './view.ts';

const ALL_STARS = [5, 4, 3, 2, 1] as const;
const COLUMNS = ['published', 'withheld', 'removed'] as const;

export function transparencyPage(view: View): Page {
  return {
    status: 200,
    title: 'Transparency',
    description: `What ${view.business.name} publishes, withholds and has removed, and how to check it.`,
    canonical: PAGE_PATHS.transparency,
    main: html`<div>
      <h1>Nothing is removed in silence</h1>
      <p class="prose">
        Every review that is published, edited or removed here is an entry of a signed log. Nobody
        can change or delete an entry without everybody noticing who has seen the log before.
      </p>
      ${figures(view)} ${methods(view)}
      <section>
        <h2>Check it yourself</h2>
        <p>This compares all reviews with the log, and the log with what you saw before:</p>
        <pre><code>npx public-reviews verify ${view.origin}</code></pre>
        <p>
          The log: <a href=${ROUTES.getCheckpoint.path}>signed checkpoint</a>,
          <a href=${ROUTES.getLogKey.path}> key</a>. On the page of a review, “Proof” checks that
          one review in your browser.
        </p>
      </section>
      <section>
        <h2>What it does not prove</h2>
        <p class="prose">
          That a review is true; that there is no review which the business never took in; and, as
          long as nobody else keeps a copy of the checkpoint, that everybody is shown the same log.
          The numbers of withheld reviews and the reasons of removals are what the business states.
        </p>
      </section>
    </div>`,
  };
}

function figures({ snapshot }: View): Markup {
  const manifest = snapshot.log?.manifest;
  if (!manifest) return html`<p>The log begins with the next publication.</p>`;
  const { publication, reasons, size } = manifest;
  const totals = COLUMNS.map((name) => starsOf(publication[name]));
  const most = Math.max(1, ...totals.flat());
  const rows = Object.entries(reasons) as [RemovalReason, number][];
  return html`<section>
    <h2>Published, withheld and removed</h2>
    <p>
      ${formatNumber(size)} entries, the newest of ${formatDate(publication.at.slice(0, 10))}.
      Withheld reviews are stored and not published: they are not verified, or disputed and hidden.
      Removed ones were published before.
    </p>
    <div class="table" tabindex="0" role="group" aria-label="Reviews by stars">
      <table>
        <thead>
          <tr>
            <th scope="col">Stars</th>
            ${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${ALL_STARS.map(
            (rating) =>
              html`<tr>
                <th scope="row">${stars(rating)}</th>
                ${totals.map((counts) => cell(counts[rating - 1] ?? 0, most))}
              </tr>`,
          )}
          <tr>
            <th scope="row">All</th>
            ${totals.map((counts) => html`<td>${formatNumber(sum(counts))}</td>`)}
          </tr>
        </tbody>
      </table>
    </div>
    ${
      rows.length === 0
        ? html`<p>No published review has ever been removed.</p>`
        : html`<h3>Why reviews were removed</h3>
            <ul>
              ${rows.map(
                ([reason, count]) =>
                  html`<li>${REASON_LABELS[reason]}: ${formatCount(count, 'review')}</li>`,
              )}
            </ul>`
    }
  </section>`;
}

/** How the published reviews were verified, and why others are withheld. */
function methods({ snapshot }: View): Markup {
  const counts = verificationCounts(snapshot);
  if (counts === null) return null;
  const withheld = Object.entries(counts.withheld.by_reason) as [WithheldReason, number][];
  return html`<section>
    <h2>How they were verified</h2>
    <p>In the words of the business, as <a href=${ROUTES.getVerification.path}>data</a> too.</p>
    <ul>
      ${counts.methods.map(
        ({ method, count }) =>
          html`<li>
            ${method === null ? 'the business does not say how' : html`<bdi>${method}</bdi>`}:
            ${' '}${formatCount(count, 'review')}
          </li>`,
      )}
    </ul>
    ${
      withheld.length === 0
        ? null
        : html`<h3>Why reviews are withheld</h3>
            <ul>
              ${withheld.map(
                ([reason, count]) =>
                  html`<li>${WITHHELD_LABELS[reason]}: ${formatCount(count, 'review')}</li>`,
              )}
            </ul>`
    }
  </section>`;
}

export const WITHHELD_LABELS: Readonly<Record<WithheldReason, string>> = {
  not_verified: 'not verified',
  ...REASON_LABELS,
};

function cell(count: number, most: number): VNode {
  return html`<td>${formatNumber(count)} ${bar(count / most)}</td>`;
}

/** "Proof" on the page of a review: a script computes it when it is opened. An export has no live proofs. */
export function proofSection({ snapshot, isStatic }: View, id: string): Markup {
  if (isStatic || snapshot.log === null) return null;
  return html`<details
    class="proof"
    data-proof=${fillPath(ROUTES.getReviewProof.path, { id })}
    data-review=${fillPath(ROUTES.getReview.path, { id })}
  >
    <summary>Proof</summary>
    <p><output>Opening this needs scripts.</output></p>
    <p class="aside">
      <a href=${PAGE_PATHS.transparency}>What this proves</a>, and
      <a href=${fillPath(ROUTES.getReviewProof.path, { id })}> the proof as data</a>.
    </p>
  </details>`;
}
