// The compared servers: how to send each a search, and how to read its answer.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { fold } from '../../src/model/fold.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { pin } from '../cores.ts';
import type { Measured } from '../load.ts';
import { parametersOf, type Question } from '../queries.ts';
import { Server } from '../server.ts';
import { familyOf } from '../usage.ts';
import type { Row } from './rows.ts';

export interface Answer {
  readonly matched: number;
  /** Ids of the reviews, in order. */
  readonly ids: readonly string[];
}

export interface Peer extends Measured {
  readonly pathOf: (question: Question) => string;
  readonly read: (response: Response) => Promise<Answer>;
  readonly stop: () => Promise<void>;
}

export const TITLES = {
  like: 'Fastify, SQLite LIKE',
  fts5: 'Fastify, SQLite FTS5 trigram',
  postgres: 'Fastify, PostgreSQL pg_trgm',
  array: 'Fastify, an array filtered',
  jsonServer: 'json-server',
} as const;

/** Searches for our server and those with the same interface. */
export function searchPath({ filter }: Question): string {
  return `/api/reviews/search?${parametersOf(filter)}`;
}

export async function readSearch(response: Response): Promise<Answer> {
  const { matched, reviews } = (await response.json()) as {
    matched: number;
    reviews: { id: string }[];
  };
  return { matched, ids: reviews.map(({ id }) => id) };
}

/** Starts all servers in turn, with the rows of a file. */
export async function startPeers(
  path: string,
  rows: readonly Row[],
  log: (line: string) => void,
): Promise<Peer[]> {
  const peers: Peer[] = [];
  const start = async (name: string, title: string, environment = {}): Promise<Peer> => {
    log(`starting ${title}`);
    const file = new URL(`./${name}.ts`, import.meta.url);
    const server = await Server.start(file, { ROWS: path, ...environment });
    const { origin, processIds } = server;
    return {
      title,
      origin,
      processIds,
      pathOf: searchPath,
      read: readSearch,
      stop: () => server.stop(),
    };
  };
  try {
    peers.push(await start('like', TITLES.like));
    peers.push(await start('fts5', TITLES.fts5));
    peers.push(await start('array', TITLES.array));
    const jsonServer = await start('json-server', TITLES.jsonServer);
    peers.push({ ...jsonServer, pathOf: jsonServerPath(rows), read: readList });
    peers.push(await startWithPostgres(start));
    return peers;
  } catch (error) {
    await Promise.all(peers.map(({ stop }) => stop()));
    throw error;
  }
}

async function startWithPostgres(
  start: (name: string, title: string, environment: object) => Promise<Peer>,
): Promise<Peer> {
  // On one core a query gains nothing by more processes, and compiling short ones takes longer than they do.
  const postgres = await startPostgres(['max_parallel_workers_per_gather=0', 'jit=off']);
  try {
    const id = await processIdOf(postgres.url);
    for (const one of familyOf([id])) pin(one, 'measured');
    const peer = await start('postgres', TITLES.postgres, { DATABASE_URL: postgres.url });
    return {
      ...peer,
      processIds: [...peer.processIds, id],
      async stop() {
        await peer.stop();
        await postgres.remove();
      },
    };
  } catch (error) {
    await postgres.remove();
    throw error;
  }
}

/** The main process of PostgreSQL, from its pid file; connection processes are its children. */
async function processIdOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
  await client.end();
  const text = await readFile(join(rows[0]?.data_directory ?? '', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

/** The same search for json-server: patterns for texts and lists, and an offset for a cursor. */
function jsonServerPath(rows: readonly Row[]): Peer['pathOf'] {
  return ({ filter }) => {
    const { query, cursor, limit } = filter;
    const { mentions_technician: technician, mentions_service: service } = filter;
    const needle = query === undefined ? null : fold(query);
    const day = cursor?.date;
    const skipped =
      day === undefined
        ? 0
        : rows.filter(
            ({ review: { date }, folded }) =>
              date > day && (needle === null || (folded?.includes(needle) ?? false)),
          ).length;
    const inList = (id: string) => `(^|,)${RegExp.escape(id)}(,|$)`;
    const given = {
      rating: filter.rating,
      rating_gte: filter.min_rating,
      date_gte: filter.since,
      date_lte: filter.until,
      source: filter.source,
      // Ignores case; the corpus has nothing else that folding changes.
      text_like: needle === null ? undefined : RegExp.escape(needle),
      technicians_like: technician === undefined ? undefined : inList(technician),
      services_like: service === undefined ? undefined : inList(service),
      _sort: 'date,id',
      _order: 'desc,desc',
      _start: skipped,
      _limit: limit,
    };
    const entries = Object.entries(given).filter(([, value]) => value !== undefined);
    return `/reviews?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
  };
}

async function readList(response: Response): Promise<Answer> {
  const reviews = (await response.json()) as { id: string }[];
  const matched = Number(response.headers.get('x-total-count'));
  return { matched, ids: reviews.map(({ id }) => id) };
}
