// Sentences about change: episodes of unusual ratings, the last months against those before, and aspects and
// problems on which opinion changed.

import type { Comparison, Episode } from '../../model/insights.ts';
import { type Change, changeOf } from '../aggregate/temporal.ts';
import { type Findings, problemIn, type Told, wordingOf } from './evidence.ts';
import { inWords, listed, monthOf } from './prose.ts';
import { isSameTrouble } from './troubles.ts';

const MOST_REVIEWS = 20;
const MOST_CAUSES = 3;
const MOST_CHANGES = 2;

/** A sentence or two on each episode, oldest first. */
export function describeEpisodes(findings: Findings): Told[] {
  return findings.episodes.map((episode) => ({
    text: describeEpisode(episode, findings),
    reviewIds: episode.example_review_ids,
  }));
}

/** When it was, what went wrong, and whether it is over. */
function describeEpisode(episode: Episode, findings: Findings): string {
  const { kind, from, to, average_rating: during, average_before: before } = episode;
  const isDip = kind === 'dip';
  const causes = causesOf(episode, findings);
  const why = causes.length > 0 ? `, mostly over ${listed(causes)}` : '';
  const levels =
    before === null ? `at ${decimal(during)}` : `${decimal(before)} to ${decimal(during)}`;
  if (!episode.is_over) {
    const how = isDip ? 'things have gone wrong' : 'things have gone better';
    const move = before === null ? 'ratings are' : `ratings are ${isDip ? 'down' : 'up'} from`;
    return `Since ${monthOf(from)} ${how}${why}: ${move} ${levels} stars.`;
  }
  const when = from === to ? `In ${monthOf(from)}` : `From ${monthOf(from)} to ${monthOf(to)}`;
  const how = isDip ? 'things went wrong' : 'things went better than usual';
  const move = before === null ? 'ratings were' : `ratings ${isDip ? 'fell' : 'rose'} from`;
  return `${when} ${how}${why}: ${move} ${levels} stars.${describeEnd(episode)}`;
}

function describeEnd({ kind, average_after: after }: Episode): string {
  if (after === null) return '';
  const back = kind === 'dip' ? 'they are back at' : 'they have been at';
  return ` That is over; since then ${back} ${decimal(after)}.`;
}

/** Problems first, then aspects that are not the same trouble. */
function causesOf(episode: Episode, findings: Findings): string[] {
  const { entities, aspects } = findings;
  const problems = episode.problems.flatMap((id) =>
    entities.problems.filter((one) => one.id === id),
  );
  const others = episode.aspects
    .flatMap((id) => aspects.filter((one) => one.id === id))
    .filter(({ id }) => !problems.some((one) => isSameTrouble(findings, one.id, id)))
    .map(({ id, label }) => {
      const { noun, trouble } = wordingOf(id, label);
      return episode.kind === 'dip' ? trouble : noun;
    });
  const names = problems.map(problemIn);
  return [...new Set([...names, ...others])].slice(0, MOST_CAUSES);
}

/** The mean of the recent period beside that of the period before. */
export function describeChange({ months, recent, earlier, trend }: Change): string {
  const [mean, before] = [recent, earlier].map((period) => decimal(period.mean));
  const length = `${inWords(months)} months`;
  const than = { improving: 'up from', declining: 'down from', stable: 'compared with' }[trend];
  return `The last ${length} average ${mean} stars, ${than} ${before} in the ${length} before.`;
}

function decimal(stars: number): string {
  return stars.toFixed(1);
}

/** The last months beside those before, unless an episode tells it, and what rose or fell beyond chance. */
export function describeComparison(findings: Findings): Told[] {
  const { comparison, episodes, reviews, aspects, entities } = findings;
  if (comparison === null) return [];
  const { months, trend, changes } = comparison;
  const length = months === 12 ? 'year' : `${inWords(months)} months`;
  // The means of the comparison are rounded, and would be rounded twice.
  const change = changeOf(reviews);
  const [now, then] = [change?.recent, change?.earlier].map((one) => decimal(one?.mean ?? 0));
  const words = {
    improving: `Over the last ${length} ratings have gone up, from ${then} to ${now} stars.`,
    declining: `Over the last ${length} ratings have gone down, from ${then} to ${now} stars.`,
    stable: `Ratings have been steady: ${now} stars over the last ${length}, ${then} before.`,
  };
  const isTold = episodes.some(({ to }) => to >= comparison.before.slice(0, 7));
  const ratings = isTold || (trend === 'stable' && episodes.length > 0) ? [] : [words[trend]];
  const reviewIds = reviews.slice(0, MOST_REVIEWS).map(({ id }) => id);
  return [
    ...ratings.map((text) => ({ text, reviewIds })),
    ...changes.slice(0, MOST_CHANGES).map((one, at) => ({
      text: sentenceOf(one, nounFor(one, aspects, entities), at === 0 ? length : null),
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

/** @param length of the periods; null if the sentence before says it */
function sentenceOf(
  { kind, direction }: AspectOrProblem,
  noun: string,
  length: string | null,
): string {
  const isMore = direction === 'rose';
  const than = length === null ? '' : ` than in the ${length} before`;
  const verb = length === null ? 'have become' : 'are';
  return kind === 'problem'
    ? `Complaints about ${noun} ${verb} ${isMore ? 'more' : 'less'} common${than}.`
    : `Opinions on ${noun} ${verb} ${isMore ? 'better' : 'worse'}${than}.`;
}
