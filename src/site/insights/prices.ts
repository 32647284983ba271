// What reviews say about prices, in the words of customers: of a service, or of all services on the page of an aspect
// that is about money. Which amounts were paid and which quoted, and for what, the insights say.

import type { Insights } from '../../model/insights.ts';
import type { MentionKind } from '../../search/mentions.ts';
import { rangeOf } from '../../snapshot/direct-answers.ts';
import { subjectLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { View } from '../view.ts';
import { hasMarkup } from '../home/aspect-opinions.ts';
import { sentenceWith, wholeSentences } from '../reviews/review-text.ts';
import { type Quote, quoteList } from './quotes.ts';

type PriceMention = Insights['prices']['mentions'][number];

/** Aspects whose reviews name amounts because they are about them. */
const ABOUT_MONEY = /^(?:pricing|prices?|value|fees|billing)$/;
/** The aspect whose page has the prices of all services. */
export const PRICING = 'pricing';
/** Fewer have no range. */
const FEWEST_IN_RANGE = 3;
/** Prices that are not folded if there are more than two, and all that are listed. */
const SHOWN = 1;
const MOST = 40;
/** Services with a fold of their own. */
const GROUPS = 6;
/** Shorter phrases do not say what was bought: the sentence before does. UTF-16 units. */
const SHORT = 45;
/** A part of a price, and what a reply says of a bill that is not asked for any more. */
const PART = /\b(?:labou?r|parts?|deposit|fee|extra)\b/i;
const RETURNED = /\b(?:refund|waived|credited|to(?:rn|re) up|tear up|che(?:ck|que) for)/i;

/** What customers paid and what they were quoted, newest first; of a service with none, a link to those of others. */
export function prices(view: View, list: MentionKind, id: string, positions: Uint32Array): Markup {
  const texts = view.strings.prices;
  const isOfAll = list === 'aspects' && ABOUT_MONEY.test(id);
  if (list !== 'services' && !isOfAll) return null;
  const { mentions } = view.insights('prices');
  const own = new Set(Array.from(positions, (position) => view.snapshot.idAt(position)));
  const isOwn = ({ review_id: review }: PriceMention) => own.has(review);
  const found = mentions.filter(
    (one) => id === PRICING || (isOfAll ? isOwn(one) : one.service === id),
  );
  // What was paid for this and more is a price that is mentioned, and not what this cost.
  const around = isOfAll ? [] : mentions.filter((one) => one.service === null && isOwn(one));
  if (found.length + around.length === 0) {
    if (isOfAll || view.subject('aspects', PRICING) === null) return null;
    return html`<p class="aside">
      <a href=${subjectLink('aspects', PRICING)}>${texts.mentioned}</a>
    </p>`;
  }
  const paid = quotesWith(view, found, 'paid');
  const others = [...quotesWith(view, found, 'quoted'), ...quotesWith(view, around, 'paid')].filter(
    ({ text }) => !paid.some((one) => one.text === text),
  );
  const [title, first] = paid.length > 0 ? [texts.title, paid] : [texts.mentioned, others];
  if (first.length === 0) return null;
  const range = isOfAll ? [] : rangeIn(view, found);
  const shown = first.length === 2 ? 2 : SHOWN;
  return html`<section id="prices">
    <h2>${title}</h2>
    <p class="aside">
      ${[...range, texts.count(first.length, first[0]?.from.review.date.slice(0, 7) ?? '')].join(' ')}
    </p>
    ${
      isOfAll
        ? byService(view, first)
        : html`${quoteList(view, first.slice(0, shown))}
          ${folded(view, view.strings.others(first.length - shown), first.slice(shown))}`
    }
    ${paid.length > 0 ? folded(view, `${texts.mentioned} (${view.format.number(others.length)})`, others) : null}
  </section>`;
}

function folded(view: View, title: string, quotes: readonly Quote[]): Markup {
  if (quotes.length === 0) return null;
  return html`<details>
    <summary>${title}</summary>
    ${quoteList(view, quotes.slice(0, MOST))}
  </details>`;
}

/** What each review says about amounts of a kind, with the service: whole prices first, and none that was given back. */
function quotesWith(view: View, mentions: readonly PriceMention[], kind: PriceMention['kind']) {
  const own = new Map(
    mentions.filter((one) => one.kind === kind).map((one) => [one.review_id, one]),
  );
  return view
    .reviewsOf([...own.keys()])
    .filter(({ review: { owner_reply: reply } }) => !RETURNED.test(reply?.text ?? ''))
    .map((from) => {
      const { phrase = '', service = null, amount = 0 } = own.get(from.review.id) ?? {};
      const digits = new RegExp(String(amount).replace(/(?=(?:\d{3})+(?!\d))/g, ',?'));
      const sentence = sentenceWith(phrase, digits) ?? phrase;
      const text = from.review.text ?? '';
      const least = hasMarkup(text) ? 0 : SHORT;
      return { text: wholeSentences(text, sentence, least), from, service };
    })
    .toSorted((a, b) => Number(PART.test(a.text)) - Number(PART.test(b.text)));
}

/** What was paid for each service with several amounts, and the others. */
function byService(view: View, quotes: ReturnType<typeof quotesWith>): Markup {
  const { mentions } = view.insights('prices');
  const groups = [...Map.groupBy(quotes, ({ service }) => service)]
    .filter(([service, own]) => service !== null && own.length > 1)
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, GROUPS);
  const shown = new Set(groups.map(([service]) => service));
  const others = quotes.filter(({ service }) => !shown.has(service));
  return html`${groups.map(([id, own]) => {
    const range = rangeIn(
      view,
      mentions.filter(({ service }) => service === id),
    );
    const service = view.subject('services', id ?? '');
    const name = service === null ? id : view.nameOf('services', service);
    return folded(
      view,
      `${name}${view.strings.colon}${range[0] ?? view.strings.reviews(own.length)}`,
      own,
    );
  })}
  ${folded(view, view.strings.others(others.length), others)}`;
}

/** What was paid, if there are enough amounts in one currency. */
function rangeIn({ language }: View, mentions: readonly PriceMention[]): string[] {
  const paid = mentions.filter(({ kind }) => kind === 'paid');
  const [currency = '', ...others] = new Set(paid.map((one) => one.currency));
  const amounts = paid.map(({ amount }) => amount);
  if (paid.length < FEWEST_IN_RANGE || others.length > 0) return [];
  return [rangeOf(language, amounts, currency)];
}
