// Builds a snapshot that can be stored from reviews and insights. Deterministic except for the time of
// publishing.

import type { Business } from '../model/business.ts';
import type { Insights } from '../model/insights.ts';
import { describePeople, EVERYONE, type PeopleSettings } from '../model/people.ts';
import { compareNewestFirst, type Review } from '../model/review.ts';
import type { LeftOut } from '../model/verification.ts';
import { ROUTES } from '../model/routes.ts';
import { packSections } from '../model/bytes.ts';
import { describeDetails, type DetailSections, isSameDetails, writeDetails } from './details.ts';
import { packBlocks } from './blocks.ts';
import {
  compress,
  DOCUMENT_PATHS,
  type DocumentPath,
  ENCODINGS,
  type Encoding,
  hashOf,
  isoTime,
} from './documents.ts';
import { renderAtomFeed, renderJsonFeed } from './feeds.ts';
import { type InsightsDocument, writeInsights } from './insights-document.ts';
import { type Dataset, writeDataset } from './dataset.ts';
import { type DayState, type DocumentState, type Manifest, partName } from './manifest.ts';
import { writePictures } from './pictures.ts';
import { languageOf } from '../strings/language.ts';
import { IndexBuilder } from '../search/index-builder.ts';

/** The input that is needed first. */
interface BuildBegin {
  /** In any order. */
  readonly reviews: readonly Review[];
  readonly business: Business;
  readonly origin: string;
  readonly builder: string;
  /** The operator's choice of language; null follows the country of the business. */
  readonly siteLanguage?: string | null;
  /** The settings that the insights follow. */
  readonly people?: PeopleSettings;
  /** The manifest of the current snapshot, null before the first. */
  readonly previous: Manifest | null;
  readonly nowSeconds: number;
}

/** The input that is derived from the reviews meanwhile. */
export interface BuildFinish {
  readonly insights: Insights;
  /** ISO 639-1 codes of languages by the id of the review; null or absent if unknown. */
  readonly languages: ReadonlyMap<string, string | null>;
  /**
   * Draws charts and other pictures, by name. They depend only on the insights and the dataset. It is called
   * only if one of these changed.
   */
  readonly drawPictures: () => Promise<Readonly<Record<string, Uint8Array>>>;
  /** Reviews that are not published; absent if there are none. */
  readonly leftOut?: LeftOut;
  /** When reviews of the feeds were last edited, in ISO 8601 by id. */
  readonly editedAt?: ReadonlyMap<string, string>;
}

type Part = readonly [name: string, bytes: Uint8Array];

export interface BuiltSnapshot {
  readonly manifest: Manifest;
  /** The parts that are not stored yet, as their compression ends. To be iterated once. */
  readonly parts: AsyncIterable<Part>;
}

/** A larger `/insights.json` is kept in blocks; a smaller one is quicker to serve as it is. */
const IN_BLOCKS_BYTES = 4 * 1024 * 1024;

/**
 * Builds the next snapshot. The constructor writes the parts that depend only on reviews, so that they
 * are compressed while insights are derived.
 */
export class SnapshotBuilder {
  readonly #begin: BuildBegin;
  /** Newest first. */
  readonly reviews: readonly Review[];
  readonly #number: number;
  readonly publishedAtSeconds: number;
  readonly #dataset: Dataset;
  readonly #datasetState: DocumentState;
  readonly #details: DetailSections;
  /** Null until it is known that the index changes, and when it is packed. */
  #index: IndexBuilder | null;
  readonly #parts: Promise<Part>[] = [];
  readonly #days: readonly DayState[];

