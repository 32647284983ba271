// Fastify over PostgreSQL with pg_trgm.

import pg from 'pg';
import { fold } from '../../src/model/fold.ts';
import {
  afterCursor,
  type Condition,
  conditionsOf,
  likeOf,
  valuesOf,
  whereOf,
} from './conditions.ts';
import { readRows } from './rows.ts';
import { serveSearch } from './serve.ts';

/** Rows of one INSERT. */
const BATCH = 1_000;

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
await fill();

await serveSearch(async (filter) => {
  const { query, limit } = filter;
  const conditions = [
    ...conditionsOf(filter),
    ...(query === undefined ? [] : [likeOf(fold(query))]),
  ];
  const paged = [...conditions, ...afterCursor(filter)];
  const [counted, page] = await Promise.all([
    ask<{ matched: string }>(
      `SELECT count(*) AS matched FROM reviews ${whereOf(conditions)}`,
      conditions,
    ),
    ask<{ json: string }>(
      `SELECT json FROM reviews ${whereOf(paged)} ORDER BY date DESC, id DESC LIMIT ${limit}`,
      paged,
    ),
  ]);
  return { matched: Number(counted[0]?.matched), reviews: page.map(({ json }) => json) };
});

async function ask<R extends pg.QueryResultRow>(
  sql: string,
  conditions: readonly Condition[],
): Promise<R[]> {
  let place = 0;
  const text = sql.replaceAll('?', () => `$${++place}`);
  return (await pool.query<R>(text, valuesOf(conditions))).rows;
}

async function fill(): Promise<void> {
  await pool.query(`
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    DROP TABLE IF EXISTS reviews, mentions;
    CREATE TABLE reviews (id text COLLATE "C" PRIMARY KEY, date text COLLATE "C" NOT NULL,
      rating int NOT NULL, source text NOT NULL, folded text COLLATE "C", json text NOT NULL);
    CREATE TABLE mentions (kind text, name text, review text COLLATE "C", PRIMARY KEY (kind, name, review))`);
  const rows = await readRows();
  for (let from = 0; from < rows.length; from += BATCH) {
    const some = rows.slice(from, from + BATCH);
    await insert(
      'reviews',
      ['text', 'text', 'int', 'text', 'text', 'text'],
      [
        some.map(({ review }) => review.id),
        some.map(({ review }) => review.date),
        some.map(({ review }) => review.rating),
        some.map(({ review }) => review.source),
        some.map(({ folded }) => folded),
        some.map(({ review }) => JSON.stringify(review)),
      ],
    );
    const mentions = some.flatMap(({ review, technicians, services }) => [
      ...technicians.map((name) => ['technician', name, review.id]),
      ...services.map((name) => ['service', name, review.id]),
    ]);
    await insert(
      'mentions',
      ['text', 'text', 'text'],
      [0, 1, 2].map((column) => mentions.map((mention) => mention[column])),
    );
  }
  await pool.query(`
    CREATE INDEX ON reviews (date DESC, id DESC);
    CREATE INDEX ON reviews USING gin (folded gin_trgm_ops)`);
  await pool.query('VACUUM ANALYZE reviews, mentions');
}

async function insert(
  table: string,
  types: readonly string[],
  columns: readonly (readonly unknown[])[],
): Promise<void> {
  const arrays = types.map((type, place) => `$${place + 1}::${type}[]`);
  await pool.query(`INSERT INTO ${table} SELECT * FROM unnest(${arrays.join(', ')})`, [...columns]);
}
