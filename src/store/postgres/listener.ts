// Receives the notifications of other processes by LISTEN, on a connection of its own, which the stores of a database
// share. Reconnects whenever it is lost.

import { sql } from 'kysely';
import { Client, type ClientConfig, escapeIdentifier, escapeLiteral } from 'pg';
import type { Executor, Listener, StoreNotification } from '../engine.ts';
import { pause } from '../../model/pause.ts';
import { LONGEST_NAME } from '../../model/schema-name.ts';
import { destroyConnection } from './pool.ts';

/** The channel of a store, and the name of the lock of its servers; the payload is a `StoreNotification`. */
export function channelOf(schema: string | null): string {
  return `public_reviews${schema === null ? '' : ` ${schema}`}`.slice(0, LONGEST_NAME);
}

/** A connection that does not answer a probe in time has hung, and would never notify. */
const PROBE_INTERVAL_MS = 5_000;
const PROBE_TIMEOUT_MS = 5_000;
/** Delay before reconnecting, doubled after each failure, so that replicas do not reconnect all at once. */
const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;

/** Whether a server listens to a channel. Holds a lock for it until the transaction ends. */
export async function isHeard(transaction: Executor, channel: string): Promise<boolean> {
  const { rows } = await sql<{ is_free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${channel}, 0)) as is_free`.execute(
    transaction,
  );
  return rows[0]?.is_free === false;
}

/** Who listens to a channel. */
interface Subscriber {
  /** Gets null when it begins, and after every connect: notifications may have been missed before. */
  readonly onNotification: (notification: StoreNotification | null) => void;
  isHeard: boolean;
}

/** By their databases. */
const connections = new Map<string, ListeningConnection>();

/**
 * Calls back on every notification of a channel. While it listens, its session holds a lock with the name of the
 * channel, which tells others that a server is there.
 */
export function listenTo(
  database: string,
  settings: ClientConfig,
  channel: string,
  onNotification: Subscriber['onNotification'],
): Listener {
  const connection = connections.get(database) ?? new ListeningConnection(settings);
  connections.set(database, connection);
  const subscriber: Subscriber = { onNotification, isHeard: false };
  connection.add(channel, subscriber);
  return {
    get isConnected() {
      return subscriber.isHeard;
    },
    async close() {
      if (!connection.remove(channel, subscriber)) return;
      connections.delete(database);
      await connection.close();
    },
  };
}

class ListeningConnection {
  readonly #settings: ClientConfig;
  readonly #channels = new Map<string, Set<Subscriber>>();
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #client: Client | null = null;
  #lost = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: ClientConfig) {
    this.#settings = settings;
    this.#ended = this.#run();
  }

  add(channel: string, subscriber: Subscriber): void {
    const others = this.#channels.get(channel);
    this.#channels.set(channel, new Set([...(others ?? []), subscriber]));
    if (this.#client) void this.#begin(this.#client, [channel], others === undefined);
  }

  /** Returns whether nobody listens any more. */
  remove(channel: string, subscriber: Subscriber): boolean {
    const left = this.#channels.get(channel);
    left?.delete(subscriber);
    subscriber.isHeard = false;
    if (left?.size === 0) {
      this.#channels.delete(channel);
      const end = `unlisten ${escapeIdentifier(channel)}; select pg_advisory_unlock_shared(${keyOf(channel)})`;
      if (this.#client) this.#ask(this.#client, end).catch(() => this.#lost.abort());
    }
    return this.#channels.size === 0;
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
      const wasConnected = await this.#listen();
      this.#client = null;
      for (const each of this.#channels.values())
        for (const subscriber of each) subscriber.isHeard = false;
      delayMs = wasConnected ? MIN_DELAY_MS : Math.min(2 * delayMs, MAX_DELAY_MS);
      await pause(delayMs * (0.5 + Math.random()), signal);
    }
  }

  /** Listens until the connection is lost or closed; returns whether it was established. */
  async #listen(): Promise<boolean> {
    const { signal } = this.#stop;
    const client = new Client({ ...this.#settings, query_timeout: PROBE_TIMEOUT_MS });
    const lost = new AbortController();
    this.#lost = lost;
    this.#last = Promise.resolve();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ channel, payload }) =>
      this.#channels
        .get(channel)
        ?.forEach(({ onNotification }) => onNotification(payload as StoreNotification)),
    );
    try {
      await client.connect();
      this.#client = client;
      await this.#begin(client, [...this.#channels.keys()], true);
      while (!lost.signal.aborted && !signal.aborted) {
        const ended = AbortSignal.any([lost.signal, signal]);
        await pause(PROBE_INTERVAL_MS, ended);
        if (!ended.aborted) await this.#ask(client, 'select 1');
      }
      return true;
    } catch {
      return this.#client === client;
    } finally {
      // `end` waits for an unanswered probe, so the socket is destroyed.
      void client.end().catch(() => undefined);
      destroyConnection(client);
    }
  }

  /** Statements of a connection run one after the other. */
  #ask(client: Client, statement: string): Promise<unknown> {
    const asked = this.#last.then(() => client.query(statement));
    this.#last = asked.catch(() => undefined);
    return asked;
  }

  async #begin(client: Client, channels: readonly string[], isNew: boolean): Promise<void> {
    const statements = channels.map(
      (channel) =>
        `listen ${escapeIdentifier(channel)}; select pg_advisory_lock_shared(${keyOf(channel)})`,
    );
    try {
      await this.#ask(client, isNew ? statements.join('; ') : 'select 1');
    } catch {
      return this.#lost.abort();
    }
    for (const channel of channels) {
      for (const subscriber of this.#channels.get(channel) ?? []) {
        if (subscriber.isHeard) continue;
        subscriber.isHeard = true;
        subscriber.onNotification(null);
      }
    }
  }
}

function keyOf(channel: string): string {
  return `hashtextextended(${escapeLiteral(channel)}, 0)`;
}
