// Compares samples of what readers get elsewhere with the proven reviews: of search, single reviews, feeds and pages. A
// server that shows one dataset to who verifies it and another to readers has to guess which samples are drawn.

import { fold } from '../model/fold.ts';
import { fillPath, ROUTES } from '../model/routes.ts';
import { splitWords } from '../model/words.ts';
import type { JsonValue } from './canonical.ts';
import { NotFoundError } from './fetch.ts';
import {
  isObject,
  isSame,
  LogProblem,
  type PublishedReview,
  readJson,
  type ReadPath,
} from './served.ts';

/** Reviews that are read one by one; half of them have the fewest stars, which there is most reason to hide. */
const SINGLE_REVIEWS = 6;
/** The newest reviews that feeds and the first page of reviews must have; each has at least as many. */
const NEWEST = 10;
const SEARCH_LIMIT = 100;
const MOST_PAGES = 5;
/** Words of a search for a review, and of a text that a page must have. */
const SEARCHED_WORDS = 4;
const COMPARED_WORDS = 12;
const LONGEST_ANSWER = 64 * 1024 * 1024;
const STARS = [1, 2, 3, 4, 5] as const;

/** How many of each were compared. A static copy answers no searches, and no single reviews as JSON. */
export interface Samples {
  readonly searches: number;
  readonly reviews: number;
  readonly pages: number;
  readonly feeds: number;
}

/**
 * Compares the samples that `random` (from 0 to below 1) draws, in at most 60 requests.
 *
 * @throws {LogProblem} with the first that differs
 */
export async function compareSamples(
  read: ReadPath,
  reviews: readonly PublishedReview[],
  random: () => number,
): Promise<Samples> {
  const published = new Published(read, reviews);
  const drawn = drawReviews(reviews, random);
  const searches = await compareSearches(published, drawn, random);
  for (const review of drawn) {
    if (searches > 0) await published.compareSingle(review);
    await published.comparePage(review);
  }
  await published.compareLists();
  return {
    searches,
    reviews: searches > 0 ? drawn.length : 0,
    pages: drawn.length + 1,
    feeds: 2,
  };
}

/** Draws without repetition, so that as many are compared whatever `random` says. */
function drawReviews(
  reviews: readonly PublishedReview[],
  random: () => number,
): readonly PublishedReview[] {
  const fewest = reviews.reduce((least, { rating }) => Math.min(least, rating), 5);
  const low = reviews.filter(({ rating }) => rating === fewest);
  const drawn = drawFrom(low, SINGLE_REVIEWS / 2, random);
  const others = reviews.filter((review) => !drawn.includes(review));
  return [...drawn, ...drawFrom(others, SINGLE_REVIEWS - drawn.length, random)];
}

function drawFrom<T>(items: readonly T[], count: number, random: () => number): readonly T[] {
  const left = [...items];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0] as T,
  );
}

/** Returns the number of searches; 0 if nothing answers them. */
async function compareSearches(
  published: Published,
  drawn: readonly PublishedReview[],
  random: () => number,
): Promise<number> {
  try {
    await published.compareSearch({}, () => true);
  } catch (error) {
    if (error instanceof NotFoundError) return 0;
    throw error;
  }
  for (const stars of STARS) {
    await published.compareSearch({ rating: `${stars}` }, ({ rating }) => rating === stars);
  }
  const worded = drawn.filter(({ text }) => typeof text === 'string' && text.trim() !== '');
  for (const review of worded) await published.findByWords(review, random);
  return 1 + STARS.length + worded.length;
}

/** What is published elsewhere than in the dataset. */
class Published {
  readonly #read: ReadPath;
  readonly #byId: ReadonlyMap<string, PublishedReview>;
  /** Newest first. */
  readonly #reviews: readonly PublishedReview[];

  constructor(read: ReadPath, reviews: readonly PublishedReview[]) {
    this.#read = read;
    this.#byId = new Map(reviews.map((review) => [review.id, review]));
    this.#reviews = reviews.toSorted(newestFirst);
  }

  async compareSingle(review: PublishedReview): Promise<void> {
    const path = fillPath(ROUTES.getReview.path, { id: review.id });
    const answer = await this.#orMissing(path, () => this.#json(path));
    this.#assertSame(path, answer);
  }

  /** The page of a review has its words, and its stars and author for search engines. */
  async comparePage(review: PublishedReview): Promise<void> {
    const path = fillPath(ROUTES.showReview.path, { id: review.id });
    const html = await this.#orMissing(path, () => this.#text(path));
    assertShown(path, html, review);
  }

