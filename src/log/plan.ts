// What a publication adds to the log: the differences between what the log says is published and what will
// be. Deterministic but for the new salts.

import { type JsonValue, saltedDigest } from './canonical.ts';
import { Counter, type Counts, encodeEntry, type Entry, loggedSource } from './entries.ts';
import type { LoggedReason, RemovalReason } from '../model/removal.ts';
import { type LoggedReview, Replay, isSameCounts } from './replay.ts';
import { type Review, reviewToJson } from '../model/review.ts';
import type { StarChanges } from '../model/verification.ts';
import { fold } from '../model/fold.ts';
import { splitWords } from '../model/words.ts';

/** What the store keeps beside a review that the log says is published. */
export interface Opening {
  /** Opens the digest of its newest entry; destroyed with the review. */
  readonly salt: string;
  /** The index of the entry that added it. */
  readonly first: number;
  /** The index of its newest entry. */
  readonly last: number;
}

interface PlanInput {
  readonly replay: Replay;
  /** Openings by the id of the review. */
  readonly openings: ReadonlyMap<string, Opening>;
  /** What will be published, compared with the openings. */
  readonly difference: Difference;
  /** Why a review is not published any more, by its id; without a reason it was removed at its source. */
  readonly reasons: ReadonlyMap<string, RemovalReason>;
  /** Earlier versions of reviews with other stars than now, oldest first, by id. */
  readonly otherStars: ReadonlyMap<string, readonly Review[]>;
  /** Ids of published reviews of which the business says how they were verified. */
  readonly methodStated: ReadonlySet<string>;
  /** Reviews that are stored and not published. */
  readonly withheld: readonly { source: string; rating: number; count: number }[];
  /** ISO 8601. */
  readonly at: string;
  /** Makes a random salt in base64. */
  readonly newSalt: () => string;
}

/** What may have changed since the log was written. */
interface Difference {
  /** Published reviews without an opening. */
  readonly added: readonly Review[];
  /** Published reviews whose record may differ from the logged one. */
  readonly maybeEdited: readonly Review[];
  /** Ids of openings whose review is not published. */
  readonly removed: readonly string[];
}

/** `mayBeEdited` is false only for a review that is published as it was logged. */
export function compareReviews(
  reviews: readonly Review[],
  openings: ReadonlyMap<string, Opening>,
  mayBeEdited: (review: Review, opening: Opening) => boolean = () => true,
): Difference {
  const added: Review[] = [];
  const maybeEdited: Review[] = [];
  for (const review of reviews) {
    const opening = openings.get(review.id);
    if (!opening) added.push(review);
    else if (mayBeEdited(review, opening)) maybeEdited.push(review);
  }
  // Most publishes remove nothing, and a set of all ids is slow to make.
  if (reviews.length - added.length === openings.size) return { added, maybeEdited, removed: [] };
  const published = new Set(reviews.map(({ id }) => id));
  return { added, maybeEdited, removed: [...openings.keys()].filter((id) => !published.has(id)) };
}

export interface LogPlan {
  readonly entries: readonly Buffer[];
  /** Openings of new and edited reviews, by id. */
  readonly opened: ReadonlyMap<string, Opening>;
  /** Ids of reviews whose salts have to be destroyed. */
  readonly closed: readonly string[];
}

