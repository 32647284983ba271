// What reviews say about prices, in the words of customers: of a service, or of all services on the page of an aspect
// that is about money.

import type { MentionKind } from '../../search/mentions.ts';
import { rangeOf } from '../../snapshot/direct-answers.ts';
import { namedList } from '../parts/components.ts';
import { subjectLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { ShownReview, View } from '../view.ts';
import { type Quote, quoteList } from './quotes.ts';

/** Aspects whose reviews name amounts because they are about them. */
const ABOUT_MONEY = /^(?:pricing|prices?|value|fees|billing)$/;
/** The aspect whose page has the prices of all services. */
const PRICING = 'pricing';
/** Fewer have no range. */
const FEWEST_IN_RANGE = 3;
/** Prices that are not folded, and all that are listed. */
const SHOWN = 2;
const MOST = 40;
/** As many of the newest reviews are looked through. */
const MOST_READ = 400;
/** Further services of a review whose prices may be those of this one. */
const MOST_SERVICES = 2;
/** Shorter sentences do not say what was bought: the one before does. UTF-16 units. */
const SHORT = 45;

const AMOUNT = /[$£€]\s?(\d[\d.,]*)|(\d[\d.,]*)\s?(?:€|£|EUR\b|Euro?s?\b|quid\b|dollars\b)/g;

/** What customers paid and what else they mention, newest first; of a service with none, a link to those of others. */
export function prices(view: View, list: MentionKind, id: string, positions: Uint32Array): Markup {
  const texts = view.strings.prices;
  const isOfAll = list === 'aspects' && ABOUT_MONEY.test(id);
  if (list !== 'services' && !isOfAll) return null;
  const quotes = isOfAll ? pricesOfAll(view, positions) : pricesOf(view, id, positions);
  if (quotes.length === 0) {
    if (isOfAll || view.subject('aspects', PRICING) === null) return null;
    return html`<p class="aside">
      ${texts.tooFew} <a href=${subjectLink('aspects', PRICING)}>${texts.mentioned}</a>
    </p>`;
  }
  const paid = quotes.filter(({ text }) => isPaid(text));
  const range = isOfAll || paid.length < FEWEST_IN_RANGE ? [] : ranges(view, id);
  const others = quotes.filter((quote) => !paid.includes(quote));
  const [title, shown] = paid.length > 0 ? [texts.title, paid] : [texts.mentioned, others];
  const folded = (name: string, more: readonly Quote[]) =>
    more.length === 0
      ? null
      : html`<details>
          <summary>${name}</summary>
          ${quoteList(view, more.slice(0, MOST))}
        </details>`;
  return html`<section>
    <h2>${title}</h2>
    <p class="aside">${[...range, texts.count(shown.length)].join(' ')}</p>
    ${isOfAll ? byService(view) : null} ${quoteList(view, shown.slice(0, SHOWN))}
    ${folded(view.strings.others(shown.length - SHOWN), shown.slice(SHOWN))}
    ${paid.length > 0 ? folded(`${texts.mentioned} (${view.format.number(others.length)})`, others) : null}
  </section>`;
}

function pricesOf(view: View, id: string, positions: Uint32Array): Quote[] {
  return view.reviewsAt(positions.subarray(0, MOST_READ)).flatMap((from) => {
    const services = from.insights?.services ?? [];
    const isMain = services.length <= MOST_SERVICES || services[0]?.id === id;
    return isMain ? priceIn(view, from) : [];
  });
}

/** The prices that were paid to the business or quoted by it. */
function pricesOfAll(view: View, positions: Uint32Array): Quote[] {
  const shown = new Set(Array.from(positions, (position) => view.snapshot.idAt(position)));
  const ids = view.insights('prices').mentions.map(({ review_id: id }) => id);
  return view
    .reviewsOf([...new Set(ids)].filter((id) => shown.has(id)))
    .flatMap((from) => priceIn(view, from));
}

/** Words of sentences about what another firm asked for, or about what was not paid. */
const OTHERS = /\b(?:another|others?|else|saved?|didn[’']?t|ander\w+|otr[oa]s?|autres?)\b/iu;

/** Words of what was paid for work that was done, and of offers, disputes and refunds: in all languages of the pages. */
const PAID =
  /(?<!\p{L})(?:paid|(?<!as )charged|total|invoiced?|cost|came to|bezahlt\p{L}*|gezahlt|rechnung|gekostet|kostete|berechnet|pagu[eé]|pagamos|cobr\p{L}+|factura|cost[oó]|pay[éeè]\p{L}*|factur\p{L}+|coûté|pagat\p{L}*|costat\p{L}*|fattura|betaal\p{L}*|factuur|kostte|paguei|custou|fatura)(?!\p{L})/iu;
const NOT_PAID =
  /(?<!\p{L})(?:quot\p{L}+(?!.*\bcharged)|bids?|estimat\p{L}+|offer\p{L}*|refund\p{L}*|den(?:y|ied)|disput\p{L}+|extra|twice|would|want(?:s|ed)?|instead|angebot\p{L}*|erstatte\p{L}*|presupuesto|reembols\p{L}+|devis|rembours\p{L}+|preventivo|rimbors\p{L}+|offerte|terugbetaal\p{L}*|orçamento)(?!\p{L})/iu;

function isPaid(sentence: string): boolean {
  return PAID.test(sentence) && !NOT_PAID.test(sentence);
}

/** The sentence of a review with the price that was paid, or else quoted, or else with the highest amount. */
function priceIn(view: View, shown: ShownReview): Quote[] {
  const { text, id } = shown.review;
  if (text === null) return [];
  const sentences = [
    ...new Intl.Segmenter(shown.language ?? 'en', { granularity: 'sentence' }).segment(text),
  ]
    .map(({ segment }) => segment.replaceAll(/\s+/g, ' ').trim())
    .filter((one) => one !== '');
  const own = view.insights('prices').mentions.filter(({ review_id: of }) => of === id);
  const sure = own.find(({ kind }) => kind === 'paid') ?? own[0];
  const found = sentences
    .map((sentence, at) => ({ at, amounts: amountsIn(sentence) }))
    .filter(
      ({ at, amounts }) =>
        amounts.length > 0 &&
        (sure ? amounts.includes(sure.amount) : !OTHERS.test(sentences[at] ?? '')),
    )
    .toSorted((a, b) => Math.max(...b.amounts) - Math.max(...a.amounts));
  const [best] = found;
  if (best === undefined) return [];
  let from = best.at;
  const excerpt = () => sentences.slice(from, best.at + 1).join(' ');
  while (from > 0 && excerpt().length < SHORT) from -= 1;
  return [{ text: excerpt(), from: shown }];
}

/** "1,120.50" and "1.120,50" are both an amount: what follows the last sign is cents if it has two digits. */
function amountsIn(sentence: string): number[] {
  return [...sentence.matchAll(AMOUNT)].map(([, before, after]) => {
    const [, whole = '', cents = ''] =
      /^(.*?)(?:[.,](\d\d))?[.,]?$/.exec(before ?? after ?? '') ?? [];
    return Number(`${whole.replaceAll(/\D/g, '')}.${cents}`);
  });
}

/** The services whose reviews name enough prices, with what they cost. */
function byService(view: View): Markup {
  const items = view.subjects('services').flatMap(({ id, name }) => {
    const count = pricesOf(view, id, view.snapshot.mentioning('services', id)).length;
    if (count < FEWEST_IN_RANGE) return [];
    const [range = view.strings.reviews(count)] = ranges(view, id);
    return [[subjectLink('services', id), name, range] as const];
  });
  if (items.length === 0) return null;
  return html`<details class="narrow-fold">
    <summary>${view.strings.services}</summary>
    ${namedList(items)}
  </details>`;
}

/** What was paid for a service, if there are enough amounts in one currency. */
function ranges(view: View, id: string): string[] {
  const paid = view
    .insights('prices')
    .mentions.filter(({ kind, service }) => kind === 'paid' && service === id);
  const [currency = '', ...others] = new Set(paid.map((one) => one.currency));
  if (paid.length < FEWEST_IN_RANGE || others.length > 0) return [];
  return [
    rangeOf(
      view.language,
      paid.map(({ amount }) => amount),
      currency,
    ),
  ];
}
