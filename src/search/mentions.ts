// Which reviews mention an aspect, an entity or a topic: by its id, and, for the filters of a search,
// by every name of a technician or a service.

import type { Business } from '../model/business.ts';
import { fold } from '../model/fold.ts';
import type { Insights, ReviewInsights, Sentiment } from '../model/insights.ts';
import type { Review } from '../model/review.ts';

/** Kinds of mentions: the names of the lists in an entry of `per_review`. */
export const MENTION_KINDS = [
  'technicians',
  'services',
  'service_areas',
  'problems',
  'aspects',
  'topics',
] as const satisfies readonly (keyof ReviewInsights)[];
export type MentionKind = (typeof MENTION_KINDS)[number];

/** Ranges of `mentions`, by id or by folded name. */
type Ranges = Readonly<Record<string, readonly [start: number, end: number]>>;

/** Kinds that a search filter selects by name. */
type Filtered = 'technicians' | 'services';

const SENTIMENTS: readonly (Sentiment | null)[] = [null, 'positive', 'neutral', 'negative'];

interface AllRanges {
  readonly ids: Readonly<Record<MentionKind, Ranges>>;
  readonly names: Readonly<Record<Filtered, Ranges>>;
}

/** The index as arrays that can be stored and transferred to another thread. */
export type MentionSections = {
  /** Positions of reviews, ascending within each id and name. */
  readonly mentions: Uint32Array;
  /** The sentiment of each mention in `mentions`, as an index of SENTIMENTS; 0 for a topic. */
  readonly mentionSentiments: Uint8Array;
  /** JSON of `AllRanges`. */
  readonly names: Uint8Array;
};

/** Builds the index; `reviews` are sorted newest first. */
export function buildMentions(
  reviews: readonly Review[],
  insights: Insights,
  business: Business,
): MentionSections {
  const positions: number[] = [];
  const sentiments: number[] = [];
  const append = (mentions: Iterable<Mention>): readonly [number, number] => {
    const start = positions.length;
    for (const { position, sentiment } of mentions) {
      positions.push(position);
      sentiments.push(sentiment);
    }
    return [start, positions.length];
  };
  const mentionsOf = mentionsById(reviews, insights);
  const idRanges = (list: MentionKind): Ranges =>
    Object.fromEntries([...mentionsOf[list]].map(([id, mentions]) => [id, append(mentions)]));
  const ids = Object.fromEntries(
    MENTION_KINDS.map((list) => [list, idRanges(list)]),
  ) as AllRanges['ids'];

  const nameRanges = (list: Filtered, byName: ReadonlyMap<string, ReadonlySet<string>>): Ranges => {
    return Object.fromEntries(
      [...byName].map(([name, [id = '', ...others]]) => {
        if (others.length === 0) return [name, ids[list][id] ?? [0, 0]];
        // A name that several entities share selects the reviews of all of them.
        const shared = [id, ...others].flatMap((one) => mentionsOf[list].get(one) ?? []);
        const byPosition = new Map(shared.map((mention) => [mention.position, mention]));
        const mentions = [...byPosition.values()].toSorted((a, b) => a.position - b.position);
        return [name, append(mentions)];
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
    // Ids and labels take precedence over aliases of other services.
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
    mentions: Uint32Array.from(positions),
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

/** The ids of the entities that have each folded name. */
function idsByName(named: readonly Named[]): Map<string, Set<string>> {
  const byName = new Map<string, Set<string>>();
  for (const { id, names } of named) {
    for (const name of names.map(fold)) byName.set(name, (byName.get(name) ?? new Set()).add(id));
  }
  return byName;
}

interface Mention {
  readonly position: number;
  /** An index of SENTIMENTS. */
  readonly sentiment: number;
}

function mentionsById(
  reviews: readonly Review[],
  insights: Insights,
): Record<MentionKind, Map<string, Mention[]>> {
  const found = Object.fromEntries(MENTION_KINDS.map((list) => [list, new Map()])) as Record<
    MentionKind,
    Map<string, Mention[]>
  >;
  reviews.forEach((review, position) => {
    const entry = insights.per_review[review.id];
    if (!entry) return;
    for (const list of MENTION_KINDS) {
      for (const mention of entry[list]) {
        const [id, sentiment] =
          typeof mention === 'string' ? [mention, null] : [mention.id, mention.sentiment];
        const mentions = found[list].get(id) ?? [];
        mentions.push({ position, sentiment: SENTIMENTS.indexOf(sentiment) });
        found[list].set(id, mentions);
      }
    }
  });
  return found;
}

export class MentionIndex {
  readonly #mentions: Uint32Array;
  readonly #sentiments: Uint8Array;
  readonly #ranges: AllRanges;

  constructor({ mentions, mentionSentiments, names }: MentionSections) {
    this.#mentions = mentions;
    this.#sentiments = mentionSentiments;
    this.#ranges = JSON.parse(Buffer.from(names).toString()) as AllRanges;
  }

  /** Positions of the reviews that mention a name, ascending; none for an unknown name. */
  positionsOf(list: Filtered, name: string): Uint32Array {
    return this.#mentions.subarray(...rangeOf(this.#ranges.names[list], fold(name)));
  }

  /** Positions of the reviews that mention an id, ascending; with a sentiment only those mentions. */
  positionsOfId(list: MentionKind, id: string, sentiment?: Sentiment): Uint32Array {
    const range = rangeOf(this.#ranges.ids[list], id);
    const positions = this.#mentions.subarray(...range);
    if (sentiment === undefined) return positions;
    const sentiments = this.#sentiments.subarray(...range);
    const expected = SENTIMENTS.indexOf(sentiment);
    return positions.filter((_, index) => sentiments[index] === expected);
  }
}

function rangeOf(ranges: Ranges, key: string): readonly [number, number] {
  return Object.hasOwn(ranges, key) ? (ranges[key] ?? [0, 0]) : [0, 0];
}
