// Answers what customers pay, from the amounts that they name.

import type { Insights } from '../../model/insights.ts';
import type { Findings, Told } from './evidence.ts';
import { counted, inWords, listed, lower } from './prose.ts';

type Median = Insights['prices']['medians'][number];

/** The most services that the answer names. */
const MOST_SERVICES = 4;

/** What customers pay, in a sentence for each of the services that have enough amounts. */
export function describePrices({ prices, entities }: Findings): Told[] {
  const labels = new Map(entities.services.map(({ id, label }) => [id, label]));
  return prices.medians
    .filter(({ service }) => service !== null)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, 1)
    .map((median) => ({
      text:
        `For ${lower(labels.get(median.service ?? '') ?? '')} customers paid ` +
        `${money(median.lowest, median.currency)} to ${money(median.highest, median.currency)}.`,
      reviewIds: median.example_review_ids,
    }));
}

/** Null without a median of all amounts in the currency that is named most. */
export function answerPrices({
  business,
  prices,
  entities,
}: Findings): Insights['faq'][number] | null {
  const overall = prices.medians
    .filter(({ service }) => service === null)
    .toSorted((a, b) => b.count - a.count)[0];
  if (overall === undefined) return null;
  const labels = new Map(entities.services.map(({ id, label }) => [id, label]));
  const services = prices.medians
    .filter(({ service, currency }) => service !== null && currency === overall.currency)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MOST_SERVICES);
  const rows = services.map(
    (one) =>
      `${lower(labels.get(one.service ?? '') ?? '')} ${rangeOf(one)} (${inWords(one.count)})`,
  );
  const payers = new Set(
    prices.mentions
      .filter(({ kind, currency }) => kind === 'paid' && currency === overall.currency)
      .map(({ review_id: id }) => id),
  );
  const sentences = [
    `Reviews name ${counted(overall.count, 'amount')} that customers paid, from ` +
      `${money(overall.lowest, overall.currency)} to ${money(overall.highest, overall.currency)}. ` +
      `Half of them are ${money(overall.median, overall.currency)} or less.`,
    rows.length > 0 ? `By service: ${listed(rows)}.` : '',
  ];
  return {
    question:
      business.vertical === 'home_services' ? 'What does a call cost?' : 'What do customers pay?',
    answer: sentences.filter(Boolean).join(' '),
    review_ids: overall.example_review_ids,
    review_count: payers.size,
  };
}

function rangeOf({ lowest, median, highest, currency }: Median): string {
  const [low, middle, high] = [lowest, median, highest].map((amount) => money(amount, currency));
  return `${low} to ${high}, half up to ${middle}`;
}

/** "$1,240", "£12.50" */
function money(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
  }).format(amount);
}
