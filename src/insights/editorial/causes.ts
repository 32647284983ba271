// Names the causes of an episode, if they explain most of it.

import type { Episode } from '../../model/insights.ts';
import type { Review } from '../../model/review.ts';
import causes from './causes.json' with { type: 'json' };
import { type Found, problemIn, wordingOf } from './evidence.ts';
import { lower } from './prose.ts';
import { isSameTrouble } from './troubles.ts';

interface Cause {
  /** As prose has it, and as pages do. */
  readonly name: string;
  readonly label: string;
  readonly reviewIds: ReadonlySet<string>;
}

const MOST_CAUSES = 3;
/** The least share of the low (or high) reviews of an episode that name one of its causes. */
const LEAST_SHARE = 0.5;
/** The least number of low reviews that name a kind of trouble, and how much more often than expected. */
const FEWEST_REVIEWS = 3;
const MIN_LIFT = 1.5;

export function withCauses(found: Found): Episode[] {
  const labelsOf = (one: Episode) => causesOf(one, found).map(({ label }) => label);
  return found.episodes.map((one) => ({ ...one, causes: labelsOf(one) }));
}

/** The causes of an episode; none if half of its low (or, of a rise, high) reviews name none of them. */
export function causesOf(episode: Episode, findings: Found): readonly Cause[] {
  const isOfKind = ({ rating }: Review) => (episode.kind === 'dip' ? rating <= 2 : rating >= 4);
  const isWithin = ({ date }: Review) =>
    date.slice(0, 7) >= episode.from && date.slice(0, 7) <= episode.to;
  const own = findings.reviews.filter(isOfKind);
  const within = own.filter(isWithin);
  const named = singleCauses(episode, findings).slice(0, MOST_CAUSES);
  if (explain(named, within)) return named;
  if (episode.kind === 'rise') return [];
  const share = episode.review_count / Math.max(1, findings.reviews.length);
  const kinds = kindsOfTrouble(findings, own)
    .map((cause) => {
      const inside = within.filter(({ id }) => cause.reviewIds.has(id)).length;
      const outside = cause.reviewIds.size - inside;
      return { cause, inside, expected: (outside * share) / Math.max(share, 1 - share) };
    })
    .filter(({ inside, expected }) => inside >= FEWEST_REVIEWS && inside >= MIN_LIFT * expected)
    .toSorted((a, b) => b.inside - b.expected - (a.inside - a.expected))
    .slice(0, MOST_CAUSES)
    .map(({ cause }) => cause);
  return explain(kinds, within) ? kinds : [];
}

function explain(named: readonly Cause[], reviews: readonly Review[]): boolean {
  const explained = reviews.filter(({ id }) => named.some(({ reviewIds }) => reviewIds.has(id)));
  return explained.length > 0 && explained.length >= LEAST_SHARE * reviews.length;
}

/** Problems first, then aspects that are not the same trouble. */
function singleCauses(episode: Episode, findings: Found): Cause[] {
  const { entities, aspects } = findings;
  const sentiment = episode.kind === 'dip' ? 'negative' : 'positive';
  const problems = episode.problems.flatMap((id) =>
    entities.problems.filter((one) => one.id === id),
  );
  const others = episode.aspects
    .flatMap((id) => aspects.filter((one) => one.id === id))
    .filter(({ id }) => !problems.some((one) => isSameTrouble(findings, one.id, id)));
  const found = [
    ...problems.map((one) => ({
      name: problemIn(one),
      label: one.name,
      mentions: findings.mentions.of('problems', one.id),
    })),
    ...others.map(({ id, label }) => {
      const { noun, trouble } = wordingOf(id, label);
      return {
        name: episode.kind === 'dip' ? trouble : noun,
        label,
        mentions: findings.mentions.of('aspects', id, sentiment),
      };
    }),
  ];
  return [...Map.groupBy(found, ({ name }) => name).values()].map((same) => ({
    ...same[0]!,
    reviewIds: new Set(same.flatMap(({ mentions }) => mentions.map(({ review }) => review.id))),
  }));
}

/** Each kind of trouble, with the low reviews that name it. */
function kindsOfTrouble(findings: Found, low: readonly Review[]): Cause[] {
  return causes.kinds.map(({ label, problems, aspects, words }) => {
    const mentions = [
      ...problems.flatMap((id) => findings.mentions.of('problems', id)),
      ...aspects.flatMap((id) => findings.mentions.of('aspects', id, 'negative')),
    ];
    const ids = new Set(mentions.map(({ review }) => review.id));
    const pattern = words === undefined ? null : new RegExp(`\\b(?:${words})`, 'iu');
    const reviews = low.filter(
      ({ id, text }) => ids.has(id) || (pattern !== null && pattern.test(text ?? '')),
    );
    return { name: lower(label), label, reviewIds: new Set(reviews.map(({ id }) => id)) };
  });
}
