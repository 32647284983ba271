// Strengths and weak spots with both sides of each, and the critical review that says it best.

import { CRITICAL } from '../../snapshot/replies.ts';
import type { VNode } from 'preact';
import type { Insights } from '../../model/insights.ts';
import { sentimentBar } from '../parts/components.ts';
import { SUBJECT_PATHS } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import { byConfidence, isSure } from '../reviews/review-card.ts';
import type { ShownReview, View } from '../view.ts';

type AspectInsight = Insights['aspects'][number];

/** Shorter texts say little, longer ones too much at once. UTF-16 units. */
const MIN_TEXT_LENGTH = 60;
const MAX_TEXT_LENGTH = 400;
/** The least stars of a good review. */
const GOOD = 4;
/** As many complaints about an aspect are looked through. */
const MAX_COMPLAINTS = 50;

/** The section of the first page: strengths and weak spots, each with the reviews that praise and criticise it. */
export function opinions(view: View): Markup {
  const texts = view.strings.home;
  const selection = view.insights('selection');
  const rows = (['strengths', 'weak_spots'] as const).map((kind) => {
    const own = selection[kind]
      .flatMap(({ id }) => view.subject('aspects', id) ?? [])
      // What is praised most may still divide customers.
      .filter((one) => kind === 'weak_spots' || one.positive_count >= 2 * one.negative_count);
    if (own.length === 0) return null;
    return html`<div class="opinions">
      <h3>${texts.leanings[kind]}</h3>
      <ul class="choices">
        ${own.map((aspect) => chip(view, aspect, kind === 'strengths' ? 'positive' : 'negative'))}
      </ul>
    </div>`;
  });
  if (rows.every((row) => row === null)) return null;
  return html`<section>
    <h2>${texts.whatCustomersSay}</h2>
    ${rows}
    <p class="aside"><a href=${SUBJECT_PATHS.aspects}>${texts.allAspects}</a></p>
  </section>`;
}

function chip(view: View, aspect: AspectInsight, sentiment: 'positive' | 'negative'): VNode {
  const { id, label, positive_count: good, negative_count: bad } = aspect;
  const { home } = view.strings;
  return html`<li>
    <a class="choice both-sides" href=${view.sentimentLink('aspects', id, sentiment)}
      >${view.labelOf(label)}
      <span class="amount"
        >${home.shareOf[sentiment](aspect[`${sentiment}_count`], good + bad)}</span
      >
      ${sentimentBar(aspect)}</a
    >
  </li>`;
}

/** A review that thinks otherwise than most, in its stars too, and what it tells of which aspect. */
export interface CriticalReview {
  readonly shown: ShownReview;
  /** Such as "A critical review: Pricing". */
  readonly title: string;
  readonly phrase: string;
}

/** The newest review that complains of an aspect, or praises one where most are bad, and is plain enough to show; null if none is. */
export function criticalReview(view: View, others: readonly ShownReview[]): CriticalReview | null {
  const excluded = new Set(others.map(({ position }) => position));
  const { positions } = view.snapshot.search({
    ...(view.isMostlyBad ? { min_rating: GOOD } : { max_rating: CRITICAL }),
    has_text: true,
    sort: 'newest',
    limit: MAX_COMPLAINTS,
  });
  for (const shown of view.reviewsAt(positions.filter((position) => !excluded.has(position)))) {
    const side = view.isMostlyBad ? 'positive' : 'negative';
    const [told] = (shown.insights?.aspects ?? [])
      .filter((one) => one.sentiment === side && isSure(one))
      .toSorted(byConfidence);
    const { text } = shown.review;
    if (told === undefined || text === null || hasMarkup(text)) continue;
    if (text.length < MIN_TEXT_LENGTH || text.length > MAX_TEXT_LENGTH) continue;
    const label = view.labelOf(view.subject('aspects', told.id)?.label ?? told.id);
    const title = view.strings.home[view.isMostlyBad ? 'good' : 'critical'](label);
    return { shown, phrase: told.phrase, title };
  }
  return null;
}

/** Whether a text has the code of a page in it: it is shown as text, but not shown off. */
export function hasMarkup(text: string): boolean {
  return /<[a-z!/]|&[a-z#]\w*;/i.test(text);
}
