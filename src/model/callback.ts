// The URL of a subscriber's callback, parsed once for the endpoint, the store and the deliveries.

export interface Callback {
  /** The URL as the subscriber gave it. Logs show it without its query, which may hold a secret. */
  readonly href: string;
  /** Scheme, host and port as a client connects to them. */
  readonly origin: string;
  /** Host name in lower case, without the brackets of IPv6 and without a dot at the end. */
  readonly host: string;
  readonly port: number;
  /** Path and query as they are sent in a request line. */
  readonly path: string;
  /** Registrable domain of the host, or the network of an address. */
  readonly domain: string;
}
