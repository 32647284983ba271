// Stateless session ids: each contains its time of issue and its revision and is signed, so that every
// replica accepts it, also after a restart. An ended one is refused by the process that ended it.

import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Revisions with sessions, newest first. Ids contain indexes of this list: only append to it. */
export const SESSION_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
export type SessionRevision = (typeof SESSION_REVISIONS)[number];

/** Long, because many clients do not start a new session when theirs expires. */
const LIFETIME_SECONDS = 30 * 86_400;

/** Version of the id's binary layout. */
const LAYOUT = 1;
const SIGNED_BYTES = 16;
const SIGNATURE_BYTES = 16;
/** 32 bytes in base64url. */
const ID_PATTERN = /^[\w-]{43}$/;

/** The content of a session id. */
export interface Session {
  readonly id: string;
  readonly revision: SessionRevision;
  readonly expiresAtSeconds: number;
}

/** Forgetting the oldest is harmless: a session grants nothing that a request without one lacks. */
export const MAX_ENDED = 50_000;

export class Sessions {
  readonly #key: KeyObject;
  readonly #nowSeconds: () => number;
  readonly #random: (bytes: number) => Buffer;
  /** Ids of ended sessions. A `max` would reserve memory for all of them at once. */
  readonly #ended = new LRUCache<string, true>({
    maxSize: MAX_ENDED,
    sizeCalculation: () => 1,
  });

  constructor(secret: string, nowSeconds: () => number, random: (bytes: number) => Buffer) {
    this.#key = createSecretKey(Buffer.from(secret));
    this.#nowSeconds = nowSeconds;
    this.#random = random;
  }

  /** Returns a new session id. */
  issue(revision: SessionRevision): string {
    const signed = Buffer.alloc(SIGNED_BYTES);
    signed[0] = LAYOUT;
    signed[1] = SESSION_REVISIONS.indexOf(revision);
    signed.writeUInt32BE(Math.floor(this.#nowSeconds()), 2);
    this.#random(SIGNED_BYTES - 6).copy(signed, 6);
    return Buffer.concat([signed, this.#sign(signed)]).toString('base64url');
  }

  /** Ends a session for this process: others accept its id until it expires. */
  end({ id }: Session): void {
    this.#ended.set(id, true);
  }

  /** Parses and verifies an id. Returns null if it was not issued with this key, has expired or was ended here. */
  parse(id: string): Session | null {
    if (!ID_PATTERN.test(id)) return null;
    const bytes = Buffer.from(id, 'base64url');
    // The last character has unused bits. Only the canonical encoding is accepted, or an ended session
    // could be used under another spelling of its id.
    if (bytes.toString('base64url') !== id) return null;
    const signed = bytes.subarray(0, SIGNED_BYTES);
    if (!timingSafeEqual(bytes.subarray(SIGNED_BYTES), this.#sign(signed))) return null;
    const revision = SESSION_REVISIONS[signed[1] as number];
    const expiresAtSeconds = signed.readUInt32BE(2) + LIFETIME_SECONDS;
    if (signed[0] !== LAYOUT || revision === undefined || expiresAtSeconds < this.#nowSeconds())
      return null;
    return this.#ended.has(id) ? null : { id, revision, expiresAtSeconds };
  }

  #sign(bytes: Buffer): Buffer {
    const hmac = createHmac('sha256', this.#key).update('mcp-session.v1\0').update(bytes);
    return hmac.digest().subarray(0, SIGNATURE_BYTES);
  }
}
