// The limits of HTTP that no setting changes and a client can meet. docs/limits.md says what happens beyond them.

import { maxHeaderSize } from 'node:http';

export const HTTP_LIMITS = {
  /** Time for a request to arrive whole, and for its headers. */
  requestMs: 30_000,
  /** Target and headers of a request. */
  headerBytes: maxHeaderSize,
  /** Time between two requests of a connection. */
  idleMs: 5_000,
  /** Requests of one connection that wait for its earlier answers. */
  pipelined: 100,
  /** Bytes that a client must read in a minute while an answer waits. */
  drainBytes: 256 * 1024,
  /** CPU time of a turn of the event loop, three turns in a row; then cached answers and health checks continue. */
  lateMs: 500,
  /** Requests of a process that wait for CPU; beyond it those of the client address that has most of them are refused. */
  waitingRequests: 1_000,
  /** CPU time that is spent on other requests while one waits. */
  waitingCpuMs: 5_000,
  /** Pictures for links that a process draws in a minute. */
  picturesPerMinute: 90,
} as const;
