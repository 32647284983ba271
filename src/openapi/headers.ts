// The headers of answers, each described once, and which of them come together.

import type { Header, Parameter, Reference } from './types.ts';

const text = { type: 'string' } as const;
const digits = { type: 'string', pattern: '^\\d+$' } as const;
const httpDate = {
  type: 'string',
  pattern: '^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$',
} as const;

/** Of every answer. */
const COMMON = {
  'Access-Control-Allow-Origin': {
    description: 'The pages of any site may read it.',
    required: true,
    schema: { const: '*' },
  },
  'Access-Control-Expose-Headers': {
    description: 'The headers that scripts of other sites may read.',
    required: true,
    schema: text,
  },
  'X-Content-Type-Options': {
    description: 'The type is what Content-Type says.',
    required: true,
    schema: { const: 'nosniff' },
  },
} as const;

const OTHERS = {
  'Cache-Control': {
    description: 'How long it may be kept. The operator can set it; errors are never kept.',
    required: true,
    schema: text,
  },
  ETag: {
    description: 'Names the content. Send it back as If-None-Match.',
    required: true,
    schema: { type: 'string', pattern: '^"[!#-~]+"$' },
  },
  'Last-Modified': {
    description: 'When it last changed; later with every change, removals included.',
    required: true,
    schema: httpDate,
  },
  Vary: {
    description: 'Each encoding has an ETag of its own, and any of them is good in If-None-Match.',
    required: true,
    // Where nothing is, browsers are shown a page and programs are told so in JSON.
    schema: { enum: ['Accept-Encoding', 'Accept, Accept-Encoding'] },
  },
  'Content-Encoding': {
    description: 'The best that Accept-Encoding takes; absent where it takes none of them.',
    required: false,
    schema: { enum: ['br', 'zstd', 'gzip'] },
  },
  Link: {
    description:
      'Of a topic its URL (`rel="self"`) and its WebSub hub (`rel="hub"`), in this order.',
    required: true,
    schema: { type: 'string', pattern: '^<[^>]+>; rel="[a-z-]+"(, <[^>]+>; rel="[a-z-]+")*$' },
  },
  'Content-Security-Policy': {
    description: 'What the page may load: nothing inline, nothing from elsewhere.',
    required: true,
    schema: text,
  },
  'Cross-Origin-Resource-Policy': {
    description: 'That pages of other sites may show it.',
    required: true,
    schema: { type: 'string', const: 'cross-origin' },
  },
  'Referrer-Policy': {
    description: 'What other sites are told of where their reader comes from.',
    required: true,
    schema: text,
  },
  Location: { description: 'Where it is.', required: true, schema: text },
  Allow: {
    description: 'The methods that this path takes.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: digits,
  },
  'X-RateLimit-Limit': {
    description: 'Requests that a client may send in a minute; where the operator limits them.',
    required: false,
    schema: digits,
  },
  'X-RateLimit-Remaining': {
    description: 'How many of them are left.',
    required: false,
    schema: digits,
  },
  'X-RateLimit-Reset': {
    description: 'Seconds until they are all there again.',
    required: false,
    schema: digits,
  },
  'Mcp-Session-Id': {
    description: 'Given by `initialize`, and sent with every later request of the session.',
    required: false,
    schema: text,
  },
  'Access-Control-Allow-Methods': {
    description: 'The methods that this path takes.',
    required: true,
    schema: text,
  },
  'Access-Control-Allow-Headers': {
    description: 'The headers that scripts of other sites may send.',
    required: true,
    schema: text,
  },
  'Access-Control-Max-Age': {
    description: 'Seconds for which this need not be asked again.',
    required: true,
    schema: digits,
  },
} as const;

export const HEADERS = { ...COMMON, ...OTHERS } as const satisfies Record<string, Header>;

export type OtherHeader = keyof typeof OTHERS;

/** What each answer to a read has beside the common ones, where the operator limits requests. */
const LIMITS: readonly OtherHeader[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** A header of requests, of any text. */
export function requestHeader(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' } };
}

/** References to the common headers and these. */
export function headersOf(
  names: readonly OtherHeader[],
  { isLimited = true } = {},
): Readonly<Record<string, Reference>> {
  const all = [...Object.keys(COMMON), ...names, ...(isLimited ? LIMITS : [])];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The same headers where not every answer of a kind has them. */
export function optionalHeaders(names: readonly OtherHeader[]): Readonly<Record<string, Header>> {
  return Object.fromEntries(names.map((name) => [name, { ...OTHERS[name], required: false }]));
}
