// The immutable published set in memory: every answer to a reader comes from here. Reviews are
// slices of the one body of `/reviews.json`, known by position, 0 being the newest.

import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { dayNumber } from '../model/date.ts';
import type { Sentiment } from '../model/insights.ts';
import { ROUTES } from '../model/routes.ts';
import { parseCursor, type SearchFilter } from '../model/search.ts';
import { unpackSections } from '../model/bytes.ts';
import {
  DOCUMENT_PATHS,
  DOCUMENTS,
  type DocumentPath,
  ENCODINGS,
  type Encoding,
  hashOf,
} from './documents.ts';
import { type InsightsSections, InsightsReader } from './insights-document.ts';
import { LanguageReader, type LanguageSections } from './languages.ts';
import { lowerBound } from '../search/lower-bound.ts';
import { type Manifest, partName } from './manifest.ts';
import type { Mentioned } from '../search/mentions.ts';
import { readPicture } from './pictures.ts';
import { type IndexSections, SearchIndex, type SearchResult } from '../search/search-index.ts';
import { placeInMemory } from '../search/text-scan.ts';

/** A stored snapshot with everything unpacked, in memory that can be handed to another thread. */
export interface LoadedSnapshot {
  readonly manifest: Manifest;
  readonly bodies: ReadonlyMap<string, Uint8Array>;
  readonly index: WebAssembly.Memory;
}

/** Unpacks the parts of a stored snapshot, several at a time. */
export async function unpackSnapshot(
  manifest: Manifest,
  parts: ReadonlyMap<string, Uint8Array>,
): Promise<LoadedSnapshot> {
  const partOf = (path: DocumentPath, encoding: Encoding) =>
    requirePart(parts, partName(manifest.documents[path], encoding));
  const compressed = DOCUMENT_PATHS.flatMap((path) =>
    ENCODINGS.map((encoding) => [`${path} ${encoding}`, partOf(path, encoding)] as const),
  );
  const plain = DOCUMENT_PATHS.map(
    async (path) =>
      [path, await unpack(partOf(path, 'zstd'), manifest.documents[path].bytes)] as const,
  );
  const packed = await unpack(requirePart(parts, manifest.index), manifest.indexBytes);
  const index = placeInMemory(packed);
  return { manifest, bodies: new Map([...compressed, ...(await Promise.all(plain))]), index };
}

function requirePart(parts: ReadonlyMap<string, Uint8Array>, name: string): Uint8Array {
  const part = parts.get(name);
  if (!part) throw new Error(`the snapshot lacks its part ${name}`);
  return part;
}

/** Bytes that are unpacked in one go where it is not known how many there are. */
const UNPACKED_AT_ONCE = 1024 * 1024;
/** A smaller room for what is unpacked is refused. */
const SMALLEST_ROOM = 64;

/** In a room of just its size nothing has to be put together from pieces. */
async function unpack(bytes: Uint8Array, length = UNPACKED_AT_ONCE): Promise<Uint8Array> {
  const chunkSize = Math.max(length, SMALLEST_ROOM);
  const unpacked = await promisify(zstdDecompress)(bytes, { chunkSize });
  // A small buffer shares its memory with others, which must not be handed over with it.
  return unpacked.buffer.byteLength === unpacked.length ? unpacked : Uint8Array.from(unpacked);
}

/** A published representation with all that a header says of it. */
export interface Document {
  readonly path: DocumentPath;
  readonly contentType: string;
  /** The uncompressed body and its compressed forms. */
  readonly body: Buffer;
  readonly compressed: Readonly<Record<Encoding, Buffer>>;
  /** Names the content; with "-br" and the like behind it one of the compressed forms. */
  readonly tag: string;
  /** Seconds since 1970. */
  readonly changedAt: number;
  /** Whether WebSub subscribers can have it pushed. */
  readonly isTopic: boolean;
}

/** The reviews of a day and after: the newest so many. */
export interface Since {
  readonly count: number;
  /** Names this subset and nothing else. */
  readonly tag: string;
  /** When the subset last changed, in seconds since 1970; removals are changes. */
  readonly changedAt: number;
}

export class Snapshot {
  readonly number: number;
  readonly origin: string;
  readonly documents: ReadonlyMap<DocumentPath, Document>;
  readonly insights: InsightsReader;
  /** Where `/reviews.json` is. */
  readonly #dataset: Buffer;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #idOrder: Uint32Array;
  readonly #index: SearchIndex;
  readonly #languages: LanguageReader;
  readonly #sections: ReadonlyMap<string, unknown>;
  /** Newest first: of each day the subset that reaches back to it. */
  readonly #days: readonly (Omit<Since, 'count'> & { readonly date: string })[];
  readonly #nothingSince: Omit<Since, 'count'>;
  /** When the reviews of a day last changed, by its number. */
  readonly #dayChanges: ReadonlyMap<number, number>;

