// The container image contains every file that the server reads, and what deploy/ has fits the server.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { buildImage, parseDockerignore } from '../support/image.ts';
import { finish, type Server, serverOf } from '../support/process.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

let folder: string;
const servers: Server[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-image-'));
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.kill()));
  await rm(folder, { recursive: true, force: true });
});

test('a server runs and imports with only the files that the Dockerfile copies', async () => {
  const { command, environment } = await buildImage(PROJECT, folder);
  const [program, ...args] = command;
  expect(program).toBe('node');
  const start = (...given: string[]) =>
    spawn(process.execPath, given, {
      cwd: folder,
      env: {
        ...environment,
        HOST: '127.0.0.1',
        PORT: '0',
        LOG_LEVEL: 'warn',
        NODE_OPTIONS: '--preserve-symlinks --preserve-symlinks-main',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const server = await serverOf(start(...args));
  servers.push(server);
  for (const path of ['/', '/reviews.json', '/developers', '/llms-full.txt', '/readyz']) {
    const { status } = await server.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
  }
  const text = await (await server.get('/metrics')).text();
  const exposed = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!));
  for (const [file, names] of await monitoredMetrics()) {
    expect(names.length, file).toBeGreaterThan(3);
    expect([file, names.filter((name) => !exposed.has(name))]).toEqual([file, []]);
  }
  // Publishing needs further files: the font and the SVG renderer.
  const file = join(PROJECT, 'examples/reviews.ndjson');
  const imported = await finish(
    start(...args.slice(0, -1), 'import', file, '--verified-by', 'a test'),
  );
  expect(imported).toMatchObject({ code: 0 });
  await server.until('/reviews.json', ({ reviews }) => reviews.length > 100, 60_000);
  expect(await server.stop()).toBe(0);
});

/** The metrics that a file of deploy/monitoring uses, without the suffixes of histograms. */
async function monitoredMetrics(): Promise<[file: string, names: string[]][]> {
  return Promise.all(
    ['alerts.yaml', 'dashboard.json'].map(async (file): Promise<[string, string[]]> => {
      const text = await readFile(join(PROJECT, 'deploy/monitoring', file), 'utf8');
      const names = text.match(/\b(?:public_reviews|http|process|nodejs)_\w+/g) ?? [];
      return [file, [...new Set(names.map((name) => name.replace(/_bucket$/, '')))]];
    }),
  );
}

test('the dashboard is one of Grafana, and each alert is explained', async () => {
  const read = (path: string) => readFile(join(PROJECT, path), 'utf8');
  const { panels } = JSON.parse(await read('deploy/monitoring/dashboard.json'));
  for (const { title, targets, gridPos } of panels) {
    expect([title, targets.length > 0, gridPos.x + gridPos.w <= 24]).toEqual([title, true, true]);
    for (const { expr } of targets) {
      const names = expr.replaceAll(/"[^"]*"/g, '').match(/[a-z]\w*_\w+(?=[{[)\s]|$)/g);
      expect(names, expr).not.toBe(null);
    }
  }
  const alerts = [...(await read('deploy/monitoring/alerts.yaml')).matchAll(/- alert: (\w+)/g)];
  const page = await read('docs/operating.md');
  const names = alerts.map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('the compose file lets Prometheus read the metrics of its servers', async () => {
  const compose = await readFile(join(PROJECT, 'deploy/compose.yaml'), 'utf8');
  const [, subnet] = /subnet: (\S+)/.exec(compose)!;
  const [, networks] = /OPERATOR_NETWORKS: (\S+)/.exec(compose)!;
  expect(parseConfig({ OPERATOR_NETWORKS: networks }).operatorNetworks).toContain(subnet);
  const scraped = await readFile(join(PROJECT, 'deploy/monitoring/prometheus.yaml'), 'utf8');
  const servers = [...compose.matchAll(/^ {2}(server-\d+):/gm)].map(([, name]) => `${name}:8080`);
  expect(/targets: \[(.*)\]/.exec(scraped)![1]!.split(', ')).toEqual(servers);
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
