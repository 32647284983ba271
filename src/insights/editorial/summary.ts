// Writes the summary as a friend would tell it: three things worth knowing, then the weak spot, then whom to ask for
// and what for, then what has changed. Every sentence names the reviews that it rests on.

import { type Insights, MOST_REVIEWS, type Selection } from '../../model/insights.ts';
import { roundTo } from '../../model/rating.ts';
import type { IndexedMention } from '../aggregate/mentions.ts';
import { leaningOn, opinionsOf, type Side } from './selection.ts';
import { describeChanges, describeComparison, describeEpisodes } from './change.ts';
import {
  type Findings,
  peopleToAskFor,
  type Statement,
  wordingOf,
  problemIn,
  spread,
} from './evidence.ts';
import { describePrices } from './prices.ts';
import {
  areAskedFor,
  capitalised,
  counted,
  customerOf,
  inQuotes,
  inWords,
  listed,
  lower,
  monthOf,
  nameOf,
  stars,
  describeSatisfaction,
  satisfactionOf,
} from './prose.ts';
import { chooseQuotes, type Quote } from './quoting.ts';
import { complaintOf } from './troubles.ts';

type Aspect = Insights['aspects'][number];

/** The least complaints about a strength that are told with it, and their least share. */
const FEWEST_TURNING = 5;
const TURNING_SHARE = 0.2;

export function writeSummary(findings: Findings): Pick<Insights, 'summary' | 'summary_sentences'> {
  if (findings.reviews.length === 0) {
    const text = `${subjectOf(findings)} has no verified reviews yet.`;
    return { summary: text, summary_sentences: [{ text, review_ids: [] }] };
  }
  const strong = aspectsOf(findings, findings.selection.strengths);
  const weak = aspectsOf(findings, findings.selection.weak_spots);
  const { good, bad } = satisfactionOf(findings.reviews);
  const isMostlyBad = bad > good;
  const groups: readonly [Group, Group] = isMostlyBad
    ? [{ aspects: weak, side: 'negative' }, favourite(findings, strong)]
    : [
        strengths(findings, strong),
        { aspects: weak.slice(0, 1), side: 'negative', opening: 'The weak spot:' },
      ];
  const [first, second] = wordGroups(findings, groups);
  const blame = [...complaintsOf(findings, weak.length === 0), ...lowTopicsOf(findings)];
  const paragraphs: (readonly Statement[])[] = [
    openingOf(findings),
    ...(isMostlyBad ? [first, blame, second] : [first, [...second, ...blame]]),
    [...peopleOf(findings), ...describePrices(findings)],
    [...describeEpisodes(findings), ...describeChanges(findings), ...describeComparison(findings)],
  ];
  const written = paragraphs.filter((sentences) => sentences.length > 0);
  return {
    summary: written.map((sentences) => sentences.map(({ text }) => text).join(' ')).join('\n\n'),
    summary_sentences: written.flat().map(({ text, reviewIds }) => ({
      text,
      review_ids: [...new Set(reviewIds)].slice(0, MOST_REVIEWS),
    })),
  };
}

function openingOf(findings: Findings): Statement[] {
  const { reviews, unanalysedIds } = findings;
  const count = unanalysedIds.length;
  const name = subjectOf(findings);
  const mean = roundTo(reviews.reduce((sum, { rating }) => sum + rating, 0) / reviews.length, 1);
  const newest = monthOf(reviews[0]?.date ?? '');
  const oldest = monthOf(reviews.at(-1)?.date ?? '');
  const reviewIds = reviews.slice(0, MOST_REVIEWS).map(({ id }) => id);
  const [only] = reviews;
  if (reviews.length === 1 && only) {
    const text = `${name} has one verified review, from ${newest}: ${stars(only.rating)}.`;
    return [{ text, reviewIds }];
  }
  const since = newest === oldest ? `from ${newest}` : `since ${oldest}`;
  const rated =
    `${name} has ${mean.toFixed(1)} out of 5 stars in ` +
    `${counted(reviews.length, 'verified review')} ${since}`;
  const happy = `${rated}: ${describeSatisfaction(reviews, `${customer(findings)}s`)}.`;
  const languages =
    count === 0
      ? []
      : [
          count === 1
            ? 'One review is in a language that is not read; only its stars count.'
            : `${capitalised(counted(count, 'review'))} are in languages that are not read; only their stars count.`,
        ];
  return [
    { text: happy, reviewIds },
    ...languages.map((text) => ({ text, reviewIds: unanalysedIds })),
  ];
}

/** The name of the business at the beginning of a sentence. Real names stay as they are. */
function subjectOf({ business }: Findings): string {
  return nameOf(business) === business.name ? business.name : capitalised(nameOf(business));
}

function customer({ business }: Findings): string {
  return customerOf(business);
}

function aspectsOf({ aspects }: Findings, chosen: Selection['praised']): Aspect[] {
  return chosen.flatMap(({ id }) => aspects.filter((aspect) => aspect.id === id));
}

/** Aspects of which one side is told, each in a sentence of its own; an opening stands before the only sentence. */
interface Group {
  readonly aspects: readonly Aspect[];
  readonly side: Side;
  readonly opening?: string;
}

