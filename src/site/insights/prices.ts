// The amounts that customers name in the reviews of a subject that is about money: what they paid or were quoted.

import type { Insights } from '../../model/insights.ts';
import type { MentionKind } from '../../search/mentions.ts';
import { rangeOf } from '../../snapshot/direct-answers.ts';
import { stars } from '../parts/components.ts';
import { reviewLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { View } from '../view.ts';

type PriceMention = Insights['prices']['mentions'][number];

/** Ids of aspects and problems whose reviews name amounts because they are about them. */
const ABOUT_MONEY = /^(?:pricing|value|fees|billing)$|price|fee|billing|upselling/;
/** Fewer amounts tell nobody what it costs. */
const FEWEST = 3;
/** Amounts that are not folded. */
const SHOWN = 6;

/** The section with all amounts of these reviews, newest first; null with fewer than three. */
export function prices(view: View, list: MentionKind, id: string, positions: Uint32Array): Markup {
  const found = amountsOf(view, list, id, positions);
  if (found.length < FEWEST) return null;
  const texts = view.strings.prices;
  const items = (amounts: readonly Amount[]) =>
    html`<ol class="plain prices">
      ${amounts.map((amount) => amountItem(view, amount))}
    </ol>`;
  return html`<section>
    <h2>${texts.title}</h2>
    <p class="aside">${[...ranges(view, found), texts.order].join(' ')}</p>
    ${items(found.slice(0, SHOWN))}
    ${
      found.length > SHOWN
        ? html`<details>
            <summary>${view.strings.review.readOn}</summary>
            ${items(found.slice(SHOWN))}
          </details>`
        : null
    }
  </section>`;
}

function amountItem(view: View, { mention, rating }: Amount): Markup {
  const texts = view.strings.prices;
  return html`<li>
    <span
      ><a href=${reviewLink(mention.review_id)}
        >${view.format.money(mention.amount, mention.currency)}</a
      >
      ${mention.kind === 'quoted' ? texts.quoted : texts.paid}
      ${
        saysMore(mention.phrase)
          ? html`<span class="aside" dir="auto" lang="en">${mention.phrase}</span>`
          : null
      }</span
    >
    ${stars(view, rating)}
  </li>`;
}

/** Whether a phrase says more than the amount: "$265 paid" does not. */
function saysMore(phrase: string): boolean {
  return (phrase.match(/\p{L}{2,}/gu) ?? []).length > 2;
}

/** What was paid, in each currency with enough amounts. */
function ranges({ language }: View, found: readonly Amount[]): string[] {
  const paid = found.flatMap(({ mention }) => (mention.kind === 'paid' ? mention : []));
  return [...Map.groupBy(paid, ({ currency }) => currency)].flatMap(([currency, own]) => {
    const amounts = own.map(({ amount }) => amount);
    return own.length < FEWEST ? [] : rangeOf(language, amounts, currency);
  });
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
    .toSorted((one, other) => (one.mention.date < other.mention.date ? 1 : -1));
}
