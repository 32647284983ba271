// The settings of the endpoints for agents and for WebSub.

export interface McpConfig {
  /** Signs session ids; null means the key in the store. */
  readonly sessionKey: string | null;
  /** Whether to refuse requests without a session, in revisions that have sessions. */
  readonly requireSession: boolean;
}

/** Settings of the WebSub hub. */
export interface HubConfig {
  /** Networks in CIDR notation whose addresses count as public. */
  readonly allowNetworks: readonly string[];
  readonly leaseDefaultSeconds: number;
  readonly leaseMinSeconds: number;
  readonly leaseMaxSeconds: number;
  /** Waits before the second and the third attempt of a delivery. */
  readonly retryDelaysSeconds: readonly [number, number];
  /** Limit for a whole request to a callback; each MiB of its body adds a second. */
  readonly timeoutSeconds: number;
  /** Requests to callbacks in flight, in total and to one registrable domain. */
  readonly concurrency: number;
  readonly concurrencyPerHost: number;
  /** Time between a first change and the delivery of the newest content. */
  readonly coalesceSeconds: number;
  /** Subscriptions in total; 0 means no limit. */
  readonly maxSubscriptions: number;
  /** Subscriptions per callback host; 0 means no limit. */
  readonly maxSubscriptionsPerHost: number;
  /** Requests to the hub per minute and client address; 0 means no limit. */
  readonly requestsPerMinute: number;
}
