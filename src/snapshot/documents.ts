// The published representations: which there are, what they say, and their compressed forms.

import { createHash, hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import { ROUTES } from '../model/routes.ts';

/** Compressed forms that are stored beside each document. */
export const ENCODINGS = ['br', 'zstd', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const JSON_TYPE = 'application/json; charset=utf-8';

/** The documents of a snapshot. `topic` marks those that WebSub subscribers can have pushed. */
export const DOCUMENTS = {
  [ROUTES.getReviews.path]: { contentType: JSON_TYPE, topic: true },
  [ROUTES.getInsights.path]: { contentType: JSON_TYPE, topic: false },
  [ROUTES.getJsonFeed.path]: { contentType: JSON_TYPE, topic: true },
  [ROUTES.getAtomFeed.path]: { contentType: 'application/atom+xml; charset=utf-8', topic: true },
} as const;

export type DocumentPath = keyof typeof DOCUMENTS;
export const DOCUMENT_PATHS = Object.keys(DOCUMENTS) as DocumentPath[];

/** Those that WebSub subscribers can have pushed. */
export const TOPIC_PATHS = DOCUMENT_PATHS.filter((path) => DOCUMENTS[path].topic);

/** Value of the Link header of a topic (WebSub, section 4): the topic first, because some subscribers
 * read one link only. */
export function linksOf(topic: string, origin: string): string {
  return `<${origin}${topic}>; rel="self", <${origin}${ROUTES.requestSubscription.path}>; rel="hub"`;
}

/** Seconds since 1970 as documents write a time: ISO 8601 without fractions. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** 132 bits of SHA-256 in base64url: enough that two contents never share a tag. */
export function hashOf(first: Uint8Array | string, ...others: (Uint8Array | string)[]): string {
  if (others.length === 0) return hash('sha256', first, 'base64url').slice(0, 22);
  const whole = createHash('sha256').update(first);
  for (const piece of others) whole.update(piece);
  return whole.digest('base64url').slice(0, 22);
}

/** Level 5 takes four times as long as level 4 for 5% of a page. Only what is stored is worth it. */
const BROTLI_QUALITY = { stored: 5, onRequest: 4 } as const;

/** Whether a compressed form is stored with its snapshot, or made while a client waits. */
type CompressionPurpose = keyof typeof BROTLI_QUALITY;

// Levels as measured: higher ones cost several times as much for a few percent.
const COMPRESS: Record<
  Encoding,
  (body: Uint8Array, purpose: CompressionPurpose) => Promise<Buffer>
> = {
  br: (body, purpose) =>
    promisify(brotliCompress)(body, {
      chunkSize: roomFor(body),
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[purpose],
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  zstd: (body) =>
    promisify(zstdCompress)(body, {
      chunkSize: roomFor(body),
      params: { [constants.ZSTD_c_compressionLevel]: 3 },
    }),
  gzip: (body) => promisify(gzip)(body, { chunkSize: roomFor(body), level: 6 }),
};

/**
 * More than the compressed form takes. After each chunk the compressing thread waits for the one that
 * asked, which may be busy for seconds; and what is not written to costs no memory.
 */
function roomFor(body: Uint8Array): number {
  return body.length + 4096;
}

export function compress(
  body: Uint8Array,
  encoding: Encoding,
  purpose: CompressionPurpose = 'stored',
): Promise<Uint8Array> {
  return COMPRESS[encoding](body, purpose);
}
