// The picture at the top of the first page as a file of our own: its format, which its content shows, and its path.

import { hash } from 'node:crypto';
import type { Business } from './business.ts';
import { fillPath, ROUTES } from './routes.ts';

/** A picture that was checked and cleaned: a PNG, JPEG or WebP file. Its size is in the record of the business. */
export interface HeaderPicture {
  readonly bytes: Uint8Array;
}

export const HEADER_FORMATS = {
  png: { contentType: 'image/png', signature: /^\x89PNG\r\n/ },
  jpg: { contentType: 'image/jpeg', signature: /^\xff\xd8\xff/ },
  webp: { contentType: 'image/webp', signature: /^RIFF[^]{4}WEBP/ },
} as const;
export type HeaderFormat = keyof typeof HEADER_FORMATS;

/** Hexadecimal digits of the hash in a path. */
const HASH_LENGTH = 16;
const SIGNATURE_BYTES = 12;

/** The format that the first bytes show; null if it is another. */
export function headerFormatOf(bytes: Uint8Array): HeaderFormat | null {
  const start = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('latin1');
  const formats = Object.keys(HEADER_FORMATS) as HeaderFormat[];
  return formats.find((format) => HEADER_FORMATS[format].signature.test(start)) ?? null;
}

/** The path of a stored picture. It has a hash of the content, so that it can be cached without limit. */
export function headerPath({ bytes }: HeaderPicture): string {
  const name = hash('sha256', bytes, 'hex').slice(0, HASH_LENGTH);
  return fillPath(ROUTES.getHeader.path, { name: `${name}.${headerFormatOf(bytes) ?? 'png'}` });
}

/** The business with another address of its picture. */
export function withHeaderUrl(business: Business, url: string): Business {
  const { site } = business;
  if (!site?.header) return business;
  return { ...business, site: { ...site, header: { ...site.header, url } } };
}

/** The business with the address at which this server publishes its picture. */
export function withHeader(
  business: Business,
  header: HeaderPicture | null,
  origin: string,
): Business {
  return header === null ? business : withHeaderUrl(business, origin + headerPath(header));
}

/** Whether a business links to this picture, as in a copy of what was published. */
export function linksToHeader({ site }: Business, header: HeaderPicture): boolean {
  const url = site?.header?.url;
  return url !== undefined && URL.parse(url)?.pathname === headerPath(header);
}
