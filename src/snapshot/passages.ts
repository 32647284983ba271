// What an agent gets of a review: by default the sentences that were searched for, because whole texts fill its context.

import { fillPath, ROUTES } from '../model/routes.ts';
import type { ReviewJson } from '../model/review.ts';
import type { TextRange } from '../search/highlights.ts';
import type { SideName } from '../search/search-index.ts';
import type { Snapshot } from './snapshot.ts';

/** How much an answer tells. */
export const DETAILS = ['short', 'normal', 'full'] as const;
export type Detail = (typeof DETAILS)[number];

/** Characters (UTF-16 units) of a text, and of a reply; one that is not much longer is given whole. */
const CHARACTERS = { short: 120, normal: 280 } as const;
const SLACK = 1.3;
/** Longer hits are whole sentences. */
const MARKED_CHARACTERS = 40;
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });
/** Sentences are looked for in these characters around a hit: to split a text of 20,000 takes 5 ms. */
const SPLIT_CHARACTERS = 2_000;

type Hits = readonly TextRange[];

/** What an agent gets of a review, and why. */
interface Wanted {
  readonly detail: Detail;
  /** Why a search found it. */
  readonly match?: string | undefined;
  readonly hitsIn?: (text: string, side: SideName) => Hits;
}

/**
 * JSON of a review as an answer of a detail has it. A short one has a passage and what is needed to cite it; a normal one
 * every key, `excerpt` if a text is not whole, and the distinct hits in `marked`.
 */
export function renderReview(
  snapshot: Snapshot,
  position: number,
  { detail, match, hitsIn = () => [] }: Wanted,
): string {
  const json = snapshot.reviewAt(position).toString();
  const id = snapshot.idAt(position);
  const url = snapshot.origin + fillPath(ROUTES.showReview.path, { id });
  if (detail === 'full') return `${json.slice(0, -1)},"url":${JSON.stringify(url)}}`;
  const review = JSON.parse(json) as ReviewJson;
  const { rating, date, text, owner_reply: reply } = review;
  const hits = text === null ? [] : hitsIn(text, 'text');
  const passage = text === null ? null : passageOf(text, hits, CHARACTERS[detail]);
  if (detail === 'short') return JSON.stringify({ id, rating, date, text: passage, match, url });
  const inReply = reply === null ? [] : hitsIn(reply.text, 'reply');
  const answer = reply && { ...reply, text: passageOf(reply.text, inReply, CHARACTERS.normal) };
  const isExcerpt = passage !== text || answer?.text !== reply?.text;
  const marked = new Set([...wordsAt(text, hits), ...wordsAt(reply?.text ?? null, inReply)]);
  return JSON.stringify({
    ...review,
    text: passage,
    owner_reply: answer,
    ...(isExcerpt && { excerpt: true }),
    ...(marked.size > 0 && { marked: [...marked] }),
    match,
    url,
  });
}

function wordsAt(text: string | null, hits: Hits): string[] {
  return hits
    .filter(([start, end]) => end - start <= MARKED_CHARACTERS)
    .map(([start, end]) => (text ?? '').slice(start, end).toLowerCase());
}

/**
 * A text of few characters whole; else verbatim the sentences with the most words that are sought, then those that follow
 * them, or without hits the first ones, with "…" for the rest.
 */
export function passageOf(text: string, hits: Hits, most: number): string {
  if (text.length <= most * SLACK) return text;
  const from = Math.max(0, (hits[0]?.[0] ?? 0) - SPLIT_CHARACTERS / 2);
  const part = text.slice(from, from + SPLIT_CHARACTERS);
  const sentences = [...SENTENCES.segment(part)].flatMap(({ segment, index }) => {
    const start = from + index;
    const end = start + segment.trimEnd().length;
    const own = hits.filter((hit) => hit[0] < end && hit[1] > start);
    const words = new Set(own.map((hit) => text.slice(...hit).toLowerCase()));
    return end === start ? [] : { start, end, own, words };
  });
  const all = [...sentences.keys()];
  const weigh = (at: number) => sentences[at]?.words.size ?? 0;
  const best = all.filter((at) => weigh(at) > 0).toSorted((a, b) => weigh(b) - weigh(a));
  const chosen = new Set<number>();
  let left = most;
  for (const at of new Set(best.length > 0 ? [...best, ...best.map((one) => one + 1)] : all)) {
    const length = (sentences[at]?.end ?? Infinity) - (sentences[at]?.start ?? 0);
    if (length > left && chosen.size > 0) continue;
    chosen.add(at);
    left -= length;
  }
  let passage = '';
  let last = 0;
  for (const [at, { start, end, own }] of sentences.entries()) {
    if (!chosen.has(at)) continue;
    const isLong = end - start > most * SLACK;
    // Of a long sentence the part around its first hit.
    const middle = Math.min((own[0]?.[0] ?? start) - most / 2, end - most);
    const first = isLong ? Math.max(start, middle) : start;
    passage += text.slice(last, first).trim() === '' ? ' ' : ' … ';
    last = isLong ? Math.min(end, first + most) : end;
    passage += text.slice(first, last);
  }
  return `${passage}${text.slice(last).trim() === '' ? '' : ' …'}`.trim().toWellFormed();
}

/** Keys of lists that only prove what an answer says. */
const EVIDENCE = /(?:^|_)(?:review_ids|phrases|quotes)$/;
const MOST_EVIDENCE = { short: 1, normal: 3 } as const;

/** JSON with at most three ids and phrases in a list, the first and the last quote, in a short answer one of each. */
export function withLessEvidence(json: string, detail: Detail): string {
  if (detail === 'full') return json;
  const value: unknown = JSON.parse(json, (key, each: unknown) => {
    if (!Array.isArray(each) || !EVIDENCE.test(key)) return each;
    const told: unknown[] = key === 'quotes' && each.length > 1 ? [each[0], each.at(-1)] : each;
    return told.slice(0, MOST_EVIDENCE[detail]);
  });
  return JSON.stringify(value);
}
