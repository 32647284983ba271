// Which reviews mention what: by the id of an aspect, an entity or a topic, and for the filters of a
// search by every name of a technician or a service.

import type { Business } from '../model/business.ts';
import { fold } from '../model/fold.ts';
import type { Insights, ReviewInsights, Sentiment } from '../model/insights.ts';
import type { Review } from '../model/review.ts';

/** What reviews mention, as the lists of an entry of `per_review` are called. */
export const MENTIONED = [
  'technicians',
  'services',
  'service_areas',
  'problems',
  'aspects',
  'topics',
] as const satisfies readonly (keyof ReviewInsights)[];
export type Mentioned = (typeof MENTIONED)[number];

/** Ids or folded names to the positions of the reviews that mention them, as ranges of `mentions`. */
type Ranges = Readonly<Record<string, readonly [start: number, end: number]>>;

/** Those that a filter names. */
type Filtered = 'technicians' | 'services';

const SENTIMENTS: readonly (Sentiment | null)[] = [null, 'positive', 'neutral', 'negative'];

interface AllRanges {
  readonly ids: Readonly<Record<Mentioned, Ranges>>;
  readonly names: Readonly<Record<Filtered, Ranges>>;
}

/** The index as arrays, for the store and for handing it to another thread. */
export type NameSections = {
  /** Positions of reviews, ascending within each id and name. */
  readonly mentions: Uint32Array;
  /** Beside each position of an id what the review says of it: a place in SENTIMENTS, 0 for a topic. */
  readonly mentionSentiments: Uint8Array;
  /** JSON of the ranges. */
  readonly names: Uint8Array;
};

/** Builds the index of reviews that come newest first. */
export function buildNames(
  reviews: readonly Review[],
  insights: Insights,
  business: Business,
): NameSections {
  const mentions: number[] = [];
  const sentiments: number[] = [];
  const keep = (places: Iterable<Place>): readonly [number, number] => {
    const start = mentions.length;
    for (const { position, sentiment } of places) {
      mentions.push(position);
      sentiments.push(sentiment);
    }
    return [start, mentions.length];
  };
  const placesOf = placesById(reviews, insights);
  const idRanges = (list: Mentioned): Ranges =>
    Object.fromEntries([...placesOf[list]].map(([id, places]) => [id, keep(places)]));
  const ids = Object.fromEntries(
    MENTIONED.map((list) => [list, idRanges(list)]),
  ) as AllRanges['ids'];

  const nameRanges = (list: Filtered, byName: ReadonlyMap<string, ReadonlySet<string>>): Ranges => {
    return Object.fromEntries(
      [...byName].map(([name, [id = '', ...others]]) => {
        if (others.length === 0) return [name, ids[list][id] ?? [0, 0]];
        // A name that two entities share has the reviews of both.
        const shared = [id, ...others].flatMap((one) => placesOf[list].get(one) ?? []);
        const places = new Map(shared.map((place) => [place.position, place]));
        return [name, keep([...places.values()].toSorted((a, b) => a.position - b.position))];
      }),
    );
  };
  const names = {
    technicians: nameRanges(
      'technicians',
      idsByName([
        ...insights.entities.technicians.map(({ id, name }) => ({ id, names: [id, name] })),
        ...aliasesOf(business.technicians),
      ]),
    ),
    // What is an id or a label is no alias of another service.
    services: nameRanges(
      'services',
      new Map([
        ...idsByName(aliasesOf(business.services)),
        ...idsByName(
          [...business.services, ...insights.entities.services].map(({ id, label }) => ({
            id,
            names: [id, label],
          })),
        ),
      ]),
    ),
  };
  const ranges: AllRanges = { ids, names };
  return {
    mentions: Uint32Array.from(mentions),
    mentionSentiments: Uint8Array.from(sentiments),
    names: Buffer.from(JSON.stringify(ranges)),
  };
}

interface Named {
  readonly id: string;
  readonly names: readonly string[];
}

function aliasesOf(
  list: readonly { readonly id: string; readonly aliases: readonly string[] }[],
): Named[] {
  return list.map(({ id, aliases }) => ({ id, names: aliases }));
}

/** The ids that have each name, folded. */
function idsByName(named: readonly Named[]): Map<string, Set<string>> {
  const byName = new Map<string, Set<string>>();
  for (const { id, names } of named) {
    for (const name of names.map(fold)) byName.set(name, (byName.get(name) ?? new Set()).add(id));
  }
  return byName;
}

interface Place {
  readonly position: number;
  readonly sentiment: number;
}

function placesById(
  reviews: readonly Review[],
  insights: Insights,
): Record<Mentioned, Map<string, Place[]>> {
  const found = Object.fromEntries(MENTIONED.map((list) => [list, new Map()])) as Record<
    Mentioned,
    Map<string, Place[]>
  >;
  reviews.forEach((review, position) => {
    const entry = insights.per_review[review.id];
    if (!entry) return;
    for (const list of MENTIONED) {
      for (const mention of entry[list]) {
        const [id, said] =
          typeof mention === 'string' ? [mention, null] : [mention.id, mention.sentiment];
        const places = found[list].get(id) ?? [];
        places.push({ position, sentiment: SENTIMENTS.indexOf(said) });
        found[list].set(id, places);
      }
    }
  });
  return found;
}

export class NameIndex {
  readonly #mentions: Uint32Array;
  readonly #sentiments: Uint8Array;
  readonly #ranges: AllRanges;

  constructor({ mentions, mentionSentiments, names }: NameSections) {
    this.#mentions = mentions;
    this.#sentiments = mentionSentiments;
    this.#ranges = JSON.parse(Buffer.from(names).toString()) as AllRanges;
  }

  /** The positions of the reviews that mention a name, ascending; an unknown name has none. */
  positionsOf(list: Filtered, name: string): Uint32Array {
    return this.#mentions.subarray(...rangeOf(this.#ranges.names[list], fold(name)));
  }

  /**
   * The positions of the reviews that mention what has this very id, ascending; with a sentiment only
   * those that say this of it.
   */
  positionsOfId(list: Mentioned, id: string, sentiment?: Sentiment): Uint32Array {
    const range = rangeOf(this.#ranges.ids[list], id);
    const positions = this.#mentions.subarray(...range);
    if (sentiment === undefined) return positions;
    const said = this.#sentiments.subarray(...range);
    const wanted = SENTIMENTS.indexOf(sentiment);
    return positions.filter((_, place) => said[place] === wanted);
  }
}

function rangeOf(ranges: Ranges, key: string): readonly [number, number] {
  return Object.hasOwn(ranges, key) ? (ranges[key] ?? [0, 0]) : [0, 0];
}