/** The three things worth knowing, or else the best one. */
function strengths(findings: Findings, strong: readonly Aspect[]): Group {
  if (strong.some((aspect) => leaningOn(aspect) >= 2)) return favourite(findings, strong);
  // Of one thing nothing is above all.
  const opening = strong.length === 1 ? '' : 'Above all,';
  return { aspects: strong, side: 'positive', opening };
}

/** The best thing where opinions differ. */
function favourite(findings: Findings, strong: readonly Aspect[]): Group {
  const aspects = strong.slice(0, 1);
  const turn = aspects.some((aspect) => leaningOn(aspect) >= 2) ? ', though opinions differ' : '';
  const opening = `What ${customer(findings)}s like most${turn}:`;
  return { aspects, side: 'positive', opening };
}

/** The sentences of two groups, of which no two have the same quote. */
function wordGroups(
  findings: Findings,
  groups: readonly [Group, Group],
): [Statement[], Statement[]] {
  const [first, second] = groups;
  const quotes = chooseQuotes(
    findings,
    groups.flatMap(({ aspects, side }) =>
      aspects.map(({ id }) => ({ list: 'aspects', ids: [id], sentiment: side }) as const),
    ),
  );
  return [
    wordGroup(findings, first, quotes),
    wordGroup(findings, second, quotes.slice(first.aspects.length)),
  ];
}

/** A sentence on each of up to three aspects, each in another form. */
function wordGroup(
  findings: Findings,
  { aspects, side, opening = 'Above all,' }: Group,
  quotes: readonly (Quote | null)[],
): Statement[] {
  return aspects.map((aspect, at) => {
    const claim =
      side === 'negative'
        ? complaintOf(findings, aspect)
        : wordingOf(aspect.id, aspect.label).praise;
    const quote = quotes[at];
    const turn = side === 'positive' ? turnOf(aspect) : '';
    const agreed = at === aspects.length - 1 ? ' too' : `, ${howMany(aspect, side)}`;
    const said = [
      `${opening === '' ? claim : `${opening} ${lower(claim)}`}${turn}`,
      `${claim}${turn || agreed}`,
      `And ${lower(claim)}${turn}`,
    ][at] as string;
    const words = quote ? inQuotes(quote.text) : '';
    const isSentence = opening.endsWith(':') || turn !== '';
    const text = quote
      ? `${said}${isSentence ? `. One ${customer(findings)} wrote` : ''}: ${words}`
      : said;
    return {
      text: /[.!?]’?”$/.test(text) ? text : `${text}.`,
      reviewIds: [
        ...(quote ? [quote.reviewId] : []),
        ...idsOf(findings.mentions.of('aspects', aspect.id, side)),
      ],
    };
  });
}

/** Told with praise of which a fifth complains; where opinions differ that is told already. */
function turnOf(aspect: Aspect): string {
  const [bad, all] = [aspect.negative_count, opinionsOf(aspect)];
  if (bad < FEWEST_TURNING || bad < TURNING_SHARE * all || leaningOn(aspect) >= 2) return '';
  return `, though about one in ${inWords(Math.round(all / bad))} who mention it complains`;
}

/** How many agree, in plain words. */
function howMany(aspect: Aspect, side: Side): string {
  const agreeing = side === 'positive' ? aspect.positive_count : aspect.negative_count;
  const share = agreeing / opinionsOf(aspect);
  return share >= 0.9 ? 'nearly all who mention it say' : 'most who mention it say';
}

function idsOf(mentions: readonly IndexedMention[]): string[] {
  return mentions.slice(0, MOST_REVIEWS).map(({ review }) => review.id);
}

/** The most frequent complaints besides the weak spots. */
function complaintsOf(findings: Findings, isFirst: boolean): Statement[] {
  const { complaints } = findings.selection;
  const top = findings.entities.problems.filter(({ id }) =>
    complaints.some((one) => one.id === id),
  );
  if (top.length === 0) return [];
  const names = listed(top.map(problemIn));
  const open = isFirst
    ? `Some ${customer(findings)}s complain about`
    : `${capitalised(customer(findings))}s also report`;
  return [{ text: `${open} ${names}.`, reviewIds: spread(findings, 'problems', top) }];
}

function lowTopicsOf({ selection, topics }: Findings): Statement[] {
  return topics
    .filter(({ id }) => selection.low_topics.includes(id))
    .map(
      ({ label, mention_count: count, average_rating: mean, example_review_ids: reviewIds }) => ({
        text: `The ${count} reviews that mention ${lower(label)} give ${mean.toFixed(1)} stars on average.`,
        reviewIds,
      }),
    );
}

function peopleOf(findings: Findings): Statement[] {
  const top = peopleToAskFor(findings);
  if (top.length === 0) return [];
  const [isAsked, names] = [areAskedFor(findings.business), top.map(({ told }) => told)];
  const text = isAsked
    ? `Ask for ${listed(names, 'or')}.`
    : `${capitalised(customer(findings))}s praise ${listed(names)} by name.`;
  return [{ text, reviewIds: spread(findings, 'technicians', top, 'positive') }];
}
