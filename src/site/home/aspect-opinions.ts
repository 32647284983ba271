// What customers praise and complain about most, and the review that says it best.

import type { Insights } from '../../model/insights.ts';
import { SUBJECT_PATHS } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { ShownReview, View } from '../view.ts';

type AspectInsight = Insights['aspects'][number];
type Opinion = 'positive' | 'negative';

const MAX_ASPECTS = 6;
/** Shorter texts say little, longer ones too much at once. UTF-16 units. */
const MIN_TEXT_LENGTH = 60;
const MAX_TEXT_LENGTH = 400;

/** The section of the first page: aspects with the number of reviews that praise them or complain about them. */
export function opinions(view: View): Markup {
  const texts = view.strings.home;
  const rows = [
    choices(view, texts.mostPraised, 'positive'),
    choices(view, texts.mostComplaints, 'negative'),
  ];
  if (rows.every((each) => each === null)) return null;
  return html`<section>
    <h2>${texts.whatCustomersSay}</h2>
    ${rows}
    <p class="aside"><a href=${SUBJECT_PATHS.aspects}>${texts.allAspects}</a></p>
  </section>`;
}

function choices(view: View, title: string, opinion: Opinion): Markup {
  const texts = view.strings.home;
  const best = bestAspects(view, opinion);
  if (best.length === 0) return null;
  return html`<div class="opinions">
    <h3>${title}</h3>
    <ul class="choices">
      ${best.map(
        (aspect) =>
          html`<li>
            <a
              class=${`choice choice-${opinion}`}
              href=${view.sentimentLink('aspects', aspect.id, opinion)}
              >${view.labelOf(aspect.label)}
              <span class="amount"
                >${texts.partOf(countOf(aspect, opinion), aspect.mention_count)}</span
              ></a
            >
          </li>`,
      )}
    </ul>
  </div>`;
}

/** The aspects with most opinions of this kind, as their numbers say. */
function bestAspects(view: View, opinion: Opinion): readonly AspectInsight[] {
  const { praised, criticized } = view.insights('selection');
  const aspects = view.insights('aspects');
  return (opinion === 'positive' ? praised : criticized)
    .slice(0, MAX_ASPECTS)
    .flatMap(({ id }) => aspects.filter((aspect) => aspect.id === id));
}

function countOf(aspect: AspectInsight, opinion: Opinion): number {
  return aspect[`${opinion}_count`];
}

/** A review that is plainly praise or a complaint, in its stars too, and the aspect that it is about. */
export interface TellingReview {
  readonly shown: ShownReview;
  readonly label: string;
  readonly phrase: string;
}

/** The most telling review of a kind beside others; null if none is plain enough. */
export function tellingReview(
  view: View,
  opinion: Opinion,
  others: readonly ShownReview[],
): TellingReview | null {
  const excluded = new Set(others.map(({ position }) => position));
  for (const { id, label, example_review_ids: examples } of bestAspects(view, opinion)) {
    const newestFirst = view.reviewsOf(examples).toSorted((a, b) => a.position - b.position);
    for (const shown of newestFirst) {
      const { rating, text } = shown.review;
      const mention = shown.insights?.aspects.find((one) => one.id === id);
      const agrees = opinion === 'positive' ? rating >= 4 : rating <= 2;
      const length = text?.length ?? 0;
      if (excluded.has(shown.position)) continue;
      if (!agrees || mention?.sentiment !== opinion) continue;
      if (length < MIN_TEXT_LENGTH || length > MAX_TEXT_LENGTH) continue;
      return { shown, label: view.labelOf(label), phrase: mention.phrase };
    }
  }
  return null;
}
