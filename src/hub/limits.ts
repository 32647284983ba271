// The limits of the hub that no setting changes.

import { MAX_REQUEST_BYTES, MAX_TOKEN_LENGTH } from '../model/hub-form.ts';
import type { FixedLimit } from '../model/limit.ts';
import { METRICS } from '../model/metrics.ts';

/** Requests per minute to a domain, for each subscription that a host may have. */
export const CALLS_PER_SUBSCRIPTION = 6;
/** Domains behind a content delivery network share addresses. */
export const DOMAINS_PER_NETWORK = 4;

export const HUB_LIMITS = {
  formBytes: {
    what: 'body of a request',
    value: MAX_REQUEST_BYTES,
    unit: 'bytes',
    answer: '413',
    metric: METRICS.requests.name,
  },
  // Every subscription stores its URL, and each request to the callback repeats it.
  callbackLength: {
    what: 'URL of a callback, percent-encoded',
    value: 2048,
    unit: 'characters',
    answer: '400',
    metric: METRICS.requests.name,
  },
  tokenLength: {
    what: '`hub.verify_token`, percent-encoded',
    value: MAX_TOKEN_LENGTH,
    unit: 'characters',
    answer: '400',
    metric: METRICS.requests.name,
  },
  waiting: {
    what: 'requests that wait to be verified; the last quarter is for domains with fewer than four',
    value: 10_000,
    answer: '503',
    metric: METRICS.requests.name,
  },
  addresses: {
    what: 'addresses of the name of a callback',
    value: 32,
    answer: 'a failed attempt',
    metric: METRICS.hubVerifications.name,
  },
  retryAfterMs: {
    what: '`Retry-After` of a callback',
    value: 3_600_000,
    unit: 'ms',
    answer: 'a longer one counts as this',
    metric: null,
  },
} as const satisfies Record<string, FixedLimit>;
