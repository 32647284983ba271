// `export`: all that the server answers and that needs no server, as files for any web host. The files
// are the answers of the routes themselves, so that a route that is added is exported too.

import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import type { Config } from '../config.ts';
import { InputError } from '../errors.ts';
import { Metrics } from '../http/health.ts';
import { HttpServer } from '../http/server.ts';
import { ExportFolder, type FolderCounts } from '../hosting/folder.ts';
import {
  type Headers,
  headersOf,
  isPage,
  MISSING_PATH,
  renderCaddy,
  renderHeadersFile,
  renderHtaccess,
  renderNginx,
  rulesOf,
} from '../hosting/rules.ts';
import { addRoutes } from '../serving/routes.ts';
import { Answers } from '../snapshot/queries.ts';
import { compress, ENCODINGS, type Encoding } from '../snapshot/documents.ts';
import type { Manifest } from '../snapshot/manifest.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import type { Database } from '../store/database.ts';
import { loadCurrentManifest, loadState, requestPublish } from '../store/snapshots.ts';
import { BUILDER, loadInThread, type Publishing, publishPending } from '../publishing/threads.ts';

export interface ExportOptions {
  readonly folder: string;
  /** Whether compressed forms are written beside what gets smaller by them. */
  readonly precompress: boolean;
}

/** Told how many files of all are done. */
export type ExportListener = (done: number, inAll: number) => void;

const POLL_MS = 200;
/** Files that are made at a time: while some are written, another is rendered. */
const AT_ONCE = 8;
/** Compressed forms of less than this save nothing. */
const SMALLEST_COMPRESSED = 1024;
const COMPRESSIBLE = /^(?:text\/|application\/(?:json|atom\+xml|xml|[\w.-]+\+json)|image\/svg)/;
const SUFFIXES: Readonly<Record<Encoding, string>> = { br: '.br', zstd: '.zst', gzip: '.gz' };
/** A path that nothing is at, for the page that says so. */
const NOWHERE = '/404';

/**
 * Writes what is published, and publishes first what is owed.
 *
 * @throws {InputError} where nothing was ever published, or the directory cannot be used.
 */
export async function exportSite(
  config: Config,
  database: Database,
  publisher: string,
  { folder: path, precompress }: ExportOptions,
  listener: ExportListener,
): Promise<FolderCounts> {
  const snapshot = await currentSnapshot(config, database, publisher);
  const folder = await ExportFolder.open(path);
  try {
    const copy = new StaticCopy(config, snapshot);
    const routes = new Map<string, Headers>();
    const inAll = copy.count();
    let done = 0;
    const write = async ({ route, path: at }: StaticPath): Promise<void> => {
      const { headers, body } = await copy.ask(at);
      const type = headers['content-type'] ?? '';
      if (route !== null) {
        const known = routes.get(route) ?? headers;
        if (!isDeepStrictEqual(known, headers)) {
          throw new Error(`the answers of ${route} have different headers, as at ${at}`);
        }
        routes.set(route, known);
      }
      if (route === null) routes.set(MISSING_PATH, headers);
      const name = fileName(at, type);
      await folder.write(name, body);
      if (precompress && COMPRESSIBLE.test(type) && body.length >= SMALLEST_COMPRESSED) {
        for (const encoding of ENCODINGS) {
          await folder.write(name + SUFFIXES[encoding], await compress(body, encoding));
        }
      }
      done += 1;
      listener(done, inAll);
    };
    const paths = copy.paths();
    const writeAll = async () => {
      for (const each of paths) await write(each);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, writeAll));
    const rules = rulesOf(routes);
    for (const [name, text] of [
      ['_headers', renderHeadersFile(rules)],
      ['.htaccess', renderHtaccess(rules)],
      ['hosting/nginx.conf', renderNginx(rules)],
      ['hosting/Caddyfile', renderCaddy(rules)],
      // Without it GitHub Pages leaves out what begins with a dot or an underscore.
      ['.nojekyll', ''],
    ] as const) {
      await folder.write(name, Buffer.from(text));
    }
    return await folder.finish();
  } finally {
    await folder.close();
  }
}

/** The current snapshot, built by this program for the origin that is wanted. */
async function currentSnapshot(
  config: Config,
  database: Database,
  publisher: string,
): Promise<Snapshot> {
  const { origin, snapshotNumber } = await loadState(database.read);
  if (snapshotNumber === null) {
    throw new InputError('there is nothing to export: no reviews were imported into this store');
  }
  const stored = await loadCurrentManifest(database.read);
  if (stored === null) throw new Error('the current snapshot is gone');
  const manifest = JSON.parse(stored) as Manifest;
  const wanted = origin ?? config.baseUrl ?? manifest.origin;
  const publishing: Publishing = { publisher, defaultOrigin: wanted };
  if (manifest.builder !== BUILDER || manifest.origin !== wanted) await requestPublish(database);
  while (!(await publishPending(database, config.databaseUrl, publishing))) await sleep(POLL_MS);
  const loaded = await loadInThread(config.databaseUrl);
  if (!loaded) throw new Error('the current snapshot is gone');
  return new Snapshot(loaded);
}

interface StaticPath {
  /** As rules know it; null for the page of what is missing. */
  readonly route: string | null;
  readonly path: string;
}

/** The routes of a server that nobody can call. */
class StaticCopy {
  readonly #server: HttpServer;

  constructor(config: Config, snapshot: Snapshot) {
    this.#server = new HttpServer(config, pino({ level: 'silent' }), new Metrics());
    const answers = new Answers(snapshot);
    const lives = () => {
      throw new Error('a copy in files answers nobody');
    };
    const mcp = { answers, answer: lives, show: () => undefined };
    addRoutes(this.#server, { hub: { accept: lives }, mcp }, { isStatic: true });
    this.#server.show(snapshot);
  }

  *paths(): Generator<StaticPath> {
    for (const { path: route, paths } of this.#server.exported) {
      for (const path of paths()) {
        // Files with endings of their own are few, and of several types below one path.
        yield { route: /\.\w+$/.test(path) ? path : route, path };
      }
    }
    yield { route: null, path: NOWHERE };
  }

  count(): number {
    let count = 0;
    for (const _ of this.paths()) count += 1;
    return count;
  }

  /** What the server would answer. */
  async ask(path: string): Promise<{ headers: Headers; body: Buffer }> {
    const answer = await this.#server.app.inject({ url: path, headers: { accept: 'text/html' } });
    const expected = path === NOWHERE ? 404 : 200;
    if (answer.statusCode !== expected) {
      throw new Error(`${path} answers ${answer.statusCode} to an export: ${answer.body}`);
    }
    return { headers: headersOf(answer.headers), body: answer.rawPayload };
  }
}

/** A page is a file with an ending, so that a host knows its type; its path stays without. */
function fileName(path: string, type: string): string {
  const name = path.slice(1).split('/').map(decodeURIComponent).join('/');
  if (!isPage(type) || name.endsWith('.html')) return name;
  return name === '' ? 'index.html' : `${name}.html`;
}
