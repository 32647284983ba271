// Quotes on a subject from both sides: praise from reviews with many stars, criticism from reviews with few.

import { agrees, standsAlone } from '../../model/quotable.ts';
import type { Sentiment } from '../../model/insights.ts';
import type { MentionKind } from '../../search/mentions.ts';
import { stars } from '../parts/components.ts';
import { reviewLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { ShownReview, View } from '../view.ts';
import type { SubjectInsight } from './people.ts';

/** Number of newest reviews that are searched for quotes. */
const MAX_QUOTED_REVIEWS = 20;

interface Quote {
  readonly text: string;
  readonly from: ShownReview;
}

/** At most `most` quotes of each side, or only of one; null if nothing can be quoted. */
export function quotesOn(
  view: View,
  list: MentionKind,
  insight: SubjectInsight,
  most: number,
  sentiment?: Sentiment,
): Markup {
  const sides = sentiment === undefined ? (['positive', 'negative'] as const) : [sentiment];
  const quotes = sides.flatMap((side) => quotesOf(view, list, insight, side).slice(0, most));
  if (quotes.length === 0) return null;
  return html`<ul class="phrases">
    ${quotes.map(
      ({ text, from: { review, language } }) =>
        html`<li>
          <q dir="auto" lang=${language === 'und' ? '' : language}>${text}</q>
          <span class="aside"
            >${stars(view, review.rating)}
            <a href=${reviewLink(review.id)}><bdi>${review.author}</bdi></a
            >, ${view.format.month(review.date.slice(0, 7))}</span
          >
        </li>`,
    )}
  </ul>`;
}

/** Distinct phrases of one side, newest first, before them those that the insights chose. */
function quotesOf(
  view: View,
  list: MentionKind,
  insight: SubjectInsight,
  side: Sentiment,
): Quote[] {
  // Topics have no phrases.
  if (list === 'topics' || !('top_phrases' in insight)) return [];
  const { id, example_review_ids: examples, top_phrases: top } = insight;
  const newest = view.snapshot.mentioning(list, id, side).subarray(0, MAX_QUOTED_REVIEWS);
  const found = [...view.reviewsOf(examples), ...view.reviewsAt(newest)].flatMap((from) => {
    const mention = from.insights?.[list].find((one) => one.id === id && one.sentiment === side);
    if (mention === undefined || !agrees(from.review, side)) return [];
    return standsAlone(mention.phrase) ? [{ text: mention.phrase, from }] : [];
  });
  const distinct = new Map(found.map((quote) => [quote.text, quote]));
  const isTop = ({ text }: Quote) => Number(top.includes(text));
  return [...distinct.values()].toSorted(
    (a, b) => isTop(b) - isTop(a) || a.from.position - b.from.position,
  );
}
