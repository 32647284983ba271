// What operators get: the package that `npm pack` makes, installed in an empty folder, and the container image that
// is made from it. Both run the compiled program with production packages only.

import { spawn } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES, type Route } from '../../src/model/routes.ts';
import { freePort } from '../support/free-port.ts';
import { SVG_LOGO } from '../support/logos.ts';
import { expectMonitored } from '../support/monitoring.ts';
import { parseDockerignore } from '../support/dockerignore.ts';
import {
  buildContext,
  buildImage,
  filesOf,
  install,
  installedBytes,
  pack,
  PROJECT,
  WITH_LINKED_PACKAGES,
} from '../support/package.ts';
import { finish, type Server, serverOf } from '../support/process.ts';
import { zip } from '../support/zip.ts';

const MAX_PACKED_BYTES = 6 * 1024 * 1024;
const MAX_INSTALLED_BYTES = 120 * 1024 * 1024;

let folder: string;
/** The package, made from what the builder of the image gets. */
let file: string;
/** A folder in which the package is installed, and the program there. */
let home: string;
let installed: string;
const servers: Server[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-package-'));
  await mkdir(join(folder, 'context'));
  await buildContext(join(folder, 'context'));
  file = await pack(join(folder, 'context'), folder);
  home = join(folder, 'installed');
  installed = await install(file, home);
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.kill()));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a program in a folder, with these variables and no others. */
function start(cwd: string, [program, ...args]: readonly string[], env: Record<string, string>) {
  const command = program === 'node' ? process.execPath : program!;
  return spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function serve(...given: Parameters<typeof start>): Promise<Server> {
  const server = await serverOf(start(...given));
  servers.push(server);
  return server;
}

/** The paths of all GET routes; those with a parameter as pages of the server link to them. */
async function pathsOf(server: Server): Promise<{ paths: string[]; unlinked: string[] }> {
  const routes: readonly Route[] = Object.values(ROUTES);
  const patterns = routes.filter(({ method }) => method === 'GET').map(({ path }) => path);
  const fixed = patterns.filter((path) => !/[:*]/.test(path));
  const linked = new Set(['/api/reviews/since/2024-01-01']);
  const { reviews } = await server.json('/reviews.json');
  linked.add(`/api/reviews/${reviews[0].id}`);
  linked.add(`/api/reviews/${reviews[0].id}/proof`);
  linked.add(`/api/reviews/${reviews[0].id}/verification`);
  linked.add('/log/tile/0/000');
  for (const page of fixed) {
    const text = await (await server.get(page)).text();
    const found = text.matchAll(/(?:href="|src="|<loc>)(?:http:\/\/localhost:\d+)?(\/[^"<?#]*)/g);
    for (const [, path] of found) linked.add(path!);
  }
  const examples = patterns
    .filter((path) => /[:*]/.test(path))
    .map((path) => {
      const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+').replace('*', '.+')}$`);
      return { path, example: [...linked].find((link) => pattern.test(link)) };
    });
  return {
    paths: [...fixed, ...examples.flatMap(({ example }) => example ?? [])],
    unlinked: examples.filter(({ example }) => example === undefined).map(({ path }) => path),
  };
}

test('the package has the compiled program with maps and types, what it reads, and nothing else; it stays small', () => {
  const own = join(home, 'node_modules/public-reviews');
  const packed = globSync('**', { cwd: own }).filter((path) => statSync(join(own, path)).isFile());
  const sources = globSync('**', { cwd: join(PROJECT, 'src') }).filter((path) =>
    statSync(join(PROJECT, 'src', path)).isFile(),
  );
  const compiled = sources.flatMap((path) => {
    if (path.endsWith('.d.ts') || path.endsWith('.wat')) return [];
    const base = path.replace(/\.ts$/, '');
    return base === path ? [path] : [`${base}.js`, `${base}.js.map`, `${base}.d.ts`];
  });
  const others = packed.filter((path) => !path.startsWith('dist/'));
  expect(packed.filter((path) => path.startsWith('dist/')).toSorted()).toEqual(
    compiled.map((path) => `dist/${path}`).toSorted(),
  );
  expect(
    others.filter((path) => !/^(?:bin|deploy|docs|examples)\/|^[A-Z]+(?:\.md)?$/.test(path)),
  ).toEqual(['package.json']);
  expect(statSync(file).size).toBeLessThan(MAX_PACKED_BYTES);
  const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  expect(installedBytes(own)).toBeLessThan(MAX_INSTALLED_BYTES);
  expect(readFileSync(join(own, 'NOTICE'), 'utf8')).toContain('GloVe');
  expect(manifest).not.toHaveProperty('private');
  expect(manifest).not.toHaveProperty('optionalDependencies');
});

test('the installed package runs in an empty folder without any environment', async () => {
  const empty = join(folder, 'example');
  await mkdir(empty);
  const command = [process.execPath, installed, 'serve', '--example'];
  const server = await serve(empty, command, { ...WITH_LINKED_PACKAGES, PORT: '0' });
  expect(await server.json('/readyz')).toMatchObject({ status: 'ready' });
  await expectMonitored(server);
  const metrics = await (await server.get('/metrics')).text();
  for (const stage of ['analyse', 'build', 'store']) {
    expect(metrics).toContain(`public_reviews_publish_stage_seconds_count{stage="${stage}"} 1`);
  }

  const { paths, unlinked } = await pathsOf(server);
  // The example business has neither branches nor pictures; that of the operator below has a logo. Scripts load single reviews. Only metadata
  // names pictures of pages, which a thread of the package draws.
  const { showLocation, getEmbedReview, getLocationFile, getSharePicture, getLogo, getHeader } =
    ROUTES;
  expect(unlinked).toEqual(
    [showLocation, getEmbedReview, getLocationFile, getSharePicture, getLogo, getHeader].map(
      ({ path }) => path,
    ),
  );
  paths.push('/og/technicians/mike-alvarez.png');
  const failed = await Promise.all(
    paths.map(async (path) => [path, (await server.get(path)).status] as const),
  );
  expect(failed.filter(([, status]) => status !== 200)).toEqual([]);
  const pages = await Promise.all(
    ['/', '/reviews', '/nothing'].map((path) => server.get(path, { Accept: 'text/html' })),
  );
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 404]);
  const post = (path: string, type: string, body: string) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'Content-Type': type, Accept: 'application/json, text/event-stream' },
      body,
    });
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize };
  expect((await post('/mcp', 'application/json', JSON.stringify(message))).status).toBe(200);
  const form = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.topic': `${server.url}/feed.xml`,
    'hub.callback': 'https://127.0.0.1:8441/callback',
  });
  const type = 'application/x-www-form-urlencoded';
  // The address is not public.
  expect((await post('/api/websub/hub', type, form.toString())).status).toBe(400);
  expect(await server.stop()).toBe(0);
  expect(server.log).not.toMatch(/warning|"level":"(?:warn|error|fatal)"/i);
});

