// Makes a small store with rows in every table, and records what its version serves from it. Run at a release:
// `node test/stores/make.ts NAME` writes NAME.db.gz and NAME.json beside this file (see older-store.test.ts).

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { importFiles, PLAIN_IMPORT, prepareImport, SILENT } from '../../src/intake/import.ts';
import { publish } from '../../src/publishing/publish.ts';
import { parseConfig } from '../../src/config.ts';
import { serve } from '../../src/serving/serve.ts';
import { Database } from '../../src/store/database.ts';
import { createSecret } from '../../src/store/secrets.ts';
import { claimPublishing, releasePublishing } from '../../src/store/snapshots/snapshots.ts';
import { saveOrigin } from '../../src/store/state.ts';
import { type Answers, answersAt } from './answers.ts';
import { publish as markPending, save, subscribe } from '../support/subscriptions.ts';

const ORIGIN = 'https://reviews.example';
/** Times in the past, because a clock that is behind the store is another test. */
const PUBLISHED_SECONDS = [1_780_000_000, 1_780_086_400];
/** The longest lease that the schema has room for, 68 years: nothing expires before it is looked at. */
const LEASE_SECONDS = 2_147_483_647;
const ROWS = 12;

const [name] = process.argv.slice(2);
if (name === undefined) throw new Error('usage: node test/stores/make.ts NAME');
const folder = await mkdtemp(join(tmpdir(), 'public-reviews-make-'));
const path = join(folder, 'reviews.db');
try {
  const database = await Database.open(`sqlite:${path}`);
  await fill(database);
  await database.close();
  const served = await describeServed(path);
  const copy = join(folder, 'copy.db');
  const source = new DatabaseSync(path);
  source.exec(`vacuum into '${copy}'`);
  source.close();
  const target = fileURLToPath(new URL(name, import.meta.url));
  await writeFile(`${target}.db.gz`, gzipSync(await readFile(copy), { level: 9 }));
  await writeFile(`${target}.json`, `${JSON.stringify(served, null, 2)}\n`);
} finally {
  await rm(folder, { recursive: true });
}

async function fill(database: Database): Promise<void> {
  const example = fileURLToPath(new URL('../../examples/', import.meta.url));
  const lines = (await readFile(join(example, 'reviews.ndjson'), 'utf8')).split('\n');
  const unverified = { source: 'direct', author: 'Nobody', rating: 1, date: '2024-01-01' };
  const files = [
    [...lines.slice(0, ROWS - 2), JSON.stringify({ ...unverified, verified: false })],
    lines.slice(ROWS - 2, ROWS - 1),
  ];
  await saveOrigin(database, ORIGIN);
  for (const [index, rows] of files.entries()) {
    const file = join(folder, `${index}.ndjson`);
    await writeFile(file, rows.join('\n'));
    await importFile(database, file, index === 0 ? join(example, 'business.json') : null);
    await publishAt(database, PUBLISHED_SECONDS[index] as number);
  }
  const nowMs = (PUBLISHED_SECONDS[1] as number) * 1000;
  await fillHub(database, nowMs);
  const sessionKey = 'the session key of a store that was made for tests';
  await database.write((transaction) => createSecret(transaction, 'mcp_session_key', sessionKey));
}

async function importFile(
  database: Database,
  file: string,
  business: string | null,
): Promise<void> {
  const prepared = await prepareImport({ ...PLAIN_IMPORT, format: 'ndjson', business });
  const { added, refused } = await importFiles(database, [file], prepared, SILENT);
  if (added === 0 || refused > 0) throw new Error(`${file}: ${added} added, ${refused} refused`);
}

async function publishAt(database: Database, seconds: number): Promise<void> {
  const publisherId = 'make';
  const nowMs = seconds * 1000;
  if (!(await claimPublishing(database, publisherId, nowMs, nowMs + 60_000))) {
    throw new Error('another process publishes');
  }
  await publish(database, { publisherId, defaultOrigin: ORIGIN }, seconds);
  await releasePublishing(database, publisherId);
}

/**
 * Callbacks have addresses of this machine, which the hub refuses to call: no request leaves it. They are as
 * many as there are states: acknowledged, pending, failed; and a request that waits, and a denial.
 */
async function fillHub(database: Database, nowMs: number): Promise<void> {
  const callback = (number: number) => `https://127.0.0.1:${number}/callback?of=${number}`;
  const topics = ['/feed.xml', '/api/feed.json', '/reviews.json'];
  const requests = topics.map((topic, index) => ({
    topic,
    callback: callback(8441 + index),
    secret: index === 0 ? 'a secret of a subscriber' : null,
    lease_seconds: LEASE_SECONDS,
  }));
  await subscribe(database, requests, nowMs);
  await markPending(database, ['/feed.xml'], 2, nowMs);
  await save(database, { callback: callback(8450), lease_seconds: LEASE_SECONDS }, nowMs);
  await database.write(async (transaction) => {
    await transaction
      .updateTable('subscriptions')
      .set({ failures: 2, unproven: 1, last_error: 'the callback answered 500' })
      .where('topic', '=', '/api/feed.json')
      .execute();
    await transaction
      .insertInto('denials')
      .values({
        host: '127.0.0.1',
        domain: '127.0.0.1',
        network: null,
        topic_url: `${ORIGIN}/feed.xml`,
        callback: callback(8451),
        reason: 'The callback failed three times.',
        claimed_by: null,
        claimed_until: 0,
      })
      .execute();
  });
}

/** What a server of this version answers: the validators of each path, and a hash of the body. */
async function describeServed(file: string): Promise<Answers> {
  const copy = join(folder, 'served.db');
  const source = new DatabaseSync(file);
  source.exec(`vacuum into '${copy}'`);
  source.close();
  const environment = { BASE_URL: ORIGIN, PORT: '0', DATABASE_URL: `sqlite:${copy}` };
  const logger = pino({ level: 'error' }, pino.destination(2));
  const server = await serve(parseConfig(environment), logger, { example: false, group: null });
  try {
    const response = await fetch(`${server.url}/reviews.json`);
    const { reviews } = (await response.json()) as { reviews: { id: string }[] };
    const paths = [
      '/reviews.json',
      '/insights.json',
      '/api/feed.json',
      '/feed.xml',
      '/api/reviews/since/1970-01-01',
      '/api/reviews/since/2022-01-01',
      '/api/reviews/search?limit=100',
      ...reviews.map(({ id }) => `/api/reviews/${id}`),
    ];
    return await answersAt(server.url, paths);
  } finally {
    await server.close();
  }
}
