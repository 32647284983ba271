// Decides from all reviews which names outside the catalogue are technicians: one clear context is enough and needed.
// The order of the reviews does not matter.

import { fold } from '../../../model/fold.ts';
import { splitWords } from '../../../model/words.ts';
import type { FoundMention } from '../merging.ts';
import type { NameCandidate } from './technicians.ts';
import { mergeMentions } from '../merging.ts';
import { slugOf } from '../../text/slug.ts';
import { CLEAR } from './score.ts';

export interface NamesOfReview {
  readonly names: readonly NameCandidate[];
}

export interface DiscoveredTechnician {
  readonly id: string;
  readonly name: string;
}

export interface Discovered {
  readonly technicians: readonly DiscoveredTechnician[];
  /** Names of executives, who are not technicians. */
  readonly executives: readonly string[];
  /** What `mentionsOf` depends on, as plain JSON. */
  readonly basis: unknown;
  /** The technicians among the names of a review; its stars break ties of sentiment. */
  readonly mentionsOf: (names: readonly NameCandidate[], rating: number) => FoundMention[];
}

/** What all reviews say about one given name. */
class NameEvidence {
  isClear = false;
  /** Number of mentions of each spelling. */
  readonly spellings = new Map<string, number>();
  /** By folded family name the number of mentions of each spelling of the full name. */
  readonly families = new Map<string, Map<string, number>>();
}

/** Recognises who is no technician: executives and places, each in all reviews, and words of the business's own name. */
class NotStaff {
  readonly names: readonly string[];
  readonly #known: ReadonlySet<string | null>;
  readonly #words: ReadonlySet<string>;
  readonly #places: ReadonlySet<string>;

  constructor(reviews: readonly NamesOfReview[], businessName: string) {
    const full = reviews.flatMap(({ names }) =>
      names.flatMap(({ name, isExecutive }) =>
        isExecutive === true && familyOf(name) !== null ? [name] : [],
      ),
    );
    this.names = [...new Set(full)];
    this.#known = new Set(full.flatMap((name) => [keyOf(name), familyOf(name)]));
    this.#places = placesIn(reviews);
    this.#words = new Set(wordsIn(businessName));
  }

  without(names: readonly NameCandidate[]): NameCandidate[] {
    return names.filter(
      ({ name, isExecutive, isPlace }) =>
        isExecutive !== true &&
        isPlace !== true &&
        !this.#places.has(givenOf(name)) &&
        !this.#known.has(keyOf(name)) &&
        !wordsIn(name).some((word) => this.#words.has(word)),
    );
  }
}

/** Given names that more reviews use for a town or another company than clearly for a person of the business. */
function placesIn(reviews: readonly NamesOfReview[]): Set<string> {
  const leads = new Map<string, number>();
  for (const { names } of reviews) {
    for (const [given, uses] of Map.groupBy(names, ({ name }) => givenOf(name))) {
      const isStaff = uses.some(({ isPlace, score }) => isPlace !== true && score >= CLEAR);
      const isNamed = uses.some(({ isPlace }) => isPlace === true);
      leads.set(given, (leads.get(given) ?? 0) + Number(isNamed) - Number(isStaff));
    }
  }
  return new Set([...leads.keys()].filter((given) => (leads.get(given) as number) > 0));
}

/**
 * Confirms names.
 *
 * @param taken ids of the catalogue, which are not used again
 * @param businessName whose words name nobody
 */
export function confirmNames(
  reviews: readonly NamesOfReview[],
  taken: ReadonlySet<string>,
  businessName = '',
): Discovered {
  const notStaff = new NotStaff(reviews, businessName);
  const evidence = gather(reviews.map(({ names }) => ({ names: notStaff.without(names) })));
  const technicians = new Map<string, DiscoveredTechnician>();
  for (const [given, { isClear, spellings, families }] of evidence) {
    if (!isClear) continue;
    const first = mostUsed(spellings) ?? given;
    const full = fullNames(families);
    // With one family name it is the same person; with several, each is a person and the bare name another.
    const [only] = full;
    const name = full.length === 1 && only !== undefined ? only : first;
    technicians.set(given, { id: idFor(first, taken), name });
    for (const family of full) {
      const own = full.length > 1 ? { id: idFor(family, taken), name: family } : null;
      technicians.set(keyOf(family), own ?? { id: idFor(first, taken), name });
    }
  }
  // "Mr. Cruz" is Alex Cruz if nobody else has that family name.
  const families = Map.groupBy(
    [...evidence].flatMap(([given, { families: own }]) =>
      technicians.has(given) ? [...own.keys()].map((family) => ({ given, family })) : [],
    ),
    ({ family }) => family,
  );
  for (const [family, [first, ...others]] of families) {
    const full =
      first && (technicians.get(`${first.given} ${family}`) ?? technicians.get(first.given));
    if (full && others.length === 0 && family.length > 1 && !technicians.has(family))
      technicians.set(family, full);
  }
  const technicianOf = (name: string) =>
    technicians.get(keyOf(name)) ?? technicians.get(givenOf(name));
  return {
    technicians: [...new Map([...technicians.values()].map((one) => [one.id, one])).values()],
    executives: notStaff.names,
    basis: [[...technicians].toSorted(([a], [b]) => (a < b ? -1 : 1)), notStaff.names.toSorted()],
    mentionsOf: (names, rating) =>
      mergeMentions(
        notStaff
          .without(names)
          .flatMap(({ name, sentiment, phraseStart: start, phraseEnd: end }) => {
            const id = technicianOf(name)?.id;
            return id === undefined ? [] : [{ id, sentiment, start, end }];
          }),
        rating,
      ),
  };
}

function wordsIn(text: string): string[] {
  return splitWords(fold(text)).map(({ word }) => word);
}

function gather(reviews: Iterable<NamesOfReview>): Map<string, NameEvidence> {
  const evidence = new Map<string, NameEvidence>();
  for (const { names } of reviews) {
    for (const { name, score } of names) {
      const given = givenOf(name);
      const one = evidence.get(given) ?? new NameEvidence();
      evidence.set(given, one);
      if (score >= CLEAR) one.isClear = true;
      const family = familyOf(name);
      if (family === null) {
        one.spellings.set(name, (one.spellings.get(name) ?? 0) + 1);
      } else if (score >= CLEAR) {
        const spellings = one.families.get(family) ?? new Map<string, number>();
        spellings.set(name, (spellings.get(name) ?? 0) + 1);
        one.families.set(family, spellings);
      }
    }
  }
  return evidence;
}

/** The full names of a given name, without an initial that another family name begins with. */
function fullNames(families: NameEvidence['families']): string[] {
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

const NICK = /^(?:big|little|lil) /;

function keyOf(name: string): string {
  return fold(name);
}

/** "Big Mike" is Mike. */
function givenOf(name: string): string {
  return keyOf(name).replace(NICK, '').split(' ')[0] as string;
}

function familyOf(name: string): string | null {
  return keyOf(name).replace(NICK, '').split(' ').slice(1).join(' ') || null;
}

function idFor(name: string, taken: ReadonlySet<string>): string {
  const slug = slugOf(name) || 'technician';
  let id = slug;
  for (let number = 2; taken.has(id); number += 1) id = `${slug}-${number}`;
  return id;
}
