// Goes on where the previous publish left the log, without reading all of it: only the entries of reviews that may have
// changed since are read.

import { type Bundle, readBundle } from '../log/bundles.ts';
import type { Entry, PublishedEntry } from '../log/entries.ts';
import { compareReviews, type Difference, type Opening } from '../log/plan.ts';
import { Replay } from '../log/replay.ts';
import { TILE_WIDTH } from '../log/tiles.ts';
import type { Review } from '../model/review.ts';
import type { LogManifest } from '../snapshot/manifest.ts';

export interface Resumed {
  readonly replay: Replay;
  readonly difference: Difference;
}

interface ResumeInput {
  readonly bundles: readonly Bundle[];
  /** The number of stored entries. */
  readonly size: number;
  readonly openings: ReadonlyMap<string, Opening>;
  readonly reviews: readonly Review[];
  /** What the current snapshot says of the log; null before the first. */
  readonly previous: LogManifest | null;
  /** Dates whose published reviews differ from those of the current snapshot; null if that is not known. */
  readonly changedDays: ReadonlySet<string> | null;
}

/** Null if the stored log does not end with the publication of the current snapshot: then read all of it. */
export function resumeLog(input: ResumeInput): Resumed | null {
  const { bundles, size, openings, reviews, previous, changedDays } = input;
  // A publish that was killed has logged more than the current snapshot has.
  if (previous === null || changedDays === null || previous.size !== size) return null;
  const replay = Replay.after(previous.publication, size, previous.reasons);
  if (replay === null) return null;
  // A salt is destroyed when a review is hidden, also if it is shown again at once.
  const difference = compareReviews(
    reviews,
    openings,
    ({ date }, { salt }) => salt === '' || changedDays.has(date),
  );
  const entries = new EntryReader(bundles);
  for (const id of [...difference.removed, ...difference.maybeEdited.map((review) => review.id)]) {
    const { first, last } = openings.get(id) as Opening;
    replay.reviews.set(first, { first, last, entry: entries.at(last) as PublishedEntry });
  }
  return { replay, difference };
}

/** Reads all entries of a log. */
export function replayLog(bundles: readonly Bundle[]): Replay {
  const replay = new Replay();
  for (const bundle of bundles) {
    for (const bytes of readBundle(bundle)) {
      const problem = replay.read(parse(bytes));
      if (problem !== null) throw new Error(`entry ${replay.size - 1} of the log ${problem}`);
    }
  }
  return replay;
}

/** Reads single entries. */
export class EntryReader {
  readonly #bundles: readonly Bundle[];
  readonly #decoded = new Map<number, readonly Buffer[]>();

  constructor(bundles: readonly Bundle[]) {
    this.#bundles = bundles;
  }

  at(index: number): Entry {
    const number = Math.floor(index / TILE_WIDTH);
    const entries = this.#decoded.get(number) ?? readBundle(this.#bundles[number] as Bundle);
    this.#decoded.set(number, entries);
    return parse(entries[index % TILE_WIDTH] as Buffer);
  }
}

/** Not validated: this program wrote it. */
function parse(bytes: Buffer): Entry {
  return JSON.parse(bytes.toString()) as Entry;
}
