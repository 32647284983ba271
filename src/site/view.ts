// The current snapshot as pages read it.

import type { Business } from '../model/business.ts';
import type { Insights, ReviewInsights, Sentiment } from '../model/insights.ts';
import type { AggregateRatingJson } from '../model/rating.ts';
import type { ReviewJson } from '../model/review.ts';
import { Answers } from '../snapshot/queries.ts';
import type { Mentioned } from '../search/mentions.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { subjectLink } from './links.ts';

/** A review with all that a page may say of it. */
export interface ShownReview {
  readonly review: ReviewJson;
  readonly insights: ReviewInsights | null;
  /** ISO 639-1 code, or null. */
  readonly language: string | null;
}

/** What reviews mention, as the pages about it show it. */
export interface Subject {
  readonly list: Mentioned;
  readonly id: string;
  readonly name: string;
  readonly mentionCount: number;
}

/** What pages depend on beside the snapshot. */
export interface ViewOptions {
  /** Path of the picture that other sites show beside a link to a page. */
  readonly picture?: string | null;
  /** Whether pages are written as files, where nothing answers a search. */
  readonly isStatic?: boolean;
}

export class View {
  readonly snapshot: Snapshot;
  readonly answers: Answers;
  readonly isStatic: boolean;
  /** Absolute URL; null where no picture was drawn. */
  readonly pictureUrl: string | null;
  readonly #subjects = new Map<Mentioned, readonly Subject[]>();
  readonly #byId = new Map<Mentioned, ReadonlyMap<string, { readonly id: string }>>();

  constructor(snapshot: Snapshot, { picture = null, isStatic = false }: ViewOptions = {}) {
    this.snapshot = snapshot;
    this.answers = new Answers(snapshot);
    this.isStatic = isStatic;
    this.pictureUrl = picture === null ? null : snapshot.origin + picture;
  }

  get origin(): string {
    return this.snapshot.origin;
  }

  get business(): Business {
    return this.answers.businessRecord;
  }

  get rating(): AggregateRatingJson {
    return this.answers.aggregateRating;
  }

  /** The page about what reviews mention, of those alone that say this of it, where that can be asked. */
  sentimentLink(list: Mentioned, id: string, sentiment: Sentiment | undefined): string {
    return subjectLink(list, id, this.isStatic ? {} : { sentiment });
  }

  insights<Part extends Exclude<keyof Insights, 'per_review'>>(part: Part): Insights[Part] {
    return this.snapshot.insights.part(part);
  }

  reviewAt(position: number): ShownReview {
    return {
      review: JSON.parse(this.snapshot.reviewAt(position).toString()) as ReviewJson,
      insights: this.snapshot.insights.entry(position),
      language: this.snapshot.languageAt(position),
    };
  }

  reviewsAt(positions: Iterable<number>): ShownReview[] {
    return Array.from(positions, (position) => this.reviewAt(position));
  }

  /** Reviews by their ids; what was published when an id was written is there. */
  reviewsOf(ids: readonly string[]): ShownReview[] {
    return ids.flatMap((id) => {
      const position = this.snapshot.positionOf(id);
      return position === null ? [] : [this.reviewAt(position)];
    });
  }

  /** What reviews mention of a list, the most mentioned first; what none mentions is left out. */
  subjects(list: Mentioned): readonly Subject[] {
    const made = this.#subjects.get(list) ?? this.#makeSubjects(list);
    this.#subjects.set(list, made);
    return made;
  }

  #makeSubjects(list: Mentioned): Subject[] {
    return this.#mentioned(list)
      .map((record) => ({
        list,
        id: record.id,
        name: 'label' in record ? record.label : record.name,
        mentionCount: record.mention_count,
      }))
      .toSorted((a, b) => b.mentionCount - a.mentionCount);
  }

  /** The insight that has an id; null where no review mentions it. */
  subject<List extends Mentioned>(list: List, id: string): RecordOf<List> | null {
    const made =
      this.#byId.get(list) ?? new Map(this.#mentioned(list).map((record) => [record.id, record]));
    this.#byId.set(list, made);
    return (made.get(id) as RecordOf<List> | undefined) ?? null;
  }

  #mentioned<List extends Mentioned>(list: List): readonly RecordOf<List>[] {
    const records: readonly RecordOf<List>[] = this.#records(list);
    return records.filter((record) => record.mention_count > 0);
  }

  #records<List extends Mentioned>(list: List): readonly RecordOf<List>[] {
    const records: Record<Mentioned, readonly { readonly id: string }[]> = {
      ...this.insights('entities'),
      aspects: this.insights('aspects'),
      topics: this.insights('topics'),
    };
    return records[list] as readonly RecordOf<List>[];
  }
}

type RecordOf<List extends Mentioned> = List extends 'aspects' | 'topics'
  ? Insights[List][number]
  : Insights['entities'][List & keyof Insights['entities']][number];
