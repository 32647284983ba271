// `export`: writes the documents and pages that need no server as files for any web host. The files are
// the answers of the server's own routes, so that a new route is exported too.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import type { Config } from '../config.ts';
import { InputError } from '../errors.ts';
import { Metrics } from '../http/metrics.ts';
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
import { SnapshotQueries } from '../snapshot/queries.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import { Cosignatures } from '../snapshot/cosignatures.ts';
import { loadCosignatures } from '../store/log/cosignatures.ts';
import type { Database } from '../store/database.ts';
import { loadState, requestPublish } from '../store/state.ts';
import { publishPending } from '../publishing/run/2-claim.ts';
import { currentManifest, loadSnapshot } from '../publishing/load.ts';
import { isLocalOrigin } from '../model/origin.ts';
import { describePeople } from '../model/people.ts';
import { ROUTES } from '../model/routes.ts';
import type { Publishing } from '../publishing/run/messages.ts';
import { BUILDER } from '../publishing/tasks.ts';
import { interruptible } from './terminal/interrupts.ts';
import { withProgress } from './terminal/progress.ts';
import { recordSettings } from './publish.ts';
import { withDatabase } from './store/store.ts';

/** Is called with the number of files that are written, and of all. */
type ExportListener = (done: number, total: number) => void;

const POLL_MS = 200;
/** Files in progress at once: while some are written, another is rendered. */
const CONCURRENCY = 8;
/** The other pages are written twice: hosts that find no `x.html` for `/x` lead to `x/index.html`. */
const INDEX = /(?:^|\/)index\.html$/;
/** A path that does not exist, for the page of missing paths. */
const NOWHERE = '/404';

/**
 * Exports, and prints how many files were written, unchanged and removed.
 *
 * @throws {InputError} if nothing was ever published, or if the directory cannot be used.
 */
export async function runExport(config: Config, path: string): Promise<void> {
  const write = (onProgress: ExportListener) =>
    withDatabase(config, (database) =>
      exportSite(config, database, randomUUID(), path, onProgress),
    );
  const counts = await interruptible(
    () => `${path} may have old files beside new ones; export again before you use it`,
    () => withProgress('writing', write),
  );
  const lines = Object.entries(counts).map(([name, n]) => `files ${name.padEnd(10)} ${n}\n`);
  const first = counts.removed > 0 ? 'empty the folder on the web space, and ' : '';
  process.stdout.write(`${lines.join('')}now ${first}upload what is in ${path}\n`);
}

/**
 * Writes what is published into a directory. Publishes pending changes first.
 *
 * @throws {InputError} if nothing was ever published, or if the directory cannot be used.
 */
export async function exportSite(
  config: Config,
  database: Database,
  publisherId: string,
  path: string,
  listener: ExportListener,
): Promise<FolderCounts> {
  const snapshot = await currentSnapshot(config, database, publisherId);
  const folder = await ExportFolder.open(path);
  try {
    const cosignatures = new Cosignatures(await loadCosignatures(database.read));
    const copy = new StaticCopy(config, snapshot, cosignatures);
    const routes = new Map<string, Headers>();
    const total = [...copy.paths()].length;
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
      if (route !== null && !INDEX.test(name) && isPage(type)) {
        await folder.write(name.replace(/\.html$/, '/index.html'), body);
      }
      done += 1;
      listener(done, total);
    };
    const paths = copy.paths();
    const writeAll = async () => {
      for (const each of paths) await write(each);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, writeAll));
    const rules = rulesOf(routes);
    for (const [name, text] of [
      ['_headers', renderHeadersFile(rules)],
      ['.htaccess', renderHtaccess(rules)],
      ['hosting/nginx.conf', renderNginx(rules)],
      ['hosting/Caddyfile', renderCaddy(rules)],
      // Without it GitHub Pages omits files whose names begin with a dot or an underscore.
      ['.nojekyll', ''],
    ] as const) {
      await folder.write(name, Buffer.from(text));
    }
    return await folder.finish();
  } finally {
    await folder.close();
  }
}

