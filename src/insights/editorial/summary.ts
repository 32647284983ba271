// Writes the summary: the three things that a friend would tell, then the weak spot, then whom to ask for and what
// for, then what has changed. Every sentence names the reviews that it rests on. Without reviews it is one sentence.

import { fold } from '../../model/fold.ts';
import type { Insights } from '../../model/insights.ts';
import { aggregateRating } from '../../model/rating.ts';
import type { IndexedMention, MentionList } from '../aggregate/mentions.ts';
import { percentages } from '../aggregate/tally.ts';
import { describeComparison, describeEpisodes } from './change.ts';
import { type Findings, mentionsOf, quoteFor, type Told, wordingOf } from './evidence.ts';
import { peopleToAskFor } from './faq.ts';
import { describePrices } from './prices.ts';
import { counted, grouped, inWords, listed, lower, monthOf, stars } from './prose.ts';

type Aspect = Insights['aspects'][number];
type Summary = Pick<Insights, 'summary' | 'summary_sentences'>;

/** The least number of opinions for a strength or a weakness. */
const FEWEST_OPINIONS = 3;
const STRONG = 0.75;
const WEAK = 0.5;
const MOST = 3;
/** The most reviews that a sentence names. */
const MOST_REVIEWS = 20;

export function writeSummary(findings: Findings): Summary {
  if (findings.reviews.length === 0) {
    const text = `${findings.business.name} has no verified reviews yet.`;
    return { summary: text, summary_sentences: [{ text, review_ids: [] }] };
  }
  const used = new Set<string>();
  const trouble = [...problemsOf(findings), ...contrastsOf(findings)];
  const story = isMostlyBad(findings)
    ? [weaknessesOf(findings, used, MOST), trouble, strengthsOf(findings, used, 1)]
    : [strengthsOf(findings, used, MOST), [...weaknessesOf(findings, used, 1), ...trouble]];
  const paragraphs: (readonly Told[])[] = [
    openingOf(findings),
    ...story,
    [...peopleOf(findings), ...servicesOf(findings), ...describePrices(findings)],
    [...describeEpisodes(findings), ...describeComparison(findings)],
  ];
  const told = paragraphs.filter((sentences) => sentences.length > 0);
  return {
    summary: told.map((sentences) => sentences.map(({ text }) => text).join(' ')).join('\n\n'),
    summary_sentences: told.flat().map(({ text, reviewIds }) => ({
      text,
      review_ids: [...new Set(reviewIds)].slice(0, MOST_REVIEWS),
    })),
  };
}

/** Whether more reviews give one or two stars than four or five. */
function isMostlyBad({ reviews }: Findings): boolean {
  const { distribution } = aggregateRating(reviews);
  return distribution['1'] + distribution['2'] > distribution['4'] + distribution['5'];
}

function openingOf(findings: Findings): Told[] {
  const { business, reviews, unanalysedCount: count } = findings;
  const { rating_value: mean, distribution } = aggregateRating(reviews);
  const newest = monthOf(reviews[0]?.date ?? '');
  const oldest = monthOf(reviews.at(-1)?.date ?? '');
  const reviewIds = reviews.slice(0, MOST_REVIEWS).map(({ id }) => id);
  const [only] = reviews;
  if (reviews.length === 1 && only) {
    const text = `${business.name} has one verified review, from ${newest}: ${stars(only.rating)}.`;
    return [{ text, reviewIds }];
  }
  const good = distribution['4'] + distribution['5'];
  const bad = distribution['1'] + distribution['2'];
  const [share = 0, , badShare = 0] = percentages([good, reviews.length - good - bad, bad]);
  const since = newest === oldest ? `from ${newest}` : `since ${oldest}`;
  const rated =
    `${business.name} has ${mean?.toFixed(1)} out of 5 stars in ` +
    `${counted(reviews.length, 'verified review')} ${since}`;
  const happy = `${rated}: ${moodOf(share ?? 0, badShare ?? 0)}.`;
  const languages =
    count === 0
      ? []
      : [
          count === 1
            ? 'One review is in another language and counts by its stars only.'
            : `${capitalisedCount(count)} are in other languages and count by their stars only.`,
        ];
  return [happy, ...languages].map((text) => ({ text, reviewIds }));
}

