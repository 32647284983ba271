// Answers what customers pay, from the amounts that they name.

import { verticalIdOf } from '../../model/verticals.ts';
import type { Insights } from '../../model/insights.ts';
import { firstOf } from './asked.ts';
import type { Findings, Statement } from './evidence.ts';
import { lower } from './prose.ts';

type Median = Insights['prices']['medians'][number];

/** The most services that the answer names. */
const MOST_SERVICES = 3;

/** What customers pay for the service with the most amounts. */
export function describePrices(findings: Findings): Statement[] {
  return byService(findings)
    .slice(0, 1)
    .map((median) => ({
      text: `For ${labelOf(findings, median)} customers paid ${rangeOf(median)}.`,
      reviewIds: median.example_review_ids,
    }));
}

/** Null without a service that has a median: amounts for different things together tell nothing. */
export function answerPrices(findings: Findings): Insights['faq'][number] | null {
  const services = byService(findings).slice(0, MOST_SERVICES);
  const [first] = services;
  if (first === undefined) return null;
  const { business, prices } = findings;
  const payers = new Set(
    prices.mentions
      .filter(
        ({ kind, service, currency }) =>
          kind === 'paid' &&
          services.some((one) => one.service === service && one.currency === currency),
      )
      .map(({ review_id: id }) => id),
  );
  const sentences = services.map(
    (one, at) =>
      `${at === 0 ? 'For' : 'And for'} ${labelOf(findings, one)} customers paid ${rangeOf(one)}.`,
  );
  const ids = services.flatMap(({ example_review_ids: examples }) => examples);
  return {
    question:
      verticalIdOf(business.vertical) === 'home_services'
        ? 'What does a call cost?'
        : 'What do customers pay?',
    answer: sentences.join(' '),
    review_ids: firstOf(ids),
    review_count: Math.max(payers.size, firstOf(ids).length),
  };
}

/** The medians of services, those of most amounts first. */
function byService({ prices }: Findings): Median[] {
  return prices.medians
    .filter(({ service }) => service !== null)
    .toSorted((a, b) => b.count - a.count);
}

function labelOf({ entities }: Findings, { service }: Median): string {
  return lower(entities.services.find(({ id }) => id === service)?.label ?? service ?? '');
}

/** "$129 to $780, half of them up to $172" */
function rangeOf({ lowest, median, highest, currency }: Median): string {
  const [low, middle, high] = [lowest, median, highest].map((amount) => money(amount, currency));
  if (low === high) return low as string;
  return `${low} to ${high}, half of them ${middle} or less`;
}

/** "$1,240", "£12.50" */
function money(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
  }).format(amount);
}
