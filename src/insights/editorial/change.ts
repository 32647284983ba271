// Sentences about change: episodes of unusual ratings, the last months against those before, and aspects and
// problems on which opinion changed.

import { type Comparison, type Episode, MOST_REVIEWS } from '../../model/insights.ts';
import { roundTo } from '../../model/rating.ts';
import { type Change, changeOf } from '../aggregate/temporal.ts';
import { causesOf } from './causes.ts';
import { type Findings, problemIn, type Statement, wordingOf } from './evidence.ts';
import { capitalised, inWords, listed, monthOf } from './prose.ts';

const MOST_CHANGES = 2;
/** The least number of complaints in the period with more of them. */
const FEWEST_COMPLAINTS = 10;
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

/** The last months beside those before, unless an episode tells it, and what rose or fell beyond chance. */
export function describeComparison(findings: Findings): Statement[] {
  const { comparison, episodes, reviews, aspects, entities } = findings;
  if (comparison === null) return [];
  const { months, trend, changes } = comparison;
  const period = periodTo(reviews[0]?.date ?? '', months);
  const fitting = changes.filter((one) => isFrequent(one) && !contradicts(one, trend, findings));
  // The means of the comparison are rounded, and would be rounded twice.
  const change = changeOf(reviews);
  const [now, then] = [change?.recent, change?.earlier].map((one) => decimal(one?.mean ?? 0));
  const words = {
    improving: `In the ${period} ratings went up, from ${then} to ${now} stars.`,
    declining: `In the ${period} ratings went down, from ${then} to ${now} stars.`,
    stable: `Ratings did not clearly change: ${now} stars in the ${period}, ${then} before.`,
  };
  const isTold = episodes.some(({ to }) => to >= comparison.before.slice(0, 7));
  const ratings = isTold || (trend === 'stable' && episodes.length > 0) ? [] : [words[trend]];
  const isClear = ratings.length > 0 && trend !== 'stable';
  const reviewIds = reviews.slice(0, MOST_REVIEWS).map(({ id }) => id);
  return [
    ...ratings.map((text) => ({ text, reviewIds })),
    ...fitting.slice(0, MOST_CHANGES).map((one, at) => ({
      text: sentenceOf(one, nounFor(one, aspects, entities), at === 0 && !isClear ? period : null),
      reviewIds: one.review_ids,
    })),
  ];
}

type AspectOrProblem = Comparison['changes'][number];

function nounFor(
  { kind, id }: AspectOrProblem,
  aspects: Findings['aspects'],
  { problems }: Findings['entities'],
): string {
  if (kind === 'problem')
    return problemIn(problems.find((one) => one.id === id) ?? { id, name: id });
  const aspect = aspects.find((one) => one.id === id);
  return aspect ? wordingOf(id, aspect.label).noun : id;
}

/** Whether enough reviews complain in one of the periods. */
function isFrequent({ kind, recent, earlier }: AspectOrProblem): boolean {
  const complaints = [recent, earlier].map(({ count, of }) =>
    kind === 'problem' ? count : of - count,
  );
  return Math.max(...complaints) >= FEWEST_COMPLAINTS;
}

/** Whether a change is the opposite of what the ratings do, or a worsening that an episode explains. */
function contradicts(
  { kind, direction }: AspectOrProblem,
  trend: Comparison['trend'],
  { episodes, comparison }: Findings,
): boolean {
  const isBetter = (kind === 'problem') === (direction === 'fell');
  const recent = episodes.filter(
    ({ to }) => comparison !== null && to >= comparison.since.slice(0, 7),
  );
  const [dip, rise] = (['dip', 'rise'] as const).map((one) =>
    recent.find(({ kind: own }) => own === one),
  );
  if (isBetter) return trend === 'declining' || dip?.is_over === false;
  return trend === 'improving' || rise?.is_over === false || dip?.is_over === true;
}

/** @param period such as "twelve months to October 2026"; null if the sentence before says it */
function sentenceOf(
  { kind, direction }: AspectOrProblem,
  noun: string,
  period: string | null,
): string {
  const isMore = direction === 'rose';
  const change =
    kind === 'problem'
      ? ['complaints about', isMore ? 'more common' : 'less common']
      : ['opinions on', isMore ? 'better' : 'worse'];
  const [whose = '', how = ''] = change;
  if (period === null) return `${capitalised(whose)} ${noun} became ${how} too.`;
  const [length] = period.split(' to ', 1);
  return `In the ${period} ${whose} ${noun} were ${how} than in the ${length} before.`;
}
