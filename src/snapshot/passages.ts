// What an agent gets of a review: by default the sentences that were searched for, because whole texts fill its context.

import { fillPath, ROUTES } from '../model/routes.ts';
import type { ReviewJson } from '../model/review.ts';
import type { TextRange } from '../search/highlights.ts';

/** How much an answer tells. */
export const DETAILS = ['short', 'normal', 'full'] as const;
export type Detail = (typeof DETAILS)[number];

/** Characters (UTF-16 units) of a text; a normal one that is not much longer is given whole. */
const CHARACTERS = { short: 120, normal: 240 } as const;
const SLACK = 1.3;
/** Longer hits are whole sentences. */
const MARKED_CHARACTERS = 40;
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });
/** Sentences are looked for in these characters around a hit: to split a text of 20,000 takes 5 ms. */
const SPLIT_CHARACTERS = 2_000;

/** The hits of a text, in order. */
type Hits = readonly TextRange[];

/** The address of the page of a review. */
export function pageOf(origin: string, id: string): string {
  return origin + fillPath(ROUTES.showReview.path, { id });
}

/** What an agent gets of a review, and why. */
interface Wanted {
  readonly id: string;
  /** Of the pages. */
  readonly origin: string;
  readonly detail: Detail;
  /** Why a search found it. */
  readonly match?: string | undefined;
  readonly hitsIn?: (text: string, side: 'text' | 'reply') => Hits;
}

/**
 * JSON of a review as an answer of a detail has it. A short one has a passage and what is needed to cite it; a normal one
 * every key, `excerpt` if a text is not whole, and the distinct hits in `marked`.
 */
export function renderReview(
  record: Buffer,
  { id, origin, detail, match, hitsIn = () => [] }: Wanted,
): string {
  const json = record.toString();
  const url = pageOf(origin, id);
  if (detail === 'full') return `${json.slice(0, -1)},"url":${JSON.stringify(url)}}`;
  const review = JSON.parse(json) as ReviewJson;
  const { rating, date, text, owner_reply: reply } = review;
  const hits = text === null ? [] : hitsIn(text, 'text');
  const passage = text === null ? null : passageOf(text, hits, CHARACTERS[detail]);
  if (detail === 'short') return JSON.stringify({ id, rating, date, text: passage, match, url });
  const inReply = reply === null ? [] : hitsIn(reply.text, 'reply');
  const answer = reply && { ...reply, text: passageOf(reply.text, inReply, CHARACTERS.short) };
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

/** A text of few characters whole; else verbatim the first sentences with hits, or its first ones, with "…" for the rest. */
function passageOf(text: string, hits: Hits, most: number): string {
  if (text.length <= most * SLACK) return text;
  const from = Math.max(0, (hits[0]?.[0] ?? 0) - SPLIT_CHARACTERS / 2);
  const part = text.slice(from, from + SPLIT_CHARACTERS);
  const sentences = Array.from(SENTENCES.segment(part), ({ segment, index }) => {
    const start = from + index;
    return { start, end: start + segment.trimEnd().length };
  });
  const isHit = ({ start, end }: { start: number; end: number }) =>
    hits.some((hit) => hit[0] < end && hit[1] > start);
  const found = sentences.filter(isHit);
  let passage = '';
  let at = 0;
  for (const { start, end } of found.length > 0 ? found : sentences) {
    const isFirst = passage === '';
    if (!isFirst && passage.length + end - start > most) break;
    const [first, last] = isFirst ? around(start, end, hits, most) : [start, end];
    const between = text.slice(at, first).trim() === '' ? ' ' : ' … ';
    passage =
      isFirst && first === 0
        ? text.slice(first, last)
        : passage + between + text.slice(first, last);
    at = last;
  }
  return (text.slice(at).trim() === '' ? passage : `${passage} …`).trim().toWellFormed();
}

/** The sentence from `start` to `end`, or of a long one the part around its first hit. */
function around(start: number, end: number, hits: Hits, most: number): TextRange {
  if (end - start <= most * SLACK) return [start, end];
  const [hit = start] = hits.find((one) => one[0] < end && one[1] > start) ?? [];
  const first = Math.max(start, Math.min(hit - most / 2, end - most));
  return [first, Math.min(end, first + most)];
}

/** Keys of lists that only prove what an answer says. */
const EVIDENCE = /(?:^|_)(?:review_ids|phrases)$/;
const MOST_EVIDENCE = { short: 1, normal: 3 } as const;

/** JSON with at most three ids and phrases in a list, in a short answer one. */
export function withLessEvidence(json: string, detail: Detail): string {
  if (detail === 'full') return json;
  const value: unknown = JSON.parse(json, (key, each: unknown) =>
    Array.isArray(each) && EVIDENCE.test(key) ? each.slice(0, MOST_EVIDENCE[detail]) : each,
  );
  return JSON.stringify(value);
}
