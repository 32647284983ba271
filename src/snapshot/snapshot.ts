// The immutable published set in memory, from which all reads are answered. Reviews are slices of the
// body of `/reviews.json`, identified by position; 0 is the newest.

import type { Business } from '../model/business.ts';
import type { Cursor, Sort } from '../model/cursor.ts';
import { dayNumber } from '../model/date.ts';
import type { Sentiment } from '../model/insights.ts';
import type { HeaderPicture, Logo } from '../model/business-pictures.ts';
import type { AggregateRatingJson } from '../model/rating.ts';
import { ROUTES } from '../model/routes.ts';
import type { SearchFilter } from '../model/search.ts';
import type { WordQuery } from '../model/word-query.ts';
import { unpackSections } from '../model/bytes.ts';
import { type Language, languageOf } from '../strings/language.ts';
import { DetailReader } from './details.ts';
import { Directory } from './directory.ts';
import { BlockBody } from './blocks.ts';
import {
  DOCUMENT_PATHS,
  DOCUMENTS,
  type DocumentPath,
  type Encoding,
  hashOf,
} from './documents.ts';
import { type InsightsSections, InsightsReader } from './insights-document.ts';
import { lowerBound } from '../model/lower-bound.ts';
import type { DetailsManifest, Manifest } from './manifest.ts';
import type { Sense } from '../search/meaning.ts';
import type { FieldValues } from '../search/field-values.ts';
import type { MentionKind } from '../search/mentions.ts';
import { readHeader, readLogo, readPicture } from './pictures.ts';
import { PublishedLog } from './published-log.ts';
import type { IndexSections } from '../search/index-builder.ts';
import { highlightsOf, type TextRange } from '../search/highlights.ts';
import { NAMED, type Subject } from '../search/names.ts';
import { SearchIndex, type SearchResult, type SideName } from '../search/search-index.ts';
import { type LoadedSnapshot, requirePart } from './unpack.ts';

/** A document with the values of its headers. */
export interface Document {
  readonly path: DocumentPath;
  readonly contentType: string;
  /** The uncompressed body and its compressed forms. */
  readonly body: Buffer | BlockBody;
  readonly compressed: Readonly<Record<Encoding, Buffer>>;
  /** Identifies the content; with a suffix such as "-br" one of its compressed forms. */
  readonly tag: string;
  readonly changedAtSeconds: number;
  readonly isTopic: boolean;
}

/** The reviews from a day on: the newest `count`. */
export interface Since {
  readonly count: number;
  /** Identifies this subset. */
  readonly tag: string;
  /** When the subset last changed, including removals; seconds since 1970. */
  readonly changedAtSeconds: number;
}

/** `/reviews.json` without the reviews. */
interface DatasetHead {
  readonly business: Business;
  readonly aggregate_rating: AggregateRatingJson;
}

/** At most, the UTF-16 units of the texts of an answer: finding hits in them takes a tenth of a second. */
export const HIGHLIGHTED_CHARACTERS = 64 * 1024;

type Highlighter = (position: number, text: string, side?: SideName) => TextRange[] | null;

export class Snapshot {
  readonly number: number;
  /** What it takes in memory. */
  readonly bytes: number;
  readonly origin: string;
  /** The operator's choice when it was published; null follows the country of the business. */
  readonly siteLanguage: string | null;
  readonly documents: ReadonlyMap<DocumentPath, Document>;
  /** Null in snapshots of earlier versions. */
  readonly log: PublishedLog | null;
  /** Null if this server publishes none. */
  readonly logo: Logo | null;
  readonly header: HeaderPicture | null;
  readonly insights: InsightsReader;
  readonly details: DetailReader;
  /** Null in snapshots of earlier versions. */
  readonly manifestDetails: DetailsManifest | null;
  /** The body of `/reviews.json`. */
  readonly #dataset: Buffer;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #idOrder: Uint32Array;
  readonly #index: SearchIndex;
  readonly #sections: ReadonlyMap<string, unknown>;
  #head: DatasetHead | null = null;
  readonly #directories = new Map<MentionKind, Directory>();
  #locations: Directory | null = null;
  /** Newest first: the subset that starts at each day. */
  readonly #days: readonly (Omit<Since, 'count'> & { readonly date: string })[];
  readonly #nothingSince: Omit<Since, 'count'>;
  /** When the reviews of a day last changed, by day number; seconds since 1970. */
  readonly #dayChanges: ReadonlyMap<number, number>;