  constructor({ manifest, bodies, index }: LoadedSnapshot) {
    this.number = manifest.number;
    this.origin = manifest.origin;
    this.documents = new Map(
      DOCUMENT_PATHS.map((path) => [path, documentOf(path, manifest, bodies)]),
    );
    this.#dataset = (this.documents.get(ROUTES.getReviews.path) as Document).body;
    const sections = unpackSections(new Uint8Array(index.buffer));
    this.#starts = sections.get('starts') as Uint32Array;
    this.#ends = sections.get('ends') as Uint32Array;
    this.#idOrder = sections.get('idOrder') as Uint32Array;
    this.#index = new SearchIndex(Object.fromEntries(sections) as unknown as IndexSections, index);
    this.#languages = new LanguageReader(
      Object.fromEntries(sections) as unknown as LanguageSections,
    );
    this.#sections = sections;
    this.insights = new InsightsReader(
      (this.documents.get(ROUTES.getInsights.path) as Document).body,
      Object.fromEntries(sections) as unknown as InsightsSections,
    );
    this.#nothingSince = { tag: hashOf('nothing'), changedAt: manifest.firstPublishedAt };
    this.#dayChanges = new Map(
      manifest.days.map(({ date, changedAt }) => [dayNumber(date), changedAt]),
    );
    let subset = this.#nothingSince;
    this.#days = manifest.days.map(({ date, hash, changedAt }) => {
      subset = {
        // A day without reviews adds nothing to the subset, but losing them changed it.
        tag: hash === null ? subset.tag : hashOf(subset.tag, hash),
        changedAt: Math.max(subset.changedAt, changedAt),
      };
      return { date, ...subset };
    });
  }

  /** How many reviews are published. */
  get reviewCount(): number {
    return this.#starts.length;
  }

  /** The JSON of `/reviews.json` with an empty list of reviews. */
  datasetHead(): string {
    const end = this.#starts[0] ?? this.#dataset.length - ']}'.length;
    return `${this.#dataset.toString('utf8', 0, end)}]}`;
  }

  /** The JSON of a review, without a copy. */
  reviewAt(position: number): Buffer {
    return this.#dataset.subarray(this.#starts[position], this.#ends[position]);
  }

  /** The JSON of the newest so many reviews with commas between, without a copy. */
  newestReviews(count: number): Buffer {
    if (count === 0) return this.#dataset.subarray(0, 0);
    return this.#dataset.subarray(this.#starts[0], this.#ends[count - 1]);
  }

  idAt(position: number): string {
    return this.#index.idAt(position);
  }

  /** When the review at a position last changed, or another of its day, in seconds since 1970. */
  changedAt(position: number): number {
    return this.#dayChanges.get(this.#index.dayAt(position)) as number;
  }

  /** The position of a review, null where none has the id. */
  positionOf(id: string): number | null {
    const order = this.#idOrder;
    const place = lowerBound(order.length, (at) => this.idAt(order[at] as number) >= id);
    const position = order[place];
    return position !== undefined && this.idAt(position) === id ? position : null;
  }

  /** Ids that begin with a text, at most so many; of any text those of the newest reviews. */
  idsFrom(start: string, most: number): string[] {
    const order = this.#idOrder;
    const first =
      start && lowerBound(order.length, (at) => this.idAt(order[at] as number) >= start);
    const ids: string[] = [];
    for (let place = Number(first); place < order.length && ids.length < most; place++) {
      const id = this.idAt(start === '' ? place : (order[place] as number));
      if (!id.startsWith(start)) break;
      ids.push(id);
    }
    return ids;
  }

  /** In which language the review at a position is written: an ISO 639-1 code, or null. */
  languageAt(position: number): string | null {
    return this.#languages.at(position);
  }

  /** A picture that was drawn when the snapshot was built; null where there is none of that name. */
  picture(name: string): Buffer | null {
    return readPicture(this.#sections, name);
  }

  /**
   * The positions of the reviews that mention what has this very id, the newest first; with a
   * sentiment only those that say this of it.
   */
  mentioning(list: Mentioned, id: string, sentiment?: Sentiment): Uint32Array {
    return this.#index.mentioning(list, id, sentiment);
  }

  /** So many of the positions that come after a cursor, and the cursor that leads on, or null. */
  pageOf(
    positions: Uint32Array,
    cursor: string | undefined,
    limit: number,
  ): { readonly positions: Uint32Array; readonly nextCursor: string | null } {
    const place = cursor === undefined ? null : parseCursor(cursor);
    const first = place === null ? 0 : this.#index.firstAfter(place);
    const start = lowerBound(positions.length, (at) => (positions[at] as number) >= first);
    const page = positions.subarray(start, start + limit);
    const last = page.at(-1);
    const isMore = start + limit < positions.length && last !== undefined;
    return { positions: page, nextCursor: isMore ? this.#index.cursorAfter(last) : null };
  }

  search(filter: SearchFilter): SearchResult & { readonly nextCursor: string | null } {
    const result = this.#index.search(filter);
    const last = result.positions.at(-1);
    const nextCursor = result.more && last !== undefined ? this.#index.cursorAfter(last) : null;
    return { ...result, nextCursor };
  }

  /** The reviews of a date (YYYY-MM-DD) and after. */
  since(date: string): Since {
    const end = lowerBound(
      this.#days.length,
      (at) => (this.#days[at] as { date: string }).date < date,
    );
    const { tag, changedAt } = this.#days[end - 1] ?? this.#nothingSince;
    return { count: this.#index.countSince(dayNumber(date)), tag, changedAt };
  }
}

function documentOf(
  path: DocumentPath,
  manifest: Manifest,
  bodies: ReadonlyMap<string, Uint8Array>,
): Document {
  const { contentType, topic } = DOCUMENTS[path];
  const { contentHash, changedAt } = manifest.documents[path];
  const bodyOf = (name: string) => {
    const body = requirePart(bodies, name);
    return Buffer.from(body.buffer, body.byteOffset, body.length);
  };
  return {
    path,
    contentType,
    body: bodyOf(path),
    compressed: {
      br: bodyOf(`${path} br`),
      zstd: bodyOf(`${path} zstd`),
      gzip: bodyOf(`${path} gzip`),
    },
    tag: hashOf(contentHash, String(changedAt)),
    changedAt,
    isTopic: topic,
  };
}
