// The limits of HTTP that no setting changes and a client can meet.

import { maxHeaderSize } from 'node:http';
import type { FixedLimit } from '../model/limit.ts';
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
  picturesPerMinute: {
    what: 'pictures for links that a process draws in a minute',
    value: 90,
    answer: '302 to /og.png',
    metric: METRICS.requests.name,
  },
} as const satisfies Record<string, FixedLimit>;
