// The files of a log as a business would serve them, honest or not: it has the key, so it can sign anything.

import { type JsonValue, saltedDigest } from '../../src/log/canonical.ts';
import { signCheckpoint } from './sign-checkpoint.ts';
import { encodeEntry, type Entry, starsIn, sum } from '../../src/log/entries.ts';
import { leafHash, rootOf } from '../../src/log/merkle.ts';
import { Replay } from '../../src/log/replay.ts';
import { aggregateRating } from '../../src/model/rating.ts';
import { formatVerifierKey, newSeed, signingKey } from '../../src/log/notes.ts';
import { encodeBundle, TILE_WIDTH, tilePath, tilesOf, TileTree } from '../../src/log/tiles.ts';
import type { ReadPath } from '../../src/log/served.ts';

const ORIGIN = 'reviews.example/log';
const AT = '2026-01-01T00:00:00Z';
const SOURCE = 'google';

type Published = { readonly [key: string]: JsonValue } & {
  readonly id: string;
  readonly rating: number;
  readonly date: string;
  readonly source: string;
};

/** A business with its reviews and its log. */
export class Shop {
  entries: Entry[] = [];
  reviews: Published[] = [];
  /** By the id of the review: index of the newest entry, and salt. */
  salts: Record<string, [number, string]> = {};
  seeds = [newSeed()];
  readonly #first = new Map<string, number>();

  copy(): Shop {
    const copy = new Shop();
    copy.entries = [...this.entries];
    copy.reviews = [...this.reviews];
    copy.salts = { ...this.salts };
    copy.seeds = this.seeds;
    for (const [id, first] of this.#first) copy.#first.set(id, first);
    return copy;
  }

  add(id: string, rating: number, text = 'Fine.'): this {
    const review = { id, rating, date: '2026-01-01', source: SOURCE, text };
    this.reviews.push(review);
    this.#first.set(id, this.entries.length);
    this.entries.push({ type: 'added', ...this.#logged(review) });
    return this;
  }

  edit(id: string, text: string, rating?: number): this {
    const at = this.reviews.findIndex((each) => each.id === id);
    const review = { ...this.reviews[at]!, text, ...(rating && { rating }) };
    this.reviews[at] = review;
    const first = this.#first.get(id)!;
    this.entries.push({ type: 'edited', review: first, ...this.#logged(review) });
    return this;
  }

  remove(id: string, reason: (Entry & { type: 'removed' })['reason'] = 'duplicate'): this {
    const { rating, date } = this.reviews.find((each) => each.id === id)!;
    this.hide(id);
    const review = this.#first.get(id)!;
    this.entries.push({ type: 'removed', review, at: AT, date, rating, source: SOURCE, reason });
    return this;
  }

  /** Removes a review, and says nothing. */
  hide(id: string): this {
    this.reviews = this.reviews.filter((each) => each.id !== id);
    delete this.salts[id];
    return this;
  }

  publish(): this {
    const count = (ratings: readonly number[]) => {
      const stars: [number, number, number, number, number] = [0, 0, 0, 0, 0];
      for (const rating of ratings) stars[rating - 1]! += 1;
      return ratings.length === 0 ? {} : { [SOURCE]: stars };
    };
    const removed = this.entries.filter((each) => each.type === 'removed');
    this.entries.push({
      type: 'publication',
      at: AT,
      published: count(this.reviews.map(({ rating }) => rating)),
      withheld: {},
      removed: count(removed.map(({ rating }) => rating)),
    });
    return this;
  }

  #logged(review: Published) {
    const salt = Buffer.alloc(16, this.entries.length).toString('base64');
    this.salts[review.id] = [this.entries.length, salt];
    const { rating, date } = review;
    const digest = saltedDigest(salt, review);
    const verification = 'declared' as const;
    return { at: AT, date, digest, rating, source: SOURCE, verification };
  }

  #dataset() {
    return { aggregate_rating: aggregateRating(this.reviews), reviews: this.reviews };
  }

  /** What the entries say, also if they are false. */
  #counts() {
    const replay = new Replay();
    for (const entry of this.entries) replay.read(entry);
    const byRating = starsIn(replay.removedCounts);
    return {
      methods: [{ method: null, count: this.reviews.length }],
      published: this.reviews.length,
      withheld: { total: 0, by_reason: {} },
      removed: {
        total: sum(byRating),
        by_reason: Object.fromEntries(replay.reasons),
        by_rating: Object.fromEntries(byRating.map((count, star) => [star + 1, count])),
      },
      edited: {
        total: sum(replay.starChanges.map(({ count }) => count)),
        stars: replay.starChanges,
      },
    };
  }

  /** The served files by path. */
  files(): Map<string, Buffer> {
    const bytes = this.entries.map(encodeEntry);
    const tree = new TileTree(Buffer.concat(bytes.map(leafHash)));
    const keys = this.seeds.map((seed) => signingKey(ORIGIN, 'log', seed));
    const checkpoint = { origin: ORIGIN, size: bytes.length, root: rootOf(tree) };
    const json = (value: object) => Buffer.from(JSON.stringify(value));
    const files = new Map<string, Buffer>([
      ['/log/checkpoint', Buffer.from(signCheckpoint(checkpoint, keys))],
      ['/log/key', Buffer.from(`${keys.map(formatVerifierKey).join('\n')}\n`)],
      ['/log/salts.json', json({ size: bytes.length, reviews: this.salts })],
      ['/reviews.json', json(this.#dataset())],
      ['/verification.json', json(this.#counts())],
    ]);
    for (const name of tilesOf(bytes.length)) {
      const { level, index, width } = name;
      const start = index * TILE_WIDTH;
      const body =
        level === 'entries'
          ? encodeBundle(bytes.slice(start, start + width))
          : Buffer.from(tree.tile({ level, index, width })!);
      files.set(`/log/tile/${tilePath(name)}`, body);
    }
    return files;
  }
}

export function readerOf(files: ReadonlyMap<string, Buffer>): ReadPath {
  return (path) => {
    const file = files.get(path);
    return file ? Promise.resolve(file) : Promise.reject(new Error(`${path} is missing`));
  };
}