describe('an operator without a clone', () => {
  const FIRST = ['init', 'import', 'serve', 'backup', 'doctor', 'export', 'restore'];
  /** As the owner's page has them. */
  const typed = readFileSync(join(PROJECT, 'docs/owner.md'), 'utf8').matchAll(
    /^ {4}npx public-reviews (.*)$/gm,
  );
  const [INIT = [], IMPORT = [], , EXPORT = []] = [...typed].map(([, line]) =>
    line!.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', '')),
  );
  const DOCUMENTS = ['/reviews.json', '/insights.json', '/api/feed.json', '/feed.xml', '/'];

  const run = (cwd: string, ...args: string[]) =>
    finish(start(cwd, [process.execPath, installed, ...args], WITH_LINKED_PACKAGES));
  const tagsOf = async (server: Server) => {
    const { business } = await server.json('/reviews.json');
    const paths = [...DOCUMENTS, new URL(business.logo_url).pathname];
    return Promise.all(
      paths.map(async (path) => {
        const { status, headers } = await server.get(path, { Accept: 'text/html' });
        return [path, status, headers.get('etag')];
      }),
    );
  };

  test(`runs ${FIRST.join(', ')} into a second folder, and serves the same there`, async () => {
    const second = join(folder, 'second');
    await mkdir(second);
    const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
    // As its user types it. Only npx needs to find programs.
    const init = await finish(
      start(home, ['npx', '--no', 'public-reviews', ...INIT], { PATH: path }),
    );
    // npm may have remarks about its own settings.
    expect(init).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(?:npm .*\n)*$/) });
    expect(init.stdout).toContain(
      'next: npx public-reviews import REVIEWS --business business.json --verified-by "how you know the customers"\n',
    );

    const port = await freePort();
    const settings = { base_url: `http://localhost:${port}`, port };
    const fillIn = async (name: string, values: object) => {
      const template = JSON.parse(readFileSync(join(home, name), 'utf8')) as object;
      await writeFile(join(home, name), JSON.stringify({ ...template, ...values }));
    };
    await fillIn('business.json', { name: 'Harbor Heating', logo_url: 'logo.svg' });
    await fillIn('public-reviews.config.json', settings);
    await writeFile(join(second, 'public-reviews.config.json'), JSON.stringify(settings));
    await writeFile(join(home, 'logo.svg'), SVG_LOGO);
    const reviewer = { displayName: 'Karen W.' };
    const createTime = '2024-05-17T10:00:00Z';
    const review = { name: 'reviews/1', reviewer, starRating: 'FIVE', createTime };
    const content = JSON.stringify({ reviews: [review] });
    await writeFile(join(home, 'takeout.zip'), zip([{ name: 'Takeout/reviews.json', content }]));
    const imported = await run(home, ...IMPORT);
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining('added      1\n') });
    expect(imported.stderr).toBe(`created a new store: ${join(home, 'data/public-reviews.db')}\n`);

    const server = await serve(home, [process.execPath, installed, 'serve'], WITH_LINKED_PACKAGES);
    await server.until('/readyz', ({ status }) => status === 'ready');
    expect(server.url).toBe(settings.base_url);
    const served = await tagsOf(server);
    expect(served.map(([, status]) => status)).toEqual(served.map(() => 200));
    const backup = ['backup', 'backup.db', '--verify'];
    expect(await run(home, ...backup)).toMatchObject({ code: 0, stderr: '' });
    expect(await run(home, 'doctor')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\n0 wrong, 0 warnings\n$/),
      stderr: '',
    });
    expect(await run(home, ...EXPORT)).toMatchObject({ code: 0 });
    expect(await server.stop()).toBe(0);

    const restored = await run(second, 'restore', join(home, 'backup.db'));
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.stdout).toContain('restored 1 reviews, 0 subscriptions, and what is published');
    const copy = await serve(second, [process.execPath, installed, 'serve'], WITH_LINKED_PACKAGES);
    await copy.until('/readyz', ({ status }) => status === 'ready');
    expect(await tagsOf(copy)).toEqual(served);
    expect(await copy.stop()).toBe(0);
  });
});