  /** The feeds and the first page of reviews have the newest ones. */
  async compareLists(): Promise<void> {
    const newest = this.#reviews.slice(0, NEWEST);
    await this.#compareFeed(ROUTES.getAtomFeed.path, newest, (xml) => textOf(decodeEntities(xml)));
    await this.#compareFeed(ROUTES.getJsonFeed.path, newest, (json) => {
      const { items } = JSON.parse(json) as { items: { content_text?: unknown }[] };
      return items.map(({ content_text: text }) => String(text)).join(' ');
    });
    const { path } = ROUTES.showReviews;
    const html = await this.#text(path);
    for (const review of newest) assertShown(path, html, review);
  }

  async #compareFeed(
    path: string,
    newest: readonly PublishedReview[],
    readTexts: (feed: string) => string,
  ): Promise<void> {
    const feed = await this.#text(path);
    let words: string;
    try {
      words = wordsOf(readTexts(feed));
    } catch (error) {
      throw new LogProblem(`${path} is no feed`, { cause: error });
    }
    const missing = newest.find(
      (review) => !feed.includes(pathOf(review)) || !words.includes(firstWords(review)),
    );
    if (missing) throw new LogProblem(`${path} lacks the review ${missing.id}, or has other words`);
  }

  /** The first page of a search by filter has the newest of the reviews that `matches`, and their number. */
  async compareSearch(
    filter: Readonly<Record<string, string>>,
    matches: (review: PublishedReview) => boolean,
  ): Promise<void> {
    const expected = this.#reviews.filter(matches);
    const { path, answer } = await this.#search(filter);
    if (answer.matched !== expected.length) {
      throw new LogProblem(
        `${path} finds ${answer.matched} reviews, and ${expected.length} that match are published`,
      );
    }
    const ids = expected.slice(0, SEARCH_LIMIT).map(({ id }) => id);
    const wrong = ids.find((id, index) => answer.reviews[index]?.id !== id);
    if (wrong !== undefined) throw new LogProblem(`${path} leaves out the review ${wrong}`);
  }

  async findByWords(review: PublishedReview, random: () => number): Promise<void> {
    const words = (review['text'] as string).trim().split(/\s+/);
    const start = Math.floor(random() * Math.max(1, words.length - SEARCHED_WORDS + 1));
    const query = words.slice(start, start + SEARCHED_WORDS).join(' ');
    let cursor: string | null = null;
    for (let left = MOST_PAGES; left > 0; left--) {
      const { path, answer } = await this.#search({ query, ...(cursor !== null && { cursor }) });
      if (answer.reviews.some(({ id }) => id === review.id)) return;
      if (answer.next_cursor === null) {
        throw new LogProblem(`${path} leaves out the review ${review.id}, which has these words`);
      }
      cursor = answer.next_cursor;
    }
  }

  async #search(
    filter: Readonly<Record<string, string>>,
  ): Promise<{ path: string; answer: SearchAnswer }> {
    const parameters = new URLSearchParams({ ...filter, limit: `${SEARCH_LIMIT}` });
    const path = `${ROUTES.searchReviews.path}?${parameters.toString()}`;
    const answer = await this.#json(path);
    if (!isSearchAnswer(answer)) throw new LogProblem(`${path} is no answer of a search`);
    for (const review of answer.reviews) this.#assertSame(path, review);
    return { path, answer };
  }

  #assertSame(path: string, review: JsonValue): void {
    const id = isObject(review) && typeof review['id'] === 'string' ? review['id'] : '';
    const proven = this.#byId.get(id);
    if (!proven || !isSame(proven, review)) {
      throw new LogProblem(`${path} has a review that is not as ${ROUTES.getReviews.path} has it`);
    }
  }

  #json(path: string): Promise<JsonValue> {
    return readJson(this.#read, path, LONGEST_ANSWER);
  }

  async #text(path: string): Promise<string> {
    return (await this.#read(path, LONGEST_ANSWER)).toString();
  }

  async #orMissing<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      throw new LogProblem(`${path} is missing, and the review is published`, { cause: error });
    }
  }
}

interface SearchAnswer {
  readonly matched: number;
  readonly reviews: readonly { readonly [key: string]: JsonValue; readonly id?: JsonValue }[];
  readonly next_cursor: string | null;
}

function isSearchAnswer(answer: JsonValue): answer is JsonValue & SearchAnswer {
  if (!isObject(answer)) return false;
  const { matched, reviews, next_cursor: next } = answer;
  return (
    typeof matched === 'number' &&
    Array.isArray(reviews) &&
    reviews.every(isObject) &&
    (next === null || typeof next === 'string')
  );
}

function newestFirst(a: PublishedReview, b: PublishedReview): number {
  if (a.date !== b.date) return a.date < b.date ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}

function pathOf({ id }: PublishedReview): string {
  return fillPath(ROUTES.showReview.path, { id });
}

/** @throws {LogProblem} if a page lacks the words of a review, or tells search engines other stars or another author */
function assertShown(path: string, html: string, review: PublishedReview): void {
  const data = structuredData(html).find(
    (each) => typeof each['@id'] === 'string' && each['@id'].endsWith(pathOf(review)),
  );
  const { reviewRating: rating, author } = data ?? {};
  const isToldRight =
    isObject(rating) &&
    rating['ratingValue'] === review.rating &&
    isObject(author) &&
    author['name'] === review['author'];
  if (!isToldRight || !wordsOf(textOf(html)).includes(firstWords(review))) {
    throw new LogProblem(`${path} does not show the review ${review.id} as it is published`);
  }
}

function structuredData(html: string): { readonly [key: string]: JsonValue }[] {
  return Array.from(
    html.matchAll(/<script type="application\/ld\+json">([^]*?)<\/script>/g),
    (match) => {
      try {
        return reviewsIn(JSON.parse(match[1] as string) as JsonValue);
      } catch {
        return [];
      }
    },
  ).flat();
}

function reviewsIn(value: JsonValue): { readonly [key: string]: JsonValue }[] {
  if (Array.isArray(value)) return value.flatMap(reviewsIn);
  if (!isObject(value)) return [];
  return value['@type'] === 'Review' ? [value] : Object.values(value).flatMap(reviewsIn);
}

function firstWords({ text }: PublishedReview): string {
  const start = typeof text === 'string' ? text.slice(0, 1_000) : '';
  return splitWords(fold(start))
    .slice(0, COMPARED_WORDS)
    .map(({ word }) => word)
    .join(' ');
}

function wordsOf(text: string): string {
  return splitWords(fold(text))
    .map(({ word }) => word)
    .join(' ');
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  quot: '"',
};

function textOf(html: string): string {
  return decodeEntities(html.replaceAll(/<script[^]*?<\/script>|<[^>]*>/g, ' '));
}

function decodeEntities(markup: string): string {
  return markup.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[];
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal === undefined ? parseInt(hex as string, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}
