// Sentences about change: episodes of unusual ratings, complaints that became fewer or more, and the last months
// against those before.

import { dateBefore } from '../../model/date.ts';
import {
  type Comparison,
  type Episode,
  MOST_REVIEWS,
  type SubjectChange,
} from '../../model/insights.ts';
import { newLeaning } from '../../model/leaning.ts';
import { roundTo } from '../../model/rating.ts';
import type { IndexedMention } from '../aggregate/mentions.ts';
import { causesOf } from './causes.ts';
import { type Findings, problemIn, type Statement, wordingOf } from './evidence.ts';
import { grouped, inWords, listed, monthOf } from './prose.ts';
import { isOfBadMonths, isSameTrouble } from './troubles.ts';

/** The least stars that were not bad before. */
const BAD = 3;
/** The most subjects whose change is told. */
const MOST_CHANGES = 2;

/** A sentence or two on each episode, oldest first. */
export function describeEpisodes(findings: Findings): Statement[] {
  return findings.episodes.map((episode) => ({
    text: describeEpisode(episode, findings),
    reviewIds: episode.example_review_ids,
  }));
}

/** When it was, what went wrong, and whether it is over. */
function describeEpisode(episode: Episode, findings: Findings): string {
  const { kind, from, to, average_rating: during, average_before: before } = episode;
  const isDip = kind === 'dip';
  const wasBad = before !== null && before < BAD;
  const causes = causesOf(episode, findings).map(({ name }) => name);
  const why = causes.length > 0 ? `, mostly over ${listed(causes)}` : '';
  const levels =
    before === null ? `at ${decimal(during)}` : `${decimal(before)} to ${decimal(during)}`;
  const until = episode.is_over ? `to ${monthOf(to)}` : 'on';
  const when =
    episode.is_over && from === to ? `In ${monthOf(from)}` : `From ${monthOf(from)} ${until}`;
  const how = isDip
    ? wasBad
      ? 'things got worse'
      : 'things went wrong'
    : 'things went better than usual';
  const move = before === null ? 'ratings were' : `ratings ${isDip ? 'fell' : 'rose'} from`;
  return `${when} ${how}${why}: ${move} ${levels} stars.${describeEnd(episode)}`;
}

function describeEnd({ kind, is_over: isOver, average_after: after }: Episode): string {
  if (!isOver || after === null) return '';
  const back = kind === 'dip' ? 'ratings are back at' : 'ratings have been at';
  return ` That is over; since then ${back} ${decimal(after)}.`;
}

/**
 * The mean of the recent period beside that of the period before.
 *
 * @param newest the day of the newest review, which ends the recent period
 */
export function describeChange(
  { months, recent, earlier, trend }: Comparison,
  newest: string,
): string {
  const [mean, before] = [recent, earlier].map((period) => decimal(period.average_rating));
  const than = { improving: 'up from', declining: 'down from', stable: 'compared with' }[trend];
  return `The ${periodTo(newest, months)} average ${mean} stars, ${than} ${before} in the ${inMonths(months)} before.`;
}

/** "twelve months to October 2026": a sentence about the newest reviews is read long after. */
function periodTo(newest: string, months: number): string {
  return `${inMonths(months)} to ${monthOf(newest.slice(0, 7))}`;
}

function inMonths(months: number): string {
  return `${months === 12 ? 'twelve' : inWords(months)} months`;
}

function decimal(stars: number): string {
  return roundTo(stars, 1).toFixed(1);
}

/** The last months beside those before if they are clearly different, unless an episode tells it. */
export function describeComparison({ comparison, episodes, reviews }: Findings): Statement[] {
  const isTold = episodes.some(({ to }) => to >= (comparison?.before.slice(0, 7) ?? ''));
  if (comparison === null || comparison.trend === 'stable' || isTold) return [];
  const reviewIds = reviews.slice(0, MOST_REVIEWS).map(({ id }) => id);
  return [{ text: describeChange(comparison, reviews[0]?.date ?? ''), reviewIds }];
}

/** On what clearly more or fewer complain than before, but for what a time of unusual ratings explains. */
export function describeChanges(findings: Findings): Statement[] {
  const { changes, episodes, aspects, entities } = findings;
  const told = changes.filter(
    ({ list, id }) =>
      !episodes.some((one) => one[list].includes(id)) &&
      !isOfBadMonths(findings, findings.mentions.of(list, id, 'negative')) &&
      !changes.some((one) => one.list !== list && isSameTrouble(findings, id, one.id)),
  );
  const countOf = ({ before, recent }: SubjectChange) =>
    Math.max(before.complaint_count, recent.complaint_count);
  return told
    .toSorted((a, b) => countOf(b) - countOf(a))
    .slice(0, MOST_CHANGES)
    .map((change) => {
      const { list, id } = change;
      const aspect = aspects.find((one) => one.id === id);
      const problem = entities.problems.find((one) => one.id === id);
      const name =
        list === 'aspects' ? wordingOf(id, aspect?.label ?? id).trouble : problemIn(problem!);
      const complaints = findings.mentions.of(list, id, 'negative').slice(0, MOST_REVIEWS);
      return {
        text: describeComplaints(findings, change, ` about ${name}`),
        reviewIds: complaints.map(({ review }) => review.id),
      };
    });
}

/** "Fewer complain about prices than before: one in 93 reviews in the twelve months to May 2025, eight in 27 before." */
export function describeComplaints(
  { reviews: [newest] }: Pick<Findings, 'reviews'>,
  { trend, before, recent }: SubjectChange,
  about = '',
): string {
  const [now, then] = [recent, before].map(({ complaint_count: count }) =>
    count === 0 ? 'none' : inWords(count),
  );
  const lead = `${trend === 'fewer' ? 'Fewer' : 'More'} complain${about} than before`;
  return `${lead}: ${now} in ${grouped(recent.review_count)} reviews in the ${periodTo(newest?.date ?? '', 12)}, ${then} in ${grouped(before.review_count)} before.`;
}

/** "In the twelve months to May 2026 nine of ten are happy.": null if opinions lean as they do in all. */
export function describeLately(
  { reviews: [newest] }: Pick<Findings, 'reviews'>,
  good: readonly IndexedMention[],
  bad: readonly IndexedMention[],
): string | null {
  const since = (newest && dateBefore(newest.date, '12m')) ?? '';
  const [happy = 0, unhappy = 0] = [good, bad].map(
    (side) => side.filter(({ review }) => review.date > since).length,
  );
  const side = newLeaning([good.length, bad.length], [happy, unhappy]);
  if (newest === undefined || side === null) return null;
  const [part, told] = side === 'positive' ? [happy, 'are happy'] : [unhappy, 'complain'];
  return `In the ${periodTo(newest.date, 12)}, ${inWords(part)} of ${inWords(happy + unhappy)} ${told}.`;
}
