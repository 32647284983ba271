// A hub for tests, with reviews that the test changes and subscribers that the hub may call.

import { expect } from 'vitest';
import type { Selectable } from 'kysely';
import { publish } from '../../src/publishing/publish.ts';
import { Database } from '../../src/store/database.ts';
import type { IntentRow, SubscriptionRow } from '../../src/store/schema.ts';
import { countSubscriptions } from '../../src/store/hub/subscriptions.ts';
import { claimPublishing, releasePublishing } from '../../src/store/snapshots/snapshots.ts';
import { loadState } from '../../src/store/state.ts';
import { until } from './patience.ts';
import { type Server, Workplace } from './process.ts';
import type { RunningServer } from './running-server.ts';
import { merge, record } from './store.ts';
import { askHub, Subscriber } from './subscriber.ts';
import { Certificate, TEST_ADDRESSES } from './tls.ts';

export const ORIGIN = 'https://reviews.example';
export const ATOM = `${ORIGIN}/feed.xml`;
export const FEED = `${ORIGIN}/api/feed.json`;
export const REVIEWS = `${ORIGIN}/reviews.json`;
export const TOPICS = [REVIEWS, FEED, ATOM];
/** Requests of one client; a server refuses those that wait beyond a thousand. */
const AT_ONCE = 1_000;

/** Settings with short waits and high limits. */
const QUICK = {
  BASE_URL: ORIGIN,
  LOG_LEVEL: 'info',
  HUB_ALLOW_NETWORKS: '127.0.0.0/8',
  HUB_COALESCE_SECONDS: '0',
  HUB_RETRY_DELAYS_SECONDS: '1,1',
  HUB_LEASE_MIN_SECONDS: '1',
  HUB_TIMEOUT_SECONDS: '2',
  HUB_REQUESTS_PER_MINUTE: '0',
};

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A line of the log. */
export type Logged = Readonly<Record<string, unknown>>;

/** The parts of every test hub. */
export interface HubParts {
  readonly workplace: Workplace;
  readonly certificate: Certificate;
  /** A connection to the store of its own. */
  readonly database: Database;
  /** The environment variables of its server. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Creates a store with full feeds: reviews older than the 50 newest are only in `/reviews.json`. */
export async function prepareHub(
  workplace: Workplace,
  settings: Record<string, string>,
): Promise<HubParts> {
  const certificate = await Certificate.create();
  const database = await Database.open(workplace.databaseUrl);
  const old = Array.from({ length: 60 }, (_, number) => ({
    source_id: `old-${number}`,
    date: `${1950 + number}-01-01`,
  }));
  // Publishing here saves the server from starting a publish process.
  if (settings['BASE_URL'] === undefined) await mergeAndPublish(database, old);
  // Only the server knows its origin, so it publishes.
  else await merge(database, old.map(record));
  const trust = { NODE_EXTRA_CA_CERTS: certificate.path };
  return { workplace, certificate, database, settings: { ...QUICK, ...trust, ...settings } };
}

/** Merges and publishes reviews as an import does. */
async function mergeAndPublish(
  database: Database,
  reviews: readonly Record<string, unknown>[],
): Promise<void> {
  const [publisherId, nowMs] = ['the test', Date.now()];
  // Claimed before the merge, so that no server publishes it.
  await until(() => claimPublishing(database, publisherId, nowMs, nowMs + 60_000));
  await merge(database, reviews.map(record));
  const publishing = { publisherId, defaultOrigin: ORIGIN };
  await publish(database, publishing, nowMs / 1000);
  await releasePublishing(database, publisherId);
}

/** A hub whose server runs in its own process or in that of the test. */
export abstract class Hub<AnyServer extends RunningServer> {
  readonly workplace: Workplace;
  readonly certificate: Certificate;
  readonly database: Database;
  protected readonly settings: Readonly<Record<string, string>>;
  readonly #subscribers: Subscriber[] = [];
  #server: AnyServer | null = null;
  #changes = 0;

  protected constructor({ workplace, certificate, database, settings }: HubParts) {
    this.workplace = workplace;
    this.certificate = certificate;
    this.database = database;
    this.settings = settings;
  }

  /** Starts a server on the store. */
  protected abstract serve(settings: Readonly<Record<string, string>>): Promise<AnyServer>;

  /** Stops all servers of the store. */
  protected abstract stop(): Promise<void>;

