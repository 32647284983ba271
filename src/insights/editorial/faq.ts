// Writes the FAQ: questions of buyers, answered from counts and quotes. Questions without enough evidence
// are left out.

import { fold } from '../../model/fold.ts';
import type { Insights } from '../../model/insights.ts';
import { aggregateRating } from '../../model/rating.ts';
import type { MentionList } from '../aggregate/mentions.ts';
import { changeOf } from '../aggregate/temporal.ts';
import { describeChange, describeEpisodes } from './change.ts';
import {
  type Findings,
  mentionsOf,
  type Quote,
  quoteFor,
  consensusOf,
  wordingOf,
} from './evidence.ts';
import { answerAsked } from './asked.ts';
import { answerPrices } from './prices.ts';
import { are, give, counted, grouped, inWords, listed, lower } from './prose.ts';

type Faq = Insights['faq'];
type Answer = Faq[number];
type Aspect = Insights['aspects'][number];
type Entity = Insights['entities']['problems'][number];

/** The least number of opinions for an answer. */
const FEWEST_OPINIONS = 5;
/** The least number of positive reviews of a person to ask for. */
const FEWEST_PRAISES = 3;
const MOST_ASPECTS = 8;
/** The most reviews that an answer names. */
const MOST_REVIEWS = 20;

export function writeFaq(findings: Findings): Faq {
  const used = new Set<string>();
  const quoted = (quote: Quote | null): Quote[] => {
    if (quote) used.add(fold(quote.text));
    return quote ? [quote] : [];
  };
  const quote = (list: MentionList, id: string, sentiment: 'positive' | 'negative') =>
    quoted(quoteFor(findings, list, id, sentiment, used));
  const asked = answerAsked(findings, (aspect, sentiment, isAsked) =>
    quoted(quoteFor(findings, 'aspects', aspect, sentiment, used, isAsked)),
  );
  const aspects = findings.aspects
    .filter(
      ({ id, positive_count: good, negative_count: bad }) =>
        good + bad >= FEWEST_OPINIONS && !asked.replaced.has(id),
    )
    .slice(0, MOST_ASPECTS);
  return [
    answerRecommended(findings),
    answerPrices(findings),
    ...asked.answers,
    ...aspects.map((aspect) => answerAspect(findings, aspect, quote)),
    answerPeople(findings, quote),
    answerComplaints(findings, quote),
    answerServices(findings, quote),
    answerAreas(findings),
    answerChange(findings),
  ].filter((answer) => answer !== null);
}

type QuoteIn = (list: MentionList, id: string, sentiment: 'positive' | 'negative') => Quote[];

function answerRecommended({ business, reviews }: Findings): Answer | null {
  if (reviews.length < FEWEST_OPINIONS) return null;
  const { distribution, rating_value: mean } = aggregateRating(reviews);
  const good = distribution['4'] + distribution['5'];
  const bad = distribution['1'] + distribution['2'];
  const leads = ['Yes.', 'Most are.', 'Opinions differ.', 'Many are not.', 'Most are not.'];
  return {
    question: `Are customers satisfied with ${business.name}?`,
    answer:
      `${leads[consensusOf(good, bad)]} Of ${counted(reviews.length, 'verified review')}, ` +
      `${give(good)} four or five stars and ${give(bad)} one or two; the average is ${mean} out of 5 stars.`,
    review_ids: reviews.slice(0, MOST_REVIEWS).map(({ id }) => id),
    review_count: reviews.length,
  };
}

