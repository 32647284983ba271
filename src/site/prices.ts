// The amounts that customers name in the reviews of a subject that is about money: what they paid or were quoted.

import type { Insights } from '../model/insights.ts';
import type { MentionKind } from '../search/mentions.ts';
import { stars } from './components.ts';
import { reviewLink } from './links.ts';
import { html, type Markup } from './markup.ts';
import type { View } from './view.ts';

type PriceMention = Insights['prices']['mentions'][number];

/** Ids of aspects and problems whose reviews name amounts because they are about them. */
const ABOUT_MONEY = /^(?:pricing|value|fees|billing)$|price|fee|billing|upselling/;
/** The lowest amounts that are shown. */
const MAX_AMOUNTS = 20;

/** The section with the amounts of these reviews, lowest first; null without any. */
export function prices(view: View, list: MentionKind, id: string, positions: Uint32Array): Markup {
  const found = amountsOf(view, list, id, positions);
  if (found.length === 0) return null;
  const texts = view.strings.prices;
  return html`<section>
    <h2>${texts.title}</h2>
    <p class="aside">${texts.order}</p>
    <ol class="plain prices">
      ${found.slice(0, MAX_AMOUNTS).map(
        ({ mention, rating }) =>
          html`<li>
            <span
              ><a href=${reviewLink(mention.review_id)}
                >${view.format.money(mention.amount, mention.currency)}</a
              >
              ${mention.kind === 'quoted' ? texts.quoted : texts.paid}
              <span class="aside" dir="auto" lang="en">${mention.phrase}</span></span
            >
            ${stars(view, rating)}
          </li>`,
      )}
    </ol>
  </section>`;
}

interface Amount {
  readonly mention: PriceMention;
  readonly rating: number;
}

function amountsOf(
  view: View,
  list: MentionKind,
  id: string,
  positions: Uint32Array,
): readonly Amount[] {
  const isAboutMoney = (list === 'aspects' || list === 'problems') && ABOUT_MONEY.test(id);
  if (list !== 'services' && !isAboutMoney) return [];
  const shown = new Set(positions);
  return view
    .insights('prices')
    .mentions.flatMap((mention) => {
      const position = view.snapshot.positionOf(mention.review_id);
      if (position === null || !shown.has(position)) return [];
      // A review of several services names amounts for others too.
      if (list === 'services' && mention.service !== id) return [];
      return [{ mention, rating: view.reviewAt(position).review.rating }];
    })
    .toSorted((one, other) => one.mention.amount - other.mention.amount);
}
