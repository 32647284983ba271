// Queries over a snapshot, with JSON as answers. HTTP and MCP share them, so their answers are equal.

import type { AspectAnswer, ServiceAnswer, TechnicianAnswer } from '../model/answers.ts';
import { ASPECT_WORDS } from '../model/aspect-words.ts';
import type { Business } from '../model/business.ts';
import { fold } from '../model/fold.ts';
import type { AggregateRatingJson } from '../model/rating.ts';
import type { SearchFilter } from '../model/search.ts';
import type { ReviewJson } from '../model/review.ts';
import type { TextRange } from '../search/highlights.ts';
import type { SearchResult } from '../search/search-index.ts';
import { Directory, type Named } from './directory.ts';
import { checkReview, renderTransparency } from './proofs.ts';
import { HIGHLIGHTED_CHARACTERS, type Snapshot } from './snapshot.ts';
import { renderVerification } from './verification.ts';

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

/** Bytes of a record whose text is looked at for highlights: a text that may be is shorter in UTF-8. */
const LONGEST_RECORD = 4 * HIGHLIGHTED_CHARACTERS;
const NOT_READ = { text: undefined };

/** The number of reviews in the answer about a technician or a service. */
const REVIEWS_SHOWN = 5;

/** A page of the matching reviews, as pieces without copies. */
export function renderSearch(snapshot: Snapshot, filter: SearchFilter): Uint8Array[] {
  const found = snapshot.search(filter);
  const {
    matched,
    related,
    positions,
    reasons,
    nextCursor,
    subjects,
    corrected,
    facets,
    suggestions,
  } = found;
  const head = JSON.stringify({
    matched,
    ...(related === null ? {} : { related }),
    returned: positions.length,
    filters: corrected.length === 0 ? filter : { ...filter, corrected },
    next_cursor: nextCursor,
    ...(reasons === null
      ? {}
      : {
          match: Object.fromEntries(
            positions.map((position, at) => [snapshot.idAt(position), reasons[at]]),
          ),
        }),
    ...(subjects.length === 0 ? {} : { subjects }),
    ...(facets === null ? {} : { facets }),
    ...(filter.highlight === true ? highlightsById(snapshot, filter, found) : {}),
    ...(suggestions.length === 0 ? {} : { suggestions }),
  });
  const pieces: Uint8Array[] = [Buffer.from(`${head.slice(0, -1)},"reviews":[`)];
  positions.forEach((position, index) => {
    if (index > 0) pieces.push(COMMA);
    pieces.push(snapshot.reviewAt(position));
  });
  pieces.push(END);
  return pieces;
}

/** The ranges of hits by the id of the review, where there are any; and the reviews that were not looked at, if any. */
function highlightsById(
  snapshot: Snapshot,
  filter: SearchFilter,
  { positions, subjects }: Pick<SearchResult, 'positions' | 'subjects'>,
): { highlights: Record<string, TextRange[]>; not_highlighted?: string[] } {
  const highlights: Record<string, TextRange[]> = {};
  const left: string[] = [];
  const highlight = snapshot.highlighter(filter, subjects);
  for (const position of positions) {
    const record = snapshot.reviewAt(position);
    const id = snapshot.idAt(position);
    // Parsing a long record takes as long as highlighting it.
    const { text } =
      record.length > LONGEST_RECORD ? NOT_READ : (JSON.parse(record.toString()) as ReviewJson);
    const found = text === null ? [] : text === undefined ? null : highlight(position, text);
    if (found === null) left.push(id);
    else if (found.length > 0) highlights[id] = found;
  }
  return { highlights, ...(left.length > 0 && { not_highlighted: left }) };
}

/** All reviews from a date on, as pieces without copies. */
export function renderSince(snapshot: Snapshot, date: string): Uint8Array[] {
  const { count } = snapshot.since(date);
  const head = JSON.stringify({ since: date, matched: count, returned: count });
  return [Buffer.from(`${head.slice(0, -1)},"reviews":[`), snapshot.newestReviews(count), END];
}

/** A review and its insights; both null if no review has the id. */
export function renderReview(snapshot: Snapshot, id: string): string {
  const position = snapshot.positionOf(id);
  if (position === null) return '{"review":null,"insights":null}';
  const insights = snapshot.insights.entryJson(position) ?? 'null';
  return `{"review":${snapshot.reviewAt(position).toString()},"insights":${insights}}`;
}

/** An entity with its displayed name. */
export interface Shown {
  readonly id: string;
  readonly name: string;
}

/** `/reviews.json` without the reviews. */
interface DatasetHead {
  readonly business: Business;
  readonly aggregate_rating: AggregateRatingJson;
}

const NO_ASPECT: AspectAnswer = {
  id: null,
  label: null,
  mention_count: null,
  positive_count: null,
  neutral_count: null,
  negative_count: null,
  positive_pct: null,
  score: null,
  top_phrases: null,
  example_review_ids: null,
  names: null,
  matched_as: null,
};

