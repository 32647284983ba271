// Sentences about change: episodes of unusual ratings, and the last months against those before.

import { type Episode, MOST_REVIEWS } from '../../model/insights.ts';
import { roundTo } from '../../model/rating.ts';
import { type Change, changeOf } from '../aggregate/temporal.ts';
import { causesOf } from './causes.ts';
import type { Findings, Statement } from './evidence.ts';
import { inWords, listed, monthOf } from './prose.ts';

/** The least stars that were not bad before. */
const BAD = 3;

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
export function describeChange({ months, recent, earlier, trend }: Change, newest: string): string {
  const [mean, before] = [recent, earlier].map((period) => decimal(period.mean));
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

/** The last months beside those before, unless an episode tells it. */
export function describeComparison({ comparison, episodes, reviews }: Findings): Statement[] {
  if (comparison === null) return [];
  const { months, trend, before } = comparison;
  const isTold = episodes.some(({ to }) => to >= before.slice(0, 7));
  if (isTold || (trend === 'stable' && episodes.length > 0)) return [];
  const period = periodTo(reviews[0]?.date ?? '', months);
  // The means of the comparison are rounded, and would be rounded twice.
  const change = changeOf(reviews);
  const [now, then] = [change?.recent, change?.earlier].map((one) => decimal(one?.mean ?? 0));
  const text = {
    improving: `In the ${period} ratings went up, from ${then} to ${now} stars.`,
    declining: `In the ${period} ratings went down, from ${then} to ${now} stars.`,
    stable: `Ratings did not clearly change: ${now} stars in the ${period}, ${then} before.`,
  }[trend];
  return [{ text, reviewIds: reviews.slice(0, MOST_REVIEWS).map(({ id }) => id) }];
}
