// The headers of answers, each described once.

import type { Header, Parameter, Reference } from '../model/openapi.ts';
import headers from './headers.json' with { type: 'json' };

/** Those on every answer, and others. A 404 is a page for browsers and JSON for other clients, so `Vary` differs. */
const { common: COMMON, others: OTHERS } = headers;

export type OtherHeader = keyof typeof OTHERS;

/** Where a header is not described otherwise, every answer that names it has it, with any text. */
export const HEADERS = Object.fromEntries(
  Object.entries<Partial<Header>>({ ...COMMON, ...OTHERS }).map(([name, header]) => [
    name,
    { required: true, schema: { type: 'string' }, ...header },
  ]),
) as Record<keyof typeof COMMON | OtherHeader, Header>;

/** On 429 of reads, and answers of MCP and the hub, if the operator limits requests. */
export const LIMITS: readonly OtherHeader[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

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
