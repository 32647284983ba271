// What the log says, for people; and the proof on the page of a review.

import type { VNode } from 'preact';
import { starsIn, sum } from '../../log/entries.ts';
import { fillPath, ROUTES } from '../../model/routes.ts';
import { verificationCounts } from '../../snapshot/verification.ts';
import { bar, code, stars, table } from '../parts/components.ts';
import type { Page } from '../parts/layout.ts';
import { PAGE_PATHS } from '../parts/links.ts';
import { html, type Markup, rich } from '../parts/markup.ts';
import type { View } from '../view.ts';

const ALL_STARS = [5, 4, 3, 2, 1] as const;
const COLUMNS = ['published', 'withheld', 'removed'] as const;

export function transparencyPage(view: View): Page {
  const texts = view.strings.transparency;
  const steps = (words: string) => html`<a href=${`${PAGE_PATHS.developers}#log`}>${words}</a>`;
  return {
    title: texts.title,
    description: texts.description(view.business.name),
    canonical: PAGE_PATHS.transparency,
    main: html`<div class="spaced">
      <h1>${texts.heading}</h1>
      <p class="prose">${texts.about}</p>
      ${figures(view)} ${edits(view)}
      <section>
        <h2>${texts.checkTitle}</h2>
        <p>${rich(texts.check, { steps })}</p>
        ${code(`npx public-reviews verify ${view.origin}`, texts.checkTitle)}
        <p>
          ${rich(texts.log, {
            checkpoint: (words) => html`<a href=${ROUTES.getCheckpoint.path}>${words}</a>`,
            key: (words) => html`<a href=${ROUTES.getLogKey.path}>${words}</a>`,
            steps,
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
  const { publication, size } = manifest;
  const counts = COLUMNS.map((name) => starsIn(publication[name]));
  const most = Math.max(1, ...counts.flat());
  const countOf = (count: number) => html`${view.format.number(count)} ${bar(count / most)}`;
  const rows: readonly Row[] = [
    ...ALL_STARS.map((rating) => ({
      label: stars(view, rating),
      cells: counts.map((byStars) => countOf(byStars[rating - 1] ?? 0)),
    })),
    { label: texts.all, cells: counts.map(sum) },
  ];
  return html`<section>
    <h2>${texts.figures}</h2>
    <p>${texts.entries(size, publication.at.slice(0, 10))} ${texts.terms}</p>
    ${table(
      view,
      texts.byStars,
      [
        { label: texts.stars, cell: ({ label }) => label },
        ...COLUMNS.map((name, index) => ({
          label: texts.columns[name],
          cell: ({ cells }: Row) => cells[index] ?? null,
        })),
      ],
      rows,
      { isCaptionShown: false },
    )}
    <p><a href=${PAGE_PATHS.verification}>${view.strings.layout.verification}</a></p>
  </section>`;
}

function edits({ snapshot, strings }: View): Markup {
  const texts = strings.transparency;
  const changes = verificationCounts(snapshot)?.edited.stars;
  if (!changes) return null;
  return html`<section>
    <h2>${texts.edits}</h2>
    ${
      changes.length === 0
        ? html`<p>${texts.editsNone}</p>`
        : html`<ul>
            ${changes.map(({ from, to, count }) => html`<li>${texts.starsBecame(from, to, count)}</li>`)}
          </ul>`
    }
  </section>`;
}

/** The reviews with one number of stars, or all of them. */
interface Row {
  readonly label: VNode | string;
  readonly cells: readonly (VNode | number)[];
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