/** Answers to queries over one snapshot; computed on first use and cached. */
export class SnapshotQueries {
  readonly snapshot: Snapshot;
  readonly #cache = new Map<string, string>();
  readonly #directories = new Map<string, Directory<Named>>();
  #head: DatasetHead | null = null;

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
  }

  get businessRecord(): Business {
    return this.#readHead().business;
  }

  get aggregateRating(): AggregateRatingJson {
    return this.#readHead().aggregate_rating;
  }

  business(): string {
    const { business, aggregate_rating } = this.#readHead();
    const { reviewCount } = this.snapshot;
    return this.#cached('business', () =>
      JSON.stringify({
        business,
        aggregate_rating,
        review_count: reviewCount,
        transparency: renderTransparency(this.snapshot),
      }),
    );
  }

  /** Whether the review of an id is in the log, with the proof. */
  proof(id: string): string {
    return JSON.stringify(checkReview(this.snapshot, id));
  }

  /** How the review of an id was verified, and the counts of all. */
  verification(id?: string): string {
    return renderVerification(this.snapshot, id);
  }

  search(filter: SearchFilter): string {
    return Buffer.concat(renderSearch(this.snapshot, filter)).toString();
  }

  review(id: string): string {
    return renderReview(this.snapshot, id);
  }

  topics(): string {
    return this.#cached('topics', () => this.#members(['topics']));
  }

  summary(): string {
    return this.#cached('summary', () =>
      this.#members([
        'summary',
        'pull_quote',
        'pull_quote_review_id',
        'review_count',
        'date_range',
        'overall_sentiment',
        'model',
      ]),
    );
  }

  trend(): string {
    return this.snapshot.insights.jsonOf('temporal');
  }

  /** The insights without the findings of each review. */
  overview(): string {
    return this.#cached('overview', () => this.snapshot.insights.overviewJson());
  }

  /** The questions that contain a text in question or answer, ignoring case and accents; without a text all. */
  faq(query?: string): string {
    if (query === undefined || query === '')
      return this.#cached('faq', () => this.#members(['faq']));
    const needle = fold(query);
    const has = (text: string) => fold(text).includes(needle);
    const faq = this.snapshot.insights.part('faq');
    return JSON.stringify({
      faq: faq.filter(({ question, answer }) => has(question) || has(answer)),
    });
  }

  aspect(name: string): string {
    const found = this.#directoryOf('aspects').find(name);
    const answer =
      found.one === null
        ? { ...NO_ASPECT, names: found.names }
        : { ...found.one, names: null, matched_as: found.matchedAs };
    return JSON.stringify(answer);
  }

  technician(name: string): string {
    const found = this.#directoryOf('technicians').find(name);
    if (found.one === null) {
      const answer: TechnicianAnswer = { technician: null, reviews: [], names: found.names };
      return JSON.stringify(answer);
    }
    const { one } = found;
    return this.#cached(`technician ${one.id}`, () => {
      const reviews = this.#newest('technicians', one.id);
      return `{"technician":${JSON.stringify(one)},"reviews":[${reviews.join(',')}],"names":null}`;
    });
  }

  service(name: string): string {
    const found = this.#directoryOf('services').find(name);
    if (found.one === null) {
      const { names } = found;
      const answer: ServiceAnswer = { service: null, reviews: [], names, matched_as: null };
      return JSON.stringify(answer);
    }
    const { one, matchedAs } = found;
    const members = this.#cached(`service ${one.id}`, () => {
      const reviews = this.#newest('services', one.id);
      return `"service":${JSON.stringify(one)},"reviews":[${reviews.join(',')}],"names":null`;
    });
    return `{${members},"matched_as":${JSON.stringify(matchedAs)}}`;
  }

  /** The technicians that reviews mention, most mentioned first. */
  technicians(): readonly Shown[] {
    return this.snapshot.insights.part('entities').technicians;
  }

  services(): readonly Shown[] {
    return this.snapshot.insights.part('entities').services.map(({ id, label }) => ({
      id,
      name: label,
    }));
  }

  /** The directory of a list, with every name that search accepts. */
  #directoryOf(list: 'aspects' | 'technicians' | 'services'): Directory<Named> {
    const directory = this.#directories.get(list) ?? this.#buildDirectory(list);
    this.#directories.set(list, directory);
    return directory;
  }

  #buildDirectory(list: 'aspects' | 'technicians' | 'services'): Directory<Named> {
    const { insights } = this.snapshot;
    if (list === 'technicians') {
      const aliases = new Map(
        this.businessRecord.technicians.map((known) => [known.id, known.aliases]),
      );
      return new Directory(insights.part('entities').technicians, ({ id, name }) => [
        name,
        id,
        ...(aliases.get(id) ?? []),
      ]);
    }
    if (list === 'aspects') {
      return new Directory(
        insights.part('aspects'),
        ({ id, label }) => [label, id],
        ({ id }) => ASPECT_WORDS.get(id) ?? [],
      );
    }
    const { services } = this.businessRecord;
    const aliases = new Map(services.map((known) => [known.id, known.aliases]));
    // Ids and labels take precedence over aliases of other services.
    const own = new Set(services.flatMap(({ id, label }) => [fold(id), fold(label)]));
    return new Directory(
      insights.part('entities').services,
      ({ id, label }) => [label, id],
      ({ id }) => (aliases.get(id) ?? []).filter((alias) => !own.has(fold(alias))),
    );
  }

  /** JSON of the newest reviews that mention this id, not others of the same name. */
  #newest(list: 'technicians' | 'services', id: string): string[] {
    const { snapshot } = this;
    const positions = snapshot.mentioning(list, id).subarray(0, REVIEWS_SHOWN);
    return Array.from(positions, (position) => snapshot.reviewAt(position).toString());
  }

  #members(parts: readonly Parameters<Snapshot['insights']['jsonOf']>[0][]): string {
    const members = parts.map((part) => `"${part}":${this.snapshot.insights.jsonOf(part)}`);
    return `{${members.join(',')}}`;
  }

  #readHead(): DatasetHead {
    this.#head ??= JSON.parse(this.snapshot.datasetHead()) as DatasetHead;
    return this.#head;
  }

  #cached(name: string, render: () => string): string {
    const json = this.#cache.get(name) ?? render();
    this.#cache.set(name, json);
    return json;
  }
}
