// Random events on the store of subscriptions; after each, the store is compared with its oracle.

import fc from 'fast-check';
import type { Database } from '../../src/store/database.ts';
import { KEYS, TOPICS, OWNERS, World } from './subscription-world.ts';

type Event = (world: World) => void | Promise<void>;

/** An event that prints its name and values in counterexamples. */
const event = <T extends unknown[]>(
  name: string,
  parameters: { [Index in keyof T]: fc.Arbitrary<T[Index]> },
  happen: (world: World, ...values: T) => void | Promise<void>,
): fc.Arbitrary<Event> =>
  fc.tuple<T>(...parameters).map((values) =>
    Object.assign((world: World) => happen(world, ...values), {
      [fc.toStringMethod]: () => `${name} ${JSON.stringify(values)}`,
    }),
  );

const key = fc.constantFrom(...KEYS);
const owner = fc.constantFrom(...OWNERS);
const mode = fc.constantFrom('subscribe', 'subscribe', 'subscribe', 'unsubscribe');
const lease = fc.constantFrom(1, 10, 60, 600);
const number = fc.nat(11);

const anyEvent = fc.oneof(
  {
    weight: 4,
    arbitrary: event('request', [key, mode, lease, fc.boolean()], (world, ...values) =>
      world.request(...values),
    ),
  },
  { weight: 3, arbitrary: event('take intents', [owner], (world, by) => world.takeIntents(by)) },
  {
    weight: 4,
    arbitrary: event('take deliveries', [owner], (world, by) => world.takeDeliveries(by)),
  },
  {
    weight: 8,
    arbitrary: event('end', [number, fc.nat(5)], (world, ...values) => world.end(...values)),
  },
  {
    weight: 3,
    arbitrary: event('publish', [fc.subarray(TOPICS)], (world, topics) => world.publish(topics)),
  },
  {
    weight: 4,
    arbitrary: event('step', [fc.constantFrom(1, 999, 2_000, 5_000, 15_000, 60_000)], (world, ms) =>
      world.step(ms),
    ),
  },
  {
    weight: 1,
    arbitrary: event(
      'set the clock back',
      [fc.constantFrom(1, 30_000, 90_000, 600_000)],
      (world, ms) => world.step(-ms),
    ),
  },
  { weight: 1, arbitrary: event('release', [owner], (world, by) => world.release(by)) },
  { weight: 1, arbitrary: event('remove', [key], (world, which) => world.remove(which)) },
  { weight: 1, arbitrary: event('clean', [], (world) => world.clean()) },
);

/** Starts with two subscriptions, so that deliveries and renewals happen early. */
async function begin(world: World): Promise<void> {
  await world.request(KEYS[0], 'subscribe', 600, true);
  await world.request(KEYS[1], 'subscribe', 10, true);
  await world.takeIntents('one');
  for (let count = 0; count < 2; count++) await world.end(0, 0);
  await world.publish(TOPICS);
  world.step(2_000);
}

/** Fails with the seed and the shortest series of events after which store and oracle differ. */
export async function compareWithModel(
  database: Database,
  parameters: { readonly numRuns: number; readonly seed?: number },
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEvent, { maxLength: 60, size: 'max' }), async (events) => {
      for (const table of ['subscriptions', 'intents', 'denials'] as const) {
        await database.write((transaction) => transaction.deleteFrom(table).execute());
      }
      const world = new World(database);
      await begin(world);
      for (const happen of events) {
        await happen(world);
        await world.compare();
      }
    }),
    parameters,
  );
}
