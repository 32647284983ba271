// The limits of the hub that no setting changes and a subscriber can meet. docs/limits.md says what happens beyond them.

import { MAX_REQUEST_BYTES, MAX_TOKEN_LENGTH } from '../model/hub-form.ts';

/** Requests per minute to a domain, for each subscription that a host may have. */
export const CALLS_PER_SUBSCRIPTION = 6;
/** Domains behind a content delivery network share addresses. */
export const DOMAINS_PER_NETWORK = 4;

export const HUB_LIMITS = {
  formBytes: MAX_REQUEST_BYTES,
  /** URL of a callback, percent-encoded. Every subscription stores its URL, and each request to the callback repeats it. */
  callbackLength: 2048,
  /** `hub.verify_token`, percent-encoded. */
  tokenLength: MAX_TOKEN_LENGTH,
  /** Requests that wait to be verified; the last quarter is for domains with fewer than four. */
  waiting: 10_000,
  /** Addresses of the name of a callback. */
  addresses: 32,
  retryAfterMs: 3_600_000,
} as const;
