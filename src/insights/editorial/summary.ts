// Writes the summary: up to four paragraphs on what customers praise, what they complain about, people and
// services, and change. Every sentence comes from counted reviews. Without reviews it is one sentence.

import { fold } from '../../model/fold.ts';
import type { Insights } from '../../model/insights.ts';
import { aggregateRating } from '../../model/rating.ts';
import { percentages } from '../aggregate/tally.ts';
import { changeOf } from '../aggregate/temporal.ts';
import { describeAspectChanges, describeChange, describeEpisodes } from './change.ts';
import { type Findings, quoteFor, wordingOf } from './evidence.ts';
import { peopleToAskFor } from './faq.ts';
import { capitalised, counted, give, grouped, inWords, listed, lower, monthOf } from './prose.ts';

type Aspect = Insights['aspects'][number];

/** The least number of opinions for a strength or a weakness. */
const FEWEST_OPINIONS = 3;
/** The least number of one- and two-star reviews that praise somebody or something, to be told. */
const FEWEST_CONTRASTS = 4;
const STRONG = 0.75;
const WEAK = 0.5;
const MOST = 3;

export function writeSummary(findings: Findings): string {
  if (findings.reviews.length === 0)
    return `${findings.business.name} has no verified reviews yet.`;
  const used = new Set<string>();
  return [
    [openingOf(findings), otherLanguagesOf(findings), strengthsOf(findings, used)],
    [weaknessesOf(findings, used), problemsOf(findings), contrastOf(findings)],
    [peopleOf(findings), servicesOf(findings)],
    [...describeEpisodes(findings), trendOf(findings), ...describeAspectChanges(findings)],
  ]
    .map((sentences) => sentences.filter((sentence) => sentence !== '').join(' '))
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

function openingOf({ business, reviews }: Findings): string {
  const { rating_value: mean, distribution } = aggregateRating(reviews);
  const newest = monthOf(reviews[0]?.date ?? '');
  const oldest = monthOf(reviews.at(-1)?.date ?? '');
  const [only] = reviews;
  if (reviews.length === 1 && only)
    return (
      `${business.name} has one verified review, from ${newest}: ` +
      `${only.rating === 1 ? 'one star' : `${inWords(only.rating)} stars`}.`
    );
  const when = newest === oldest ? `from ${newest}` : `from ${oldest} to ${newest}`;
  const good = distribution['4'] + distribution['5'];
  const bad = distribution['1'] + distribution['2'];
  const [share = 0, , badShare = 0] = percentages([good, reviews.length - good - bad, bad]);
  const few =
    good === reviews.length
      ? 'All of them give four or five stars.'
      : `${capitalised(give(good))} four or five stars, ${give(bad)} one or two.`;
  const many = `${capitalised(shareInWords(share ?? 0))} give four or five stars, ${Math.round(badShare ?? 0)}% one or two.`;
  const shares = reviews.length < 20 ? few : many;
  return (
    `${business.name} averages ${mean?.toFixed(1)} out of 5 stars in ` +
    `${counted(reviews.length, 'verified review')} ${when}. ${shares}`
  );
}

/** "three in four (76%)" where a fraction is close, else "81%". */
function shareInWords(percent: number): string {
  const fractions = [
    [50, 'half'],
    [66.7, 'two in three'],
    [75, 'three in four'],
    [80, 'four in five'],
    [90, 'nine in ten'],
  ] as const;
  const rounded = `${Math.round(percent)}%`;
  const near = fractions.find(([value]) => Math.abs(value - percent) <= 1.5);
  return near ? `${near[1]} (${rounded})` : rounded;
}

function otherLanguagesOf({ unanalysedCount: count }: Findings): string {
  if (count === 0) return '';
  const reviews = capitalised(counted(count, 'review'));
  return count === 1
    ? `${reviews} in another language is counted by its stars only.`
    : `${reviews} in other languages are counted by their stars only.`;
}

function opinionsOf({ positive_count: positive, negative_count: negative }: Aspect): number {
  return positive + negative;
}

/** The strengths, most praised first. */
function strengthsOf(findings: Findings, used: Set<string>): string {
  const praised = findings.aspects
    .filter(
      (aspect) =>
        opinionsOf(aspect) >= FEWEST_OPINIONS && aspect.positive_count > WEAK * opinionsOf(aspect),
    )
    .toSorted((a, b) => b.positive_count - a.positive_count || (a.id < b.id ? -1 : 1));
  const strong = praised.filter((one) => one.positive_count >= STRONG * opinionsOf(one));
  const [first, ...others] = (strong.length > 0 ? strong : praised).slice(0, MOST);
  if (!first) return '';
  const open = strong.length > 0 ? 'Most praised' : 'Opinions differ; most praised';
  return (
    `${open}: ${countedAspects([first, ...others], 'positive_count')}.` +
    quotation(findings, 'aspects', first.id, 'positive', used)
  );
}

/** "punctuality (17 of the 28 who mention it), scheduling (6 of 9) and safety (2 of 5)" */
function countedAspects(
  aspects: readonly Aspect[],
  count: 'positive_count' | 'negative_count',
): string {
  const parts = aspects.map((aspect, index) => {
    const [part, all] = [grouped(aspect[count]), grouped(aspect.mention_count)];
    const share = index === 0 ? `${part} of the ${all} who mention it` : `${part} of ${all}`;
    return `${nounOf(aspect)} (${share})`;
  });
  return listed(parts);
}

function nounOf({ id, label }: Aspect): string {
  return wordingOf(id, label).noun;
}

function quotation(
  findings: Findings,
  list: 'aspects' | 'problems',
  id: string,
  sentiment: 'positive' | 'negative',
  used: Set<string>,
): string {
  const quote = quoteFor(findings, list, id, sentiment, used);
  if (!quote) return '';
  used.add(fold(quote.text));
  return ` In a customer’s words: ${quote.shown}.`;
}

/** The weaknesses: aspects with at least as many complaints as praise, or else those with the most complaints. */
function weaknessesOf(findings: Findings, used: Set<string>): string {
  const blamed = findings.aspects
    .filter(({ negative_count: blame }) => blame >= FEWEST_OPINIONS - 1)
    .toSorted((a, b) => b.negative_count - a.negative_count || (a.id < b.id ? -1 : 1));
  const weak = blamed.filter((aspect) => aspect.positive_count <= WEAK * opinionsOf(aspect));
  const [first, ...others] = (weak.length > 0 ? weak : blamed).slice(0, MOST);
  if (!first) return '';
  const open = weak.length > 0 ? 'The weak spot' : 'Where customers complain';
  return (
    `${open}: ${countedAspects([first, ...others], 'negative_count')}.` +
    quotation(findings, 'aspects', first.id, 'negative', used)
  );
}

function problemsOf({ entities: { problems } }: Findings): string {
  const top = problems.filter(({ mention_count: count }) => count > 1).slice(0, MOST);
  if (top.length === 0) return '';
  const named = top.map(
    ({ name, mention_count: count }) => `${lower(name)} (${counted(count, 'review')})`,
  );
  return `The most common complaints: ${listed(named)}.`;
}

/** Who is praised even by those who give one or two stars. */
function contrastOf({ reviews, entities, mentions }: Findings): string {
  const praised = new Set<string>();
  for (const { id } of entities.technicians) {
    for (const { review, mention } of mentions.of('technicians', id)) {
      if (review.rating <= 2 && mention.sentiment === 'positive') praised.add(review.id);
    }
  }
  if (praised.size < FEWEST_CONTRASTS) return '';
  const bad = reviews.filter(({ rating }) => rating <= 2).length;
  return (
    `Even so, ${inWords(praised.size)} of the ${grouped(bad)} reviews with one or two stars praise a ` +
    'technician by name.'
  );
}

function peopleOf(findings: Findings): string {
  const { technicians } = findings.entities;
  const [first, ...others] = peopleToAskFor(findings).slice(0, 1 + MOST);
  if (!first) {
    const named = technicians.find(({ score }) => score !== null);
    if (!named) return '';
    const [praise, blame] = [named.positive_count, named.negative_count];
    if (named.mention_count === 1) {
      const how = praise === 1 ? ', with praise' : blame === 1 ? ', with criticism' : '';
      return `${named.name} is named in one review${how}.`;
    }
    const parts = [
      ...(praise > 0 ? [`${inWords(praise)} of them with praise`] : []),
      ...(blame > 0 ? [`${inWords(blame)} with criticism`] : []),
    ];
    const share = parts.length > 0 ? `, ${listed(parts)}` : '';
    return `${named.name} is named in ${counted(named.mention_count, 'review')}${share}.`;
  }
  const named = [first, ...others].map(
    ({ name, positive_count: praise, mention_count: all }, index) =>
      `${name} (${grouped(praise)} of ${index === 0 ? counted(all, 'review') : grouped(all)})`,
  );
  return `Customers praise ${listed(named)} by name.`;
}

function servicesOf({ entities: { services } }: Findings): string {
  const top = services.filter(({ mention_count: count }) => count > 1).slice(0, MOST);
  if (top.length === 0) return '';
  const named = top.map(
    ({ name, mention_count: count }) => `${lower(name)} (${counted(count, 'review')})`,
  );
  return `Services mentioned most: ${listed(named)}.`;
}

/** The last months beside those before; without a change only if no episode says more. */
function trendOf({ reviews, episodes }: Findings): string {
  const change = changeOf(reviews);
  if (!change || (change.trend === 'stable' && episodes.length > 0)) return '';
  return describeChange(change);
}