function answerAspect(findings: Findings, aspect: Aspect, quote: QuoteIn): Answer {
  const { id, label, positive_count: positive, negative_count: negative } = aspect;
  const { noun, question, leads } = wordingOf(id, label);
  const consensus = consensusOf(positive, negative);
  const praise = consensus < 4 ? quote('aspects', id, 'positive') : [];
  const isDisputed = consensus > 1 || negative >= Math.max(2, positive / 10);
  const blame = isDisputed ? quote('aspects', id, 'negative') : [];
  const quotes = consensus > 2 ? [...blame, ...praise] : [...praise, ...blame];
  return {
    question: question.replace('{name}', findings.business.name).replace('{noun}', noun),
    answer: [leads[consensus], countsOf(aspect, noun), wordsOf(quotes)].filter(Boolean).join(' '),
    review_ids: reviewsOf(findings, id, quotes),
    review_count: aspect.mention_count,
  };
}

/** "Of 41 reviews that speak about prices, 30 are positive, nine negative and two neutral." */
function countsOf(
  {
    mention_count: all,
    positive_count: positive,
    neutral_count: neutral,
    negative_count: negative,
  }: Aspect,
  noun: string,
): string {
  const parts = [
    `${are(positive)} positive`,
    ...(negative > 0 ? [`${inWords(negative)} negative`] : []),
    ...(neutral > 0 ? [`${inWords(neutral)} neutral`] : []),
  ];
  if (positive === all)
    return `All ${counted(all, 'review')} that speak about ${noun} are positive.`;
  return `Of ${counted(all, 'review')} that speak about ${noun}, ${listed(parts)}.`;
}

function wordsOf(quotes: readonly Quote[]): string {
  if (quotes.length === 0) return '';
  const [first, second] = quotes as readonly [Quote, Quote?];
  return second ? `${first.shown}. Another view: ${second.shown}.` : `${first.shown}.`;
}

/** The quoted reviews, then the newest of the counted ones. */
function reviewsOf(findings: Findings, id: string, quotes: readonly Quote[]): string[] {
  // Each mention has a review of its own, so these are enough.
  const counting = mentionsOf(findings, 'aspects', id).slice(0, MOST_REVIEWS);
  return firstOf([
    ...quotes.map(({ reviewId }) => reviewId),
    ...counting.map(({ review }) => review.id),
  ]);
}

function firstOf(ids: readonly string[]): string[] {
  return [...new Set(ids)].slice(0, MOST_REVIEWS);
}

/** The number of distinct reviews that mention one of the entities. */
function countOf(
  findings: Findings,
  list: MentionList,
  entities: readonly Entity[],
  sentiment?: 'positive',
): number {
  const mentions = entities.flatMap(({ id }) => mentionsOf(findings, list, id, sentiment));
  return new Set(mentions.map(({ review }) => review.id)).size;
}

function answerPeople(findings: Findings, quote: QuoteIn): Answer | null {
  const [first, ...others] = peopleToAskFor(findings).slice(0, 4);
  if (!first) return null;
  const quotes = quote('technicians', first.id, 'positive');
  const also = others.map(
    ({ name, positive_count: praise, mention_count: all }) => `${name} (${praise} of ${all})`,
  );
  return {
    question: 'Who should I ask for?',
    answer: [
      `${first.name} is named with praise most often: in ${inWords(first.positive_count)} of ` +
        `${counted(first.mention_count, 'review')} that mention the name.`,
      also.length > 0 ? `Also praised: ${listed(also)}.` : '',
      wordsOf(quotes),
    ]
      .filter(Boolean)
      .join(' '),
    review_ids: firstOf([
      ...quotes.map(({ reviewId }) => reviewId),
      ...[first, ...others].flatMap(({ id }) =>
        mentionsOf(findings, 'technicians', id, 'positive')
          .slice(0, MOST_REVIEWS / 4)
          .map(({ review }) => review.id),
      ),
    ]),
    review_count: countOf(findings, 'technicians', [first, ...others], 'positive'),
  };
}

/** Praised technicians that have a score, which former ones have not; most praised first. */
export function peopleToAskFor({ entities }: Findings): Insights['entities']['technicians'] {
  return entities.technicians
    .filter(
      ({ score, positive_count: praise, negative_count: blame }) =>
        score !== null && praise >= FEWEST_PRAISES && consensusOf(praise, blame) < 2,
    )
    .toSorted((a, b) => b.positive_count - a.positive_count || (a.id < b.id ? -1 : 1));
}

