// The amounts that customers name in the reviews of a subject that is about money: what they paid or were quoted.

import type { VNode } from 'preact';
import type { Insights } from '../../model/insights.ts';
import type { MentionKind } from '../../search/mentions.ts';
import { rangeOf } from '../../snapshot/direct-answers.ts';
import { namedList, stars } from '../parts/components.ts';
import { reviewLink, subjectLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { View } from '../view.ts';

type PriceMention = Insights['prices']['mentions'][number];

/** Ids of aspects and problems whose reviews name amounts because they are about them. */
const ABOUT_MONEY = /^(?:pricing|value|fees|billing)$|price|fee|billing|upselling/;
/** The aspect whose page has the amounts of all services. */
const PRICING = 'pricing';
/** Fewer amounts tell nobody what it costs. */
const FEWEST = 3;
/** Amounts that are not folded. */
const SHOWN = 4;

/**
 * The section with all amounts of these reviews, newest first. With fewer than three, that of a service only says so,
 * and leads to what others cost; null elsewhere.
 */
export function prices(view: View, list: MentionKind, id: string, positions: Uint32Array): Markup {
  const found = amountsOf(view, list, id, positions);
  const texts = view.strings.prices;
  if (found.length < FEWEST) {
    if (list !== 'services' || view.subject('aspects', PRICING) === null) return null;
    return html`<p class="aside">
      ${texts.tooFew} <a href=${subjectLink('aspects', PRICING)}>${texts.title}</a>
    </p>`;
  }
  const items = (amounts: readonly PriceMention[]) =>
    html`<ol class="plain prices">
      ${amounts.map((amount) => amountItem(view, amount))}
    </ol>`;
  return html`<section>
    <h2>${texts.title}</h2>
    <p class="aside">${[...ranges(view, found), texts.order].join(' ')}</p>
    ${id === PRICING ? byService(view) : null} ${items(found.slice(0, SHOWN))}
    ${
      found.length > SHOWN
        ? html`<details>
            <summary>${view.strings.others(found.length - SHOWN)}</summary>
            ${items(found.slice(SHOWN))}
          </details>`
        : null
    }
  </section>`;
}

function amountItem(view: View, mention: PriceMention): Markup {
  const texts = view.strings.prices;
  const phrase = html`<span class="aside" dir="auto" lang="en">${mention.phrase}</span>`;
  return html`<li>
    <span
      ><a href=${reviewLink(mention.review_id)}
        >${view.format.money(mention.amount, mention.currency)}</a
      >
      ${mention.kind === 'quoted' ? texts.quoted : texts.paid}
      ${saysMore(mention.phrase) ? phrase : null}</span
    >
    ${view.reviewsOf([mention.review_id]).map(({ review }) => stars(view, review.rating))}
  </li>`;
}

/** What each service with enough amounts cost. */
function byService(view: View): VNode {
  const { mentions } = view.insights('prices');
  return namedList(
    view.subjects('services').flatMap(({ id, name }) => {
      const own = mentions.filter(({ service }) => service === id);
      return ranges(view, own).map((range) => [subjectLink('services', id), name, range] as const);
    }),
  );
}

/** Whether a phrase says more than the amount: "$265 paid" does not. */
function saysMore(phrase: string): boolean {
  return (phrase.match(/\p{L}{2,}/gu) ?? []).length > 2;
}

/** What was paid, in each currency with enough amounts. */
function ranges({ language }: View, mentions: readonly PriceMention[]): string[] {
  const paid = mentions.filter(({ kind }) => kind === 'paid');
  return [...Map.groupBy(paid, ({ currency }) => currency)].flatMap(([currency, own]) => {
    const amounts = own.map(({ amount }) => amount);
    return own.length < FEWEST ? [] : rangeOf(language, amounts, currency);
  });
}

/** The amounts that belong to a subject, newest first. */
function amountsOf(
  view: View,
  list: MentionKind,
  id: string,
  positions: Uint32Array,
): readonly PriceMention[] {
  const isAboutMoney = (list === 'aspects' || list === 'problems') && ABOUT_MONEY.test(id);
  if (list !== 'services' && !isAboutMoney) return [];
  const shown = new Set(Array.from(positions, (position) => view.snapshot.idAt(position)));
  // A review of several services names amounts for others too.
  return view
    .insights('prices')
    .mentions.filter((one) => shown.has(one.review_id) && (isAboutMoney || one.service === id));
}
