// Answers to questions about the current snapshot, as JSON. HTTP and MCP both give these, so that
// they cannot differ.

import type { AspectAnswer, ServiceAnswer, TechnicianAnswer } from '../model/answers.ts';
import { ASPECT_WORDS } from '../model/aspect-words.ts';
import type { Business } from '../model/business.ts';
import { fold } from '../model/fold.ts';
import type { AggregateRatingJson } from '../model/rating.ts';
import type { SearchFilter } from '../model/search.ts';
import { Directory, type Named } from './directory.ts';
import type { Snapshot } from './snapshot.ts';

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

/** How many reviews are shown of a technician or a service. */
const SHOWN = 5;

/** A page of the reviews that match every filter, in pieces that are not copied. */
export function renderSearch(snapshot: Snapshot, filter: SearchFilter): Uint8Array[] {
  const { matched, positions, nextCursor } = snapshot.search(filter);
  const head = JSON.stringify({
    matched,
    returned: positions.length,
    filters: filter,
    next_cursor: nextCursor,
  });
  const pieces: Uint8Array[] = [Buffer.from(`${head.slice(0, -1)},"reviews":[`)];
  positions.forEach((position, place) => {
    if (place > 0) pieces.push(COMMA);
    pieces.push(snapshot.reviewAt(position));
  });
  pieces.push(END);
  return pieces;
}

/** Every review of a date and after, in pieces that are not copied. */
export function renderSince(snapshot: Snapshot, date: string): Uint8Array[] {
  const { count } = snapshot.since(date);
  const head = JSON.stringify({ since: date, matched: count, returned: count });
  return [Buffer.from(`${head.slice(0, -1)},"reviews":[`), snapshot.newestReviews(count), END];
}

/** A review and what was found in it; both null where none has the id. */
export function renderReview(snapshot: Snapshot, id: string): string {
  const position = snapshot.positionOf(id);
  if (position === null) return '{"review":null,"insights":null}';
  const insights = snapshot.insights.entryJson(position) ?? 'null';
  return `{"review":${snapshot.reviewAt(position).toString()},"insights":${insights}}`;
}

/** Something that has an id, and a name as it is shown. */
export interface Shown {
  readonly id: string;
  readonly name: string;
}

/** What `/reviews.json` says beside the reviews. */
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

/**
 * Answers to questions about one snapshot. What is made from parts of it is made when it is first
 * asked for, and kept.
 */
export class Answers {
  readonly snapshot: Snapshot;
  readonly #kept = new Map<string, string>();
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
    return this.#keep('business', () =>
      JSON.stringify({ business, aggregate_rating, review_count: reviewCount }),
    );
  }

  search(filter: SearchFilter): string {
    return Buffer.concat(renderSearch(this.snapshot, filter)).toString();
  }

  review(id: string): string {
    return renderReview(this.snapshot, id);
  }

  topics(): string {
    return this.#keep('topics', () => this.#members(['topics']));
  }

  summary(): string {
    return this.#keep('summary', () =>
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

  /** Insights without what was found in each review. */
  overview(): string {
    return this.#keep('overview', () => this.snapshot.insights.overviewJson());
  }

  /** The questions and answers that have a text, folded, in either; all of them without one. */
  faq(query?: string): string {
    if (query === undefined || query === '') return this.#keep('faq', () => this.#members(['faq']));
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
    return this.#keep(`technician ${one.id}`, () => {
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
    const members = this.#keep(`service ${one.id}`, () => {
      const reviews = this.#newest('services', one.id);
      return `"service":${JSON.stringify(one)},"reviews":[${reviews.join(',')}],"names":null`;
    });
    return `{${members},"matched_as":${JSON.stringify(matchedAs)}}`;
  }

  /** The technicians that reviews mention, the most mentioned first. */
  technicians(): readonly Shown[] {
    return this.snapshot.insights.part('entities').technicians;
  }

  services(): readonly Shown[] {
    return this.snapshot.insights.part('entities').services.map(({ id, label }) => ({
      id,
      name: label,
    }));
  }

  /** Everybody or everything of a list, by every name that search takes. */
  #directoryOf(list: 'aspects' | 'technicians' | 'services'): Directory<Named> {
    const made = this.#directories.get(list) ?? this.#makeDirectory(list);
    this.#directories.set(list, made);
    return made;
  }

  #makeDirectory(list: 'aspects' | 'technicians' | 'services'): Directory<Named> {
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
    // What is an id or a label is no alias of another service.
    const own = new Set(services.flatMap(({ id, label }) => [fold(id), fold(label)]));
    return new Directory(
      insights.part('entities').services,
      ({ id, label }) => [label, id],
      ({ id }) => (aliases.get(id) ?? []).filter((alias) => !own.has(fold(alias))),
    );
  }

  /** JSON of the newest reviews that mention just this one, whoever else has the same name. */
  #newest(list: 'technicians' | 'services', id: string): string[] {
    const { snapshot } = this;
    const positions = snapshot.mentioning(list, id).subarray(0, SHOWN);
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

  #keep(name: string, make: () => string): string {
    const made = this.#kept.get(name) ?? make();
    this.#kept.set(name, made);
    return made;
  }
}
