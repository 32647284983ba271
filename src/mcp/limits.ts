// The limits of MCP.

import type { FixedLimit } from '../model/limit.ts';
import { METRICS } from '../model/metrics.ts';

export const MCP_LIMITS = {
  // Ten requests of a batch with the longest arguments fit.
  bodyBytes: {
    what: 'body of a request',
    value: 64 * 1024,
    unit: 'bytes',
    answer: '413, closed',
    metric: METRICS.requests.name,
  },
  // The messages of the protocol, and the arguments of every tool, need far less.
  messageLevels: {
    what: 'levels of nesting in a message',
    value: 64,
    answer: '400',
    metric: METRICS.requests.name,
  },
  messageMembers: {
    what: 'members of an object, and elements of an array, in a message',
    value: 64,
    answer: '400',
    metric: METRICS.requests.name,
  },
  // The SDK takes some 20 µs for each malformed value.
  messageValues: {
    what: 'values in a message, nested ones included',
    value: 512,
    answer: '400',
    metric: METRICS.requests.name,
  },
  batchMessages: {
    what: 'messages of a batch',
    value: 10,
    answer: '400',
    metric: METRICS.requests.name,
  },
  batchBytes: {
    what: 'results of a batch',
    value: 2 * 1024 * 1024,
    unit: 'bytes',
    answer: 'error of the message',
    metric: null,
  },
  answerBytes: {
    what: 'result of a call, if a smaller `limit` would shorten it',
    value: 1024 * 1024,
    unit: 'bytes',
    answer: 'error of the tool',
    metric: null,
  },
  textCharacters: {
    what: 'name of an aspect, technician or service, and `query` of `get_faq`',
    value: 1_000,
    unit: 'characters',
    answer: 'error of the tool',
    metric: null,
  },
  streamUris: {
    what: 'resources of a stream (`subscriptions/listen`)',
    value: 50,
    answer: 'error of the message',
    metric: null,
  },
  streamsPerClient: {
    what: 'open streams of a client address, of one process',
    value: 32,
    answer: '429',
    metric: METRICS.requests.name,
  },
  streams: {
    what: 'open streams of a process',
    value: 512,
    answer: '503',
    metric: METRICS.requests.name,
  },
} as const satisfies Record<string, FixedLimit>;
