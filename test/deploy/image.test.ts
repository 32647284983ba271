// The container image contains every file that the server reads.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
  // Publishing needs further files: the font and the SVG renderer.
  const file = join(PROJECT, 'examples/reviews.ndjson');
  const imported = await finish(
    start(...args.slice(0, -1), 'import', file, '--verified-by', 'a test'),
  );
  expect(imported).toMatchObject({ code: 0 });
  await server.until('/reviews.json', ({ reviews }) => reviews.length > 100, 60_000);
  expect(await server.stop()).toBe(0);
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
