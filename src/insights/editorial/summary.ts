// Writes the summary: up to four paragraphs on strengths, weaknesses, people and change, every sentence
// from counted reviews. Without reviews it is one sentence.

import { fold } from '../../model/fold.ts';
import type { Insights } from '../../model/insights.ts';
import { aggregateRating } from '../../model/rating.ts';
import { differenceInterval, type Share } from '../aggregate/intervals.ts';
import { percentages } from '../aggregate/tally.ts';
import { changeOf } from '../aggregate/temporal.ts';
import { type Findings, mentionsOf, quoteFor, wordingOf } from './evidence.ts';
import { describeChange, lower, peopleToAskFor } from './faq.ts';
import { capitalised, counted, give, grouped, inWords, listed, monthOf } from './prose.ts';

type Aspect = Insights['aspects'][number];

/** The least number of opinions for a strength or a weakness. */
const FEWEST_OPINIONS = 3;
/** The least number of opinions in each of two compared periods. */
const FEWEST_TO_COMPARE = 10;
const STRONG = 0.75;
const WEAK = 0.5;
const MOST = 3;

export function writeSummary(findings: Findings): string {
  if (findings.reviews.length === 0)
    return `${findings.business.name} has no verified reviews yet.`;
  const used = new Set<string>();
  return [
    [openingOf(findings), otherLanguagesOf(findings), strengthsOf(findings, used)],
    [weaknessesOf(findings, used), problemsOf(findings)],
    [peopleOf(findings), servicesOf(findings)],
    [trendOf(findings), ...changesOf(findings)],
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
  const many = `${share}% give four or five stars, ${badShare}% one or two.`;
  const shares = reviews.length < 20 ? few : many;
  return (
    `${business.name} has ${counted(reviews.length, 'verified review')} ${when}, with a mean of ` +
    `${mean} stars. ${shares}`
  );
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
  const more = others.map((aspect) => `${nounOf(aspect)} (${ratioOf(aspect, 'positive_count')})`);
  const also = more.length > 0 ? `, ${more.length > 1 ? 'then' : 'and then'} ${listed(more)}` : '';
  const open =
    strong.length > 0
      ? `Customers praise ${nounOf(first)} most`
      : `Opinions differ; what is praised most is ${nounOf(first)}`;
  return (
    `${open}: ${inWords(first.positive_count)} of ` +
    `${counted(first.mention_count, 'review')} on the subject are positive${also}.` +
    quotation(findings, 'aspects', first.id, 'positive', used)
  );
}

function nounOf({ id, label }: Aspect): string {
  return wordingOf(id, label).noun;
}

function ratioOf(aspect: Aspect, count: 'positive_count' | 'negative_count'): string {
  return `${grouped(aspect[count])} of ${grouped(aspect.mention_count)}`;
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
  return ` In a customer's words: ${quote.shown}.`;
}

/** The weaknesses: aspects with at least as many complaints as praise, or else those with the most complaints. */
function weaknessesOf(findings: Findings, used: Set<string>): string {
  const blamed = findings.aspects
    .filter(({ negative_count: blame }) => blame >= FEWEST_OPINIONS - 1)
    .toSorted((a, b) => b.negative_count - a.negative_count || (a.id < b.id ? -1 : 1));
  const weak = blamed.filter((aspect) => aspect.positive_count <= WEAK * opinionsOf(aspect));
  const [first, ...others] = (weak.length > 0 ? weak : blamed).slice(0, MOST);
  if (!first) return '';
  const more = others.map((aspect) => `${nounOf(aspect)} (${ratioOf(aspect, 'negative_count')})`);
  const also = more.length > 0 ? `, followed by ${listed(more)}` : '';
  const open =
    weak.length > 0 ? 'The weak point is' : 'Where there is criticism, it is mostly about';
  return (
    `${open} ${nounOf(first)}: ${inWords(first.negative_count)} of ` +
    `${counted(first.mention_count, 'review')} on the subject ` +
    `${first.negative_count === 1 ? 'is' : 'are'} negative${also}.` +
    quotation(findings, 'aspects', first.id, 'negative', used)
  );
}

function problemsOf({ entities: { problems } }: Findings): string {
  const top = problems.filter(({ mention_count: count }) => count > 1).slice(0, MOST);
  if (top.length === 0) return '';
  const named = top.map(
    ({ name, mention_count: count }) => `${lower(name)} (${counted(count, 'review')})`,
  );
  return `The complaints made most often are about ${listed(named)}.`;
}

function peopleOf(findings: Findings): string {
  const { technicians } = findings.entities;
  const [first, ...others] = peopleToAskFor(findings).slice(0, 1 + MOST);
  if (!first) {
    const [named] = technicians;
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
  const also = others.map(
    ({ name, positive_count: praise, mention_count: all }) =>
      `${name} (${grouped(praise)} of ${grouped(all)})`,
  );
  const count =
    technicians.length > 1
      ? `Reviews name ${counted(technicians.length, 'person', 'people')}. `
      : '';
  return (
    `${count}${first.name} is praised most often, in ${inWords(first.positive_count)} of ` +
    `${counted(first.mention_count, 'review')} that mention the name` +
    `${also.length > 0 ? `, then ${listed(also)}` : ''}.`
  );
}

function servicesOf({ entities: { services } }: Findings): string {
  const top = services.filter(({ mention_count: count }) => count > 1).slice(0, MOST);
  if (top.length === 0) return '';
  const named = top.map(
    ({ name, mention_count: count }) => `${lower(name)} (${counted(count, 'review')})`,
  );
  return `The services that come up most are ${listed(named)}.`;
}

function trendOf({ reviews }: Findings): string {
  const change = changeOf(reviews);
  if (!change) return '';
  const leads = {
    improving: 'Ratings have improved.',
    declining: 'Ratings have declined.',
    stable: 'Ratings are stable.',
  };
  return `${leads[change.trend]} ${describeChange(change)}`;
}

/** The aspects on which opinion changed significantly between the periods of the trend, clearest first. */
function changesOf(findings: Findings): string[] {
  const change = changeOf(findings.reviews);
  if (!change) return [];
  const changes = findings.aspects.flatMap((aspect) => {
    // Newest first.
    const opinions = mentionsOf(findings, 'aspects', aspect.id);
    const share = (from: string, to: string) => {
      let part = 0;
      let total = 0;
      for (const { review, mention } of opinions) {
        if (review.date <= from) break;
        if (review.date > to || mention.sentiment === 'neutral') continue;
        total += 1;
        if (mention.sentiment === 'positive') part += 1;
      }
      return { part, total };
    };
    const now = share(change.since, '9999');
    const then = share(change.before, change.since);
    if (now.total < FEWEST_TO_COMPARE || then.total < FEWEST_TO_COMPARE) return [];
    const { low, high } = differenceInterval(now, then);
    if (low <= 0 && high >= 0) return [];
    const sentence =
      `Opinion on ${nounOf(aspect)} has ${low > 0 ? 'improved' : 'worsened'}: ` +
      `${partOf(now)} positive since ${monthOf(change.since)}; before, ${partOf(then, true)}.`;
    return [{ sentence, score: Math.max(low, -high), id: aspect.id }];
  });
  return changes
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, MOST)
    .map(({ sentence }) => sentence);
}

/** "none of 12 is", "one of 12 is", "seven of 12 are", and the same in the past. */
function partOf({ part, total }: Share, isPast = false): string {
  const [one, many] = isPast ? ['was', 'were'] : ['is', 'are'];
  const count = part === 0 ? 'none' : inWords(part);
  return `${count} of ${inWords(total)} ${part < 2 ? one : many}`;
}
