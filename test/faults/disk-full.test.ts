// The disk is full at every write of every operation. SQLite's limit of pages stands for the disk: a write
// that needs one more page fails as on a full one.

import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { UnavailableError } from '../../src/errors.ts';
import { Database } from '../../src/store/database.ts';
import { saveOrigin } from '../../src/store/state.ts';
import { type Manifest, partsOf } from '../../src/snapshot/manifest.ts';
import { BUSINESS } from '../support/reviews.ts';
import {
  contentOf,
  FaultStore,
  isPublished,
  publishHere,
  recordsOf,
  named,
} from '../support/fault-store.ts';
import { merge } from '../support/store.ts';
import { callbacksOf, save, subscribe, subscribeAll } from '../support/subscriptions.ts';
import { loadStoredSnapshot } from '../support/stored-snapshot.ts';

interface FullDisk {
  /** What writes when the disk is full. */
  readonly operation: string;
  readonly before?: (database: Database) => Promise<unknown>;
  readonly write: (database: Database) => Promise<unknown>;
  /** Whether what was imported is published afterwards, when there is room. */
  readonly publishes?: boolean;
}

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ callback: `https://a.example/${index}` }));

const ROWS: readonly FullDisk[] = [
  { operation: 'an import of new reviews', write: (on) => merge(on, recordsOf(400)) },
  { operation: 'an import of changed reviews', write: (on) => merge(on, recordsOf(40, 2)) },
  {
    operation: 'an import that prunes',
    write: (on) => merge(on, recordsOf(20, 2), { prune: true }),
  },
  {
    operation: 'an import of a business',
    write: (on) => merge(on, [], { business: { ...BUSINESS, description: 'x'.repeat(20_000) } }),
  },
  {
    operation: 'a publish of new reviews',
    before: (on) => merge(on, recordsOf(200)),
    write: publishHere,
    publishes: true,
  },
  {
    operation: 'a publish of changed reviews',
    before: (on) => merge(on, recordsOf(40, 2)),
    write: publishHere,
    publishes: true,
  },
  {
    operation: 'a request to subscribe',
    write: (on) => save(on, { callback: `https://a.example/${'x'.repeat(20_000)}` }),
  },
  { operation: 'verified subscriptions', write: (on) => subscribe(on, many(200)) },
  {
    operation: 'a publish that makes deliveries pending',
    before: async (on) => {
      await subscribeAll(on, callbacksOf(['a.example'], 50), Date.now());
      await merge(on, recordsOf(60));
    },
    write: publishHere,
    publishes: true,
  },
  {
    operation: 'a new base URL at the start',
    write: (on) => saveOrigin(on, `https://${'long'.repeat(5_000)}.example`),
  },
];

let store: FaultStore;
let database: Database | undefined;
beforeAll(async () => {
  store = await FaultStore.create();
});
afterEach(() => database?.close());
afterAll(() => store.remove());

/** Limits the file to so many pages more than it has, of which none is free. */
async function leaveRoom(on: Database, pages: number): Promise<void> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(on.read);
  await sql`pragma max_page_count = ${sql.lit((rows[0]?.page_count ?? 0) + pages)}`.execute(
    on.read,
  );
}

/** Every table but for the claim to publish and the stored analyses, which are a cache. */
async function everything(on: Database): Promise<object> {
  const tables = ['intents', 'subscriptions', 'denials', 'business'] as const;
  const rows = await Promise.all(
    tables.map((table) => on.read.selectFrom(table).selectAll().execute()),
  );
  const { state, reviews } = (await contentOf(on)) as Record<string, unknown>;
  return { state, reviews, rows };
}

test.each(named(ROWS, ({ operation }) => operation))(
  '%s: nothing changes, one error, and all when there is room',
  async (_, row) => {
    const path = await store.copy();
    const open = (database = await Database.open(`sqlite:${path}`));
    const full = `the disk of ${path}, or the one for temporary files, is full: make room`;
    await row.before?.(open);
    await sql`vacuum`.execute(open.read);
    let before = await everything(open);
    let failures = 0;
    for (let pages = 0; ; pages = 2 * pages + 1) {
      await leaveRoom(open, pages);
      const error = await row.write(open).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error === null) break;
      expect(error).toEqual(new UnavailableError(full));
      failures += 1;
      const after = await everything(open);
      // Requests to subscribe are stored one by one: those before the first failure stay.
      if (row.operation === 'verified subscriptions') before = after;
      expect(after).toEqual(before);
      // Readers get what was published before.
      const snapshot = await loadStoredSnapshot(open, (manifest) =>
        partsOf(JSON.parse(manifest) as Manifest),
      );
      expect(snapshot?.number).toBe(1);
    }
    // A row whose operation needs no page proves nothing.
    expect(failures).toBeGreaterThan(0);
    if (row.publishes === true) expect(await isPublished(open)).toBe(true);
    else expect(await everything(open)).not.toEqual(before);
  },
);
