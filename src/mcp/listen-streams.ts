// Open `subscriptions/listen` streams (2026-07-28) and the resources that they subscribe to. Only these
// resources are compared when a new snapshot is shown.

import { ERROR_CODES } from './json-rpc.ts';
import { transportRejection, type Rejection } from './http-exchange.ts';
import { MCP_LIMITS } from './limits.ts';

const LISTEN_METHOD = 'subscriptions/listen';
/** Each resource of a stream is compared with every new snapshot. */
const MAX_URIS = MCP_LIMITS.streamUris;

const TOO_MANY_URIS: Rejection = {
  status: 200,
  error: {
    code: ERROR_CODES.invalidParams,
    message: `Invalid params: expected at most ${MAX_URIS} resources in one stream`,
  },
};
const TOO_MANY_OF_CLIENT = transportRejection(
  429,
  'Too many open streams for this client address. Close one first.',
  ['Retry-After', '60'],
);
const TOO_MANY_STREAMS = transportRejection(503, 'Too many open streams. Try again in a minute.', [
  'Retry-After',
  '60',
]);

export class ListenStreams {
  readonly #maxStreams: number;
  readonly #maxStreamsPerClient: number;
  readonly #streamsByUri = new Map<string, number>();
  readonly #streamsByClient = new Map<string, number>();
  #count = 0;

  constructor(
    maxStreams: number = MCP_LIMITS.streams,
    maxStreamsPerClient: number = MCP_LIMITS.streamsPerClient,
  ) {
    this.#maxStreams = maxStreams;
    this.#maxStreamsPerClient = maxStreamsPerClient;
  }

  get resourceUris(): ReadonlySet<string> {
    return new Set(this.#streamsByUri.keys());
  }

  /**
   * Registers the stream of a `subscriptions/listen` request until the returned function is called, or
   * returns a rejection. Other requests are not counted.
   */
  open(message: unknown, client: string): (() => void) | Rejection {
    const { method, params } = message as {
      method?: unknown;
      params?: { notifications?: { resourceSubscriptions?: unknown } };
    };
    if (method !== LISTEN_METHOD) return () => undefined;
    const requested = params?.notifications?.resourceSubscriptions;
    const uris = Array.isArray(requested) ? requested.filter((uri) => typeof uri === 'string') : [];
    if (uris.length > MAX_URIS) return TOO_MANY_URIS;
    if ((this.#streamsByClient.get(client) ?? 0) >= this.#maxStreamsPerClient)
      return TOO_MANY_OF_CLIENT;
    if (this.#count >= this.#maxStreams) return TOO_MANY_STREAMS;
    this.#count += 1;
    addTo(this.#streamsByClient, client, 1);
    for (const uri of uris) addTo(this.#streamsByUri, uri, 1);
    return () => {
      this.#count -= 1;
      addTo(this.#streamsByClient, client, -1);
      for (const uri of uris) addTo(this.#streamsByUri, uri, -1);
    };
  }
}

/** Changes a count and removes it at zero. */
function addTo(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
