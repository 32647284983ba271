// Receives the notifications of other processes by LISTEN, on a connection of its own. Reconnects whenever
// it is lost.

import { Client, type ClientConfig } from 'pg';
import type { Listener, StoreNotification } from '../engine.ts';
import { pause } from '../../model/pause.ts';
import { destroyConnection } from './pool.ts';

/** The channel of all notifications; the payload is a `StoreNotification`. */
export const CHANNEL = 'public_reviews';

/** A connection that does not answer a probe in time has hung, and would never notify. */
const PROBE_INTERVAL_MS = 5_000;
const PROBE_TIMEOUT_MS = 5_000;
/** Delay before reconnecting, doubled after each failure, so that replicas do not reconnect all at once. */
const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;

export class PostgresListener implements Listener {
  readonly #settings: ClientConfig;
  readonly #channel: string;
  readonly #onNotification: (notification: StoreNotification | null) => void;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #isConnected = false;

  /** `onNotification` gets null after every connect: notifications may have been missed before. */
  constructor(
    settings: ClientConfig,
    channel: string,
    onNotification: (notification: StoreNotification | null) => void,
  ) {
    this.#settings = settings;
    this.#channel = channel;
    this.#onNotification = onNotification;
    this.#ended = this.#run();
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let delayMs = MIN_DELAY_MS;
    while (!signal.aborted) {
      // Not logged: those who query the store report that it is unavailable.
      const wasConnected = await this.#listen().catch(() => false);
      this.#isConnected = false;
      delayMs = wasConnected ? MIN_DELAY_MS : Math.min(2 * delayMs, MAX_DELAY_MS);
      await pause(delayMs * (0.5 + Math.random()), signal);
    }
  }

  /** Listens until the connection is lost or closed; returns whether it was established. */
  async #listen(): Promise<boolean> {
    const { signal } = this.#stop;
    const client = new Client({ ...this.#settings, query_timeout: PROBE_TIMEOUT_MS });
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ payload }) => this.#onNotification(payload as StoreNotification));
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(this.#channel)}`);
      this.#isConnected = true;
      this.#onNotification(null);
      while (!lost.signal.aborted && !signal.aborted) {
        const ended = AbortSignal.any([lost.signal, signal]);
        await pause(PROBE_INTERVAL_MS, ended);
        if (!ended.aborted) await client.query('select 1');
      }
      return true;
    } catch {
      return this.#isConnected;
    } finally {
      // `end` waits for an unanswered probe, so the socket is destroyed.
      void client.end().catch(() => undefined);
      destroyConnection(client);
    }
  }
}
