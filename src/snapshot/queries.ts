// Queries over a snapshot, with JSON as answers. HTTP and MCP share them, so their answers are equal.

import type { Cursor } from '../model/cursor.ts';
import {
  type AspectAnswer,
  aspectAnswerSchema,
  type ServiceAnswer,
  type TechnicianAnswer,
} from '../model/answers.ts';
import { type Business, weekdayOf, WEEK } from '../model/business.ts';
import { Refusal } from '../errors.ts';
import { fold } from '../model/fold.ts';
import { WordQuery } from '../model/word-query.ts';
import type { Insights } from '../model/insights.ts';
import { type SearchFilter, standardSort } from '../model/search.ts';
import type { ReviewJson } from '../model/review.ts';
import type { TextRange } from '../search/highlights.ts';
import type { MentionKind } from '../search/mentions.ts';
import type { SearchResult, SideName } from '../search/search-index.ts';
import { NAMED, PARAMETERS, type Subject } from '../search/names.ts';
import { answersTo, type DirectAnswer, wordsOf } from './direct-answers.ts';
import { complaintsOf, factsOn, isMeant, peopleIn, searchForPerson } from './facts.ts';
import { isGuess, resolveNames } from './filter-names.ts';
import { type Detail, renderReview, withLessEvidence } from './passages.ts';
import { checkReview, renderTransparency } from './proofs.ts';
import { HIGHLIGHTED_CHARACTERS, type Snapshot } from './snapshot.ts';
import { verificationOf } from './verification.ts';

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

/** Bytes of a record whose text is looked at for highlights: a text that may be is shorter in UTF-8. */
const LONGEST_RECORD = 4 * HIGHLIGHTED_CHARACTERS;

/** The number of names that are suggested. */
const MAX_NAMES = 10;
/** The number of reviews in the answer about a technician or a service. */
const REVIEWS_SHOWN = 5;

const SUMMARY = [
  ...(['summary', 'pull_quote', 'pull_quote_review_id'] as const),
  ...(['review_count', 'date_range', 'overall_sentiment', 'model'] as const),
];

/** A cursor, and what encloses the reviews, take less. */
const BYTES_BESIDE = 100;

/** How a search answers an agent. */
interface ForAgent {
  readonly detail: Detail;
  /** Bytes of the answer, unless one review has more: the rest is on the next page. */
  readonly bytes: number;
}

/**
 * A page of the matching reviews, as pieces without copies. For an agent it has the addresses of the pages of reviews
 * and, but for whole ones, passages.
 * @throws {Refusal} if the filter names what does not exist
 */
export function renderSearch(
  snapshot: Snapshot,
  given: SearchFilter,
  agent: ForAgent | null = null,
): Uint8Array[] {
  const names = resolveNames(snapshot, given);
  if (!names.ok) throw new Refusal('invalid_request', names.issues);
  const { filter: asked, resolved, near } = names.value;
  const isBrief = agent !== null && agent.detail !== 'full';
  const ofPerson = isBrief ? searchForPerson(snapshot, asked) : null;
  const filter = ofPerson ?? asked;
  const found = snapshot.search(filter);
  const { matched, related, reasons, corrected, facets, suggestions } = found;
  const named = ofPerson
    ? snapshot.search({ words: asked.words, limit: 1 }).subjects
    : found.subjects;
  const subjects = named.filter((one) => isMeant(snapshot, asked, one));
  const facts = isBrief ? factsOn(snapshot, asked, subjects) : [];
  const direct = JSON.stringify(answersTo(snapshot, asked, subjects));
  const answers = JSON.parse(withLessEvidence(direct, agent?.detail ?? 'full')) as DirectAnswer[];
  const headOf = (positions: readonly number[], nextCursor: Cursor | null) =>
    JSON.stringify({
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
      ...(facts.length > 0 && { facts }),
      ...(near.length > 0 && { names: near.map(({ name }) => name) }),
      ...(agent && answers.length + near.length === 0 && noteOn(snapshot, asked, found)),
      ...(reasons &&
        !isBrief && {
          match: Object.fromEntries(
            positions.map((position, at) => [snapshot.idAt(position), reasons[at]]),
          ),
        }),
      ...(subjects.length > 0 && { subjects }),
      ...(facets && { facets }),
      ...(filter.highlight === true &&
        !isBrief &&
        highlightsById(snapshot, filter, { positions, subjects })),
      ...(suggestions.length > 0 && { suggestions }),
    });
  let { positions, nextCursor } = found;
  let head = headOf(positions, nextCursor);
  const records = agent
    ? takeFitting(
        recordsFor(agent, snapshot, filter, found),
        agent.bytes - Buffer.byteLength(head) - BYTES_BESIDE,
      )
    : positions.map((position) => snapshot.reviewAt(position));
  if (records.length < positions.length) {
    positions = positions.slice(0, records.length);
    const at = records.length - 1;
    const { sort = standardSort(filter) } = filter;
    nextCursor = snapshot.cursorAfter(positions[at] as number, sort, found.ranks?.[at] ?? null);
    head = headOf(positions, nextCursor);
  }
  return [
    Buffer.from(`${head.slice(0, -1)},"reviews":[`),
    ...records.flatMap((record, at) => (at === 0 ? [record] : [COMMA, record])),
    END,
  ];
}

