// Answers made from the reviews of the current snapshot: search, since a date, a single one.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal, show } from '../errors.ts';
import { isDate } from '../model/date.ts';
import { parseSearchParameters } from '../model/search.ts';
import { renderSearch, renderSince } from '../snapshot/queries.ts';
import { hashOf, JSON_TYPE } from '../snapshot/documents.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { answer, answerNotModified, COMMON_HEADERS, type HeaderList, policyOf } from './answer.ts';
import { isNotModified } from './conditional.ts';
import { parseQuery } from './requests.ts';

/** A request and all that its answer may depend on. */
export interface ReadContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly snapshot: Snapshot;
  readonly cacheControl: string;
  /** Headers of this request alone. */
  readonly extra: HeaderList;
}

/** Where reviews are read: all of them, those since a date, one. */
export const REVIEW_ROUTES = {
  search: '/api/reviews/search',
  since: '/api/reviews/since/:date',
  review: '/api/reviews/:id',
} as const;

const FOLDER = '/api/reviews/';
const SEARCH = REVIEW_ROUTES.search.slice(FOLDER.length);
const SINCE = 'since/';

/**
 * Answers what is asked for below `/api/reviews/` and tells its route; null, and nothing done, where
 * that is none of ours. Throws refusals.
 */
export function answerReviews(context: ReadContext): string | null {
  const { url = '' } = context.request;
  if (!url.startsWith(FOLDER)) return null;
  const end = url.indexOf('?');
  const path = url.slice(FOLDER.length, end < 0 ? url.length : end);
  if (path === SEARCH) {
    answerSearch(context, end < 0 ? {} : parseQuery(url.slice(end + 1)));
    return REVIEW_ROUTES.search;
  }
  if (path.startsWith(SINCE)) {
    answerSince(context, path.slice(SINCE.length));
    return REVIEW_ROUTES.since;
  }
  answerReview(context, path);
  return REVIEW_ROUTES.review;
}

/** `GET /api/reviews/search`: a page of the reviews that match every filter, newest first. */
export function answerSearch(
  context: ReadContext,
  parameters: Parameters<typeof parseSearchParameters>[0],
): void {
  const parsed = parseSearchParameters(parameters);
  if (!parsed.ok) throw new Refusal('invalid_request', parsed.issues);
  const body = Buffer.concat(renderSearch(context.snapshot, parsed.value));
  answerConditionally(context, [body], hashOf(body));
}

/** `GET /api/reviews/since/{date}`: every review of that date and after, newest first. */
export function answerSince(context: ReadContext, date: string): void {
  if (!isDate(date)) {
    const message = `expected a date that exists, written YYYY-MM-DD, got ${show(date)}`;
    throw new Refusal('invalid_request', [{ code: 'invalid_date', path: ['date'], message }]);
  }
  const { tag, changedAt } = context.snapshot.since(date);
  answerConditionally(context, renderSince(context.snapshot, date), tag, { changedAt });
}

/** `GET /api/reviews/{id}`. */
export function answerReview(context: ReadContext, id: string): void {
  const { snapshot } = context;
  const position = snapshot.positionOf(id);
  if (position === null) throw new Refusal('unknown_review');
  const body = snapshot.reviewAt(position);
  answerConditionally(context, [body], hashOf(body));
}

/** A small record of another type than the datasets. */
export function answerRecord(
  context: ReadContext,
  record: string | Buffer,
  contentType: string,
  cacheControl = context.cacheControl,
): void {
  const body = Buffer.from(record);
  answerConditionally({ ...context, cacheControl }, [body], hashOf(body), { contentType });
}

function answerConditionally(
  { request, response, cacheControl, extra }: ReadContext,
  pieces: readonly Uint8Array[],
  tag: string,
  { changedAt, contentType = JSON_TYPE }: { changedAt?: number; contentType?: string } = {},
): void {
  const headers = [
    ...COMMON_HEADERS,
    ...extra,
    ...policyOf(contentType),
    'ETag',
    `"${tag}"`,
    'Cache-Control',
    cacheControl,
  ];
  if (changedAt !== undefined) {
    headers.push('Last-Modified', new Date(changedAt * 1000).toUTCString());
  }
  const validators = changedAt === undefined ? { tags: [tag] } : { tags: [tag], changedAt };
  if (isNotModified(request.headers, validators)) {
    answerNotModified(response, headers);
  } else {
    headers.push('Content-Type', contentType);
    answer(request, response, headers, pieces);
  }
}
