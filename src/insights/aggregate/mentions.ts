// An index of all mentions by what they mention. Everything that counts or quotes mentions reads it, so
// that the reviews are walked once.

import { hash } from 'node:crypto';
import type { Mention, ReviewInsights, Sentiment } from '../../model/insights.ts';
import type { Review } from '../../model/review.ts';
import type { ResultCache } from './result-cache.ts';

const MENTION_LISTS = [
  'aspects',
  'technicians',
  'services',
  'problems',
  'service_areas',
] as const satisfies readonly (keyof ReviewInsights)[];
export type MentionList = (typeof MENTION_LISTS)[number];
type Listed = MentionList | 'topics';

/** A mention with its review and the review's other findings. */
export interface IndexedMention {
  readonly review: Review;
  readonly entry: ReviewInsights;
  readonly mention: Mention;
  /** How clearly the phrase shows the sentiment, 0 to 1; and those of the aspects of the entry, in its order. */
  readonly phraseScore: number;
  readonly aspectScores: readonly PhraseScore[];
  /** Whether the review is in another language than English. */
  readonly isForeign: boolean;
  /** Identifies the review with its analysis; absent if it is not known. */
  readonly version?: string | undefined;
}

interface PhraseScore {
  readonly phraseScore?: number;
}

interface ReviewEntry {
  readonly review: Review;
  readonly entry: ReviewInsights;
  /** The phrase scores of the lists that have them, in their order; 1 where one is left out. */
  readonly scores?: Readonly<Partial<Record<MentionList, readonly PhraseScore[]>>>;
  readonly isForeign?: boolean;
  /** Opinions that answer questions of the vertical, by the question. */
  readonly answers?: readonly Mention[];
  /** Equal versions mean that everything here is equal, for the same `basis` of the cached results. */
  readonly version?: string | undefined;
}

/** Results of earlier publishes, and everything besides the reviews that they depend on, as plain JSON. */
export interface CachedResults {
  readonly cache: ResultCache;
  readonly basis: unknown;
}

export class MentionIndex {
  readonly #mentions = Object.fromEntries(
    MENTION_LISTS.map((list) => [list, new Map<string, IndexedMention[]>()]),
  ) as Record<MentionList, Map<string, IndexedMention[]>>;

  readonly #cached: (Omit<CachedResults, 'basis'> & { readonly basisHash: string }) | null;
  /** By list and id. */
  readonly #versions = new Map<string, string | null>();

  /** By list, id and sentiment. */
  readonly #sides = new Map<string, readonly IndexedMention[]>();

  readonly #onTopic = new Map<string, ReviewEntry[]>();
  readonly #answers = new Map<string, IndexedMention[]>();

  /** @param reviews newest first */
  constructor(reviews: readonly ReviewEntry[], cached: CachedResults | null = null) {
    this.#cached = cached && {
      cache: cached.cache,
      basisHash: hash('sha256', JSON.stringify(cached.basis), 'base64url'),
    };
    for (const one of reviews) {
      for (const topic of one.entry.topics) append(this.#onTopic, topic, one);
      for (const answer of one.answers ?? [])
        append(this.#answers, answer.id, indexedMention(one, answer));
      for (const list of MENTION_LISTS) {
        const byId = this.#mentions[list];
        const mentions = one.entry[list];
        for (let at = 0; at < mentions.length; at++) {
          const indexed = listedMention(one, list, at);
          append(byId, indexed.mention.id, indexed);
        }
      }
    }
  }

  /** The mentions of an id, newest first; with `sentiment` only those that have it. */
  of(list: MentionList, id: string, sentiment?: Sentiment): readonly IndexedMention[] {
    const all = this.#mentions[list].get(id) ?? [];
    if (sentiment === undefined) return all;
    const key = `${list} ${id} ${sentiment}`;
    const known = this.#sides.get(key) ?? all.filter((one) => one.mention.sentiment === sentiment);
    this.#sides.set(key, known);
    return known;
  }

  /** The mentions of aspects in the reviews on a topic, newest first. */
  onTopic(id: string): IndexedMention[] {
    return (this.#onTopic.get(id) ?? []).flatMap((one) =>
      one.entry.aspects.map((_, at) => listedMention(one, 'aspects', at)),
    );
  }

  /** The opinions that answer a question of the vertical, newest first. */
  answersTo(question: string): readonly IndexedMention[] {
    return this.#answers.get(question) ?? [];
  }

  /**
   * What `compute` returns, or returned in an earlier publish for the same mentions of an id, or reviews on a topic. It
   * depends on them, their reviews and entries, and `parameters` only; parameters and result are plain JSON.
   */
  result<T>(list: Listed, id: string, parameters: readonly unknown[], compute: () => T): T {
    const version = this.#cached && this.#versionOf(list, id);
    if (this.#cached === null || version === null) return compute();
    const { cache, basisHash } = this.#cached;
    return cache.of([basisHash, list, id, version, ...parameters], compute);
  }

  /** Identifies the mentions of an id, or the reviews on a topic; null if that of a review is not known. */
  #versionOf(list: Listed, id: string): string | null {
    const key = `${list} ${id}`;
    const known = this.#versions.get(key);
    if (known !== undefined) return known;
    const having = list === 'topics' ? (this.#onTopic.get(id) ?? []) : this.of(list, id);
    const version = having.some((one) => one.version === undefined)
      ? null
      : hash('sha256', having.map((one) => one.version).join(), 'base64url');
    this.#versions.set(key, version);
    return version;
  }
}

function append<T>(lists: Map<string, T[]>, id: string, one: T): void {
  const known = lists.get(id);
  if (known) known.push(one);
  else lists.set(id, [one]);
}

function listedMention(one: ReviewEntry, list: MentionList, at: number): IndexedMention {
  const phraseScore = one.scores?.[list]?.[at]?.phraseScore ?? 1;
  return { ...indexedMention(one, one.entry[list][at] as Mention), phraseScore };
}

function indexedMention(
  { review, entry, scores, isForeign = false, version }: ReviewEntry,
  mention: Mention,
): IndexedMention {
  const aspectScores = scores?.aspects ?? [];
  return { review, entry, mention, phraseScore: 1, aspectScores, isForeign, version };
}
