// Who listens for which resources (2026-07-28, `subscriptions/listen`): only what somebody listens for
// is looked at when a new snapshot comes.

import { ERROR_CODES } from './json-rpc.ts';
import { rejection, type Rejection } from './http-exchange.ts';

const LISTEN = 'subscriptions/listen';
/** As one stream may listen for: every one of them is compared at every change. */
const MAX_URIS = 50;
/** Streams that may be open at a time: each holds a connection. */
const MAX_STREAMS = 512;
/** Streams of one client address, so that no client takes all of them from the others. */
const MAX_STREAMS_PER_CLIENT = 32;

const TOO_MANY_URIS: Rejection = {
  status: 200,
  error: {
    code: ERROR_CODES.invalidParams,
    message: `Invalid params: expected at most ${MAX_URIS} resources in one stream`,
  },
};
const TOO_MANY_OF_CLIENT = rejection(
  429,
  'This client address has too many streams open. Close one of them first.',
  ['Retry-After', '60'],
);
const TOO_MANY_STREAMS = rejection(503, 'Too many clients are listening. Try again in a minute.', [
  'Retry-After',
  '60',
]);

export class ListenStreams {
  readonly #mostStreams: number;
  readonly #mostPerClient: number;
  /** Streams by resource. */
  readonly #listeners = new Map<string, number>();
  /** Streams by client. */
  readonly #clients = new Map<string, number>();
  #streams = 0;

  constructor(mostStreams = MAX_STREAMS, mostPerClient = MAX_STREAMS_PER_CLIENT) {
    this.#mostStreams = mostStreams;
    this.#mostPerClient = mostPerClient;
  }

  /** URIs that somebody listens for. */
  get uris(): ReadonlySet<string> {
    return new Set(this.#listeners.keys());
  }

  /**
   * Counts a request that listens for its client, until the returned function is called; or says why
   * it may not listen.
   */
  enter(message: unknown, client: string): (() => void) | Rejection {
    const { method, params } = message as {
      method?: unknown;
      params?: { notifications?: { resourceSubscriptions?: unknown } };
    };
    if (method !== LISTEN) return () => undefined;
    const wanted = params?.notifications?.resourceSubscriptions;
    const uris = Array.isArray(wanted) ? wanted.filter((uri) => typeof uri === 'string') : [];
    if (uris.length > MAX_URIS) return TOO_MANY_URIS;
    if ((this.#clients.get(client) ?? 0) >= this.#mostPerClient) return TOO_MANY_OF_CLIENT;
    if (this.#streams >= this.#mostStreams) return TOO_MANY_STREAMS;
    this.#streams += 1;
    change(this.#clients, client, 1);
    for (const uri of uris) change(this.#listeners, uri, 1);
    return () => {
      this.#streams -= 1;
      change(this.#clients, client, -1);
      for (const uri of uris) change(this.#listeners, uri, -1);
    };
  }
}

/** Adds to a count; one that comes to nothing is removed. */
function change(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
