// Answers that many operations share: those of the table of refusals, and those of the protocol itself.

import { type RefusalCode, type RefusalEntry, REFUSALS } from '../errors.ts';
import { headersOf } from './headers.ts';
import { schemaRef, type SchemaName } from './schemas.ts';
import type { Answer, Answers, MediaType } from './types.ts';

/** `{ 'application/json': ... }` of a named schema. */
export function jsonContent(name: SchemaName): Readonly<Record<string, MediaType>> {
  return { 'application/json': { schema: schemaRef(name) } };
}

/** An error in the one shape of all of them. */
function problem(description: string, headers: Parameters<typeof headersOf>[0] = []): Answer {
  return {
    description,
    headers: headersOf(['Cache-Control', ...headers]),
    content: jsonContent('Problem'),
  };
}

function refusal(code: RefusalCode): Answer {
  const { detail, allow, retryAfterSeconds } = REFUSALS[code] as RefusalEntry;
  const waits = retryAfterSeconds !== undefined || code === 'rate_limited';
  return problem(detail, [
    ...(allow ? (['Allow'] as const) : []),
    ...(waits ? (['Retry-After'] as const) : []),
  ]);
}

/** Of every page. */
export const PAGE_HEADERS = [
  'Cache-Control',
  'Content-Security-Policy',
  'Referrer-Policy',
  'Vary',
] as const;

export const HTML_CONTENT: Readonly<Record<string, MediaType>> = {
  'text/html': { schema: { type: 'string' } },
};

/** Named in `components`. */
export const SHARED_ANSWERS = {
  BadRequest: problem('The request has invalid values; `issues` names all of them.'),
  NotFound: refusal('not_found'),
  UnknownReview: refusal('unknown_review'),
  ReadOnly: refusal('method_not_allowed'),
  PostOnly: refusal('post_only'),
  PostOrDelete: refusal('post_or_delete'),
  OperatorsOnly: refusal('operators_only'),
  TooSlow: problem('The request took too long to arrive.'),
  TooLarge: problem('The chunk extensions of the request are too large.'),
  HeadersTooLarge: problem('The headers of the request are too large.'),
  RateLimited: refusal('rate_limited'),
  Fault: problem('The server failed. The detail has the id under which it was logged.'),
  NotReady: refusal('not_ready'),
  Preflight: {
    description: 'What scripts of other sites may send.',
    headers: headersOf(
      [
        'Access-Control-Allow-Methods',
        'Access-Control-Allow-Headers',
        'Access-Control-Max-Age',
        'Allow',
      ],
      { isLimited: false },
    ),
  },
  PageRedirect: {
    description: 'To the same without the parameters that are empty.',
    headers: headersOf(['Location']),
  },
  PageNotModified: {
    description: 'It is what If-None-Match says that you have.',
    headers: headersOf([...PAGE_HEADERS, 'ETag']),
  },
  PageMissing: {
    description: 'There is no such page.',
    headers: headersOf([...PAGE_HEADERS, 'Content-Encoding']),
    content: HTML_CONTENT,
  },
} as const satisfies Record<string, Answer>;

/** The same to a HEAD, which has no body. */
export const SHARED_HEAD_ANSWERS: Readonly<Record<string, Answer>> = Object.fromEntries(
  Object.entries<Answer>(SHARED_ANSWERS).map(([name, { content: _content, ...answer }]) => [
    `${name}Head`,
    answer,
  ]),
);

export function answerRef(name: keyof typeof SHARED_ANSWERS): { $ref: string } {
  return { $ref: `#/components/responses/${name}` };
}

/** What Node answers to what is hardly a request, whatever it was meant for. */
export const UNREADABLE: Answers = {
  '408': answerRef('TooSlow'),
  '431': answerRef('HeadersTooLarge'),
};

/** The errors of everything that is read. */
export const READ_ERRORS: Answers = {
  '400': answerRef('BadRequest'),
  '405': answerRef('ReadOnly'),
  '413': answerRef('TooLarge'),
  '429': answerRef('RateLimited'),
  '500': answerRef('Fault'),
  '503': answerRef('NotReady'),
  ...UNREADABLE,
};
