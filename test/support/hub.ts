// A hub, reviews that a test can change, and subscribers that it may call.

import { expect } from 'vitest';
import type { Selectable } from 'kysely';
import { publish } from '../../src/publishing/publish.ts';
import { Database } from '../../src/store/database.ts';
import type { IntentRow, SubscriptionRow } from '../../src/store/schema.ts';
import { countSubscriptions } from '../../src/store/subscriptions.ts';
import { claimPublishing, loadState, releasePublishing } from '../../src/store/snapshots.ts';
import { type RunningServer, type Server, Workplace } from './process.ts';
import { merge, record, until } from './store.ts';
import { askHub, Subscriber } from './subscriber.ts';
import { Certificate, TEST_ADDRESSES } from './tls.ts';

export const ORIGIN = 'https://reviews.example';
export const ATOM = `${ORIGIN}/feed.xml`;
export const FEED = `${ORIGIN}/api/feed.json`;
export const REVIEWS = `${ORIGIN}/reviews.json`;
export const TOPICS = [REVIEWS, FEED, ATOM];

/** Settings that make waits short and counts large. */
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

/** What every hub of the tests is made of. */
export interface HubParts {
  readonly place: Workplace;
  readonly certificate: Certificate;
  /** The store, as another process sees it. */
  readonly database: Database;
  /** The environment of its server. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Makes a store whose feeds are full: an older review than the 50 newest is in `/reviews.json` alone. */
export async function prepareHub(
  place: Workplace,
  settings: Record<string, string>,
): Promise<HubParts> {
  const certificate = await Certificate.create();
  const database = await Database.open(place.databaseUrl);
  const old = Array.from({ length: 60 }, (_, number) => ({
    source_id: `old-${number}`,
    date: `${1950 + number}-01-01`,
  }));
  // What is published already, the server need not publish in a process that it would start for that.
  if (settings['BASE_URL'] === undefined) await mergeAndPublish(database, old);
  // It alone knows the origin.
  else await merge(database, old.map(record));
  const trust = { NODE_EXTRA_CA_CERTS: certificate.path };
  return { place, certificate, database, settings: { ...QUICK, ...trust, ...settings } };
}

/** Merges and publishes reviews as an import does. */
async function mergeAndPublish(
  database: Database,
  reviews: readonly Record<string, unknown>[],
): Promise<void> {
  const [publisher, now] = ['the test', Date.now()];
  // Claimed before there is anything to publish, so that no server does it.
  await until(() => claimPublishing(database, publisher, now, now + 60_000));
  await merge(database, reviews.map(record));
  await publish(database, { publisherId: publisher, defaultOrigin: ORIGIN }, now / 1000);
  await releasePublishing(database, publisher);
}

/** A hub, whose server runs in a process of its own or in that of the test. */
export abstract class Hub<AnyServer extends RunningServer> {
  readonly place: Workplace;
  readonly certificate: Certificate;
  readonly database: Database;
  protected readonly settings: Readonly<Record<string, string>>;
  readonly #subscribers: Subscriber[] = [];
  #server: AnyServer | null = null;
  #changes = 0;

  protected constructor({ place, certificate, database, settings }: HubParts) {
    this.place = place;
    this.certificate = certificate;
    this.database = database;
    this.settings = settings;
  }

  /** Starts a server on the store. */
  protected abstract serve(settings: Readonly<Record<string, string>>): Promise<AnyServer>;

  /** Ends every server of the store. */
  protected abstract stop(): Promise<void>;

