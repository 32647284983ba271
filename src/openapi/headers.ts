// The headers of answers, each described once.

import type { Header, Parameter, Reference } from '../model/openapi.ts';

const text = { type: 'string' } as const;
const digits = { type: 'string', pattern: '^\\d+$' } as const;
const httpDate = {
  type: 'string',
  pattern: '^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$',
} as const;

/** On every answer. */
const COMMON = {
  'Access-Control-Allow-Origin': {
    description: 'Scripts of any site may read the answer.',
    schema: { type: 'string', const: '*' },
  },
  'Access-Control-Expose-Headers': {
    description: 'The headers that scripts of other sites may read.',
  },
  'X-Content-Type-Options': {
    description: 'Browsers must not guess the type.',
    schema: { type: 'string', const: 'nosniff' },
  },
} as const;

const OTHERS = {
  'Cache-Control': {
    description:
      'How long caches may store the answer. The operator can set it; errors are not stored.',
  },
  ETag: {
    description: 'Identifies the content. Send it as If-None-Match.',
    schema: { type: 'string', pattern: '^"[!#-~]+"$' },
  },
  'Last-Modified': {
    description: 'Time of the last change, removals included; it strictly increases.',
    schema: httpDate,
  },
  Vary: {
    description: 'Each encoding has its own ETag; If-None-Match accepts any of them.',
    // A 404 is a page for browsers and JSON for other clients.
    schema: { type: 'string', enum: ['Accept-Encoding', 'Accept, Accept-Encoding'] },
  },
  'Content-Encoding': {
    description: 'The best encoding that the client accepts; absent if it accepts none.',
    required: false,
    schema: { type: 'string', enum: ['br', 'zstd', 'gzip'] },
  },
  Link: {
    description:
      'For a topic its URL (`rel="self"`), then its WebSub hub (`rel="hub"`); for a page the catalogs for agents.',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="[a-z-]+"(, <[^>]+>; rel="[a-z-]+")*$' },
  },
  'Content-Security-Policy': {
    description: 'What the page may load: nothing inline, nothing from other origins.',
  },
  'Content-Language': { description: 'The language of the page; reviews are in their own.' },
  'Cross-Origin-Resource-Policy': {
    description: 'Other sites may embed the file.',
    schema: { type: 'string', const: 'cross-origin' },
  },
  'Referrer-Policy': { description: 'How much of the URL other sites see as the referrer.' },
  Location: { description: 'The URL to request instead.' },
  Allow: {
    description: 'The methods of this path.',
    schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$' },
  },
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: digits },
  'X-RateLimit-Limit': {
    description: 'Requests per client and minute, if limited; on 429, MCP and the hub.',
    required: false,
    schema: digits,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in this minute.',
    required: false,
    schema: digits,
  },
  'X-RateLimit-Reset': {
    description: 'Seconds until the limit resets.',
    required: false,
    schema: digits,
  },
  'Mcp-Session-Id': {
    description:
      'The answer to `initialize` has it; clients send it with every later request of the session.',
    required: false,
  },
} as const;

export type OtherHeader = keyof typeof OTHERS;

/** Where a header is not described otherwise, every answer that names it has it, with any text. */
export const HEADERS = Object.fromEntries(
  Object.entries<Partial<Header>>({ ...COMMON, ...OTHERS }).map(([name, header]) => [
    name,
    { required: true, schema: text, ...header },
  ]),
) as Record<keyof typeof COMMON | OtherHeader, Header>;

/** On 429 of reads, and answers of MCP and the hub, if the operator limits requests. */
export const LIMITS: readonly OtherHeader[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** A request header with any text. */
export function requestHeader(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' } };
}

/** References to the common headers and the given ones. */
export function headersOf(names: readonly OtherHeader[]): Readonly<Record<string, Reference>> {
  const all = [...Object.keys(COMMON), ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers that not every answer with this status has. */
export function optionalHeaders(names: readonly OtherHeader[]): Readonly<Record<string, Header>> {
  return Object.fromEntries(names.map((name) => [name, { ...HEADERS[name], required: false }]));
}
