// The limits of HTTP: of connections, of requests before they are routed, and of reads.

import { maxHeaderSize } from 'node:http';
import type { Config } from '../config.ts';
import type { ConfiguredLimit, FixedLimit } from '../model/limit.ts';
import { METRICS } from '../model/metrics.ts';

export const HTTP_LIMITS = {
  requestMs: {
    what: 'time for a request to arrive whole, and for its headers',
    value: 30_000,
    unit: 'ms',
    answer: '408, closed',
    metric: METRICS.requests.name,
  },
  headerBytes: {
    what: 'target and headers of a request',
    value: maxHeaderSize,
    unit: 'bytes',
    answer: '431, closed',
    metric: METRICS.requests.name,
  },
  idleMs: {
    what: 'time between two requests of a connection',
    value: 5_000,
    unit: 'ms',
    answer: 'closed',
    metric: null,
  },
  pipelined: {
    what: 'requests of one connection that wait for its earlier answers',
    value: 100,
    answer: 'closed',
    metric: METRICS.refusedConnections.name,
  },
  drainBytes: {
    what: 'bytes that a client must read in a minute while an answer waits',
    value: 256 * 1024,
    unit: 'bytes',
    answer: 'closed',
    metric: METRICS.refusedConnections.name,
  },
  lateMs: {
    what: 'CPU time of a turn of the event loop, three turns in a row; then cached answers and health checks continue',
    value: 500,
    unit: 'ms',
    answer: '503',
    metric: METRICS.requests.name,
  },
  waitingRequests: {
    what: 'requests of a process that wait for CPU; beyond it those of the client address that has most of them are refused',
    value: 1_000,
    answer: '429',
    metric: METRICS.requests.name,
  },
  waitingCpuMs: {
    what: 'CPU time that is spent on other requests while one waits',
    value: 5_000,
    unit: 'ms',
    answer: '503',
    metric: METRICS.requests.name,
  },
  countedClients: {
    what: 'client addresses whose requests are counted',
    value: 20_000,
    answer: 'the oldest is forgotten',
    metric: null,
  },
  pageCacheBytes: {
    what: 'cached pages',
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    answer: 'the page is rendered again',
    metric: null,
  },
  // One client alone gets 30 of 90; after eight that ask without end, three are left for others.
  pictureShare: {
    what: 'part of the pictures for links left in a minute that a process draws for a client address',
    value: 0.5,
    answer: '302 to /og.png',
    metric: METRICS.requests.name,
  },
  picturesPerMinute: {
    what: 'pictures for links that a process draws in a minute',
    value: 90,
    answer: '302 to /og.png',
    metric: METRICS.requests.name,
  },
  pictureCacheBytes: {
    what: 'cached pictures for links',
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    answer: 'the picture is drawn again',
    metric: null,
  },
  // Reading a longer one costs as much as many answers.
  readyUrlLength: {
    what: 'characters of a URL whose cached page is sent before the client has a turn',
    value: 2_048,
    answer: 'waits for CPU',
    metric: null,
  },
  // Documents are sent before clients take turns. Browsers send 30.
  encodingsLength: {
    what: 'characters of `Accept-Encoding` that are read',
    value: 256,
    answer: 'the rest is ignored',
    metric: null,
  },
} as const satisfies Record<string, FixedLimit>;

export const HTTP_SETTINGS: readonly ConfiguredLimit<Config>[] = [
  {
    what: 'connections of a process',
    setting: 'MAX_CONNECTIONS',
    valueOf: ({ maxConnections }) => maxConnections,
    answer: 'closed',
    metric: METRICS.refusedConnections.name,
  },
  {
    what: 'connections of a public client address, if no proxy is trusted',
    setting: 'MAX_CONNECTIONS_PER_CLIENT',
    valueOf: ({ maxConnectionsPerClient }) => maxConnectionsPerClient,
    answer: 'closed',
    metric: METRICS.refusedConnections.name,
  },
  {
    what: 'reads and MCP messages of a client address in a minute',
    setting: 'RATE_LIMIT_PER_MINUTE',
    valueOf: ({ rateLimitPerMinute }) => rateLimitPerMinute,
    answer: '429',
    metric: METRICS.requests.name,
  },
];
