// Answers about the reviews of the current snapshot: a search, those since a date, a single one.

import { Refusal, show } from '../errors.ts';
import type { HeaderList } from '../model/http-seam.ts';
import { isDate } from '../model/date.ts';
import { asInUrl, parseSearchParameters, type SearchFilter } from '../model/search.ts';
import { renderSearch, renderSince } from '../snapshot/queries.ts';
import { hashOf, JSON_TYPE } from '../snapshot/documents.ts';
import { answer, answerNotModified, COMMON_HEADERS, policyOf } from './answer.ts';
import { isNotModified } from './conditional.ts';
import type { ReadContext } from './handlers.ts';
import { parseQuery, queryOf } from './requests.ts';

/** A page of the reviews that match every filter of the query, newest first. @throws {Refusal} with the issues of the query. */
export function answerSearch(context: ReadContext): void {
  const parsed = parseSearchParameters(parseQuery(queryOf(context.request.url as string)));
  if (!parsed.ok) throw new Refusal('invalid_request', parsed.issues);
  const body = Buffer.concat(searchByUrl(context, parsed.value));
  answerConditionally(context, [body], hashOf(body));
}

function searchByUrl({ snapshot }: ReadContext, filter: SearchFilter): Uint8Array[] {
  try {
    return renderSearch(snapshot, filter);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, error.issues?.map(asInUrl));
  }
}

/** Every review of the date in the path and after, newest first. @throws {Refusal} if there is no such date. */
export function answerSince(context: ReadContext): void {
  const { date = '' } = context.parameters;
  if (!isDate(date)) {
    const message = `expected a date that exists, written YYYY-MM-DD, got ${show(date)}`;
    throw new Refusal('invalid_request', [{ code: 'invalid_date', path: ['date'], message }]);
  }
  const { tag, changedAtSeconds } = context.snapshot.since(date);
  answerConditionally(context, renderSince(context.snapshot, date), tag, { changedAtSeconds });
}

/** The review whose id is in the path. @throws {Refusal} if none is published. */
export function answerReview(context: ReadContext): void {
  const { snapshot, parameters } = context;
  const { id = '' } = parameters;
  const position = snapshot.positionOf(id);
  if (position === null)
    throw new Refusal(['', 'since'].includes(id) ? 'not_found' : 'unknown_review');
  const body = snapshot.reviewAt(position);
  answerConditionally(context, [body], hashOf(body));
}

/** A small record, uncompressed. */
export function answerRecord(
  context: ReadContext,
  record: string | Buffer,
  contentType: string,
  extra: HeaderList = [],
): void {
  const body = Buffer.from(record);
  answerConditionally(context, [body], hashOf(body), { contentType, extra });
}

function answerConditionally(
  { request, response, cacheControl }: ReadContext,
  pieces: readonly Uint8Array[],
  tag: string,
  {
    changedAtSeconds,
    contentType = JSON_TYPE,
    extra = [],
  }: { changedAtSeconds?: number; contentType?: string; extra?: HeaderList } = {},
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
  if (changedAtSeconds !== undefined) {
    headers.push('Last-Modified', new Date(changedAtSeconds * 1000).toUTCString());
  }
  const validators =
    changedAtSeconds === undefined ? { tags: [tag] } : { tags: [tag], changedAtSeconds };
  if (isNotModified(request.headers, validators)) {
    answerNotModified(response, headers);
  } else {
    headers.push('Content-Type', contentType);
    answer(request, response, headers, pieces);
  }
}