  get server(): AnyServer {
    if (!this.#server) throw new Error('the hub has not been started');
    return this.#server;
  }

  /** Starts or restarts the server on the same store. */
  async start(settings: Record<string, string> = {}): Promise<void> {
    this.#server = await this.serve({ ...this.settings, ...settings });
  }

  /** A subscriber that is closed when the hub is reset. */
  async subscriber(options?: Parameters<typeof Subscriber.open>[1]): Promise<Subscriber> {
    const subscriber = await Subscriber.open(this.certificate, options);
    this.#subscribers.push(subscriber);
    return subscriber;
  }

  ask(fields: Fields, headers?: Record<string, string>): Promise<Response> {
    return askHub(this.server.url, fields, headers);
  }

  /** Sends a request, expects it to be accepted, and waits for the end of its verification. */
  async request(mode: string, callback: string, fields: Fields = {}): Promise<void> {
    const response = await this.ask({
      'hub.mode': mode,
      'hub.topic': ATOM,
      'hub.callback': callback,
      ...fields,
    });
    expect([response.status, await response.text()]).toEqual([202, expect.any(String)]);
    await this.settled(callback);
  }

  /** Subscribes a callback, and waits until it is verified. */
  async subscribe(callback: string, fields: Fields = {}): Promise<void> {
    await this.request('subscribe', callback, fields);
    expect(await this.stored(callback), `${callback} is subscribed`).toBeDefined();
  }

  /** Subscribes many callbacks, up to a thousand at once, and waits until all are verified. */
  async subscribeAll(callbacks: readonly string[]): Promise<void> {
    const { active: before } = await this.counts();
    const fields = { 'hub.mode': 'subscribe', 'hub.topic': ATOM };
    const subscribe = async (callback: string) => {
      const response = await this.ask({ ...fields, 'hub.callback': callback });
      await response.arrayBuffer();
      return response.status;
    };
    for (let start = 0; start < callbacks.length; start += AT_ONCE) {
      const statuses = await Promise.all(callbacks.slice(start, start + AT_ONCE).map(subscribe));
      expect(statuses.filter((status) => status !== 202)).toEqual([]);
    }
    const expected = before + callbacks.length;
    await until(async () => (await this.counts()).active === expected);
  }

  /** All stored subscriptions. */
  subscriptions(): Promise<SubscriptionRow[]> {
    return this.database.read.selectFrom('subscriptions').selectAll().execute();
  }

  /** The number of subscriptions, and of those with a pending delivery. */
  async counts(): Promise<{ active: number; pending: number }> {
    const ofTopics = await countSubscriptions(this.database.read, Date.now());
    const sum = (name: 'active' | 'pending') => ofTopics.reduce((all, each) => all + each[name], 0);
    return { active: sum('active'), pending: sum('pending') };
  }

  /** Makes the claims of these dispatchers expire. */
  async expireClaims(ownerIds: readonly string[]): Promise<void> {
    for (const table of ['subscriptions', 'intents', 'denials'] as const) {
      await this.database.write((transaction) =>
        transaction
          .updateTable(table)
          .set({ claimed_until: 0 })
          .where('claimed_by', 'in', ownerIds)
          .execute(),
      );
    }
  }

  /** Waits until all requests of a callback are verified. */
  async settled(callback: string): Promise<void> {
    await until(async () => !(await this.intents()).some((intent) => intent.callback === callback));
  }

  /** Requests that wait for verification. */
  intents(): Promise<Selectable<IntentRow>[]> {
    return this.database.read.selectFrom('intents').selectAll().execute();
  }

  /** The stored subscription of a callback; undefined if there is none. */
  stored(callback: string): Promise<SubscriptionRow | undefined> {
    return this.database.read
      .selectFrom('subscriptions')
      .selectAll()
      .where('callback', '=', callback)
      .executeTakeFirst();
  }

  /** Adds a review that is newer than all others, and waits until it is served. */
  async change(values: Record<string, unknown> = {}): Promise<void> {
    this.#changes += 1;
    const source_id = `change-${this.#changes}`;
    await this.merge({ source_id, date: '2024-01-01', text: source_id, ...values });
  }

  /** Merges and publishes a review as an import does, and waits until it is served. */
  async merge(values: Record<string, unknown>): Promise<void> {
    await this.publish(values);
    await this.served();
  }

  /** Merges and publishes a review as an import does. */
  publish(values: Record<string, unknown>): Promise<void> {
    return mergeAndPublish(this.database, [values]);
  }

  /** Waits until the server serves the newest snapshot; returns its number. */
  async served(): Promise<number> {
    const { snapshotNumber } = await loadState(this.database.read);
    await this.server.until('/readyz', ({ snapshot }) => snapshot === snapshotNumber);
    return snapshotNumber as number;
  }

  /** The lines of the log with this message. */
  logged(message: string): Logged[] {
    const lines = this.server.log.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line) as Logged).filter(({ msg }) => msg === message);
  }

  /** Deletes all subscriptions, and closes all subscribers. */
  async reset(): Promise<void> {
    for (const table of ['intents', 'denials', 'subscriptions'] as const) {
      await this.database.write((transaction) => transaction.deleteFrom(table).execute());
    }
    await Promise.all(this.#subscribers.splice(0).map((subscriber) => subscriber.close()));
  }

  async close(): Promise<void> {
    // Closing the subscribers ends hanging requests, so that no server waits for them.
    await this.reset();
    await this.stop();
    await this.database.close();
    await this.workplace.close();
    await this.certificate.close();
  }
}

/** A hub whose server runs in its own process. */
export class HubProcess extends Hub<Server> {
  readonly #flags: readonly string[];

  private constructor(parts: HubParts, flags: readonly string[]) {
    super(parts);
    this.#flags = flags;
  }

  static async open(
    settings: Record<string, string> = {},
    ...flags: string[]
  ): Promise<HubProcess> {
    return HubProcess.openIn(await Workplace.open(), settings, flags);
  }

  /** The same in a given workplace. */
  static async openIn(
    workplace: Workplace,
    settings: Record<string, string> = {},
    flags: readonly string[] = [],
  ): Promise<HubProcess> {
    const hub = new HubProcess(await prepareHub(workplace, settings), flags);
    await hub.start();
    return hub;
  }

  protected override serve(settings: Record<string, string>): Promise<Server> {
    return this.workplace.serve(settings, ...this.#flags);
  }

  protected override stop(): Promise<void> {
    return this.workplace.stop();
  }

  /** Starts another server on the same store, with the same settings or others. */
  replica(settings: Record<string, string> = {}): Promise<Server> {
    return this.workplace.serve({ ...this.settings, ...settings });
  }
}

/** A callback at one of the addresses of the certificate, which are as many hosts. */
export function callbackAt(subscriber: Subscriber, index: number, target: string): string {
  const address = TEST_ADDRESSES[index % TEST_ADDRESSES.length] as string;
  return `https://${address}:${subscriber.port}${target}`;
}
