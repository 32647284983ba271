// Decides from all reviews which names outside the catalogue are people of the business. Each review gives evidence, for or
// against; what the others say of a name is added to its own. The order of the reviews does not matter.

import { fold } from '../../../model/fold.ts';
import { slugOf } from '../../text/slug.ts';
import type { FoundMention } from '../merging.ts';
import { mergeMentions } from '../merging.ts';
import { CLEAR, EXECUTIVE } from './model.ts';
import type { NameCandidate } from './technicians.ts';
import { givenNameOf } from './word-lists.ts';

export interface NamesOfReview {
  readonly names: readonly NameCandidate[];
}

export interface DiscoveredTechnician {
  readonly id: string;
  readonly name: string;
}

export interface Discovered {
  readonly technicians: readonly DiscoveredTechnician[];
  /** All full names, also of people who are not of the business. */
  readonly fullNames: readonly string[];
  /** What `mentionsOf` depends on, as plain JSON. */
  readonly basis: unknown;
  /** The technicians among the names of a review; its stars break ties of sentiment. */
  readonly mentionsOf: (names: readonly NameCandidate[], rating: number) => FoundMention[];
}

/** No review alone says more than this. */
const MOST = 3;
/** How much of what other reviews say counts: they repeat each other's contexts. */
const SHARE = 0.5;
/** Others make a name at most so much likelier, or less likely: a person and a town may share it. */
const MOST_FOR = 2;
const MOST_AGAINST = 1;

/** The evidence of all reviews, by given name. */
class Evidence {
  readonly #totals = new Map<string, number>();
  readonly #executives = new Set<string>();

  constructor(reviews: readonly NamesOfReview[]) {
    for (const { names } of reviews) {
      for (const [given, score] of scoresOf(names))
        this.#totals.set(given, (this.#totals.get(given) ?? 0) + bounded(score));
      for (const { name, score } of names) {
        if (score !== EXECUTIVE) continue;
        this.#executives.add(givenOf(name));
        // Others call an executive by the family name.
        const family = familyOf(name);
        if (family !== null) this.#executives.add(family);
      }
    }
  }

  /** Whether a review that gives a score to a name means somebody of the business. */
  isMeant(given: string, score: number): boolean {
    if (this.#executives.has(given)) return false;
    const others = ((this.#totals.get(given) ?? 0) - bounded(score)) * SHARE;
    return score + Math.max(-MOST_AGAINST, Math.min(MOST_FOR, others)) >= CLEAR;
  }

  meant(names: readonly NameCandidate[]): NameCandidate[] {
    const scores = scoresOf(names);
    return names.filter(({ name }) =>
      this.isMeant(givenOf(name), scores.get(givenOf(name)) as number),
    );
  }

  /** All that it says, as plain JSON. */
  get basis(): unknown {
    const totals = [...this.#totals].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return [totals, [...this.#executives].toSorted()];
  }
}

function scoresOf(names: readonly NameCandidate[]): Map<string, number> {
  const scores = new Map<string, number>();
  for (const { name, score } of names)
    scores.set(givenOf(name), Math.max(score, scores.get(givenOf(name)) ?? score));
  return scores;
}

function bounded(score: number): number {
  return Math.max(-MOST, Math.min(MOST, score));
}

/** How often each spelling of a given name is used, and each of its full names. */
interface Spellings {
  readonly first: Map<string, number>;
  readonly families: Map<string, Map<string, number>>;
}

/**
 * Confirms names.
 *
 * @param taken ids of the catalogue, which are not used again
 */
export function confirmNames(
  reviews: readonly NamesOfReview[],
  taken: ReadonlySet<string>,
): Discovered {
  const evidence = new Evidence(reviews);
  const spellings = spellingsOf(reviews.map(({ names }) => evidence.meant(names)));
  const technicians = new Map<string, DiscoveredTechnician>();
  for (const [given, { first, families }] of spellings) {
    const shortest = mostUsed(first) ?? given;
    const full = fullNames(families);
    // With one family name it is the same person; with several, each is a person and the bare name another.
    const name = full.length === 1 ? (full[0] as string) : shortest;
    technicians.set(given, { id: idFor(shortest, taken), name });
    for (const one of full) {
      const own = full.length > 1 ? { id: idFor(one, taken), name: one } : technicians.get(given);
      technicians.set(fold(one), own as DiscoveredTechnician);
    }
  }
  joinFamilies(technicians, spellings);
  const all = [...new Map([...technicians.values()].map((one) => [one.id, one])).values()];
  const named = reviews.flatMap(({ names }) => names.map(({ name }) => name));
  const isFullName = (name: string) =>
    givenNameOf(givenOf(name)) !== null && familyOf(name) !== null;
  return {
    technicians: all,
    fullNames: [...new Set(named.filter(isFullName))].toSorted(),
    basis: [evidence.basis, [...technicians].toSorted(([a], [b]) => (a < b ? -1 : 1))],
    mentionsOf: (names, rating) =>
      mergeMentions(
        evidence.meant(names).flatMap(({ name, sentiment, phraseStart: start, phraseEnd: end }) => {
          const one = technicians.get(fold(name)) ?? technicians.get(givenOf(name));
          return one === undefined ? [] : [{ id: one.id, sentiment, start, end }];
        }),
        rating,
      ),
  };
}

function spellingsOf(reviews: Iterable<readonly NameCandidate[]>): Map<string, Spellings> {
  const spellings = new Map<string, Spellings>();
  for (const names of reviews) {
    for (const { name } of names) {
      const given = givenOf(name);
      const own = spellings.get(given) ?? { first: new Map(), families: new Map() };
      spellings.set(given, own);
      const family = familyOf(name);
      const counts =
        family === null ? own.first : (own.families.get(family) ?? new Map<string, number>());
      if (family !== null) own.families.set(family, counts);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return spellings;
}

/** The full names of a given name, without an initial that another family name begins with. */
function fullNames(families: Spellings['families']): string[] {
  return [...families.keys()]
    .toSorted()
    .filter(
      (family, _, all) =>
        family.length > 1 || !all.some((other) => other.length > 1 && other.startsWith(family)),
    )
    .flatMap((family) => mostUsed(families.get(family) ?? new Map<string, number>()) ?? []);
}

function mostUsed(spellings: ReadonlyMap<string, number>): string | undefined {
  return [...spellings].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0];
}

/** "Mr. Cruz" is Alex Cruz if nobody else has that family name. */
function joinFamilies(
  technicians: Map<string, DiscoveredTechnician>,
  spellings: ReadonlyMap<string, Spellings>,
): void {
  const full = [...spellings].flatMap(([given, { families }]) =>
    [...families.keys()].map((family) => ({ given, family })),
  );
  for (const [family, [first, ...others]] of Map.groupBy(full, (one) => one.family)) {
    if (first === undefined || others.length > 0 || family.length === 1) continue;
    const one = technicians.get(`${first.given} ${family}`) ?? technicians.get(first.given);
    if (one) technicians.set(family, one);
  }
}

const NICK = /^(?:big|little|lil) /;

/** "Big Mike" is Mike. */
function givenOf(name: string): string {
  return fold(name).replace(NICK, '').split(' ')[0] as string;
}

function familyOf(name: string): string | null {
  return fold(name).replace(NICK, '').split(' ').slice(1).join(' ') || null;
}

function idFor(name: string, taken: ReadonlySet<string>): string {
  const slug = slugOf(name) || 'technician';
  let id = slug;
  for (let number = 2; taken.has(id); number += 1) id = `${slug}-${number}`;
  return id;
}
