// Sentences about change: episodes of unusual ratings, the last months against those before, and aspects on
// which opinion changed.

import type { Comparison, Episode } from '../../model/insights.ts';
import { type Change, changeOf } from '../aggregate/temporal.ts';
import { type Findings, type Told, wordingOf } from './evidence.ts';
import { counted, grouped, inWords, listed, lower, monthOf } from './prose.ts';

const MOST_REVIEWS = 20;
const MOST_CHANGES = 3;

/** A sentence or two on each episode, oldest first. */
export function describeEpisodes(findings: Findings): Told[] {
  return findings.episodes.map((episode) => ({
    text: describeEpisode(episode, findings),
    reviewIds: episode.example_review_ids,
  }));
}

function describeEpisode(episode: Episode, { aspects, entities }: Findings): string {
  const {
    kind,
    from,
    to,
    average_rating: during,
    average_before: before,
    is_over: isOver,
  } = episode;
  const when = from === to ? `In ${monthOf(from)}` : `From ${monthOf(from)} to ${monthOf(to)}`;
  const begun = isOver ? when : `Since ${monthOf(from)}`;
  const verb = kind === 'dip' ? (isOver ? 'fell' : 'have fallen') : isOver ? 'rose' : 'have risen';
  const level =
    before === null
      ? ` to ${oneDecimal(during)} stars`
      : ` from ${oneDecimal(before)} to ${oneDecimal(during)} stars`;
  const causes = [
    ...namesOf(episode.problems, entities.problems, ({ name }) => lower(name)),
    ...namesOf(episode.aspects, aspects, ({ id, label }) => wordingOf(id, label).noun),
  ].slice(0, MOST_CHANGES);
  const about = kind === 'dip' ? 'complaints about' : 'praise for';
  const why = causes.length > 0 ? `, with ${about} ${listed(causes)}` : '';
  return `${begun} ratings ${verb}${level}${why}.${describeEnd(episode)}`;
}

function describeEnd({ kind, is_over: isOver, average_after: after }: Episode): string {
  if (!isOver || after === null) return '';
  const verb = kind === 'dip' ? 'recovered' : 'come down';
  return ` They have since ${verb} to ${oneDecimal(after)}.`;
}

function namesOf<T extends { readonly id: string }>(
  ids: readonly string[],
  named: readonly T[],
  nameOf: (one: T) => string,
): string[] {
  return ids.flatMap((id) => named.filter((one) => one.id === id).map(nameOf));
}

/** The mean of the recent period beside that of the period before. */
export function describeChange({ months, recent, earlier, trend }: Change): string {
  const length = `${inWords(months)} months`;
  const [mean, before] = [recent, earlier].map((period) => oneDecimal(period.mean));
  const now = `In the last ${length} the average is ${mean} stars (${counted(recent.count, 'review')})`;
  const then = `in the ${length} before (${counted(earlier.count, 'review')})`;
  if (trend === 'stable')
    return `${now}, about the same as ${then.replace('(', `with ${before} (`)}.`;
  return `${now}, ${trend === 'improving' ? 'up' : 'down'} from ${before} ${then}.`;
}

function oneDecimal(stars: number): string {
  return stars.toFixed(1);
}

/** The last months beside those before, and what rose or fell beyond chance. */
export function describeComparison(findings: Findings): Told[] {
  const { comparison, episodes, reviews, aspects, entities } = findings;
  if (comparison === null) return [];
  const { months, trend, changes } = comparison;
  const length = months === 12 ? 'year' : `${inWords(months)} months`;
  // The means of the comparison are rounded, and would be rounded twice.
  const change = changeOf(reviews);
  const [now, then] = [change?.recent, change?.earlier].map((one) => oneDecimal(one?.mean ?? 0));
  const words = { improving: 'up', declining: 'down', stable: '' };
  const ratings =
    trend === 'stable'
      ? []
      : [`In the last ${length} ratings are ${words[trend]} from ${then} to ${now} stars.`];
  // Without a change only if no episode says more.
  const stable =
    trend === 'stable' && episodes.length === 0
      ? [`In the last ${length} ratings are about the same as before: ${now} stars, then ${then}.`]
      : [];
  const reviewIds = reviews.slice(0, MOST_REVIEWS).map(({ id }) => id);
  return [
    ...[...ratings, ...stable].map((text) => ({ text, reviewIds })),
    ...changes.slice(0, MOST_CHANGES).map((one) => ({
      text: sentenceOf(one, nounFor(one, aspects, entities)),
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
  if (kind === 'problem') return problems.find((one) => one.id === id)?.name ?? id;
  const aspect = aspects.find((one) => one.id === id);
  return aspect ? wordingOf(id, aspect.label).noun : id;
}

function sentenceOf({ kind, direction, recent, earlier }: AspectOrProblem, noun: string): string {
  if (kind === 'problem') {
    const how = direction === 'rose' ? 'More' : 'Fewer';
    return (
      `${how} complain about ${lower(noun)}: ${grouped(recent.count)} of ${counted(recent.of, 'review')}, ` +
      `before that ${grouped(earlier.count)} of ${grouped(earlier.of)}.`
    );
  }
  const how = direction === 'rose' ? 'better' : 'worse';
  return (
    `Opinions on ${noun} are ${how} than before: ${grouped(recent.count)} of ${grouped(recent.of)} ` +
    `are good, ${grouped(earlier.count)} of ${grouped(earlier.of)} were.`
  );
}
