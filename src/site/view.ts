// The current snapshot, prepared for pages.

import type { Business, Location } from '../model/business.ts';
import type { Insights, ReviewInsights, Sentiment } from '../model/insights.ts';
import { headerPath, logoPath } from '../model/business-pictures.ts';
import { lineageOf } from '../model/verticals.ts';
import type { AggregateRatingJson } from '../model/rating.ts';
import type { ReviewJson } from '../model/review.ts';
import type { OpenApi } from '../model/openapi.ts';
import { SnapshotQueries } from '../snapshot/queries.ts';
import type { MentionKind } from '../search/mentions.ts';
import type { Language } from '../strings/language.ts';
import type { Format } from '../strings/format.ts';
import type { Strings } from '../strings/strings.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import jobs from './parts/jobs.json' with { type: 'json' };
import { safeLink, subjectLink } from './parts/links.ts';

/** A review with its insights and language. */
export interface ShownReview {
  /** In the snapshot. */
  readonly position: number;
  readonly review: ReviewJson;
  readonly insights: ReviewInsights | null;
  /** ISO 639-1 code, or null. */
  readonly language: string | null;
  /** UTF-16 units of the title, with which the text begins; 0 if there is none. */
  readonly titleLength: number;
}

/** A technician, service, service area, problem, aspect or topic that reviews mention. Each has a page. */
export interface Subject {
  readonly list: MentionKind;
  readonly id: string;
  readonly name: string;
  readonly mentionCount: number;
}

/** A branch of the business. */
export interface Branch extends Location {
  readonly average_rating: number | null;
  readonly review_count: number;
}

/** Options of pages, in addition to the snapshot. */
export interface ViewOptions {
  /** The colour of the operator, hexadecimal. */
  readonly color?: string;
  /** Path of the icon that was made from the logo. */
  readonly icon?: string | null;
  /** Whether the pages are exported as static files, without search. */
  readonly isStatic?: boolean;
  /** The default is the language that the snapshot was published in. */
  readonly language?: Language | undefined;
  /** Whether search engines may index the pages of people. */
  readonly isIndexingPeople?: boolean;
  /** Makes `/openapi.json`, for the reference. */
  readonly openApi?: () => OpenApi;
}

/** Lists whose labels may be English in another language. */
const TRANSLATED: ReadonlySet<MentionKind> = new Set(['aspects', 'topics', 'problems', 'services']);

/** One or two reviews make no topic, which has no page then, no pattern of complaints, and no opinion of customers. */
const FEWEST = 3;

/** Topics that are jobs. A business with a catalogue of services has them there, with more about each. */
const JOBS: ReadonlySet<string> = new Set(jobs);

const SMALL = 10;

/** As the setting SITE_COLOR has it. */
export const DEFAULT_COLOR = '#1f5c4d';

const NOTHING = { tags: [], paths: {}, components: {} };
const NO_INTERFACE = { info: { description: '' }, ...NOTHING } as unknown as OpenApi;

export class View {
  readonly snapshot: Snapshot;
  readonly queries: SnapshotQueries;
  readonly isStatic: boolean;
  /** The colour of the operator, hexadecimal. */
  readonly color: string;
  readonly language: Language;
  readonly isIndexingPeople: boolean;
  /** Path of the icon that was made from the logo; null if there is none. */
  readonly icon: string | null;
  /** Makes `/openapi.json`. */
  readonly openApi: () => OpenApi;
  #branches: readonly Branch[] | null = null;
  readonly #subjects = new Map<MentionKind, readonly Subject[]>();
  readonly #byId = new Map<MentionKind, ReadonlyMap<string, { readonly id: string }>>();

  constructor(snapshot: Snapshot, options: ViewOptions = {}) {
    const {
      icon = null,
      isStatic = false,
      color = DEFAULT_COLOR,
      isIndexingPeople = false,
      language,
      openApi = () => NO_INTERFACE,
    } = options;
    this.snapshot = snapshot;
    this.queries = new SnapshotQueries(snapshot);
    this.isStatic = isStatic;
    this.color = color;
    this.isIndexingPeople = isIndexingPeople;
    this.openApi = openApi;
    this.language = language ?? snapshot.language;
    this.icon = icon;
  }

