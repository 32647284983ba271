// Which resources somebody listens for (2026-07-28, `subscriptions/listen`): only these are looked at
// when a new snapshot comes.

import { CODES, type RpcError } from './rpc.ts';

const LISTEN = 'subscriptions/listen';
/** As one stream may listen for: every one of them is compared at every change. */
const MOST_URIS = 50;

export class Watches {
  readonly #listeners = new Map<string, number>();

  /** URIs that somebody listens for. */
  get uris(): ReadonlySet<string> {
    return new Set(this.#listeners.keys());
  }

  /** The URIs that a request listens for, null where it is another request, or what is wrong. */
  parse(message: unknown): readonly string[] | RpcError | null {
    const { method, params } = message as {
      method?: unknown;
      params?: { notifications?: { resourceSubscriptions?: unknown } };
    };
    if (method !== LISTEN) return null;
    const wanted = params?.notifications?.resourceSubscriptions;
    const uris = Array.isArray(wanted) ? wanted.filter((uri) => typeof uri === 'string') : [];
    if (uris.length <= MOST_URIS) return uris;
    return {
      code: CODES.invalidParams,
      message: `Invalid params: expected at most ${MOST_URIS} resources in one stream`,
    };
  }

  /** Counts a listener; returns what ends it. */
  add(uris: readonly string[]): () => void {
    for (const uri of uris) this.#listeners.set(uri, (this.#listeners.get(uri) ?? 0) + 1);
    return () => {
      for (const uri of uris) {
        const left = (this.#listeners.get(uri) ?? 0) - 1;
        if (left > 0) this.#listeners.set(uri, left);
        else this.#listeners.delete(uri);
      }
    };
  }
}
