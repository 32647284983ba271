// The logo of a business as a file of our own: its type, which its content shows, and its path.

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

export const LOGO_FORMATS = {
  png: { name: 'PNG', contentType: 'image/png' },
  jpg: { name: 'JPEG', contentType: 'image/jpeg' },
  svg: { name: 'SVG', contentType: 'image/svg+xml' },
} as const;
export type LogoFormat = keyof typeof LOGO_FORMATS;

export const MAX_LOGO_BYTES = 1024 * 1024;

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG_SIGNATURE = [0xff, 0xd8, 0xff];
/** Hexadecimal digits of the hash in a path. */
const HASH_LENGTH = 16;

/** The format that the first bytes show. What starts with `<` may be SVG: only parsing it shows that. */
export function logoFormatOf(bytes: Uint8Array): LogoFormat | null {
  const startsWith = (signature: readonly number[]) =>
    signature.every((byte, index) => bytes[index] === byte);
  if (startsWith(PNG_SIGNATURE)) return 'png';
  if (startsWith(JPEG_SIGNATURE)) return 'jpg';
  const start = Buffer.from(bytes.subarray(0, 256)).toString('utf8');
  return start
    .replace(/^\ufeff/, '')
    .trimStart()
    .startsWith('<')
    ? 'svg'
    : null;
}

/** The path of a stored logo. It has a hash of the content, so that it can be cached without limit. */
export function logoPath({ bytes }: Pick<Logo, 'bytes'>): string {
  const name = hash('sha256', bytes, 'hex').slice(0, HASH_LENGTH);
  return fillPath(ROUTES.getLogo.path, { name: `${name}.${logoFormatOf(bytes) ?? 'svg'}` });
}

/** The business with the address at which this server publishes its logo. */
export function withLogo(business: Business, logo: Logo | null, origin: string): Business {
  return logo === null ? business : { ...business, logo_url: origin + logoPath(logo) };
}

/** Whether a business links to this logo, as in a copy of what was published. */
export function linksToLogo({ logo_url: url }: Business, logo: Logo): boolean {
  return url !== null && URL.parse(url)?.pathname === logoPath(logo);
}