  get origin(): string {
    return this.snapshot.origin;
  }

  /** The texts of the pages. What a restaurant serves is not called a service. */
  get strings(): Strings {
    const { strings } = this.language;
    if (!lineageOf(this.business.vertical).includes('restaurants')) return strings;
    const { dishes, home } = strings;
    const all = { ...home.all, services: home.all.dishes };
    return { ...strings, services: dishes, home: { ...home, all } };
  }

  /** The heading of a list. */
  titleOf(list: MentionKind): string {
    const { layout, complaints, people, places, services, topics } = this.strings;
    return {
      aspects: layout.whatCustomersSay,
      problems: complaints,
      service_areas: places,
      services,
      technicians: people,
      topics,
    }[list];
  }

  get format(): Format {
    return this.language.format;
  }

  /** The label of an aspect, topic or problem in the language of the pages, from its label in insights. */
  labelOf(label: string): string {
    const { labels } = this.strings;
    return Object.hasOwn(labels, label) ? (labels[label] as string) : label;
  }

  /** How a review was verified, in the language of the pages where that is known. */
  methodOf(method: string): string {
    return this.strings.verification.names[method] ?? method;
  }

  get business(): Business {
    return this.queries.businessRecord;
  }

  /** The path of our own logo, or the address of one elsewhere; null without one. */
  get logo(): string | null {
    const { logo } = this.snapshot;
    return logo === null ? safeLink(this.business.logo_url) : logoPath(logo);
  }

  /** The picture at the top of the first page, with its path if it is our own; null without one. */
  get header(): { readonly url: string; readonly width: number; readonly height: number } | null {
    const { header } = this.snapshot;
    const shown = this.business.site?.header ?? null;
    if (shown === null) return null;
    return header === null ? shown : { ...shown, url: headerPath(header) };
  }

  /** Whether our own logo has a variant for dark pages. */
  get hasDarkLogo(): boolean {
    const { logo } = this.snapshot;
    return logo !== null && Buffer.from(logo.bytes).includes('prefers-color-scheme');
  }

  get rating(): AggregateRatingJson {
    return this.queries.snapshot.head.aggregate_rating;
  }

  /** Whether more reviews have one or two stars than four or five. */
  get isMostlyBad(): boolean {
    const { '1': one, '2': two, '4': four, '5': five } = this.rating.distribution;
    return one + two > four + five;
  }

  /** Whether there are too few reviews for more than to show them: no figures, no patterns. */
  get isSmall(): boolean {
    return this.snapshot.reviewCount < SMALL;
  }

  /** The branches with their scores. */
  get branches(): readonly Branch[] {
    return (this.#branches ??= this.#buildBranches());
  }

  #buildBranches(): readonly Branch[] {
    const scores = new Map(this.insights('locations')?.map((one) => [one.id, one]));
    return (this.business.locations ?? []).map((location) => ({
      ...location,
      average_rating: scores.get(location.id)?.average_rating ?? null,
      review_count: scores.get(location.id)?.review_count ?? 0,
    }));
  }

  /** At most so many of the newest reviews. */
  newest(most: number): readonly ShownReview[] {
    const count = Math.min(most, this.snapshot.reviewCount);
    return this.reviewsAt(Array.from({ length: count }, (_, position) => position));
  }

  /** A link to a subject's page, filtered by sentiment unless the pages are static. */
  sentimentLink(list: MentionKind, id: string, sentiment: Sentiment | undefined): string {
    return subjectLink(list, id, this.isStatic ? {} : { sentiment });
  }

  insights<Part extends Exclude<keyof Insights, 'per_review'>>(part: Part): Insights[Part] {
    return this.snapshot.insights.part(part);
  }

