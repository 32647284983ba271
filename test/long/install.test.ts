// The package installed by npm from the registry, as operators install it: in a folder and globally.

import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buildContext, pack } from '../support/package.ts';
import { type Server, serverOf } from '../support/process.ts';

const run = promisify(execFile);
const MAX_INSTALLED_MB = 120;

let folder: string;
let file: string;
let server: Server | null = null;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-install-'));
  await mkdir(join(folder, 'context'));
  await buildContext(join(folder, 'context'));
  file = await pack(join(folder, 'context'), folder);
});
afterEach(() => server?.kill());
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['in a folder', [], 'node_modules', 'node_modules/.bin/public-reviews'],
  ['globally', ['--global', '--prefix', '.'], 'lib/node_modules', 'bin/public-reviews'],
])('%s it is small, prints no warnings and serves', async (name, flags, packages, program) => {
  const home = join(folder, name);
  await mkdir(home);
  const { stderr } = await run('npm', ['install', '--prefer-offline', ...flags, file], {
    cwd: home,
  });
  expect(stderr).not.toMatch(/EBADENGINE|deprecated|install-scripts/);
  const { stdout } = await run('du', ['-sm', packages], { cwd: home });
  expect(Number.parseInt(stdout)).toBeLessThan(MAX_INSTALLED_MB);
  // Without any environment, as a service manager starts it.
  const child = spawn(process.execPath, [join(home, program), 'serve', '--example'], {
    cwd: home,
    env: { PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  server = await serverOf(child);
  for (const path of ['/', '/reviews.json', '/llms-full.txt', '/og.png', '/developers/reference']) {
    const { status } = await server.get(path);
    expect([path, status]).toEqual([path, 200]);
  }
  expect(await server.stop()).toBe(0);
  expect(server.log).not.toMatch(/warning|"level":"(?:warn|error|fatal)"/i);
});