export function planEntries(input: PlanInput): LogPlan {
  const { replay, openings, difference } = input;
  // A clock that was set back must not make the times of the log run backwards.
  const newest = replay.publication?.at ?? input.at;
  const at = Date.parse(input.at) < Date.parse(newest) ? newest : input.at;
  const { removed: closed } = difference;
  const byFirst = (a: string, b: string) => openingOf(a).first - openingOf(b).first;
  const openingOf = (id: string) => openings.get(id) as Opening;
  const entries: Buffer[] = [];
  const opened = new Map<string, Opening>();
  const append = (entry: Entry): number => {
    const problem = replay.read(entry);
    if (problem !== null) throw new Error(`the log contradicts itself: ${problem}`);
    entries.push(encodeEntry(entry));
    return replay.size - 1;
  };
  const loggedOf = (first: number): LoggedReview => {
    const logged = replay.reviews.get(first);
    if (!logged) throw new Error(`the log has no published review of entry ${first}`);
    return logged;
  };
  const remove = (id: string, reason: LoggedReason): void => {
    const { first } = openingOf(id);
    const { date, rating, source } = loggedOf(first).entry;
    append({ type: 'removed', review: first, at, date, rating, source, reason });
  };
  for (const id of closed.toSorted(byFirst)) {
    remove(id, input.reasons.get(id) ?? 'removed_at_source');
  }
  const write = (review: Review, first: number | null): void => {
    const salt = input.newSalt();
    const { id, date, rating } = review;
    const fields = {
      at,
      date,
      digest: digestOf(salt, review),
      rating,
      source: loggedSource(review.source),
      verification: input.methodStated.has(id) ? 'method_stated' : 'declared',
    } as const;
    const last = append(
      first === null ? { type: 'added', ...fields } : { type: 'edited', review: first, ...fields },
    );
    opened.set(id, { salt, first: first ?? last, last });
  };
  const edited = difference.maybeEdited.filter((review) => {
    const opening = openingOf(review.id);
    return isEdited(review, opening, loggedOf(opening.first));
  });
  edited.sort((a, b) => byFirst(a.id, b.id));
  const isReplaced = (review: Review) => {
    const opening = openingOf(review.id);
    const { entry } = loggedOf(opening.first);
    if (entry.rating === review.rating) return false;
    const logged = loggedVersion(entry, opening.salt, input.otherStars.get(review.id) ?? []);
    // Without its words, nobody can tell that it is the same review.
    return !logged || isReplacement(logged, review);
  };
  const replaced = new Set(edited.filter(isReplaced));
  for (const { id } of replaced) remove(id, 'replaced');
  for (const review of edited) {
    if (!replaced.has(review)) write(review, openingOf(review.id).first);
  }
  const added = [...difference.added, ...replaced];
  for (const review of added.toSorted(compareOldestFirst)) write(review, null);
  const totals = totalsOf(replay, input.withheld);
  if (isNews(totals, replay)) append({ type: 'publication', at, ...totals });
  return { entries, opened, closed };
}

function digestOf(salt: string, review: Review): string {
  return saltedDigest(salt, reviewToJson(review) as JsonValue);
}

function isEdited(review: Review, { salt, last }: Opening, logged: LoggedReview): boolean {
  if (logged.last !== last) throw new Error(`entry ${last} is not the newest of its review`);
  return digestOf(salt, review) !== logged.entry.digest;
}

/** The version that an entry is about; if its salt was destroyed, or names are shown otherwise now, the newest that fits it. */
function loggedVersion(
  { digest, rating, date }: LoggedReview['entry'],
  salt: string,
  versions: readonly Review[],
): Review | undefined {
  return (
    versions.find((each) => digestOf(salt, each) === digest) ??
    versions.findLast((each) => each.rating === rating && each.date === date)
  );
}

function compareOldestFirst(a: Review, b: Review): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

interface Totals {
  readonly published: Counts;
  readonly withheld: Counts;
  readonly removed: Counts;
  readonly edited: StarChanges;
}

function totalsOf(replay: Replay, stored: PlanInput['withheld']): Totals {
  const withheld = new Counter();
  for (const { source, rating, count } of stored) withheld.add(loggedSource(source), rating, count);
  return {
    published: replay.publishedCounts,
    withheld: withheld.counts(),
    removed: replay.removedCounts,
    edited: replay.starChanges,
  };
}

/** Whether the totals are to be logged: reviews changed after the last publication, or counts did. */
function isNews(totals: Totals, replay: Replay): boolean {
  const known = replay.publication;
  if (!known) return true;
  return replay.isChanged || !isSameCounts(totals.withheld, known.withheld);
}

/**
 * Whether the stars changed together with the author, the date or most words: then readers would lose one review and get
 * another, so it is a removal and an addition. Added words alone are an edit: "Update: they came back."
 */
function isReplacement(before: Review, after: Review): boolean {
  if (before.rating === after.rating) return false;
  return (
    fold(before.author) !== fold(after.author) ||
    before.date !== after.date ||
    !keepsMostWords(before.text ?? '', after.text ?? '')
  );
}

/** Whether at least half of the words of the first text are in the second, each as often. */
function keepsMostWords(before: string, after: string): boolean {
  const left = new Map<string, number>();
  for (const { word } of splitWords(fold(after))) left.set(word, (left.get(word) ?? 0) + 1);
  const words = splitWords(fold(before));
  let kept = 0;
  for (const { word } of words) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    kept += 1;
  }
  return 2 * kept >= words.length;
}