/** The current snapshot, built by this version of the program for the configured origin. */
async function currentSnapshot(
  config: Config,
  database: Database,
  publisherId: string,
): Promise<Snapshot> {
  const { origin, snapshotNumber } = await loadState(database.read);
  if (snapshotNumber === null) {
    throw new InputError('nothing to export: no reviews were imported into this store');
  }
  const manifest = await currentManifest(database);
  if (manifest === null) throw new Error('the current snapshot is gone');
  const recorded = origin ?? manifest.origin;
  const wanted = config.baseUrl ?? recorded;
  if (wanted !== recorded && !isLocalOrigin(recorded)) {
    throw new InputError(
      `BASE_URL is ${wanted}, and a server recorded ${recorded}, which its links name: start the server once with ` +
        `BASE_URL=${wanted}, or export without BASE_URL`,
    );
  }
  await recordSettings(database, config);
  if (isLocalOrigin(wanted)) {
    process.stderr.write(
      `warning: links name ${wanted}, which leads to this machine alone: set "base_url" in public-reviews.config.json, or BASE_URL, to the address of your page, and export again\n`,
    );
  }
  const { logKeyFile, people } = config;
  const siteLanguage = config.siteLanguage ?? manifest.siteLanguage;
  const publishing: Publishing = {
    publisherId,
    defaultOrigin: wanted,
    logKeyFile,
    siteLanguage,
    people,
  };
  const isOurs =
    manifest.builder === BUILDER &&
    manifest.origin === wanted &&
    manifest.siteLanguage === siteLanguage &&
    (people === null || manifest.people === describePeople(people));
  if (!isOurs) await requestPublish(database);
  while (!(await publishPending(database, config.databaseUrl, publishing))) await sleep(POLL_MS);
  const loaded = await loadSnapshot(config.databaseUrl);
  if (!loaded) throw new Error('the current snapshot is gone');
  return new Snapshot(loaded);
}

/** Below these routes each path gets a rule, as they have different types. */
const MIXED: ReadonlySet<string> = new Set([
  ROUTES.getAsset.path,
  ROUTES.getLogo.path,
  ROUTES.getHeader.path,
]);

interface StaticPath {
  /** The route as in hosting rules; null for the page of missing paths. */
  readonly route: string | null;
  readonly path: string;
}

/** The routes of a server that does not listen. */
class StaticCopy {
  readonly #server: HttpServer;

  constructor(config: Config, snapshot: Snapshot, cosignatures: Cosignatures) {
    this.#server = new HttpServer(config, pino({ level: 'silent' }), new Metrics());
    const queries = new SnapshotQueries(snapshot);
    const refuse = () => {
      throw new Error('the hub and MCP are not exported');
    };
    const mcp = { queries, answer: refuse, show: () => undefined };
    addRoutes(this.#server, { hub: { accept: refuse }, mcp }, { isStatic: true });
    this.#server.cosignatures = cosignatures;
    this.#server.show(snapshot);
  }

  *paths(): Generator<StaticPath> {
    for (const { path: route, paths } of this.#server.exported) {
      for (const path of paths()) yield { route: MIXED.has(route) ? path : route, path };
    }
    yield { route: null, path: NOWHERE };
  }

  /** The answer of the server to a GET of a path. */
  async ask(path: string): Promise<{ headers: Headers; body: Buffer }> {
    const answer = await this.#server.app.inject({ url: path, headers: { accept: 'text/html' } });
    const expected = path === NOWHERE ? 404 : 200;
    if (answer.statusCode !== expected) {
      throw new Error(`exporting ${path} failed with status ${answer.statusCode}: ${answer.body}`);
    }
    return { headers: headersOf(answer.headers), body: answer.rawPayload };
  }
}

/** The file of a path. Pages get the ending `.html`, by which a host knows their type. */
function fileName(path: string, type: string): string {
  const name = path.slice(1).split('/').map(decodeURIComponent).join('/');
  if (!isPage(type) || name.endsWith('.html')) return name;
  return name === '' ? 'index.html' : `${name}.html`;
}
