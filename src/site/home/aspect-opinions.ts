// What customers say of the aspects, with both sides of each, and the critical review that says it best.

import { CRITICAL } from './reputation.ts';
import type { VNode } from 'preact';
import type { Insights } from '../../model/insights.ts';
import { sentimentBar } from '../parts/components.ts';
import { SUBJECT_PATHS } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { ShownReview, View } from '../view.ts';

type AspectInsight = Insights['aspects'][number];

const MAX_ASPECTS = 4;
/** From this share of the smaller side on, opinions differ. */
const SPLIT_SHARE = 1 / 3;
/** Shorter texts say little, longer ones too much at once. UTF-16 units. */
const MIN_TEXT_LENGTH = 60;
const MAX_TEXT_LENGTH = 400;
/** As many complaints about an aspect are looked through. */
const MAX_COMPLAINTS = 50;

type Leaning = 'positive' | 'split' | 'negative';

function leaningOf({ positive_count: praise, negative_count: blame }: AspectInsight): Leaning {
  if (Math.min(praise, blame) >= SPLIT_SHARE * (praise + blame)) return 'split';
  return praise > blame ? 'positive' : 'negative';
}

/** The section of the first page: aspects with the number of reviews that praise them and complain about them. */
export function opinions(view: View): Markup {
  const texts = view.strings.home;
  const { praised, criticized } = view.insights('selection');
  const ids = new Set([...praised, ...criticized].map(({ id }) => id));
  const aspects = [...ids].flatMap((id) => view.subject('aspects', id) ?? []);
  const rows = (['positive', 'split', 'negative'] as const).map((leaning) => {
    const own = aspects.filter((aspect) => leaningOf(aspect) === leaning).slice(0, MAX_ASPECTS);
    if (own.length === 0) return null;
    return html`<div class="opinions">
      <h3>${texts.leanings[leaning]}</h3>
      <ul class="choices">
        ${own.map((aspect) => chip(view, aspect, leaning))}
      </ul>
    </div>`;
  });
  if (aspects.length === 0) return null;
  return html`<section>
    <h2>${texts.whatCustomersSay}</h2>
    ${rows}
    <p class="aside"><a href=${SUBJECT_PATHS.aspects}>${texts.allAspects}</a></p>
  </section>`;
}

function chip(view: View, aspect: AspectInsight, leaning: Leaning): VNode {
  const { id, label, positive_count: praise, negative_count: blame, mention_count: all } = aspect;
  const { strings } = view;
  const sentiment = leaning === 'split' ? undefined : leaning;
  return html`<li>
    <a class="choice both-sides" href=${view.sentimentLink('aspects', id, sentiment)}
      >${view.labelOf(label)}
      <span class="amount"
        >${
          sentiment === undefined
            ? `${strings.positive(praise)}, ${strings.negative(blame)}`
            : strings.home.partOf(aspect[`${sentiment}_count`], all)
        }</span
      >
      ${sentimentBar(aspect)}</a
    >
  </li>`;
}

/** A review that is plainly a complaint, in its stars too, and the aspect that it is about. */
export interface CriticalReview {
  readonly shown: ShownReview;
  readonly label: string;
  readonly phrase: string;
}

/** The newest complaint about the weak spot, or else about what is criticised most, best one with an answer; null if none
 * is of readable length. */
export function criticalReview(view: View, others: readonly ShownReview[]): CriticalReview | null {
  const excluded = new Set(others.map(({ position }) => position));
  const { weak_spots: weakSpots, criticized } = view.insights('selection');
  for (const { id } of [...weakSpots, ...criticized]) {
    const { positions } = view.snapshot.search({
      aspect: id,
      sentiment: 'negative',
      max_rating: CRITICAL,
      sort: 'newest',
      limit: MAX_COMPLAINTS,
    });
    const readable = view
      .reviewsAt(positions.filter((position) => !excluded.has(position)))
      .filter(({ review: { text } }) => text !== null && isReadable(text));
    const shown = readable.find(({ review }) => review.owner_reply !== null) ?? readable[0];
    const phrase = shown?.insights?.aspects.find((one) => one.id === id)?.phrase;
    if (shown === undefined || phrase === undefined) continue;
    return { shown, phrase, label: view.labelOf(view.subject('aspects', id)?.label ?? id) };
  }
  return null;
}

function isReadable(text: string): boolean {
  return text.length >= MIN_TEXT_LENGTH && text.length <= MAX_TEXT_LENGTH && !hasMarkup(text);
}

/** Whether a text has the code of a page in it: it is shown as text, but not shown off. */
export function hasMarkup(text: string): boolean {
  return /<[a-z!/]|&[a-z#]\w*;/i.test(text);
}
