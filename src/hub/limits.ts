// The limits of the hub: of requests to it, of subscriptions, and of what it sends to others.

import type { Config } from '../config.ts';
import { MAX_REQUEST_BYTES, MAX_TOKEN_LENGTH } from '../model/hub-form.ts';
import type { ConfiguredLimit, FixedLimit } from '../model/limit.ts';
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
  lookups: {
    what: 'names that wait for the resolver of the system',
    value: 50,
    answer: 'a failed attempt',
    metric: METRICS.hubVerifications.name,
  },
  ignoredBytes: {
    what: 'bytes that are read of an answer of a callback',
    value: 16 * 1024,
    unit: 'bytes',
    answer: 'the connection is closed',
    metric: null,
  },
  ignoredMs: {
    what: 'time for the body of such an answer',
    value: 1_000,
    unit: 'ms',
    answer: 'the connection is closed',
    metric: null,
  },
  interim: {
    what: 'interim responses (1xx) of a callback to a request',
    value: 16,
    answer: 'a failed attempt',
    metric: METRICS.hubDeliveries.name,
  },
  retryAfterMs: {
    what: '`Retry-After` of a callback',
    value: 3_600_000,
    unit: 'ms',
    answer: 'a longer one counts as this',
    metric: null,
  },
} as const satisfies Record<string, FixedLimit>;

export const HUB_SETTINGS: readonly ConfiguredLimit<Config>[] = [
  {
    what: 'requests of a client address to the hub in a minute, to each server',
    setting: 'HUB_REQUESTS_PER_MINUTE',
    valueOf: ({ hub }) => hub.requestsPerMinute,
    answer: '429',
    metric: METRICS.requests.name,
  },
  {
    what: 'subscriptions',
    setting: 'HUB_MAX_SUBSCRIPTIONS',
    valueOf: ({ hub }) => hub.maxSubscriptions,
    answer: '503',
    metric: METRICS.requests.name,
  },
  {
    what: 'subscriptions of a host; ten times as many of a registrable domain',
    setting: 'HUB_MAX_SUBSCRIPTIONS_PER_HOST',
    valueOf: ({ hub }) => hub.maxSubscriptionsPerHost,
    answer: '429',
    metric: METRICS.requests.name,
  },
  {
    what: 'requests of the hub to a registrable domain in a minute, of each server; half of them to unproven callbacks',
    setting: 'HUB_MAX_SUBSCRIPTIONS_PER_HOST',
    valueOf: ({ hub }) => CALLS_PER_SUBSCRIPTION * hub.maxSubscriptionsPerHost,
    answer: 'sent later',
    metric: METRICS.hubDeliveries.name,
  },
  {
    what: 'requests of the hub to an address in a minute, of each server; half of them to unproven callbacks',
    setting: 'HUB_MAX_SUBSCRIPTIONS_PER_HOST',
    valueOf: ({ hub }) =>
      DOMAINS_PER_NETWORK * CALLS_PER_SUBSCRIPTION * hub.maxSubscriptionsPerHost,
    answer: 'sent later',
    metric: METRICS.hubDeliveries.name,
  },
  {
    what: 'requests of the hub in flight, of each server',
    setting: 'HUB_CONCURRENCY',
    valueOf: ({ hub }) => hub.concurrency,
    answer: 'sent later',
    metric: METRICS.hubDeliveries.name,
  },
  {
    what: 'of them to a registrable domain; four times as many to an address',
    setting: 'HUB_CONCURRENCY_PER_HOST',
    valueOf: ({ hub }) => hub.concurrencyPerHost,
    answer: 'sent later',
    metric: METRICS.hubDeliveries.name,
  },
  {
    what: 'time of a request to a callback in seconds; one more for each MiB',
    setting: 'HUB_TIMEOUT_SECONDS',
    valueOf: ({ hub }) => hub.timeoutSeconds,
    answer: 'a failed attempt',
    metric: METRICS.hubDeliveries.name,
  },
  {
    what: 'longest lease in seconds',
    setting: 'HUB_LEASE_MAX_SECONDS',
    valueOf: ({ hub }) => hub.leaseMaxSeconds,
    answer: 'a longer one counts as this',
    metric: null,
  },
];
