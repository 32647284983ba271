// Canonical JSON (RFC 8785), and the salted digest of a record.

import { createHash, randomBytes } from 'node:crypto';

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
 * @throws {TypeError} for a number that is not finite and for half of a surrogate pair.
 */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value as { readonly [key: string]: JsonValue });
    // The default order of `sort` is the one of the RFC.
    members.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([key, each]) => `${text(key)}:${canonicalJson(each)}`).join(',')}}`;
  }
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError('the number is not finite');
  }
  return JSON.stringify(value);
}

function text(value: string): string {
  if (!value.isWellFormed()) throw new TypeError('the string has half of a surrogate pair');
  return JSON.stringify(value);
}

/** A new salt, in base64. */
export function newSalt(): string {
  return randomBytes(SALT_BYTES).toString('base64');
}

/** SHA-256 of the salt, in base64, and the canonical JSON of the record after it; in base64. */
export function saltedDigest(salt: string, record: JsonValue): string {
  return createHash('sha256').update(salt, 'base64').update(canonicalJson(record)).digest('base64');
}