  reviewAt(position: number): ShownReview {
    return {
      position,
      review: JSON.parse(this.snapshot.reviewAt(position).toString()) as ReviewJson,
      insights: this.snapshot.insights.entry(position),
      language: this.snapshot.languageAt(position),
      titleLength: this.snapshot.details.titleLengthAt(position),
    };
  }

  reviewsAt(positions: Iterable<number>): ShownReview[] {
    return Array.from(positions, (position) => this.reviewAt(position));
  }

  /** Reviews by id. Unknown ids are skipped. */
  reviewsOf(ids: readonly string[]): ShownReview[] {
    return ids.flatMap((id) => {
      const position = this.snapshot.positionOf(id);
      return position === null ? [] : [this.reviewAt(position)];
    });
  }

  /** Whether search engines may index the list and its pages. */
  isIndexed(list: MentionKind): boolean {
    return list !== 'technicians' || this.isIndexingPeople;
  }

  /** All subjects of a list that reviews mention, most mentioned first. */
  subjects(list: MentionKind): readonly Subject[] {
    const subjects = this.#subjects.get(list) ?? this.#buildSubjects(list);
    this.#subjects.set(list, subjects);
    return subjects;
  }

  /** The subjects with enough evidence to be listed. The others have pages, to which their reviews lead. */
  listedSubjects(list: MentionKind): readonly Subject[] {
    const least = list === 'problems' || list === 'aspects' ? FEWEST : 1;
    const isDouble = list === 'topics' && this.subjects('services').length > 0;
    const subjects = this.subjects(list);
    // People who have left are a list only beside others.
    const isPast = ({ id }: Subject) => this.subject('technicians', id)?.active === false;
    if (list === 'technicians' && subjects.every(isPast)) return [];
    return subjects.filter(
      ({ id, mentionCount }) => mentionCount >= least && !(isDouble && JOBS.has(id)),
    );
  }

  #buildSubjects(list: MentionKind): Subject[] {
    // What all who mention it leave unjudged says nothing.
    const isJudged = ({ id }: { readonly id: string }) => {
      const aspect = list === 'aspects' ? this.subject(list, id) : null;
      return aspect === null || aspect.positive_count + aspect.negative_count > 0;
    };
    return this.#mentioned(list)
      .filter(isJudged)
      .map((record) => ({
        list,
        id: record.id,
        name: this.nameOf(list, record),
        mentionCount: record.mention_count,
      }))
      .toSorted((a, b) => b.mentionCount - a.mentionCount);
  }

  /** The name to show of a subject. Names, and labels of services that are not common, stay as the operator has them. */
  nameOf(
    list: MentionKind,
    subject: { readonly name: string } | { readonly label: string },
  ): string {
    const name = 'label' in subject ? subject.label : subject.name;
    return TRANSLATED.has(list) ? this.labelOf(name) : name;
  }

  /** The insight about a subject, or null if no review mentions it. */
  subject<List extends MentionKind>(list: List, id: string): InsightOf<List> | null {
    const made =
      this.#byId.get(list) ?? new Map(this.#mentioned(list).map((record) => [record.id, record]));
    this.#byId.set(list, made);
    return (made.get(id) as InsightOf<List> | undefined) ?? null;
  }

  #mentioned<List extends MentionKind>(list: List): readonly InsightOf<List>[] {
    const insights: readonly InsightOf<List>[] = this.#insightsOf(list);
    return insights.filter(({ mention_count: count }) => count >= (list === 'topics' ? FEWEST : 1));
  }

  #insightsOf<List extends MentionKind>(list: List): readonly InsightOf<List>[] {
    const insights: Record<MentionKind, readonly { readonly id: string }[]> = {
      ...this.insights('entities'),
      aspects: this.insights('aspects'),
      topics: this.insights('topics'),
    };
    return insights[list] as readonly InsightOf<List>[];
  }
}

type InsightOf<List extends MentionKind> = List extends 'aspects' | 'topics'
  ? Insights[List][number]
  : Insights['entities'][List & keyof Insights['entities']][number];