  get server(): AnyServer {
    if (!this.#server) throw new Error('the hub has not been started');
    return this.#server;
  }

  /** Starts the server, or starts it again, on the same store. */
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

  /** Sends a request that is accepted, and waits until its verification is over. */
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

  /** Subscribes a callback, and waits until that is so. */
  async subscribe(callback: string, fields: Fields = {}): Promise<void> {
    await this.request('subscribe', callback, fields);
    expect(await this.stored(callback), `${callback} is subscribed`).toBeDefined();
  }

  /** Subscribes many callbacks at once, and waits until they all are. */
  async subscribeAll(callbacks: readonly string[]): Promise<void> {
    const { active: before } = await this.counts();
    const fields = { 'hub.mode': 'subscribe', 'hub.topic': ATOM };
    const answers = await Promise.all(
      callbacks.map(async (callback) => {
        const response = await this.ask({ ...fields, 'hub.callback': callback });
        await response.arrayBuffer();
        return response.status;
      }),
    );
    expect(answers.filter((status) => status !== 202)).toEqual([]);
    const wanted = before + callbacks.length;
    await until(async () => (await this.counts()).active === wanted);
  }

  /** Every subscription, as it is stored. */
  subscriptions(): Promise<SubscriptionRow[]> {
    return this.database.read.selectFrom('subscriptions').selectAll().execute();
  }

  /** How many subscriptions there are, and how many of them owe a delivery. */
  async counts(): Promise<{ active: number; owed: number }> {
    const ofTopics = await countSubscriptions(this.database.read, Date.now());
    const sum = (name: 'active' | 'owed') => ofTopics.reduce((all, each) => all + each[name], 0);
    return { active: sum('active'), owed: sum('owed') };
  }

  /** Makes claims of these workers run out, as they do when their time is over. */
  async expireClaims(workers: readonly string[]): Promise<void> {
    for (const table of ['subscriptions', 'intents', 'denials'] as const) {
      await this.database.write((transaction) =>
        transaction
          .updateTable(table)
          .set({ claimed_until: 0 })
          .where('claimed_by', 'in', workers)
          .execute(),
      );
    }
  }

  /** Waits until no request of a callback waits for its verification. */
  async settled(callback: string): Promise<void> {
    await until(async () => !(await this.intents()).some((intent) => intent.callback === callback));
  }

  /** Requests that wait to be verified. */
  intents(): Promise<Selectable<IntentRow>[]> {
    return this.database.read.selectFrom('intents').selectAll().execute();
  }

  /** The subscription of a callback, as it is stored; undefined without one. */
  stored(callback: string): Promise<SubscriptionRow | undefined> {
    return this.database.read
      .selectFrom('subscriptions')
      .selectAll()
      .where('callback', '=', callback)
      .executeTakeFirst();
  }

  /** Adds a review that is newer than all before, and waits until it is served. */
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

  /** Every line of the log with this message. */
  logged(message: string): Logged[] {
    const lines = this.server.log.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line) as Logged).filter(({ msg }) => msg === message);
  }

  /** Forgets every subscription, and closes every subscriber. */
  async reset(): Promise<void> {
    for (const table of ['intents', 'denials', 'subscriptions'] as const) {
      await this.database.write((transaction) => transaction.deleteFrom(table).execute());
    }
    await Promise.all(this.#subscribers.splice(0).map((subscriber) => subscriber.close()));
  }

  async close(): Promise<void> {
    // Requests that hang end with the subscribers, so that no server waits for them.
    await this.reset();
    await this.stop();
    await this.database.close();
    await this.place.close();
    await this.certificate.close();
  }
}

/** A hub in a process of its own. */
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

  /** The same, on a database that a test has chosen. */
  static async openIn(
    place: Workplace,
    settings: Record<string, string> = {},
    flags: readonly string[] = [],
  ): Promise<HubProcess> {
    const hub = new HubProcess(await prepareHub(place, settings), flags);
    await hub.start();
    return hub;
  }

  protected override serve(settings: Record<string, string>): Promise<Server> {
    return this.place.serve(settings, ...this.#flags);
  }

  protected override stop(): Promise<void> {
    return this.place.stop();
  }

  /** Another server of the same store, with the same settings or others. */
  replica(settings: Record<string, string> = {}): Promise<Server> {
    return this.place.serve({ ...this.settings, ...settings });
  }
}

/** A callback at one of the addresses that the certificate has; so many hosts are there. */
export function callbackAt(subscriber: Subscriber, place: number, target: string): string {
  const address = TEST_ADDRESSES[place % TEST_ADDRESSES.length] as string;
  return `https://${address}:${subscriber.port}${target}`;
}