function answerComplaints(findings: Findings, quote: QuoteIn): Answer | null {
  const top = findings.entities.problems
    .filter(({ mention_count: count }) => count > 1)
    .slice(0, 4);
  const [first] = top;
  if (!first || first.mention_count < FEWEST_PRAISES) return null;
  const quotes = quote('problems', first.id, 'negative');
  const named = top.map(({ name, mention_count: count }) => `${lower(name)} (${grouped(count)})`);
  return {
    question: 'What do customers complain about?',
    answer: [
      `Of ${counted(findings.reviews.length, 'review')}, the complaints reported most often are ` +
        `${listed(named)}.`,
      wordsOf(quotes),
    ]
      .filter(Boolean)
      .join(' '),
    review_ids: firstOf([
      ...quotes.map(({ reviewId }) => reviewId),
      ...top.flatMap(({ id }) =>
        mentionsOf(findings, 'problems', id)
          .slice(0, MOST_REVIEWS / 4)
          .map(({ review }) => review.id),
      ),
    ]),
    review_count: countOf(findings, 'problems', top),
  };
}

function answerServices(findings: Findings, quote: QuoteIn): Answer | null {
  const top = findings.entities.services
    .filter(({ mention_count: count }) => count > 2)
    .slice(0, 4);
  const [first] = top;
  if (!first || first.mention_count < FEWEST_OPINIONS) return null;
  const quotes = quote('services', first.id, 'positive');
  const named = top.map(
    ({ name, mention_count: count, average_rating: mean }) =>
      `${lower(name)} (${counted(count, 'review')}, ${mean} stars on average)`,
  );
  return {
    question: 'What do people hire them for?',
    answer: [`Reviews speak most about ${listed(named)}.`, wordsOf(quotes)]
      .filter(Boolean)
      .join(' '),
    review_ids: firstOf([
      ...quotes.map(({ reviewId }) => reviewId),
      ...top.flatMap(({ id }) =>
        mentionsOf(findings, 'services', id)
          .slice(0, MOST_REVIEWS / 4)
          .map(({ review }) => review.id),
      ),
    ]),
    review_count: countOf(findings, 'services', top),
  };
}

function answerAreas(findings: Findings): Answer | null {
  const areas = findings.entities.service_areas;
  const total = areas.reduce((sum, { mention_count: count }) => sum + count, 0);
  if (total < FEWEST_OPINIONS || areas.length < 2) return null;
  const top = areas.slice(0, 6);
  const named = top.map(({ name, mention_count: count }) => `${name} (${count})`);
  return {
    question: 'Where do they work?',
    answer: `Reviews name ${listed(named)}.`,
    review_ids: firstOf(
      top.flatMap(({ id }) =>
        mentionsOf(findings, 'service_areas', id)
          .slice(0, 3)
          .map(({ review }) => review.id),
      ),
    ),
    review_count: countOf(findings, 'service_areas', top),
  };
}

function answerChange(findings: Findings): Answer | null {
  const { reviews, episodes } = findings;
  const change = changeOf(reviews);
  if (!change) return null;
  const leads = {
    improving: 'Yes, for the better.',
    declining: 'Yes, for the worse.',
    stable: 'Not noticeably.',
  };
  return {
    question: 'Has it changed lately?',
    answer: [
      leads[change.trend],
      describeChange(change),
      ...describeEpisodes(findings).map(({ text }) => text),
    ].join(' '),
    review_ids: firstOf([
      ...episodes.flatMap(({ example_review_ids: ids }) => ids),
      ...reviews.slice(0, MOST_REVIEWS).map(({ id }) => id),
    ]),
    review_count: reviews.length,
  };
}