/** The first records that are, with a comma, within a number of bytes; at least one. */
function takeFitting(records: Iterable<Buffer>, bytes: number): Buffer[] {
  const taken: Buffer[] = [];
  let left = bytes;
  for (const record of records) {
    left -= record.length + 1;
    if (left < 0 && taken.length > 0) break;
    taken.push(record);
  }
  return taken;
}

/** The reviews of a page as an agent gets them. */
function* recordsFor(
  { detail }: ForAgent,
  snapshot: Snapshot,
  filter: SearchFilter,
  { positions, reasons, subjects }: SearchResult,
): Generator<Buffer> {
  const highlight = snapshot.highlighter(filter, [...subjects, ...filteredBy(snapshot, filter)]);
  for (const [at, position] of positions.entries()) {
    const hitsIn = (text: string, side: SideName) => highlight(position, text, side) ?? [];
    yield Buffer.from(renderReview(snapshot, position, { detail, match: reasons?.[at], hitsIn }));
  }
}

/** What a filter selects by name, as if words named it. */
function filteredBy(snapshot: Snapshot, filter: SearchFilter): Subject[] {
  const { sentiment } = filter;
  return (Object.keys(PARAMETERS) as (keyof typeof PARAMETERS)[]).flatMap((kind) => {
    const name = filter[PARAMETERS[kind]];
    const one = name === undefined ? null : snapshot.directory(NAMED[kind]).find(name).one;
    return one === null ? [] : [{ kind, ...one, ...(sentiment && { sentiment }) }];
  });
}

/** The days of the week without opening hours, if there are any hours. */
function closedDays({ hours }: Business): string[] | undefined {
  const open = new Set(hours.flatMap(({ days }) => days.map(weekdayOf)));
  return hours.length === 0 ? undefined : WEEK.filter((_, day) => !open.has(day));
}

/** Says what is not known, so that an agent does not guess it, nor takes what it did not find for absent. */
function noteOn(
  snapshot: Snapshot,
  { problem, aspect, topic, words }: SearchFilter,
  { matched, related, positions }: SearchResult,
): { note?: string } {
  if ((problem ?? aspect ?? topic) !== undefined) {
    return {
      note: 'Counted by the label, which misses reviews that tell it otherwise: say "at least", and search "words" for more.',
    };
  }
  if (matched > 0) return {};
  const none = related
    ? `No review has all of these words, these ${positions.length} of ${related} have some.`
    : 'No review matches: do not guess.';
  return {
    note: `${none}${words ? countedWords(snapshot, words) : ''} If they do not tell, try other words; then tell what you searched and that you found none.`,
  };
}

/** How many reviews have each telling word, or another word for it. */
export function wordCounts(snapshot: Snapshot, words: WordQuery) {
  return snapshot.senses(words).map(({ word }) => {
    const { matched } = snapshot.search({ words: WordQuery.parse(`${word} `), limit: 1 });
    return { word, matched };
  });
}