  constructor(begin: BuildBegin) {
    const { previous, reviews, business, nowSeconds } = begin;
    this.#begin = begin;
    this.reviews = reviews.toSorted(compareNewestFirst);
    this.#number = (previous?.number ?? 0) + 1;
    // At least one second later, whatever the clock says: Last-Modified has no fractions.
    this.publishedAtSeconds = Math.max(Math.floor(nowSeconds), (previous?.publishedAt ?? 0) + 1);
    this.#dataset = writeDataset(this.reviews, business);
    const { body } = this.#dataset;
    this.#datasetState = this.#document(ROUTES.getReviews.path, (time) => withTime(body, time));
    this.#days = nextDays(
      this.#dataset,
      this.reviews,
      previous?.days ?? [],
      this.publishedAtSeconds,
    );
    this.#details = writeDetails(this.reviews);
    const isSameIndex =
      this.#isSameProgram && this.#isKnown(ROUTES.getReviews.path, this.#datasetState);
    this.#index = isSameIndex ? null : new IndexBuilder(this.reviews);
  }

  /** Dates whose reviews differ from those of the previous snapshot; null without one. */
  get changedDays(): ReadonlySet<string> | null {
    const { previous } = this.#begin;
    if (!previous) return null;
    const before = new Set(previous.days);
    return new Set(this.#days.flatMap((day) => (before.has(day) ? [] : [day.date])));
  }

  /** @returns null if nothing changed, unless `isRequired`. */
  async finish(found: BuildFinish, isRequired = false): Promise<BuiltSnapshot | null> {
    const { business, origin, builder, previous, siteLanguage = null } = this.#begin;
    const { insights } = found;
    const insightsDocument = writeInsights(insights, this.reviews, 2 * this.#dataset.body.length);
    const language = languageOf(siteLanguage, business.address?.country);
    const { editedAt = new Map() } = found;
    const feed = { origin, business, insights, language, reviews: this.reviews, editedAt };
    const documents = {
      [ROUTES.getReviews.path]: this.#datasetState,
      [ROUTES.getInsights.path]: this.#document(ROUTES.getInsights.path, (time) =>
        withTime(insightsDocument.body, time),
      ),
      [ROUTES.getJsonFeed.path]: this.#document(ROUTES.getJsonFeed.path, () =>
        renderJsonFeed(feed),
      ),
      [ROUTES.getAtomFeed.path]: this.#document(ROUTES.getAtomFeed.path, (time) =>
        renderAtomFeed(feed, time),
      ),
    };
    const details = describeDetails(this.reviews, this.#details, found.leftOut, {
      previous: previous?.details,
      publishedAtSeconds: this.publishedAtSeconds,
    });
    const isSame =
      this.#isSameProgram &&
      previous?.origin === origin &&
      isSameDetails(details, previous.details) &&
      DOCUMENT_PATHS.every((path) => this.#isKnown(path, documents[path]));
    if (isSame && !isRequired) return null;
    // The index is derived from these two documents, the details and the program, whatever the origin is.
    const isSameIndex =
      this.#isSameProgram &&
      details.hash === previous?.details?.hash &&
      this.#isKnown(ROUTES.getReviews.path, documents[ROUTES.getReviews.path]) &&
      this.#isKnown(ROUTES.getInsights.path, documents[ROUTES.getInsights.path]);
    const index = isSameIndex && previous ? previous.index : `index@${this.#number}.zstd`;
    let indexBytes = previous?.indexBytes;
    if (!isSameIndex) {
      const packed = await this.#packIndex(found, insightsDocument);
      indexBytes = packed.length;
      void this.#compress(index, packed, 'zstd');
    }
    const insightsState = documents[ROUTES.getInsights.path];
    if (insightsState.blocks && !this.#isKnown(ROUTES.getInsights.path, insightsState)) {
      // While other threads compress it as a whole.
      const blocks = packBlocks(insightsDocument.body);
      this.#parts.push(Promise.resolve([partName(insightsState, 'blocks'), blocks]));
    }
    const manifest = {
      builder,
      people: this.#people,
      number: this.#number,
      origin,
      siteLanguage,
      publishedAt: this.publishedAtSeconds,
      firstPublishedAt: previous?.firstPublishedAt ?? this.publishedAtSeconds,
      documents,
      days: this.#days,
      index,
      indexBytes,
      details,
    };
    return { manifest, parts: inOrderOfEnd(this.#parts) };
  }

  /** The previous state if the content is the same, else a new one whose parts are being compressed. */
  #document(path: DocumentPath, render: (time: number) => Buffer): DocumentState {
    const contentHash = hashOf(render(0));
    const known = this.#begin.previous?.documents[path];
    if (known?.contentHash === contentHash) return known;
    const part = `${path}@${this.#number}`;
    const body = render(this.publishedAtSeconds);
    const isInBlocks = path === ROUTES.getInsights.path && body.length > IN_BLOCKS_BYTES;
    const state: DocumentState = {
      contentHash,
      changedAt: this.publishedAtSeconds,
      part,
      bytes: body.length,
      ...(isInBlocks && { blocks: true }),
    };
    // The first document has time: compress its encodings in turn, and leave a core to this thread.
    const isFirst = this.#parts.length === 0;
    let before: Promise<Part> | null = null;
    for (const encoding of ENCODINGS) {
      const name = partName(state, encoding);
      before = this.#compress(name, body, encoding, isFirst ? before : null);
    }
    return state;
  }

  get #isSameProgram(): boolean {
    const { previous, builder, siteLanguage = null } = this.#begin;
    return (
      previous?.builder === builder &&
      previous.people === this.#people &&
      previous.siteLanguage === siteLanguage
    );
  }

  get #people(): string {
    return describePeople(this.#begin.people ?? EVERYONE);
  }

  #isKnown(path: DocumentPath, state: DocumentState): boolean {
    return state === this.#begin.previous?.documents[path];
  }

  /** Compresses in another thread, after `before`. */
  #compress(
    part: string,
    body: Uint8Array,
    encoding: Encoding,
    before: Promise<Part> | null = null,
  ): Promise<Part> {
    const run = async (): Promise<Part> => {
      await before;
      return [part, await compress(body, encoding)];
    };
    const compressed = run();
    // Whoever reads the parts awaits it; if the publish fails before, its error is irrelevant.
    compressed.catch(() => undefined);
    this.#parts.push(compressed);
    return compressed;
  }

  async #packIndex(
    { insights, languages, drawPictures }: BuildFinish,
    document: InsightsDocument,
  ): Promise<Uint8Array> {
    const { starts, ends } = this.#dataset;
    const reviews = this.reviews;
    const index = this.#index ?? new IndexBuilder(reviews);
    // Its arrays are copied into the pack: they can be freed while that is compressed.
    this.#index = null;
    return packSections({
      starts,
      ends,
      idOrder: orderOfIds(reviews),
      ...(await index.finish({ insights, languages }, this.#begin.business, this.#dataset)),
      ...document.sections,
      ...this.#details,
      ...writePictures(await drawPictures()),
    });
  }
}

async function* inOrderOfEnd<T>(promises: readonly Promise<T>[]): AsyncGenerator<T> {
  const pending = new Map(
    promises.map((promise, key) => [key, promise.then((value) => ({ key, value }))] as const),
  );
  while (pending.size > 0) {
    const { key, value } = await Promise.race(pending.values());
    pending.delete(key);
    yield value;
  }
}

/** Overwrites the first NO_TIME in a body. Seconds since 1970. */
function withTime(body: Buffer, time: number): Buffer {
  body.write(isoTime(time), body.indexOf('_at":"') + '_at":"'.length, 'latin1');
  return body;
}

/** Positions in the order of the ids. */
function orderOfIds(reviews: readonly Review[]): Uint32Array {
  // Sorting strings is several times faster than sorting with a comparison function.
  const ids = reviews.map(({ id }, position) => `${id} ${position}`);
  return Uint32Array.from(ids.toSorted(), (id) => Number(id.slice(id.indexOf(' '))));
}

/** The state of every day that has or had reviews, newest first. */
function nextDays(
  { body, starts, ends }: Dataset,
  reviews: readonly Review[],
  previous: readonly DayState[],
  publishedAtSeconds: number,
): DayState[] {
  const known = new Map(previous.map((day) => [day.date, day]));
  const days = new Map<string, DayState>();
  const add = (date: string, hash: string | null) => {
    const before = known.get(date);
    days.set(date, before?.hash === hash ? before : { date, hash, changedAt: publishedAtSeconds });
  };
  for (let first = 0; first < reviews.length;) {
    const { date } = reviews[first] as Review;
    let last = first;
    while (reviews[last + 1]?.date === date) last += 1;
    add(date, hashOf(body.subarray(starts[first], ends[last])));
    first = last + 1;
  }
  for (const { date } of previous) if (!days.has(date)) add(date, null);
  return [...days.values()].toSorted((a, b) => (a.date < b.date ? 1 : -1));
}
