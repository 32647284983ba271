// Quotes on a subject from both sides: praise from reviews with many stars, criticism from reviews with few.

import { agrees, standsAlone } from '../../model/quotable.ts';
import type { Sentiment } from '../../model/insights.ts';
import type { MentionKind } from '../../search/mentions.ts';
import { stars } from '../parts/components.ts';
import { reviewLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { ShownReview, View } from '../view.ts';
import { isJudgedIn, type SubjectInsight, wordsOf } from './people.ts';

/** Number of newest reviews that are searched for quotes. */
const MAX_QUOTED_REVIEWS = 40;

export interface Quote {
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
  return quotes.length === 0 ? null : quoteList(view, quotes);
}

/** Quotes, each with the stars, the author and the month of its review. */
export function quoteList(view: View, quotes: readonly Quote[]): Markup {
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

/**
 * Distinct phrases of one side, newest first. Before them are those that the insights chose; on what is only named, such
 * as a service, those that name it, before others of its reviews.
 */
export function quotesOf(
  view: View,
  list: MentionKind,
  insight: SubjectInsight,
  side: Sentiment,
): Quote[] {
  const { id } = insight;
  const isJudged = isJudgedIn(list);
  const positions = view.snapshot.mentioning(list, id, isJudged ? side : undefined);
  const examples = isJudged ? view.reviewsOf(insight.example_review_ids) : [];
  const words = wordsOf(insight);
  const top = 'top_phrases' in insight ? insight.top_phrases : [];
  const found = [...examples, ...view.reviewsAt(positions.subarray(0, MAX_QUOTED_REVIEWS))].flatMap(
    (from) => {
      if (!agrees(from.review, side) || from.insights === null) return [];
      const named =
        list === 'topics' ? undefined : from.insights[list].find((one) => one.id === id);
      const said = isJudged ? [named ?? []].flat() : from.insights.aspects;
      const telling = said.filter(
        ({ sentiment, phrase }) => sentiment === side && standsAlone(phrase),
      );
      const isOn = ({ phrase }: { phrase: string }) =>
        isJudged
          ? top.includes(phrase)
          : (words?.test(phrase) ?? isSame(phrase, named?.phrase ?? ''));
      const best = telling.find(isOn) ?? telling[0];
      return best === undefined ? [] : [{ text: best.phrase, from, isOn: isOn(best) }];
    },
  );
  const distinct = new Map(found.map((quote) => [quote.text, quote]));
  return [...distinct.values()].toSorted(
    (a, b) => Number(b.isOn) - Number(a.isOn) || a.from.position - b.from.position,
  );
}

function isSame(phrase: string, other: string): boolean {
  return other !== '' && (phrase.includes(other) || other.includes(phrase));
}
