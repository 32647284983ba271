// Sentences about change: episodes of unusual ratings, the last months against those before, and aspects on
// which opinion changed.

import type { Episode, Insights } from '../../model/insights.ts';
import { differenceInterval } from '../aggregate/intervals.ts';
import { type Change, changeOf } from '../aggregate/temporal.ts';
import { type Findings, mentionsOf, wordingOf } from './evidence.ts';
import { counted, inWords, listed, lower, monthOf } from './prose.ts';

/** The least number of opinions in each of two compared periods. */
const FEWEST_TO_COMPARE = 10;
const MOST_CHANGES = 3;

/** A sentence or two on each episode, oldest first. */
export function describeEpisodes(findings: Findings): string[] {
  return findings.episodes.map((episode) => describeEpisode(episode, findings));
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

/** The aspects on which opinion changed significantly between the periods of the trend, clearest first. */
export function describeAspectChanges(findings: Findings): string[] {
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
    .slice(0, MOST_CHANGES)
    .map(({ sentence }) => sentence);
}

function nounOf({ id, label }: Insights['aspects'][number]): string {
  return wordingOf(id, label).noun;
}

/** "none of 12 is", "one of 12 is", "seven of 12 are", and the same in the past. */
function partOf(
  { part, total }: { readonly part: number; readonly total: number },
  isPast = false,
): string {
  const [one, many] = isPast ? ['was', 'were'] : ['is', 'are'];
  const count = part === 0 ? 'none' : inWords(part);
  return `${count} of ${inWords(total)} ${part < 2 ? one : many}`;
}
