// Answers that many operations share, most of them from the table of refusals.

import { type RefusalCode, type RefusalEntry, REFUSALS } from '../errors.ts';
import { headersOf, LIMITS } from './headers.ts';
import { schemaRef, type SchemaName } from './schemas.ts';
import type { Answer, Answers, MediaType } from '../model/openapi.ts';

export const TEXT: MediaType = { schema: { type: 'string' } };
export const BINARY: MediaType = { schema: {} };

export function jsonContent(name: SchemaName): Readonly<Record<string, MediaType>> {
  return { 'application/json': { schema: schemaRef(name) } };
}

function problem(description: string, headers: Parameters<typeof headersOf>[0] = []): Answer {
  return {
    description,
    headers: headersOf(['Cache-Control', ...headers]),
    content: jsonContent('Problem'),
  };
}

function refusal(code: RefusalCode): Answer {
  const { detail, allow, retryAfterSeconds } = REFUSALS[code] as RefusalEntry;
  if (code === 'rate_limited') return problem(detail, ['Retry-After', ...LIMITS]);
  if (allow) return problem(detail, ['Allow']);
  return problem(detail, retryAfterSeconds === undefined ? [] : ['Retry-After']);
}

export const PAGE_HEADERS = [
  'Cache-Control',
  'Content-Security-Policy',
  'Referrer-Policy',
  'Content-Language',
  'Link',
  'Vary',
] as const;

export const HTML_CONTENT = { 'text/html': TEXT };

/** `components.responses`. */
export const SHARED_ANSWERS = {
  BadRequest: problem('The request has invalid values; `issues` names all of them.'),
  NotFound: refusal('not_found'),
  UnknownReview: refusal('unknown_review'),
  ReadOnly: refusal('method_not_allowed'),
  PostOrDelete: refusal('post_or_delete'),
  OperatorsOnly: refusal('operators_only'),
  MetricsUnavailable: refusal('metrics_unavailable'),
  TooSlow: problem('The request took too long to arrive.'),
  TooLarge: problem('The chunk extensions of the request are too large.'),
  HeadersTooLarge: problem('The target or the headers of the request are too large.'),
  RateLimited: refusal('rate_limited'),
  Fault: problem('The server failed. The detail has the id of the log entry.'),
  NotReady: refusal('not_ready'),
  // A browser gets a page that reloads itself.
  PageNotReady: {
    ...refusal('not_ready'),
    content: { ...jsonContent('Problem'), ...HTML_CONTENT },
  },
  PageRedirect: {
    description: 'To the same URL without its empty parameters.',
    headers: headersOf(['Location']),
  },
  PictureRedirect: {
    description:
      'Too many pictures were drawn in this minute: the picture of the business instead.',
    headers: headersOf(['Location', 'Cache-Control', 'Cross-Origin-Resource-Policy']),
  },
  PageNotModified: {
    description: 'Unchanged: the client has the current page.',
    headers: headersOf([...PAGE_HEADERS, 'ETag']),
  },
  PageMissing: {
    description: 'There is no such page.',
    headers: headersOf([...PAGE_HEADERS, 'Content-Encoding']),
    content: HTML_CONTENT,
  },
} as const satisfies Record<string, Answer>;

export function answerRef(name: keyof typeof SHARED_ANSWERS): { $ref: string } {
  return { $ref: `#/components/responses/${name}` };
}

/** Answers of Node to requests that it cannot parse. */
export const UNREADABLE: Answers = {
  '408': answerRef('TooSlow'),
  '431': answerRef('HeadersTooLarge'),
};

/** Errors of every GET. */
export const READ_ERRORS: Answers = {
  '400': answerRef('BadRequest'),
  '405': answerRef('ReadOnly'),
  '413': answerRef('TooLarge'),
  '429': answerRef('RateLimited'),
  '500': answerRef('Fault'),
  '503': answerRef('NotReady'),
  ...UNREADABLE,
};