test('on an older Node one line says which is needed', async () => {
  const launcher = join(PROJECT, 'bin/public-reviews.cjs');
  // The syntax of ECMAScript 5, which every Node can read.
  for (const path of [launcher, join(PROJECT, 'bin/ready.cjs')]) {
    expect(readFileSync(path, 'utf8')).not.toMatch(
      /\b(?:const|let|class|import|async)\b|=>|`|\?[.?]/,
    );
  }
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '18.20.4' });
    require(${JSON.stringify(launcher)});`;
  const { code, stdout, stderr } = await finish(
    start(folder, [process.execPath, '--eval', pretend], {}),
  );
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'Public Reviews needs Node 24 or newer; this is Node 18.20.4. Install the LTS version of nodejs.org, then open a new window.\n',
  });
});

test('in a clone the same launcher runs the source', async () => {
  const launcher = join(PROJECT, 'bin/public-reviews.cjs');
  const { code, stdout, stderr } = await finish(
    start(folder, [process.execPath, launcher, '--version'], {}),
  );
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('in a clone without its packages the launcher, and the build, say what installs them', async () => {
  const clone = await realpath(await mkdtemp(join(folder, 'clone-')));
  await cp(join(PROJECT, 'bin'), join(clone, 'bin'), { recursive: true });
  await cp(join(PROJECT, 'package.json'), join(clone, 'package.json'));
  await mkdir(join(clone, 'src'));
  const commands = [
    [process.execPath, join(clone, 'bin/public-reviews.cjs'), '--version'],
    ['npm', 'run', '--silent', 'prepack'],
  ];
  for (const command of commands) {
    const { code, stderr } = await finish(start(clone, command, {}));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `Run "npm ci" in ${clone} first: it installs what the program needs, Node too.\n`,
    });
  }
});

test('the image serves and imports with the files that the Dockerfile copies, and writes only to its volume', async () => {
  const app = join(folder, 'app');
  const { command, environment, user, volumes, stopSignal } = await buildImage(file, app);
  expect({ user, volumes, stopSignal }).toEqual({
    user: 'node',
    volumes: ['/app/data'],
    stopSignal: 'SIGTERM',
  });
  const before = filesOf(app);
  const settings = { ...environment, ...WITH_LINKED_PACKAGES, HOST: '127.0.0.1', PORT: '0' };
  // No folder for the compiler's cache can be made in the image either.
  const env = { ...settings, NODE_COMPILE_CACHE: join(app, 'data/cache') };
  const server = await serve(app, command, env);
  expect(await server.json('/reviews.json')).toMatchObject({ reviews: [] });
  const reviews = join(folder, 'reviews.ndjson');
  const example = readFileSync(join(PROJECT, 'examples/reviews.ndjson'), 'utf8');
  await writeFile(reviews, example.split('\n').slice(0, 10).join('\n'));
  const imported = await finish(
    start(app, [...command.slice(0, -1), 'import', reviews, '--verified-by', 'a test'], env),
  );
  expect(imported).toMatchObject({ code: 0 });
  await server.until('/reviews.json', ({ reviews: all }) => all.length === 10);
  expect(await server.stop()).toBe(0);
  const after = Object.entries(filesOf(app));
  const written = after.filter(([path, time]) => before[path] !== time).map(([path]) => path);
  expect(written.filter((path) => !path.startsWith(join(app, 'data')))).toEqual([]);
});

test('.dockerignore is parsed like Docker does', () => {
  const isIgnored = parseDockerignore('**\n!src\n!docs/*.md\nsrc/**/secret.*\n# !data\n');
  const paths = [
    'src/main.ts',
    'src/a/b.ts',
    'src/secret.txt',
    'src/a/b/secret.key',
    'docs/http.md',
    'docs/decisions/0001.md',
    'data/reviews.db',
    'package.json',
  ];
  expect(paths.filter((path) => !isIgnored(path))).toEqual([
    'src/main.ts',
    'src/a/b.ts',
    'docs/http.md',
  ]);
});
