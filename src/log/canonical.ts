// Canonical JSON (RFC 8785), and the salted digest of a record.

import { hash, randomBytes } from 'node:crypto';

/** 128 random bits: nobody can try them all, so a digest without its salt tells nothing. */
export const SALT_BYTES = 16;

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/**
 * A value as canonical JSON: keys sorted by UTF-16 code units, no spaces. Strings and numbers are those of
 * `JSON.stringify`, as the RFC says.
 *
 * @throws {TypeError} for a number that is not finite.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = value as { readonly [key: string]: JsonValue };
    let json = '';
    // The default order is the one of the RFC.
    for (const key of Object.keys(members).toSorted()) {
      json += `${json === '' ? '' : ','}${text(key)}:${canonicalJson(members[key] as JsonValue)}`;
    }
    return `{${json}}`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError('the number is not finite');
  }
  return JSON.stringify(value);
}

/** Half of a surrogate pair, which the RFC excludes, becomes U+FFFD: no text may stop a publish. */
function text(value: string): string {
  return JSON.stringify(value.toWellFormed());
}

export function newSalt(): string {
  return randomBytes(SALT_BYTES).toString('base64');
}

/** SHA-256 of the salt, in base64, and the canonical JSON of the record after it; in base64. */
export function saltedDigest(salt: string, record: JsonValue): string {
  const salted = Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from(canonicalJson(record))]);
  return hash('sha256', salted, 'base64');
}
