// Who listens for which resources (2026-07-28, `subscriptions/listen`): only what somebody listens for
// is looked at when a new snapshot comes.

import { CODES } from './rpc.ts';
import { reject, type Rejection } from './wire.ts';

const LISTEN = 'subscriptions/listen';
/** As one stream may listen for: every one of them is compared at every change. */
const MOST_URIS = 50;
/** Streams that may be open at a time: each holds a connection. */
const MOST_STREAMS = 512;

const TOO_MANY_URIS: Rejection = {
  status: 200,
  error: {
    code: CODES.invalidParams,
    message: `Invalid params: expected at most ${MOST_URIS} resources in one stream`,
  },
};
const TOO_MANY_STREAMS = reject(503, 'Too many clients are listening. Try again in a minute.', [
  'Retry-After',
  '60',
]);

export class Watches {
  readonly #mostStreams: number;
  readonly #listeners = new Map<string, number>();
  #streams = 0;

  constructor(mostStreams = MOST_STREAMS) {
    this.#mostStreams = mostStreams;
  }

  /** URIs that somebody listens for. */
  get uris(): ReadonlySet<string> {
    return new Set(this.#listeners.keys());
  }

  /** Counts a request that listens, until what is returned is called; or why it may not. */
  enter(message: unknown): (() => void) | Rejection {
    const { method, params } = message as {
      method?: unknown;
      params?: { notifications?: { resourceSubscriptions?: unknown } };
    };
    if (method !== LISTEN) return () => undefined;
    const wanted = params?.notifications?.resourceSubscriptions;
    const uris = Array.isArray(wanted) ? wanted.filter((uri) => typeof uri === 'string') : [];
    if (uris.length > MOST_URIS) return TOO_MANY_URIS;
    if (this.#streams >= this.#mostStreams) return TOO_MANY_STREAMS;
    this.#streams += 1;
    for (const uri of uris) this.#listeners.set(uri, (this.#listeners.get(uri) ?? 0) + 1);
    return () => this.#leave(uris);
  }

  #leave(uris: readonly string[]): void {
    this.#streams -= 1;
    for (const uri of uris) {
      const left = (this.#listeners.get(uri) ?? 0) - 1;
      if (left > 0) this.#listeners.set(uri, left);
      else this.#listeners.delete(uri);
    }
  }
}
