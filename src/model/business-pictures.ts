// The pictures of a business as files of our own, its logo and the one at the top of the first page: their formats, which
// their content shows, and their paths.

import { hash } from 'node:crypto';
import type { Business } from './business.ts';
import { fillPath, ROUTES } from './routes.ts';

/** A logo that was checked and cleaned. */
export interface Logo {
  /** A PNG, JPEG or SVG file. */
  readonly bytes: Uint8Array;
  /** The icon of the site as an ICO file; null if the logo is too wide or too high for one. */
  readonly icon: Uint8Array | null;
}

/** A picture that was checked and cleaned: a PNG, JPEG or WebP file. Its size is in the record of the business. */
export interface HeaderPicture {
  readonly bytes: Uint8Array;
}

export const MAX_LOGO_BYTES = 1024 * 1024;

interface Format {
  readonly contentType: string;
  /** How files begin, as Latin-1. What starts with `<` may be SVG: only parsing it shows that. */
  readonly signature: RegExp;
}

const PNG: Format = { contentType: 'image/png', signature: /^\x89PNG\r\n/ };
const JPEG: Format = { contentType: 'image/jpeg', signature: /^\xff\xd8\xff/ };
const SVG: Format = { contentType: 'image/svg+xml', signature: /^(?:\xef\xbb\xbf)?\s*</ };
const WEBP: Format = { contentType: 'image/webp', signature: /^RIFF[^]{4}WEBP/ };

export const LOGO_FORMATS = { png: PNG, jpg: JPEG, svg: SVG } as const;
export type LogoFormat = keyof typeof LOGO_FORMATS;
export const HEADER_FORMATS = { png: PNG, jpg: JPEG, webp: WEBP } as const;
export type HeaderFormat = keyof typeof HEADER_FORMATS;

/** Hexadecimal digits of the hash in a path. */
const HASH_LENGTH = 16;
const SIGNATURE_BYTES = 256;

/** The format that the first bytes show; null if it is another. */
export function logoFormatOf(bytes: Uint8Array): LogoFormat | null {
  return formatOf(bytes, LOGO_FORMATS);
}

export function headerFormatOf(bytes: Uint8Array): HeaderFormat | null {
  return formatOf(bytes, HEADER_FORMATS);
}

function formatOf<Name extends string>(
  bytes: Uint8Array,
  formats: Readonly<Record<Name, Format>>,
): Name | null {
  const start = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('latin1');
  const names = Object.keys(formats) as Name[];
  return names.find((name) => formats[name].signature.test(start)) ?? null;
}

/** The path of a stored logo. It has a hash of the content, so that it can be cached without limit. */
export function logoPath({ bytes }: Pick<Logo, 'bytes'>): string {
  const name = `${digestOf(bytes)}.${logoFormatOf(bytes) ?? 'svg'}`;
  return fillPath(ROUTES.getLogo.path, { name });
}

export function headerPath({ bytes }: HeaderPicture): string {
  const name = `${digestOf(bytes)}.${headerFormatOf(bytes) ?? 'png'}`;
  return fillPath(ROUTES.getHeader.path, { name });
}

function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex').slice(0, HASH_LENGTH);
}

/** The business with the addresses at which this server publishes its pictures. */
export function withPictures(
  business: Business,
  { logo, header }: { readonly logo: Logo | null; readonly header: HeaderPicture | null },
  origin: string,
): Business {
  const named = logo === null ? business : { ...business, logo_url: origin + logoPath(logo) };
  return header === null ? named : withHeaderUrl(named, origin + headerPath(header));
}

/** The business with another address of its picture. */
export function withHeaderUrl(business: Business, url: string): Business {
  const { site } = business;
  if (!site?.header) return business;
  return { ...business, site: { ...site, header: { ...site.header, url } } };
}

/** Whether a business links to this logo, as in a copy of what was published. */
export function linksToLogo({ logo_url: url }: Business, logo: Logo): boolean {
  return url !== null && URL.parse(url)?.pathname === logoPath(logo);
}

export function linksToHeader({ site }: Business, header: HeaderPicture): boolean {
  const url = site?.header?.url;
  return url !== undefined && URL.parse(url)?.pathname === headerPath(header);
}
