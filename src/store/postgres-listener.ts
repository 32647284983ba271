// Hears what other processes tell by NOTIFY, on a connection of its own that is made again whenever it
// is lost.

import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import type { Listener, StoreNotification } from './engine.ts';

/** The name under which all is told; what, is the payload. */
export const CHANNEL = 'public_reviews';

/** A connection that does not answer this question in time has hung, and would never tell anything. */
const QUESTION_EVERY_MS = 5_000;
const ANSWER_WITHIN_MS = 5_000;
/** Before a connection is tried again: longer and longer, so that many replicas do not crowd. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

export class PostgresListener implements Listener {
  readonly #settings: ClientConfig;
  readonly #onNotification: (news: StoreNotification | null) => void;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #isConnected = false;

  /** `onNotification` is told `null` when a connection was made: something may have been missed before. */
  constructor(settings: ClientConfig, onNotification: (news: StoreNotification | null) => void) {
    this.#settings = settings;
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
    let pause = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      // Whatever went wrong is told by those who ask the store; here it is only tried again.
      const heard = await this.#listen().catch(() => false);
      this.#isConnected = false;
      pause = heard ? FIRST_PAUSE_MS : Math.min(2 * pause, LONGEST_PAUSE_MS);
      await sleep(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Listens until the connection is lost; whether there was one. */
  async #listen(): Promise<boolean> {
    const { signal } = this.#stop;
    const client = new Client({ ...this.#settings, query_timeout: ANSWER_WITHIN_MS });
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ payload }) => this.#onNotification(payload as StoreNotification));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.#isConnected = true;
      this.#onNotification(null);
      while (!lost.signal.aborted && !signal.aborted) {
        const over = AbortSignal.any([lost.signal, signal]);
        await sleep(QUESTION_EVERY_MS, undefined, { signal: over }).catch(() => undefined);
        if (!over.aborted) await client.query('select 1');
      }
      return true;
    } catch {
      return this.#isConnected;
    } finally {
      // A question that was not answered is still waited for, so this cuts the connection.
      void client.end().catch(() => undefined);
      (
        client as unknown as { connection: { stream: { destroy(): void } } }
      ).connection.stream.destroy();
    }
  }
}
