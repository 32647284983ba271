// Queries over a snapshot, with JSON as answers. HTTP and MCP share them, so their answers are equal.

import type { AspectAnswer, ServiceAnswer, TechnicianAnswer } from '../model/answers.ts';
import type { Business } from '../model/business.ts';
import { Refusal } from '../errors.ts';
import { fold } from '../model/fold.ts';
import type { AggregateRatingJson } from '../model/rating.ts';
import type { SearchFilter } from '../model/search.ts';
import type { ReviewJson } from '../model/review.ts';
import type { TextRange } from '../search/highlights.ts';
import type { MentionKind } from '../search/mentions.ts';
import type { SearchResult } from '../search/search-index.ts';
import { answersTo } from './direct-answers.ts';
import { isGuess, resolveNames } from './filter-names.ts';
import { checkReview, renderTransparency } from './proofs.ts';
import { HIGHLIGHTED_CHARACTERS, type Snapshot } from './snapshot.ts';
import { renderVerification } from './verification.ts';

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

/** Bytes of a record whose text is looked at for highlights: a text that may be is shorter in UTF-8. */
const LONGEST_RECORD = 4 * HIGHLIGHTED_CHARACTERS;

/** The number of names that are suggested. */
const MAX_NAMES = 10;
/** The number of reviews in the answer about a technician or a service. */
const REVIEWS_SHOWN = 5;

/** A page of the matching reviews, as pieces without copies. @throws {Refusal} if the filter names what does not exist */
export function renderSearch(snapshot: Snapshot, given: SearchFilter): Uint8Array[] {
  const names = resolveNames(snapshot, given);
  if (!names.ok) throw new Refusal('invalid_request', names.issues);
  const { filter, resolved, near } = names.value;
  const found = snapshot.search(filter);
  const answers = answersTo(snapshot, filter, found.subjects);
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
    filters: {
      ...given,
      ...(resolved.length > 0 && { resolved }),
      ...(corrected.length > 0 && { corrected }),
    },
    next_cursor: nextCursor,
    ...(answers.length > 0 && { answers }),
    ...(near.length > 0 && { names: near.map(({ name }) => name) }),
    ...(reasons && {
      match: Object.fromEntries(
        positions.map((position, at) => [snapshot.idAt(position), reasons[at]]),
      ),
    }),
    ...(subjects.length > 0 && { subjects }),
    ...(facets && { facets }),
    ...(filter.highlight === true && highlightsById(snapshot, filter, found)),
    ...(suggestions.length > 0 && { suggestions }),
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
): object {
  const highlights: Record<string, TextRange[]> = {};
  const inReplies: Record<string, TextRange[]> = {};
  const left: string[] = [];
  const highlight = snapshot.highlighter(filter, subjects);
  for (const position of positions) {
    const record = snapshot.reviewAt(position);
    const id = snapshot.idAt(position);
    // Parsing a long record takes as long as highlighting it.
    if (record.length > LONGEST_RECORD) {
      left.push(id);
      continue;
    }
    const { text, owner_reply: reply } = JSON.parse(record.toString()) as ReviewJson;
    const found = text === null ? [] : highlight(position, text);
    const inReply = reply === null ? [] : highlight(position, reply.text, 'reply');
    if (found === null || inReply === null) left.push(id);
    if (found !== null && found.length > 0) highlights[id] = found;
    if (inReply !== null && inReply.length > 0) inReplies[id] = inReply;
  }
  const isInReplies = filter.in !== undefined && filter.in !== 'text';
  return {
    highlights,
    ...(isInReplies && { reply_highlights: inReplies }),
    ...(left.length > 0 && { not_highlighted: left }),
  };
}

/** All reviews from a date on, as pieces without copies. */
export function renderSince(snapshot: Snapshot, date: string): Uint8Array[] {
  const { count } = snapshot.since(date);
  const head = JSON.stringify({ since: date, matched: count, returned: count });
  return [Buffer.from(`${head.slice(0, -1)},"reviews":[`), snapshot.newestReviews(count), END];
}

/** An entity with its displayed name. */
export interface Shown {
  readonly id: string;
  readonly name: string;
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

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
  }

  get businessRecord(): Business {
    return this.snapshot.head.business;
  }

  get aggregateRating(): AggregateRatingJson {
    return this.snapshot.head.aggregate_rating;
  }

  business(): string {
    const { reviewCount, head } = this.snapshot;
    const { business, aggregate_rating } = head;
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

  /** A review and its insights; both null if no review has the id. */
  review(id: string): string {
    const { snapshot } = this;
    const position = snapshot.positionOf(id);
    if (position === null) return '{"review":null,"insights":null}';
    const insights = snapshot.insights.entryJson(position) ?? 'null';
    return `{"review":${snapshot.reviewAt(position).toString()},"insights":${insights}}`;
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
    const found = this.#find('aspects', this.snapshot.insights.part('aspects'), name);
    const answer =
      found.one === null
        ? { ...NO_ASPECT, names: found.names }
        : { ...found.one, names: null, matched_as: found.matchedAs };
    return JSON.stringify(answer);
  }

  /** A person is not guessed: one with a similar name is another one. */
  technician(name: string): string {
    const { technicians } = this.snapshot.insights.part('entities');
    const found = this.#find('technicians', technicians, name);
    if (found.one === null || isGuess(found.matchedAs)) {
      const names = found.one === null ? found.names : [found.one.name];
      const answer: TechnicianAnswer = { technician: null, reviews: [], names };
      return JSON.stringify(answer);
    }
    const { one } = found;
    return this.#cached(`technician ${one.id}`, () => {
      const reviews = this.#newest('technicians', one.id);
      return `{"technician":${JSON.stringify(one)},"reviews":[${reviews.join(',')}],"names":null}`;
    });
  }

  service(name: string): string {
    const found = this.#find('services', this.snapshot.insights.part('entities').services, name);
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

  /** The insight about what a name means; or the names that it may mean, of people all. */
  #find<Insight extends { readonly id: string }>(
    list: MentionKind,
    insights: readonly Insight[],
    name: string,
  ) {
    const found = this.snapshot.directory(list).find(name);
    if (found.one !== null) {
      const { id } = found.one;
      const one = insights.find((insight) => insight.id === id) as Insight;
      return { one, matchedAs: found.matchedAs };
    }
    const most = list === 'technicians' ? Infinity : MAX_NAMES;
    return {
      one: null,
      matchedAs: null,
      names: found.candidates.slice(0, most).map(({ label }) => label),
    };
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

  #cached(name: string, render: () => string): string {
    const json = this.#cache.get(name) ?? render();
    this.#cache.set(name, json);
    return json;
  }
}
