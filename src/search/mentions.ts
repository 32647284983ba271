// Which reviews mention an aspect, an entity or a topic: by its id, and, for the filters of a search,
// by all of its names.

import type { Business } from '../model/business.ts';
import { fold } from '../model/fold.ts';
import type { Insights, ReviewInsights, Sentiment } from '../model/insights.ts';
import type { Review } from '../model/review.ts';
import { ASPECT_WORDS, PROBLEM_WORDS } from './subject-words.ts';

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

type Ranges = Readonly<Record<string, readonly [start: number, end: number]>>;

export const SENTIMENTS: readonly (Sentiment | null)[] = [null, 'positive', 'neutral', 'negative'];

interface KindOfMentions {
  readonly ranges: Ranges;
  /** Ids by folded name: an id, a label or an alias. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly labels: Readonly<Record<string, string>>;
}

type AllKinds = Readonly<Record<MentionKind, KindOfMentions>>;

/** The index as arrays that can be stored and transferred to another thread. */
export type MentionSections = {
  /** Positions of reviews, ascending within each id. */
  readonly mentions: Uint32Array;
  /** The sentiment of each mention in `mentions`, as an index of SENTIMENTS; 0 for a topic. */
  readonly mentionSentiments: Uint8Array;
  /** The sentiment of each review, as an index of SENTIMENTS; 0 without insights. */
  readonly reviewSentiments: Uint8Array;
  /** JSON of `AllKinds`. */
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
  const append = (own: Mentions): readonly [number, number] => {
    const start = positions.length;
    for (const position of own.positions) positions.push(position);
    for (const sentiment of own.sentiments) sentiments.push(sentiment);
    return [start, positions.length];
  };
  const known = namesOf(insights, business);
  const entries = reviews.map(({ id }) => insights.per_review[id]);
  const kinds = Object.fromEntries(
    MENTION_KINDS.map((kind) => [
      kind,
      {
        ranges: Object.fromEntries(
          [...mentionsById(entries, kind)].map(([id, all]) => [id, append(all)]),
        ),
        names: listsOf(idsByName(known[kind])),
        labels: Object.fromEntries(known[kind].map(({ id, label }) => [id, label])),
      } satisfies KindOfMentions,
    ]),
  );
  return {
    mentions: Uint32Array.from(positions),
    mentionSentiments: Uint8Array.from(sentiments),
    reviewSentiments: Uint8Array.from(entries, (entry) =>
      SENTIMENTS.indexOf(entry?.sentiment ?? null),
    ),
    names: Buffer.from(JSON.stringify(kinds)),
  };
}

/** An entity, an aspect or a topic with everything that selects it. */
interface Named {
  readonly id: string;
  readonly label: string;
  /** The id and the label. */
  readonly names: readonly string[];
  readonly aliases: readonly string[];
  /** Whether ids and labels of the same kind take precedence over the aliases. */
  readonly isAliasWeak: boolean;
}

function namesOf(insights: Insights, business: Business): Record<MentionKind, readonly Named[]> {
  const { technicians, services, problems, service_areas: areas } = insights.entities;
  const plain = ({ id, label }: { readonly id: string; readonly label: string }): Named => ({
    id,
    label,
    names: [id, label],
    aliases: [],
    isAliasWeak: false,
  });
  const byName = ({ id, name }: { readonly id: string; readonly name: string }) =>
    plain({ id, label: name });
  /** Entities that no review mentions have only their aliases. */
  const withAliases = (isAliasWeak: boolean, list: readonly Named[], aliasesOf: AliasesOf) => {
    const ids = new Set(list.map(({ id }) => id));
    const others = [...aliasesOf.keys()].filter((id) => !ids.has(id));
    const nameless = others.map((id) => ({ ...plain({ id, label: id }), names: [] }));
    return [...list, ...nameless].map((one) => ({
      ...one,
      aliases: aliasesOf.get(one.id) ?? [],
      isAliasWeak,
    }));
  };
  return {
    technicians: withAliases(
      false,
      technicians.map(byName),
      new Map(business.technicians.map(({ id, aliases }) => [id, aliases])),
    ),
    services: withAliases(
      true,
      [...business.services, ...services].map(plain),
      new Map(business.services.map(({ id, aliases }) => [id, aliases])),
    ),
    aspects: withAliases(true, insights.aspects.map(plain), ASPECT_WORDS).filter(
      ({ names }) => names.length > 0,
    ),
    problems: withAliases(true, problems.map(byName), PROBLEM_WORDS).filter(
      ({ names }) => names.length > 0,
    ),
    service_areas: areas.map(byName),
    topics: insights.topics.map(plain),
  };
}

type AliasesOf = ReadonlyMap<string, readonly string[]>;

function idsByName(named: readonly Named[]): Map<string, Set<string>> {
  const byName = new Map<string, Set<string>>();
  const add = (id: string, name: string) => {
    const folded = fold(name);
    byName.set(folded, (byName.get(folded) ?? new Set()).add(id));
  };
  for (const { id, names } of named) for (const name of names) add(id, name);
  const own = new Set(byName.keys());
  for (const { id, aliases, isAliasWeak } of named) {
    for (const alias of aliases) if (!isAliasWeak || !own.has(fold(alias))) add(id, alias);
  }
  return byName;
}

function listsOf(sets: ReadonlyMap<string, ReadonlySet<string>>): Record<string, string[]> {
  return Object.fromEntries([...sets].map(([name, ids]) => [name, [...ids]]));
}

interface Mentions {
  readonly positions: number[];
  /** Indexes of SENTIMENTS. */
  readonly sentiments: number[];
}

function mentionsById(
  entries: readonly (ReviewInsights | undefined)[],
  kind: MentionKind,
): Map<string, Mentions> {
  const byId = new Map<string, Mentions>();
  for (const [position, entry] of entries.entries()) {
    for (const mention of entry?.[kind] ?? []) {
      const isTopic = typeof mention === 'string';
      const id = isTopic ? mention : mention.id;
      let own = byId.get(id);
      if (!own) byId.set(id, (own = { positions: [], sentiments: [] }));
      own.positions.push(position);
      own.sentiments.push(SENTIMENTS.indexOf(isTopic ? null : mention.sentiment));
    }
  }
  return byId;
}

export interface MentionName {
  readonly name: string;
  readonly ids: readonly string[];
}

export class MentionIndex {
  readonly #mentions: Uint32Array;
  readonly #sentiments: Uint8Array;
  readonly #kinds: AllKinds;

