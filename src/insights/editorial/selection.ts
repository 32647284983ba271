// Chooses what is told of a business: what stands out, whom to ask for, and the reviews that show it. Prose and pages
// of all languages only word it.

import { type Insights, MOST_REVIEWS, type Selection } from '../../model/insights.ts';
import { type Consensus, leaningOf, shareInterval } from '../../model/leaning.ts';
import { aggregateRating } from '../../model/rating.ts';
import type { MentionList } from '../aggregate/mentions.ts';
import { type Found, recentOf, wordingOf } from './evidence.ts';
import { quotesAbout } from './quoting.ts';
import { satisfactionOf } from './prose.ts';
import { complaintOf, isOver, isSameTrouble } from './troubles.ts';

type Aspect = Insights['aspects'][number];
type Person = Insights['entities']['technicians'][number];
type Chosen = Selection['praised'][number];
type Counted = Pick<
  Aspect,
  'id' | 'mention_count' | 'positive_count' | 'negative_count' | 'example_review_ids'
>;
export type Side = 'positive' | 'negative';

/** The least number of opinions of a side for an aspect, and of praises for a person. */
const FEWEST_OPINIONS = 3;
/** The least praise of a person to ask for, as a multiple of the blame. */
const PRAISE_TO_BLAME = 4;
/** The least complaints about a weak spot, as a share of those about what is criticised most. */
const WEAK_SHARE = 0.25;
/** So many opinions are enough for a strength or a weak spot; fewer are if this share of all reviews has them. */
const FEWEST_TOLD = 5;
const TOLD_REVIEWS = 0.1;
/** The most strengths, weak spots and people. */
const MOST = 3;

export function opinionsOf({ positive_count: positive, negative_count: negative }: Aspect): number {
  return positive + negative;
}

export function select(findings: Found): Selection {
  const chosen = (list: MentionList, side: Side) => (one: Counted) => ({
    id: one.id,
    count: one[`${side}_count`],
    of: one.mention_count,
    review_ids: findings.mentions
      .of(list, one.id, side)
      .slice(0, MOST_REVIEWS)
      .map(({ review }) => review.id),
  });
  const aspects = (side: Side, list: readonly Aspect[]): Chosen[] =>
    list.map(chosen('aspects', side));
  const weak = weakSpotsOf(findings);
  return {
    praised: aspects('positive', mostOf(findings, 'positive')),
    criticized: aspects('negative', mostOf(findings, 'negative')),
    strengths: strengthsOf(findings).map((one) => ({
      ...chosen('aspects', 'positive')(one),
      claim: wordingOf(one.id, one.label).praise,
    })),
    weak_spots: weak.map((one) => ({
      ...chosen('aspects', 'negative')(one),
      claim: complaintOf(findings, one),
    })),
    complaints: complaintsBeside(findings, weak).map(chosen('problems', 'negative')),
    low_topics: lowTopicsOf(findings),
    people: peopleToAskFor(findings).map((one) => ({
      ...chosen('technicians', 'positive')(one),
      ...(one.traits[0] && { claim: one.traits[0].label }),
    })),
  };
}

/** The aspects with most opinions of a side; one on which opinions differ is among both. */
function mostOf({ aspects }: Found, side: Side): Aspect[] {
  const countOf = (aspect: Aspect) => aspect[`${side}_count`];
  return aspects
    .filter((aspect) => countOf(aspect) >= FEWEST_OPINIONS)
    .toSorted((a, b) => countOf(b) - countOf(a));
}

/** What most praise, most praise over blame first; or else the one that is praised most beyond blame. */
function strengthsOf(findings: Found): Aspect[] {
  const praised = findings.aspects
    .filter((one) => one.positive_count >= fewestTold(findings))
    .toSorted((a, b) => isVague(a) - isVague(b) || lead(b) - lead(a) || (a.id < b.id ? -1 : 1));
  const strong = praised.filter((one) => leaningOn(one) < 2);
  const quoted = strong.filter((one) => isQuoted(findings, one, 'positive'));
  if (strong.length > 0) return (quoted.length > 0 ? quoted : strong).slice(0, MOST);
  return praised.filter((one) => opinionsOf(one) >= FEWEST_OPINIONS && lead(one) > 0).slice(0, 1);
}

function isVague({ id, label }: Aspect): number {
  return Number(wordingOf(id, label).isVague ?? false);
}

