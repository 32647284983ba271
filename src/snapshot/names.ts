// Which reviews mention a technician or a service, by every name that a filter may use.

import type { Business } from '../model/business.ts';
import { fold } from '../model/fold.ts';
import type { Insights } from '../model/insights.ts';
import type { Review } from '../model/review.ts';

/** Folded names to the positions of the reviews that mention them, as ranges of `mentions`. */
type NameRanges = Readonly<Record<string, readonly [start: number, end: number]>>;

/** The index as arrays, for the store and for handing it to another thread. */
export type NameSections = {
  /** Positions of reviews, ascending within each name. */
  readonly mentions: Uint32Array;
  /** JSON of the ranges for technicians and for services. */
  readonly names: Uint8Array;
};

/** Builds the index of reviews that come newest first. */
export function buildNames(
  reviews: readonly Review[],
  insights: Insights,
  business: Business,
): NameSections {
  const mentions: number[] = [];
  const collect = (
    list: 'technicians' | 'services',
    entities: readonly { readonly id: string; readonly names: readonly string[] }[],
  ): NameRanges => {
    const positionsOf = positionsById(reviews, insights, list);
    const byName = new Map<string, Set<number>>();
    for (const { id, names } of entities) {
      for (const name of names.map(fold)) {
        // A name that two entities share has the reviews of both.
        const positions = byName.get(name) ?? new Set<number>();
        byName.set(name, positions.union(positionsOf.get(id) ?? new Set()));
      }
    }
    return Object.fromEntries(
      [...byName].map(([name, positions]) => {
        const start = mentions.length;
        for (const position of [...positions].toSorted((a, b) => a - b)) mentions.push(position);
        return [name, [start, mentions.length]];
      }),
    );
  };
  const ranges = {
    technicians: collect('technicians', [
      ...insights.entities.technicians.map(({ id, name }) => ({ id, names: [id, name] })),
      ...business.technicians.map(({ id, aliases }) => ({ id, names: aliases })),
    ]),
    services: collect(
      'services',
      insights.entities.services.map(({ id, label }) => ({ id, names: [id, label] })),
    ),
  };
  return { mentions: Uint32Array.from(mentions), names: Buffer.from(JSON.stringify(ranges)) };
}

function positionsById(
  reviews: readonly Review[],
  insights: Insights,
  list: 'technicians' | 'services',
): Map<string, Set<number>> {
  const positionsOf = new Map<string, Set<number>>();
  reviews.forEach((review, position) => {
    for (const { id } of insights.per_review[review.id]?.[list] ?? []) {
      positionsOf.set(id, (positionsOf.get(id) ?? new Set()).add(position));
    }
  });
  return positionsOf;
}

export class NameIndex {
  readonly #mentions: Uint32Array;
  readonly #ranges: Readonly<
    Record<'technicians' | 'services', ReadonlyMap<string, readonly [number, number]>>
  >;

  constructor({ mentions, names }: NameSections) {
    const ranges = JSON.parse(Buffer.from(names).toString()) as Record<
      'technicians' | 'services',
      NameRanges
    >;
    this.#mentions = mentions;
    this.#ranges = {
      technicians: new Map(Object.entries(ranges.technicians)),
      services: new Map(Object.entries(ranges.services)),
    };
  }

  /** The positions of the reviews that mention a name, ascending; an unknown name has none. */
  positionsOf(list: 'technicians' | 'services', name: string): Uint32Array {
    const [start, end] = this.#ranges[list].get(fold(name)) ?? [0, 0];
    return this.#mentions.subarray(start, end);
  }
}
