// The prices that customers name, and their median for each service.

import type { Insights } from '../../model/insights.ts';
import { roundTo } from '../../model/rating.ts';
import type { Review } from '../../model/review.ts';
import type { FoundMention } from '../entities/merging.ts';
import type { PriceMention } from '../entities/prices/prices.ts';

type Prices = Insights['prices'];
type Mention = Prices['mentions'][number];
type Median = Prices['medians'][number];

/** The least number of paid amounts for a median. */
const FEWEST = 5;
/** The most mentions that are listed; medians count all. */
const MOST_LISTED = 500;
const EXAMPLES = 20;
/** The most UTF-16 units of a review that may say anywhere what else was paid for. */
const SHORT = 300;
/** The least first letters that make two words the same: "cleaned" and "cleaning". */
const STEM = 5;

/** ISO 4217 codes. A dollar is that of the business's country. */
const CODES = { $: 'USD', '£': 'GBP', '€': 'EUR' } as const;
const DOLLARS = /^(?:AU|CA|HK|NZ|SG)$/;

interface PricedReview {
  readonly review: Review;
  readonly analysis: {
    readonly prices: readonly PriceMention[];
    readonly services: readonly FoundMention[];
  };
}

/**
 * @param reviews newest first
 * @param country ISO 3166 code of the business; null if unknown
 * @param services of the catalogue, for the order of the medians
 */
export function tallyPrices(
  reviews: readonly PricedReview[],
  country: string | null,
  services: readonly { readonly id: string; readonly name?: string }[],
): Prices {
  const labels = new Map(services.map(({ id, name }) => [id, name ?? id]));
  const isDollar = DOLLARS.test(country ?? '');
  const mentions = reviews.flatMap(({ review, analysis }) =>
    analysis.prices.map((price): Mention => ({
      kind: price.kind,
      amount: price.amount,
      currency: price.sign === '$' && isDollar ? `${country}D` : CODES[price.sign],
      service: serviceOf(price, analysis.services, review.text ?? '', labels),
      date: review.date,
      review_id: review.id,
      phrase: (review.text ?? '').slice(price.start, price.end),
    })),
  );
  const paid = mentions.filter(({ kind }) => kind === 'paid');
  const currencies = [...new Set(paid.map(({ currency }) => currency))].toSorted();
  const medians = currencies.flatMap((currency) => {
    const own = paid.filter((one) => one.currency === currency);
    return [null, ...services.map(({ id }) => id)].flatMap((service) =>
      medianOf(service === null ? own : own.filter((one) => one.service === service), service),
    );
  });
  return { mentions: mentions.slice(0, MOST_LISTED), medians };
}

function medianOf(paid: readonly Mention[], service: string | null): Median[] {
  const [first] = paid;
  if (first === undefined || paid.length < FEWEST) return [];
  const amounts = paid.map(({ amount }) => amount).toSorted((a, b) => a - b);
  const middle = amounts.length / 2;
  const [low, high] = [amounts[Math.ceil(middle) - 1]!, amounts[Math.floor(middle)]!];
  return [
    {
      service,
      currency: first.currency,
      count: paid.length,
      lowest: amounts[0]!,
      median: roundTo((low + high) / 2, 2),
      highest: amounts.at(-1)!,
      example_review_ids: [...new Set(paid.map(({ review_id: id }) => id))].slice(0, EXAMPLES),
    },
  ];
}

/** What is paid for besides work: it is the price of a service only if the service is called so. */
const BESIDES =
  /\b(?:tune[- ]?ups?|plans?|contracts?|maintenance|inspections?|clean(?:ed|ing|ings)?|check[- ]?ups?|memberships?|subscriptions?|(?:trip|visit|call[- ]out|diagnostic|service) (?:fee|charge)|to (?:walk|come|look|show up)|same as last (?:yr|year)|(?:he|she|they) wanted|another (?:firm|company|plumber))\b/gi;

/**
 * The service that the excerpt of a price mentions, or the only one of its review; null if the amount was for
 * something else, such as a maintenance plan.
 */
function serviceOf(
  price: PriceMention,
  services: readonly FoundMention[],
  text: string,
  labels: ReadonlyMap<string, string>,
): string | null {
  const near = services.filter(({ start, end }) => start <= price.at && price.at < end);
  const isFar = near.length === 0 && (price.kind === 'paid' || text.length <= SHORT);
  const meant = isFar ? services : near;
  const [only, ...others] = new Set(meant.map(({ id }) => id));
  if (only === undefined || others.length > 0) return null;
  const label = lettersOf(labels.get(only) ?? only);
  const paidFor = text.length <= SHORT ? text : text.slice(price.start, price.end);
  // Cleaning is what a service is.
  const isOf = (words: string) =>
    label.includes(lettersOf(words).slice(0, STEM)) ||
    (/service/.test(label) && /^(?:tune|clean)/.test(words));
  const isBesides = [...paidFor.matchAll(BESIDES)].some(([words]) => !isOf(words.toLowerCase()));
  return isBesides ? null : only;
}

/** "AC tune-up" as "actuneup". */
function lettersOf(words: string): string {
  return words.toLowerCase().replace(/[^a-z]/g, '');
}
