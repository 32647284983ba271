// The documents of a snapshot: paths, content types, hashes and compression.

import { createHash, hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import { ROUTES } from '../model/routes.ts';

/** The compressed forms of every document. */
export const ENCODINGS = ['br', 'zstd', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const JSON_TYPE = 'application/json; charset=utf-8';

/** The documents of a snapshot; `topic` marks WebSub topics. */
export const DOCUMENTS = {
  [ROUTES.getReviews.path]: { contentType: JSON_TYPE, topic: true },
  [ROUTES.getInsights.path]: { contentType: JSON_TYPE, topic: false },
  [ROUTES.getJsonFeed.path]: { contentType: JSON_TYPE, topic: true },
  [ROUTES.getAtomFeed.path]: { contentType: 'application/atom+xml; charset=utf-8', topic: true },
} as const;

export type DocumentPath = keyof typeof DOCUMENTS;
export const DOCUMENT_PATHS = Object.keys(DOCUMENTS) as DocumentPath[];

export const TOPIC_PATHS = DOCUMENT_PATHS.filter((path) => DOCUMENTS[path].topic);

/** The value of the Link header of a topic (WebSub, section 4). The topic is first, because some
 * subscribers read only one link. */
export function linksOf(topic: string, origin: string): string {
  return `<${origin}${topic}>; rel="self", <${origin}${ROUTES.requestSubscription.path}>; rel="hub"`;
}

/** Seconds since 1970 as ISO 8601 without fractions. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** 132 bits of SHA-256 in base64url: enough to exclude collisions. */
export function hashOf(first: Uint8Array | string, ...others: (Uint8Array | string)[]): string {
  if (others.length === 0) return hash('sha256', first, 'base64url').slice(0, 22);
  const whole = createHash('sha256').update(first);
  for (const piece of others) whole.update(piece);
  return whole.digest('base64url').slice(0, 22);
}

/** Level 5 takes four times as long as level 4 and saves 5% of a page: only for stored documents. */
const BROTLI_QUALITY = { stored: 5, onRequest: 4 } as const;

/** Compression for a stored snapshot, or while a client waits. */
type CompressionPurpose = keyof typeof BROTLI_QUALITY;

// Levels as measured: higher ones cost several times as much for a few percent.
const COMPRESS: Record<
  Encoding,
  (body: Uint8Array, purpose: CompressionPurpose) => Promise<Buffer>
> = {
  br: (body, purpose) =>
    promisify(brotliCompress)(body, {
      chunkSize: chunkSizeFor(body),
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[purpose],
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  zstd: (body) =>
    promisify(zstdCompress)(body, {
      chunkSize: chunkSizeFor(body),
      params: { [constants.ZSTD_c_compressionLevel]: 3 },
    }),
  gzip: (body) => promisify(gzip)(body, { chunkSize: chunkSizeFor(body), level: 6 }),
};

/**
 * A chunk size that holds the whole compressed form. After each chunk the compressing thread waits for
 * the calling thread, which may be busy for seconds. Unwritten memory costs nothing.
 */
function chunkSizeFor(body: Uint8Array): number {
  return body.length + 4096;
}

export function compress(
  body: Uint8Array,
  encoding: Encoding,
  purpose: CompressionPurpose = 'stored',
): Promise<Uint8Array> {
  return COMPRESS[encoding](body, purpose);
}