  constructor({ manifest, bodies, memory, indexAt, log }: LoadedSnapshot) {
    this.number = manifest.number;
    this.bytes = memory.buffer.byteLength;
    this.origin = manifest.origin;
    this.siteLanguage = manifest.siteLanguage;
    this.log = manifest.log && log ? new PublishedLog(manifest.log, log) : null;
    this.documents = new Map(
      DOCUMENT_PATHS.map((path) => [path, documentOf(path, manifest, bodies)]),
    );
    this.#dataset = (this.documents.get(ROUTES.getReviews.path) as Document).body as Buffer;
    const sections = unpackSections(new Uint8Array(memory.buffer, indexAt));
    this.#starts = sections.get('starts') as Uint32Array;
    this.#ends = sections.get('ends') as Uint32Array;
    this.#idOrder = sections.get('idOrder') as Uint32Array;
    this.#index = new SearchIndex(
      Object.fromEntries(sections) as unknown as IndexSections,
      memory,
      { bytes: this.#dataset.length, starts: this.#starts },
      this.language.strings.labels,
      (service) => this.#pricedOf(service),
    );
    this.#sections = sections;
    this.logo = readLogo(sections);
    this.header = readHeader(sections);
    this.insights = new InsightsReader(
      (this.documents.get(ROUTES.getInsights.path) as Document).body,
      Object.fromEntries(sections) as unknown as InsightsSections,
    );
    this.details = new DetailReader(Object.fromEntries(sections));
    this.manifestDetails = manifest.details ?? null;
    this.#nothingSince = { tag: hashOf('nothing'), changedAtSeconds: manifest.firstPublishedAt };
    this.#dayChanges = new Map(
      manifest.days.map(({ date, changedAt }) => [dayNumber(date), changedAt]),
    );
    let subset = this.#nothingSince;
    this.#days = manifest.days.map(({ date, hash, changedAt }) => {
      subset = {
        // A day without reviews adds nothing to the subset, but losing them changed it.
        tag: hash === null ? subset.tag : hashOf(subset.tag, hash),
        changedAtSeconds: Math.max(subset.changedAtSeconds, changedAt),
      };
      return { date, ...subset };
    });
  }

  get reviewCount(): number {
    return this.#starts.length;
  }

  /** Verified reviews that are not published, because they are hidden. */
  get hiddenCount(): number {
    const withheld = this.manifestDetails?.counts.withheld;
    return (withheld?.total ?? 0) - (withheld?.by_reason.not_verified ?? 0);
  }

  /** `/reviews.json` without the reviews. */
  get head(): DatasetHead {
    const end = this.#starts[0] ?? this.#dataset.length - ']}'.length;
    this.#head ??= JSON.parse(`${this.#dataset.toString('utf8', 0, end)}]}`) as DatasetHead;
    return this.#head;
  }

  get language(): Language {
    return languageOf(this.siteLanguage, this.head.business.address?.country);
  }

  /** The JSON of a review; not a copy. */
  reviewAt(position: number): Buffer {
    return this.#dataset.subarray(this.#starts[position], this.#ends[position]);
  }

  /** The JSON of the newest `count` reviews, separated by commas; not a copy. */
  newestReviews(count: number): Buffer {
    if (count === 0) return this.#dataset.subarray(0, 0);
    return this.#dataset.subarray(this.#starts[0], this.#ends[count - 1]);
  }

  idAt(position: number): string {
    return this.#index.idAt(position);
  }

  /** When the review at a position, or another one of its day, last changed; seconds since 1970. */
  changedAtSeconds(position: number): number {
    return this.#dayChanges.get(this.#index.dayAt(position)) as number;
  }

  /** The day of the review at a position, in days since 1970. */
  dayAt(position: number): number {
    return this.#index.dayAt(position);
  }

  /** The positions of the reviews that say what they paid for a service, ascending. */
  #pricedOf(service: string): Uint32Array {
    const paid = this.insights
      .part('prices')
      .mentions.filter((one) => one.kind === 'paid' && one.service === service);
    const found = new Set(paid.flatMap((one) => this.positionOf(one.review_id) ?? []));
    return Uint32Array.from(found).toSorted();
  }

  /** The position of a review; null if none has the id. */
  positionOf(id: string): number | null {
    const order = this.#idOrder;
    const index = lowerBound(order.length, (at) => this.idAt(order[at] as number) >= id);
    const position = order[index];
    return position !== undefined && this.idAt(position) === id ? position : null;
  }

  /** At most `limit` ids that start with a text; for an empty text those of the newest reviews. */
  idsFrom(start: string, limit: number): string[] {
    const order = this.#idOrder;
    const first =
      start && lowerBound(order.length, (at) => this.idAt(order[at] as number) >= start);
    const ids: string[] = [];
    for (let index = Number(first); index < order.length && ids.length < limit; index++) {
      const id = this.idAt(start === '' ? index : (order[index] as number));
      if (!id.startsWith(start)) break;
      ids.push(id);
    }
    return ids;
  }

  /** The language of the review at a position: an ISO 639-1 code, or null if unknown. */
  languageAt(position: number): string | null {
    return this.#index.languageAt(position);
  }

  /** A chart of the snapshot; null if there is none with that name. */
  picture(name: string): Buffer | null {
    return readPicture(this.#sections, name);
  }

  /** Positions of the reviews that mention an id, newest first; with a sentiment only those mentions. */
  mentioning(list: MentionKind, id: string, sentiment?: Sentiment): Uint32Array {
    return this.#index.mentioning(list, id, sentiment);
  }

  /** Finds what reviews mention by name; by its label in the language of the pages too. */
  directory(list: MentionKind): Directory {
    const known = this.#directories.get(list) ?? this.#buildDirectory(list);
    this.#directories.set(list, known);
    return known;
  }

  /** The values of sources, branches, attributes and part scores. */
  get fields(): FieldValues {
    return this.#index.fields;
  }

  /** Whether the business or a review has something of this name. */
  isNamed(list: MentionKind, name: string): boolean {
    return this.#index.isNamed(list, name);
  }

  /** The branches, by id, name and what sources call them. */
  get locations(): Directory {
    this.#locations ??= new Directory(
      (this.head.business.locations ?? []).map(({ id, name, aliases }) => ({
        id,
        label: name,
        names: [id, name, ...aliases],
      })),
    );
    return this.#locations;
  }

  #buildDirectory(list: MentionKind): Directory {
    const { labels } = this.language.strings;
    const names = this.#index.namesById(list);
    const shown: readonly { id: string; label?: string; name?: string }[] =
      list === 'aspects' || list === 'topics'
        ? this.insights.part(list)
        : this.insights.part('entities')[list];
    return new Directory(
      shown.map(({ id, name, label = name ?? id }) => ({
        id,
        label,
        names: [
          ...(names.get(id) ?? []),
          ...(Object.hasOwn(labels, label) ? [labels[label] as string] : []),
        ],
      })),
    );
  }

  /** What each telling word of a question means. */
  senses(words: WordQuery): Sense[] {
    return this.#index.senses(words);
  }

  search(filter: SearchFilter): SearchResult {
    return this.#index.search(filter);
  }

  cursorAfter(position: number, sort: Sort, rank: number | null): Cursor {
    return this.#index.cursorAfter(position, sort, rank);
  }

  /**
   * Finds where the texts of an answer have what a search is for. Null for a text that is not looked at, because with
   * it the answer would have more than `HIGHLIGHTED_CHARACTERS` of them.
   */
  highlighter(filter: SearchFilter, subjects: readonly Subject[]): Highlighter {
    const sought = {
      text: this.#index.sought(filter, 'text'),
      reply: this.#index.sought(filter, 'reply'),
    };
    let left = HIGHLIGHTED_CHARACTERS;
    return (position, text, side = 'text') => {
      const wanted = sought[side];
      if (wanted === null) return [];
      if (text.length > left) return null;
      left -= text.length;
      const evidence = side === 'text' ? this.#evidence(position, subjects) : [];
      return highlightsOf(text, wanted, evidence);
    };
  }

  /** The phrases of the review at a position that mention what the words of a search name. */
  #evidence(position: number, subjects: readonly Subject[]): string[] {
    if (subjects.length === 0) return [];
    const entry = this.insights.entry(position);
    return subjects.flatMap(({ kind, id, sentiment }) =>
      // Topics are ids without a phrase.
      (entry?.[NAMED[kind]] ?? []).flatMap((one) =>
        typeof one !== 'string' && one.id === id && (sentiment ?? one.sentiment) === one.sentiment
          ? [one.phrase]
          : [],
      ),
    );
  }

  /** The reviews from a date (YYYY-MM-DD) on. */
  since(date: string): Since {
    const end = lowerBound(
      this.#days.length,
      (at) => (this.#days[at] as { date: string }).date < date,
    );
    const { tag, changedAtSeconds } = this.#days[end - 1] ?? this.#nothingSince;
    return { count: this.#index.countSince(dayNumber(date)), tag, changedAtSeconds };
  }
}

function documentOf(
  path: DocumentPath,
  manifest: Manifest,
  bodies: ReadonlyMap<string, Uint8Array>,
): Document {
  const { contentType, topic } = DOCUMENTS[path];
  const { contentHash, changedAt, blocks } = manifest.documents[path];
  const bodyOf = (name: string) => {
    const body = requirePart(bodies, name);
    return Buffer.from(body.buffer, body.byteOffset, body.length);
  };
  return {
    path,
    contentType,
    body: blocks ? new BlockBody(bodyOf(`${path} blocks`)) : bodyOf(path),
    compressed: {
      br: bodyOf(`${path} br`),
      zstd: bodyOf(`${path} zstd`),
      gzip: bodyOf(`${path} gzip`),
    },
    tag: hashOf(contentHash, String(changedAt)),
    changedAtSeconds: changedAt,
    isTopic: topic,
  };
}