  constructor({ mentions, mentionSentiments, names }: MentionSections) {
    this.#mentions = mentions;
    this.#sentiments = mentionSentiments;
    this.#kinds = JSON.parse(Buffer.from(names).toString()) as AllKinds;
  }

  /** Positions of the reviews that mention a name, ascending; none for an unknown name. */
  positionsOf(kind: MentionKind, name: string, sentiment?: Sentiment): Uint32Array {
    const { names } = this.#kinds[kind];
    const folded = fold(name);
    const [id, ...others] = Object.hasOwn(names, folded) ? (names[folded] ?? []) : [];
    if (id === undefined) return new Uint32Array(0);
    const positions = this.positionsOfId(kind, id, sentiment);
    if (others.length === 0) return positions;
    // A name that several entities share selects the reviews of all of them.
    const all = new Set(positions);
    for (const other of others) {
      for (const position of this.positionsOfId(kind, other, sentiment)) all.add(position);
    }
    return Uint32Array.from(all).toSorted();
  }

  /** Positions of the reviews that mention an id, ascending; with a sentiment only those mentions. */
  positionsOfId(kind: MentionKind, id: string, sentiment?: Sentiment): Uint32Array {
    const { ranges } = this.#kinds[kind];
    const range = Object.hasOwn(ranges, id) ? (ranges[id] as readonly [number, number]) : [0, 0];
    const positions = this.#mentions.subarray(...range);
    if (sentiment === undefined) return positions;
    const sentiments = this.#sentiments.subarray(...range);
    const expected = SENTIMENTS.indexOf(sentiment);
    return positions.filter((_, index) => sentiments[index] === expected);
  }

  idsOf(kind: MentionKind): string[] {
    return Object.keys(this.#kinds[kind].ranges);
  }

  /** Every folded name of each id. */
  namesById(kind: MentionKind): ReadonlyMap<string, readonly string[]> {
    const names = new Map<string, string[]>();
    for (const { name, ids } of this.namesOf(kind)) {
      for (const id of ids) names.set(id, [...(names.get(id) ?? []), name]);
    }
    return names;
  }

  /** Whether the business or a review has something of this name. */
  isKnown(kind: MentionKind, name: string): boolean {
    return Object.hasOwn(this.#kinds[kind].names, fold(name));
  }

  labelOf(kind: MentionKind, id: string): string {
    const { labels } = this.#kinds[kind];
    return Object.hasOwn(labels, id) ? (labels[id] as string) : id;
  }

  namesOf(kind: MentionKind): MentionName[] {
    return Object.entries(this.#kinds[kind].names).map(([name, ids]) => ({ name, ids }));
  }
}
