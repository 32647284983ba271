// Reads the entries of a log in order, and knows what is published after them. The publisher and everybody
// who verifies a log use the same replay.

import { canonicalJson } from './canonical.ts';
import {
  Counter,
  type Counts,
  type Entry,
  type Publication,
  type PublishedEntry,
} from './entries.ts';
import type { LoggedReason } from '../model/removal.ts';
import type { StarChanges } from '../model/verification.ts';

export interface LoggedReview {
  /** The index of the entry that added it. */
  readonly first: number;
  /** The index of its newest entry. */
  readonly last: number;
  readonly entry: PublishedEntry;
}

export class Replay {
  /** Entries so far. */
  size = 0;
  /** What is published, by the index of the entry that added it. */
  readonly reviews = new Map<number, LoggedReview>();
  /** The newest publication; null before the first. */
  publication: Publication | null = null;
  /** Whether reviews changed after the newest publication. */
  isChanged = false;
  /** Removals so far, by reason. */
  readonly reasons = new Map<LoggedReason, number>();
  /** Of removed reviews that an entry of the same time adds again: time, source and date. */
  readonly replaced = new Set<string>();
  readonly #published = new Counter();
  readonly #removed = new Counter();
  readonly #starChanges: StarChanges = [];

  get publishedCounts(): Counts {
    return this.#published.counts();
  }

  get removedCounts(): Counts {
    return this.#removed.counts();
  }

  /** Edits so far that changed the stars, fewest stars first. */
  get starChanges(): StarChanges {
    return this.#starChanges.toSorted((a, b) => a.from - b.from || a.to - b.to);
  }

  /** Reads the next entry. Returns what contradicts the entries before it; null if nothing does. */
  read(entry: Entry): string | null {
    const index = this.size;
    this.size += 1;
    if (entry.type === 'publication') return this.#readPublication(entry);
    this.isChanged = true;
    if (entry.type === 'added') {
      this.#publish({ first: index, last: index, entry });
      return null;
    }
    const known = this.reviews.get(entry.review);
    if (!known)
      return `${entry.type} a review that is not published, that of entry ${entry.review}`;
    this.#published.add(known.entry.source, known.entry.rating, -1);
    this.reviews.delete(entry.review);
    if (entry.type === 'edited') {
      this.#countStars(known.entry.rating, entry.rating);
      this.#publish({ first: entry.review, last: index, entry });
      return null;
    }
    this.#removed.add(entry.source, entry.rating);
    this.reasons.set(entry.reason, (this.reasons.get(entry.reason) ?? 0) + 1);
    if (entry.reason === 'replaced') this.replaced.add(replacementOf(entry));
    const { date, rating, source } = known.entry;
    const isSame = entry.date === date && entry.rating === rating && entry.source === source;
    return isSame ? null : `removed another review than entry ${known.last} published`;
  }

  #countStars(from: number, to: number): void {
    if (from === to) return;
    const known = this.#starChanges.find((each) => each.from === from && each.to === to);
    if (known) known.count += 1;
    else this.#starChanges.push({ count: 1, from, to });
  }

  #publish(review: LoggedReview): void {
    this.reviews.set(review.first, review);
    this.#published.add(review.entry.source, review.entry.rating);
  }

  #readPublication(entry: Publication): string | null {
    this.publication = entry;
    this.isChanged = false;
    const totals = [
      ['published reviews', entry.published, this.publishedCounts],
      ['removed reviews', entry.removed, this.removedCounts],
      ['changed stars', entry.edited ?? this.starChanges, this.starChanges],
    ] as const;
    const wrong = totals.find(
      ([, told, counted]) => canonicalJson(told) !== canonicalJson(counted),
    );
    return wrong ? `the totals of ${wrong[0]} are not those of the entries` : null;
  }
}

/** What the removal and the new entry of a replaced review share. */
export function replacementOf({ at, source, date }: Exclude<Entry, Publication>): string {
  return `${at} ${source} ${date}`;
}

export function isSameCounts(a: Counts, b: Counts): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
