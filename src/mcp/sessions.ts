// Session ids that need no memory: each says when and for which revision it was issued, and is
// signed, so that any replica knows it, and knows it after a restart.

import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

/** Revisions that have sessions, the newest first. Ids hold places in it: it only ever grows at its end. */
export const SESSION_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
export type SessionRevision = (typeof SESSION_REVISIONS)[number];

/** Many clients never begin a second session, so an id is good for long. */
const LIFETIME_SECONDS = 30 * 86_400;

const LAYOUT = 1;
const SIGNED_BYTES = 16;
const SIGNATURE_BYTES = 16;
/** 32 bytes in base64url. */
const SHAPE = /^[\w-]{43}$/;

/** What an id says. */
export interface Session {
  readonly id: string;
  readonly revision: SessionRevision;
  /** Seconds since 1970. */
  readonly expiresAtSeconds: number;
}

export class Sessions {
  readonly #key: KeyObject;
  readonly #now: () => number;
  readonly #random: (bytes: number) => Buffer;

  /** `now` is in seconds since 1970. */
  constructor(secret: string, now: () => number, random: (bytes: number) => Buffer) {
    this.#key = createSecretKey(Buffer.from(secret));
    this.#now = now;
    this.#random = random;
  }

  /** The id of a new session. */
  issue(revision: SessionRevision): string {
    const signed = Buffer.alloc(SIGNED_BYTES);
    signed[0] = LAYOUT;
    signed[1] = SESSION_REVISIONS.indexOf(revision);
    signed.writeUInt32BE(Math.floor(this.#now()), 2);
    this.#random(SIGNED_BYTES - 6).copy(signed, 6);
    return Buffer.concat([signed, this.#sign(signed)]).toString('base64url');
  }

  /** What an id says; null for one that we did not issue, or that has run out. */
  read(id: string): Session | null {
    if (!SHAPE.test(id)) return null;
    const bytes = Buffer.from(id, 'base64url');
    // The last character has bits to spare: only one of its spellings is the id, or an id that was
    // ended would live on under another.
    if (bytes.toString('base64url') !== id) return null;
    const signed = bytes.subarray(0, SIGNED_BYTES);
    if (!timingSafeEqual(bytes.subarray(SIGNED_BYTES), this.#sign(signed))) return null;
    const revision = SESSION_REVISIONS[signed[1] as number];
    const expiresAtSeconds = signed.readUInt32BE(2) + LIFETIME_SECONDS;
    if (signed[0] !== LAYOUT || revision === undefined || expiresAtSeconds < this.#now())
      return null;
    return { id, revision, expiresAtSeconds };
  }

  #sign(bytes: Buffer): Buffer {
    const hmac = createHmac('sha256', this.#key).update('mcp-session.v1\0').update(bytes);
    return hmac.digest().subarray(0, SIGNATURE_BYTES);
  }
}
