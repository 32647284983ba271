// What pages show of a subject: stars and opinions, or neither where they would be unfair.

import type { VNode } from 'preact';
import type { Insights } from '../../model/insights.ts';
import type { SearchFilter } from '../../model/search.ts';
import type { MentionKind } from '../../search/mentions.ts';
import { namedList, stars } from '../parts/components.ts';
import { searchFilter, searchLink, subjectLink } from '../parts/links.ts';
import { html } from '../parts/markup.ts';
import TRAITS from '../../model/trait-labels.json' with { type: 'json' };
import type { View } from '../view.ts';

const TRAIT_LABELS: Readonly<Record<string, string>> = TRAITS;

/** The insight about a subject. */
export type SubjectInsight = NonNullable<ReturnType<View['subject']>>;
export type Person = Insights['entities']['technicians'][number];

/** The stars of a visit tell of a person unless they are so much worse, or better, than what is said of the person. */
const MOST_APART = 0.9;
const PLAIN_SCORE = 0.2;
/** The stars of fewer reviews are those of the reviewers, not of the person. */
const FEWEST_WITH_STARS = 3;
const MAX_NAMED = 4;
/** The least reviews that praise an aspect for which a person without traits is praised, and the most such aspects. */
const FEWEST_PRAISES = 2;
const MOST_PRAISED = 2;

export function isPerson(insight: SubjectInsight): insight is Person {
  return 'traits' in insight;
}

export function isFormer(insight: SubjectInsight): boolean {
  return isPerson(insight) && insight.active === false;
}

/** Whether figures may be shown: of people only with a score, of everything else always. */
export function isScored(insight: SubjectInsight): boolean {
  return !isPerson(insight) || (insight.score !== null && !isFormer(insight));
}

/** How many of the reviews of a subject that judge something else have each number of stars, 1 to 5. */
export function starCounts(
  { snapshot }: View,
  filter: Partial<SearchFilter>,
): { readonly mean: number | null; readonly counts: readonly number[] } {
  const { facets, matched } = snapshot.search({ ...filter, limit: 1, facets: 'rating' });
  const found = new Map(
    (facets?.['rating'] ?? []).map(({ value, count }) => [Number(value), count]),
  );
  const counts = [1, 2, 3, 4, 5].map((one) => found.get(one) ?? 0);
  const sum = counts.reduce((total, count, at) => total + count * (at + 1), 0);
  return { mean: matched === 0 ? null : sum / matched, counts };
}

/** The mean of the stars of the reviews of a subject; null where it would mislead. */
export function meanOf(view: View, list: MentionKind, insight: SubjectInsight): number | null {
  // Complaints and single aspects are in bad reviews or good ones by their nature.
  if (list === 'aspects' || list === 'problems' || !isScored(insight)) return null;
  if (list === 'topics') return starCounts(view, searchFilter(list, insight.id)).mean;
  if (!('average_rating' in insight)) return null;
  const { average_rating: mean, score } = insight;
  if (!isPerson(insight) || mean === null || score === null) return mean;
  // Somebody who is praised in bad reviews is not shown with their stars. Opinions that are not found leave a score at 0.
  const apart = 3 + 2 * score - mean;
  const isContrary = score > 0 ? apart > MOST_APART : score < -PLAIN_SCORE && -apart > MOST_APART;
  return isContrary ? null : mean;
}

/** Who does a service most, or what a person does, each with the stars of the reviews that mention both. */
export function withStars(
  view: View,
  list: MentionKind,
  id: string,
  of: 'services' | 'technicians',
): VNode | null {
  const facet = of === 'services' ? 'service' : 'technician';
  const own = searchFilter(list, id);
  const found = view.snapshot.search({ ...own, limit: 1, facets: facet }).facets?.[facet] ?? [];
  const items = found.flatMap(({ value, count }) => {
    const other = view.subject(of, value);
    if (other === null || !isScored(other)) return [];
    const both = { ...own, ...searchFilter(of, value) };
    const mean = count < FEWEST_WITH_STARS ? null : starCounts(view, both).mean;
    const told = html`${mean === null ? null : stars(view, mean)} ${view.strings.reviews(count)}`;
    const end = view.isStatic ? told : html`<a rel="nofollow" href=${searchLink(both)}>${told}</a>`;
    return [[subjectLink(of, value), view.nameOf(of, other), end] as const];
  });
  return items.length === 0 ? null : namedList(items.slice(0, MAX_NAMED));
}

/** Opinions on aspects in the reviews at some positions, most opinions first. */
export function aspectsAround(view: View, positions: Uint32Array) {
  return view
    .subjects('aspects')
    .map(({ id, name }) => {
      const [praise, blame] = (['positive', 'negative'] as const).map((side) =>
        countShared(positions, view.snapshot.mentioning('aspects', id, side)),
      ) as [number, number];
      return { id, name, praise, of: praise + blame };
    })
    .filter(({ of }) => of > 0)
    .toSorted((a, b) => b.of - a.of);
}

/** How many positions two ascending lists share. */
function countShared(one: Uint32Array, other: Uint32Array): number {
  let [count, at] = [0, 0];
  for (const position of one) {
    while (other[at]! < position) at += 1;
    if (other[at] === position) count += 1;
  }
  return count;
}

/** What reviews praise in a person, else what those that name the person praise most. */
export function praiseOf(view: View, person: Person): string {
  const { traits } = person;
  if (traits.length > 0) return traits.map(({ label }) => view.labelOf(label)).join(', ');
  return aspectsAround(view, view.snapshot.mentioning('technicians', person.id))
    .filter(({ praise, of }) => praise >= FEWEST_PRAISES && praise * 2 > of)
    .flatMap(({ id }) => TRAIT_LABELS[id] ?? [])
    .slice(0, MOST_PRAISED)
    .map((label) => view.labelOf(label))
    .join(', ');
}
