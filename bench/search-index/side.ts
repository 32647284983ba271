// An index in its own process: built from the corpus, queried with the mix, and timed.

import { formatIssue } from '../../src/errors.ts';
import { encodeUlid } from '../../src/model/ulid.ts';
import { compareNewestFirst, type Review } from '../../src/model/review.ts';
import { parseSearchParameters, type SearchFilter } from '../../src/model/search.ts';
import { answerQuestions } from '../companion.ts';
import { writeCorpus } from '../corpus.ts';
import { askAnew } from '../queries.ts';

/** `filters` are query strings. */
export type SideQuestion =
  | { readonly kind: 'build'; readonly size: number }
  | { readonly kind: 'answer'; readonly filters: readonly string[] }
  | {
      readonly kind: 'time';
      readonly filters: readonly string[];
      /** With different words each time, so that no result is cached. */
      readonly isAnew: boolean;
    };

export interface Built {
  readonly seconds: number;
  /** Of the index with the folded texts. */
  readonly bytes: number;
}

export interface Found {
  readonly matched: number;
  /** Of the first page; 0 is the newest review. */
  readonly positions: readonly number[];
}

export interface Timed {
  /** One for each filter. */
  readonly ms: readonly number[];
  /** Searches, where all filters are asked equally often. */
  readonly perCpuSecond: number;
}

/** What is measured. */
export interface Side {
  readonly bytes: number;
  search(filter: SearchFilter): Found;
}

/** All are asked in turn, for this time or this often; the time of each is the mean. */
const REPEAT_MS = 3_000;
const REPEAT_TIMES = 30;

/** Answers questions about the index that `build` makes. */
export function serveSide(build: (reviews: readonly Review[]) => Side | Promise<Side>): void {
  const kept: { side: Side | null } = { side: null };
  let variations = 0;
  const variationOf = (isAnew: boolean) => () => (isAnew ? variations++ : null);
  const current = (): Side => {
    if (!kept.side) throw new Error('nothing was built');
    return kept.side;
  };
  answerQuestions(async (question: SideQuestion): Promise<Built | Found[] | Timed> => {
    switch (question.kind) {
      case 'build': {
        kept.side = null;
        const reviews = buildReviews(question.size);
        const begin = performance.now();
        const side = await build(reviews);
        kept.side = side;
        return { seconds: (performance.now() - begin) / 1000, bytes: side.bytes };
      }
      case 'answer':
        return question.filters.map((filter) => current().search(parseFilter(filter)));
      case 'time':
        return time(current(), question.filters.map(parseFilter), variationOf(question.isAnew));
    }
  });
}

function parseFilter(query: string): SearchFilter {
  const parsed = parseSearchParameters(Object.fromEntries(new URLSearchParams(query)));
  if (!parsed.ok) throw new Error(parsed.issues.map(formatIssue).join('; '));
  return parsed.value;
}

/** `nextVariation` chooses the wording of the next searches; null keeps them as they are. */
function time(
  side: Side,
  filters: readonly SearchFilter[],
  nextVariation: () => number | null,
): Timed {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const sums = new Float64Array(filters.length);
  let times = 0;
  do {
    times += 1;
    const variation = nextVariation();
    const asked =
      variation === null ? filters : filters.map((filter) => askAnew(filter, variation));
    asked.forEach((filter, place) => {
      const begin = performance.now();
      side.search(filter);
      sums[place] = (sums[place] as number) + performance.now() - begin;
    });
  } while (performance.now() - started < REPEAT_MS && times < REPEAT_TIMES);
  const { user, system } = process.cpuUsage(cpu);
  return {
    ms: Array.from(sums, (sum) => sum / times),
    perCpuSecond: (filters.length * times * 1_000_000) / (user + system),
  };
}

/** Reviews of the corpus, the newest first. */
function buildReviews(size: number): Review[] {
  const random = Buffer.alloc(10);
  let number = 0;
  const reviews = Array.from(writeCorpus(size), (one): Review => {
    random.writeUInt32BE(number++);
    return {
      id: encodeUlid(Date.parse(one.date), random),
      author: one.author,
      authorAvatarUrl: null,
      rating: one.rating,
      date: one.date,
      text: one.text,
      source: one.source,
      sourceUrl: null,
      ownerReply: one.owner_reply,
    };
  });
  return reviews.toSorted(compareNewestFirst);
}