function capitalisedCount(count: number): string {
  const words = counted(count, 'review');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Who is happy, by the percentages of four and five stars, and of one and two. */
function moodOf(good: number, bad: number): string {
  if (good >= 90) return 'nearly everybody is happy';
  if (good >= 60) return bad >= 10 ? 'most are happy, some are not at all' : 'most are happy';
  if (bad >= 55) return good >= 20 ? 'most are unhappy, though not all' : 'most are unhappy';
  return 'opinions are divided';
}

function opinionsOf({ positive_count: positive, negative_count: negative }: Aspect): number {
  return positive + negative;
}

/** The strengths, most praised first, each with a quote. */
function strengthsOf(findings: Findings, used: Set<string>, most: number): Told[] {
  const praised = findings.aspects
    .filter(
      (aspect) =>
        opinionsOf(aspect) >= FEWEST_OPINIONS && aspect.positive_count > WEAK * opinionsOf(aspect),
    )
    .toSorted((a, b) => b.positive_count - a.positive_count || (a.id < b.id ? -1 : 1));
  const strong = praised.filter((one) => one.positive_count >= STRONG * opinionsOf(one));
  if (strong.length > 0)
    return strong
      .slice(0, most)
      .map((aspect) => describeAspect(findings, aspect, 'positive', used));
  return praised.slice(0, 1).map((aspect) => {
    const { text, reviewIds } = describeAspect(findings, aspect, 'positive', used);
    return { text: `At its best, ${lower(text)}`, reviewIds };
  });
}

/** "They are friendly, say 35 of the 41 who speak of it: “...” (five stars, May 2026)." */
function describeAspect(
  findings: Findings,
  aspect: Aspect,
  sentiment: 'positive' | 'negative',
  used: Set<string>,
): Told {
  const wording = wordingOf(aspect.id, aspect.label);
  const isPraise = sentiment === 'positive';
  const said =
    (isPraise ? wording.praise : wording.complaint) ??
    `${isPraise ? 'Praised' : 'Criticised'} is ${wording.noun}`;
  const count = isPraise ? aspect.positive_count : aspect.negative_count;
  const all = opinionsOf(aspect);
  const who = count === all ? `all ${grouped(all)}` : `${grouped(count)} of the ${grouped(all)}`;
  const quote = quoteFor(findings, 'aspects', aspect.id, sentiment, used);
  if (quote) used.add(fold(quote.text));
  return {
    text: `${said}, say ${who} who speak of it${quote ? `: ${quote.shown}` : ''}.`,
    reviewIds: [
      ...(quote ? [quote.reviewId] : []),
      ...idsOf(mentionsOf(findings, 'aspects', aspect.id, sentiment)),
    ],
  };
}

function idsOf(mentions: readonly IndexedMention[]): string[] {
  return mentions.slice(0, MOST_REVIEWS).map(({ review }) => review.id);
}

/** The weak spots: aspects with at least as many complaints as praise, or else the one with the most complaints. */
function weaknessesOf(findings: Findings, used: Set<string>, most: number): Told[] {
  const blamed = findings.aspects
    .filter(({ negative_count: blame }) => blame >= FEWEST_OPINIONS - 1)
    .toSorted((a, b) => b.negative_count - a.negative_count || (a.id < b.id ? -1 : 1));
  const weak = blamed.filter((aspect) => aspect.positive_count <= WEAK * opinionsOf(aspect));
  const shown = weak.length > 0 ? weak.slice(0, most) : blamed.slice(0, 1);
  return shown.map((aspect, index) => {
    const { text, reviewIds } = describeAspect(findings, aspect, 'negative', used);
    if (index > 0 || most > 1) return { text, reviewIds };
    const open = weak.length > 0 ? 'The weak spot' : 'Where customers complain';
    return { text: `${open}: ${lower(text)}`, reviewIds };
  });
}

function problemsOf(findings: Findings): Told[] {
  const top = findings.entities.problems
    .filter(({ mention_count: count }) => count > 1)
    .slice(0, MOST);
  if (top.length === 0) return [];
  const text = `What goes wrong most often: ${listed(top.map(withCount))}.`;
  return [{ text, reviewIds: spread(findings, 'problems', top) }];
}

function withCount({
  name,
  mention_count: count,
}: {
  readonly name: string;
  readonly mention_count: number;
}): string {
  return `${lower(name)} (${counted(count, 'review')})`;
}

/** Some reviews of each of several entities. */
function spread(
  findings: Findings,
  list: MentionList,
  entities: readonly { readonly id: string }[],
  sentiment?: 'positive',
): string[] {
  const each = Math.ceil(MOST_REVIEWS / Math.max(1, entities.length));
  return entities.flatMap(({ id }) =>
    idsOf(mentionsOf(findings, list, id, sentiment).slice(0, each)),
  );
}

/** Who or what is praised even in reviews of one or two stars. */
function contrastsOf({ contrasts, entities, aspects }: Findings): Told[] {
  return contrasts.slice(0, 1).map(({ praised, blamed, review_count: count, review_ids: ids }) => {
    const aspect = aspects.find(({ id }) => id === praised.id);
    const whom = aspect ? wordingOf(aspect.id, aspect.label).noun : 'somebody who came, by name';
    const names = blamed.flatMap(({ problem }) =>
      entities.problems.filter(({ id }) => id === problem).map(({ name }) => lower(name)),
    );
    const text =
      `Even among those who give one or two stars, ${inWords(count)} praise ${whom}; ` +
      `they complain about ${listed(names)}.`;
    return { text, reviewIds: ids };
  });
}

function peopleOf(findings: Findings): Told[] {
  const top = peopleToAskFor(findings).slice(0, MOST);
  if (top.length === 0) return [];
  const named = top.map(({ name, traits }) => {
    const labels = traits.slice(0, 2).map(({ label }) => label);
    return labels.length > 0 ? `${name} (${labels.join(', ')})` : name;
  });
  const text = `People to ask for: ${listed(named)}.`;
  return [{ text, reviewIds: spread(findings, 'technicians', top, 'positive') }];
}

function servicesOf(findings: Findings): Told[] {
  const top = findings.entities.services
    .filter(({ mention_count: count }) => count > 1)
    .slice(0, MOST);
  if (top.length === 0) return [];
  const text = `Reviews speak most about ${listed(top.map(({ name }) => lower(name)))}.`;
  return [{ text, reviewIds: spread(findings, 'services', top) }];
}