function fewestTold({ reviews }: Found): number {
  return Math.min(FEWEST_TOLD, reviews.length * TOLD_REVIEWS);
}

/** On what opinions differ or are bad, judged by recent reviews if enough speak of it: what most complain of first, by number and share. */
function weakSpotsOf(findings: Found): Aspect[] {
  const since = recentOf(findings);
  const recent = ({ id }: Aspect, side: Side) =>
    findings.mentions.of('aspects', id, side).filter(({ review }) => review.date > since).length;
  const all = mostOf(findings, 'negative').map((one) => {
    const [good, bad] = [recent(one, 'positive'), recent(one, 'negative')];
    const isJudged = good + bad >= FEWEST_TOLD;
    const [leaning, part] = isJudged
      ? [leaningOf(good, bad), bad / (good + bad)]
      : [leaningOn(one), one.negative_count / opinionsOf(one)];
    const complaints = findings.mentions.of('aspects', one.id, 'negative');
    // What most complain of is not over with the bad months if the newest complaint is of later.
    const isClear = isJudged && leaning >= 3;
    const isPast = isOver(findings, one.id, isClear ? complaints.slice(0, 1) : complaints);
    return { one, bad, leaning, part, isPast, isTold: isQuoted(findings, one, 'negative') };
  });
  const fewest = fewestTold(findings);
  const share = Math.max(1, ...all.map(({ bad }) => bad)) * WEAK_SHARE;
  return all
    .filter(
      ({ one, bad, leaning, isPast }) =>
        leaning >= 2 &&
        // The answers of the FAQ are about all of them.
        leaningOn(one) >= 2 &&
        one.negative_count >= fewest &&
        bad >= share &&
        !isPast,
    )
    .toSorted((a, b) => Number(b.isTold) - Number(a.isTold) || b.bad * b.part - a.bad * a.part)
    .map(({ one }) => one)
    .slice(0, MOST);
}

/** The most frequent complaints besides the weak spots that are told, without those that are over. */
function complaintsBeside(findings: Found, weak: readonly Aspect[]) {
  const { good, bad } = satisfactionOf(findings.reviews);
  const told = bad > good ? weak : weak.slice(0, 1);
  return findings.entities.problems
    .filter(
      ({ id, mention_count: count }) =>
        count >= FEWEST_OPINIONS &&
        !isOver(findings, id, findings.mentions.of('problems', id)) &&
        !told.some((aspect) => isSameTrouble(findings, id, aspect.id)),
    )
    .slice(0, MOST);
}

/** The topics whose reviews give less than all, a star less if they are few, most reviews first. */
function lowTopicsOf({ topics, reviews }: Found): string[] {
  const mean = aggregateRating(reviews).rating_value ?? 0;
  return topics
    .filter(({ mention_count: count, average_rating: own }) => {
      const less = mean - own;
      return (
        count >= FEWEST_TOLD && less >= 0.75 && less * Math.sqrt(count) >= Math.sqrt(FEWEST_TOLD)
      );
    })
    .slice(0, MOST)
    .map(({ id }) => id);
}

/** Praised technicians that have a score, which former ones have not: by the share of praise and the stars, never by number alone. */
function peopleToAskFor({ entities }: Found): Person[] {
  const rank = ({ positive_count: praise, negative_count: blame, average_rating: mean }: Person) =>
    shareInterval(praise, praise + blame).low * (mean ?? 1);
  return entities.technicians
    .filter(
      ({ score, positive_count: praise, negative_count: blame }) =>
        score !== null && praise >= FEWEST_OPINIONS && praise >= PRAISE_TO_BLAME * blame,
    )
    .toSorted((a, b) => rank(b) - rank(a) || (a.id < b.id ? -1 : 1))
    .slice(0, MOST);
}

/** Which way opinions on an aspect lean. */
export function leaningOn({ positive_count: good, negative_count: bad }: Aspect): Consensus {
  return leaningOf(good, bad);
}

function lead({ positive_count: good, negative_count: bad }: Aspect): number {
  return good - bad;
}

/** Whether customers' own words tell it: the summary shows them. */
function isQuoted(findings: Found, { id }: Aspect, side: Side): boolean {
  return quotesAbout(findings, 'aspects', id).some(({ sentiment }) => sentiment === side);
}