/** The counts in words, and what the business says nothing of either. */
function countedWords(snapshot: Snapshot, words: WordQuery): string {
  const counts = wordCounts(snapshot, words);
  const own = new Set(wordsOf(JSON.stringify(snapshot.head.business)));
  const unsaid = counts.filter(({ word, matched }) => matched === 0 && !own.has(word));
  const absent = unsaid.map(({ word }) => `"${word}"`).join(', ');
  const told = counts.map(({ word, matched }) => `${word} ${matched}`).join(', ');
  return ` Reviews by word: ${told}.${absent && ` Nor does the business itself say ${absent}.`}`;
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

const NO_ASPECT = Object.fromEntries(
  Object.keys(aspectAnswerSchema.shape).map((key) => [key, null]),
) as unknown as AspectAnswer;

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

  /** What reviews mention, most mentioned first. */
  get entities(): Insights['entities'] {
    return this.snapshot.insights.part('entities');
  }

  /** A short answer has what customers ask for: how to reach the business, when, where, and what it sells. */
  business(detail: Detail = 'full'): string {
    const { reviewCount, head, insights } = this.snapshot;
    const { business, aggregate_rating } = head;
    const { name, description, url, telephone, email, address, hours, service_areas } = business;
    const services = business.services.map(({ label }) => label);
    const reached = { name, description, url, telephone, email, address, hours };
    const brief = { ...reached, closed: closedDays(business), service_areas, services };
    return this.#cached(`business ${detail}`, () => {
      const answer = {
        business: detail === 'short' ? brief : business,
        aggregate_rating,
        review_count: reviewCount,
        prices: insights.part('prices').medians,
        transparency: detail === 'short' ? undefined : renderTransparency(this.snapshot),
      };
      return withLessEvidence(JSON.stringify(answer), detail);
    });
  }

  /** Whether the review of an id is in the log, with the proof. */
  proof(id: string): string {
    return JSON.stringify(checkReview(this.snapshot, id));
  }

  /** How the review of an id was verified, and the counts of all; whether it is in the log, in full with the proof. */
  verification(id: string | undefined, detail: Detail): string {
    const { verified, problem, proof } = checkReview(this.snapshot, id ?? '');
    const ofLog = { verified, problem, proof: detail === 'full' ? proof : null };
    return JSON.stringify({ ...ofLog, ...verificationOf(this.snapshot, id) });
  }

  /** How many reviews there are, and of when: nothing is known of later. */
  data(): string {
    const { reviewCount: reviews, insights } = this.snapshot;
    return JSON.stringify({ reviews, ...insights.part('date_range') });
  }

  search(filter: SearchFilter, agent: ForAgent): string {
    return Buffer.concat(renderSearch(this.snapshot, filter, agent)).toString();
  }

  /** A review and its insights; both null if no review has the id. */
  review(id: string): string {
    const { snapshot } = this;
    const position = snapshot.positionOf(id);
    if (position === null) return '{"review":null,"insights":null}';
    const insights = snapshot.insights.entryJson(position) ?? 'null';
    const review = renderReview(snapshot, position, { detail: 'full' });
    return `{"review":${review},"insights":${insights}}`;
  }

  /** What reviews are about, and the problems that they report. */
  topics(detail: Detail = 'full'): string {
    return this.#cached(`topics ${detail}`, () => {
      const { insights } = this.snapshot;
      const { problems } = this.entities;
      const isFull = detail === 'full';
      const most = isFull ? Infinity : 1;
      const shown = problems.map(({ id, name, mention_count, average_rating, ...rest }) => {
        const example_review_ids = rest.example_review_ids.slice(0, most);
        return { id, label: name, mention_count, average_rating, example_review_ids };
      });
      const topics = insights.part('topics').map((one) => {
        const ids = one.example_review_ids.slice(0, most);
        return { ...one, ...(!isFull && { quotes: undefined }), example_review_ids: ids };
      });
      const facts = isFull ? [] : complaintsOf(this.snapshot);
      const answer = { topics, problems: shown, ...(facts.length > 0 && { facts }) };
      return withLessEvidence(JSON.stringify(answer), detail);
    });
  }

  summary(): string {
    const { insights } = this.snapshot;
    const members = SUMMARY.map((part) => `"${part}":${insights.jsonOf(part)}`);
    return this.#cached('summary', () => `{${members.join(',')}}`);
  }

  /** In a short answer the last twelve months. */
  trend(detail: Detail = 'full'): string {
    const { insights } = this.snapshot;
    if (detail === 'full') return insights.jsonOf('temporal');
    return this.#cached(`trend ${detail}`, () => {
      const { monthly, ...rest } = insights.part('temporal');
      const shown = detail === 'short' ? monthly.slice(-12) : monthly;
      return withLessEvidence(JSON.stringify({ monthly: shown, ...rest }), detail);
    });
  }

  /** The insights without the findings of each review. */
  overview(): string {
    return this.#cached('overview', () => this.snapshot.insights.overviewJson());
  }

  /**
   * The questions about what a text asks, or that contain it; without a text all. With a text also direct answers, and if
   * there is neither, what questions there are.
   */
  faq(query: string | undefined, detail: Detail = 'full'): string {
    const faq = this.snapshot.insights.part('faq');
    if (query === undefined || query === '') {
      return this.#cached(`faq ${detail}`, () => withLessEvidence(JSON.stringify({ faq }), detail));
    }
    const words = WordQuery.parse(query);
    const isShort = words.isShortEnough;
    const keysOf = (one: WordQuery) => this.snapshot.senses(one).map(({ keys }) => keys);
    const asked = isShort ? keysOf(words) : [];
    const sharedWith = (text: string) => {
      const keys = new Set(keysOf(WordQuery.parse(text)).flat());
      return asked.filter((each) => each.some((key) => keys.has(key))).length;
    };
    const shared = faq.map(({ question }) => sharedWith(question));
    const most = Math.max(1, asked.length / 2, ...shared);
    const about = faq.filter((_, at) => shared[at] === most);
    const needle = fold(query);
    const has = (text: string) => fold(text).includes(needle);
    const holding = faq.filter(({ question, answer }) => has(question) || has(answer));
    const found = about.length > 0 ? about : holding;
    const asking = { words, limit: 1 };
    const answers = (isShort ? answersTo(this.snapshot, asking, undefined, true) : []).filter(
      ({ text }) => !found.some(({ question }) => text.startsWith(question)),
    );
    const isNone = answers.length + found.length === 0;
    const answer = {
      ...(answers.length > 0 && { answers }),
      faq: found,
      ...(isNone && { questions: faq.map(({ question }) => question) }),
    };
    return withLessEvidence(JSON.stringify(answer), detail);
  }

  aspect(name: string): string {
    const found = this.#find('aspects', this.snapshot.insights.part('aspects'), name);
    const answer =
      found.one === null
        ? { ...NO_ASPECT, names: found.names }
        : { ...found.one, names: null, matched_as: found.matchedAs };
    return withLessEvidence(JSON.stringify(answer), 'normal');
  }

  /** A person is not guessed: one with a similar name is another one. */
  technician(name: string, detail: Detail = 'full'): string {
    const { technicians } = this.entities;
    const found = this.#find('technicians', technicians, name);
    if (found.one === null || isGuess(found.matchedAs)) {
      const names = found.one === null ? found.names : [found.one.name];
      const near = technicians.filter((one) => names.includes(one.name));
      const facts =
        detail !== 'full' && near.length < technicians.length ? this.#people(near, fold(name)) : [];
      const answer: TechnicianAnswer = { technician: null, reviews: [], names };
      return JSON.stringify({ ...answer, ...(facts.length > 0 && { facts }) });
    }
    const { one } = found;
    return this.#cached(`technician ${one.id} ${detail}`, () => {
      const reviews = this.#newest('technician', one.id, detail);
      const shown = withLessEvidence(JSON.stringify(one), detail);
      const told =
        detail === 'full' ? '' : `,"facts":${JSON.stringify(this.#people([one], one.id))}`;
      return `{"technician":${shown},"reviews":[${reviews.join(',')}],"names":null${told}}`;
    });
  }

  #people(people: readonly { readonly id: string }[], words: string): string[] {
    const subjects = people.map(({ id }) => ({ kind: 'technician', id, words }) as const);
    return peopleIn(this.snapshot, subjects);
  }

  service(name: string, detail: Detail = 'full'): string {
    const found = this.#find('services', this.entities.services, name);
    if (found.one === null) {
      const { names } = found;
      const answer: ServiceAnswer = { service: null, reviews: [], names, matched_as: null };
      return JSON.stringify(answer);
    }
    const { one, matchedAs } = found;
    const members = this.#cached(`service ${one.id} ${detail}`, () => {
      const reviews = this.#newest('service', one.id, detail);
      const shown = withLessEvidence(JSON.stringify(one), detail);
      return `"service":${shown},"reviews":[${reviews.join(',')}],"names":null`;
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

  /** JSON of the newest reviews that mention this id, not others of the same name; none in a short answer. */
  #newest(kind: 'technician' | 'service', id: string, detail: Detail): string[] {
    if (detail === 'short') return [];
    const { snapshot } = this;
    const highlight = snapshot.highlighter({ limit: 1 }, [{ kind, id, label: id }]);
    const positions = snapshot.mentioning(NAMED[kind], id).subarray(0, REVIEWS_SHOWN);
    return Array.from(positions, (position) => {
      const hitsIn = (text: string, side: SideName) => highlight(position, text, side) ?? [];
      return renderReview(snapshot, position, { detail, hitsIn });
    });
  }

  #cached(name: string, render: () => string): string {
    const json = this.#cache.get(name) ?? render();
    this.#cache.set(name, json);
    return json;
  }
}
