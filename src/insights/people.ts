// Applies the operator's rules for people to everything that insights say of them. Documents, search, MCP and
// pages all read the insights, so the rules hold everywhere.

import type { Business } from '../model/business.ts';
import type { Entity, TechnicianEntity } from '../model/insights.ts';
import type { PeopleSettings } from '../model/people.ts';
import type { FoundMention } from './entities/merging.ts';
import type { Discovered, NamesOfReview } from './entities/names/confirm.ts';

interface PeopleOfReview extends NamesOfReview {
  readonly technicians: readonly FoundMention[];
}

/** The people that are shown. */
export interface ShownPeople {
  /** Those outside the catalogue. */
  readonly discovered: Discovered['technicians'];
  readonly mentionsOf: (review: PeopleOfReview, rating: number) => readonly FoundMention[];
}

export function choosePeople(
  names: Discovered,
  analyses: Iterable<NamesOfReview>,
  business: Business,
  settings: PeopleSettings,
): ShownPeople {
  const mode = modeFor(business, settings);
  if (mode === 'off') return { discovered: [], mentionsOf: () => [] };
  if (mode === 'catalogue') return { discovered: [], mentionsOf: ({ technicians }) => technicians };
  const shown = namedOften(names, analyses, settings.minNaming);
  return {
    discovered: names.technicians.filter(({ id }) => shown.has(id)),
    mentionsOf: (review, rating) => [
      ...review.technicians,
      ...names.mentionsOf(review.names, rating).filter(({ id }) => shown.has(id)),
    ],
  };
}

/** The people with the business's word on who still works there, and without scores that rest on too few reviews. */
export function withoutWeakScores(
  people: readonly Entity[],
  business: Business,
  { minScored }: PeopleSettings,
): Omit<TechnicianEntity, 'traits'>[] {
  const known = new Map(business.technicians.map(({ id, active }) => [id, active]));
  return people.map((person) => {
    const active = known.get(person.id) ?? null;
    const isScored = person.mention_count >= minScored && active !== false;
    const scores = isScored ? {} : { positive_pct: null, score: null, average_rating: null };
    return { ...person, ...scores, active };
  });
}

/** The business as published: without its catalogue of people if none are shown. */
export function publishedBusiness(business: Business, { mode }: PeopleSettings): Business {
  return mode === 'off' ? { ...business, technicians: [] } : business;
}

function modeFor(
  business: Business,
  { mode }: PeopleSettings,
): Exclude<PeopleSettings['mode'], 'auto'> {
  if (mode !== 'auto') return mode;
  return business.technicians.length > 0 ? 'catalogue' : 'mentioned';
}

function namedOften(
  names: Discovered,
  analyses: Iterable<NamesOfReview>,
  minNaming: number,
): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const review of analyses) {
    // Only ids count; stars break ties of sentiment.
    for (const { id } of names.mentionsOf(review.names, 3)) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  return new Set([...counts].flatMap(([id, count]) => (count >= minNaming ? [id] : [])));
}
