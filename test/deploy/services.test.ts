// The units of systemd and the compose files name what exists.

import { spawn, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const PROGRAM = '/usr/local/bin/public-reviews';
const UNITS = globSync('*.{service,timer}', { cwd: DEPLOY }).toSorted();
const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-units-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('the units are the server, the import, the backup and their timers', () => {
  expect(UNITS).toEqual([
    'public-reviews-backup.service',
    'public-reviews-backup.timer',
    'public-reviews-import.service',
    'public-reviews-import.timer',
    'public-reviews.service',
  ]);
});

test('the services are hardened alike, and stop the server as it expects', () => {
  const hardening = (name: string) =>
    read(name).match(/^(?:CapabilityBoundingSet=[^]*|NoNewPrivileges[^]*)(?=$)/m)![0];
  const settings = (name: string) =>
    hardening(name)
      .split('\n')
      .filter((line) => /^(?:[A-Z]\w+)=/.test(line) && !line.startsWith('WantedBy'));
  for (const other of ['public-reviews-import.service', 'public-reviews-backup.service']) {
    expect(settings(other)).toEqual(settings('public-reviews.service'));
  }
  expect(settings('public-reviews.service')).toEqual(
    expect.arrayContaining(['NoNewPrivileges=true', 'ProtectSystem=strict', 'ProtectHome=true']),
  );
  expect(read('public-reviews.service')).toMatch(/^KillSignal=SIGTERM$/m);
  expect(read('public-reviews.service')).toMatch(/^Restart=always$/m);
});

test('the settings of the services are valid', () => {
  for (const name of UNITS.filter((unit) => unit.endsWith('.service'))) {
    const lines = [...read(name).matchAll(/^Environment=(.*)$/gm)].flatMap(([, values]) =>
      values!.split(' '),
    );
    const environment = Object.fromEntries(lines.map((line) => line.split('=', 2)));
    expect(parseConfig(environment).databaseUrl).toBe(
      'sqlite:/var/lib/public-reviews/public-reviews.db',
    );
  }
});

test('the import passes options with spaces, as systemd splits them, before the files of the inbox', async () => {
  const [, words, shell] = /^ExecStart=\/bin\/sh -c '(.*)' (.*)$/m.exec(
    read('public-reviews-import.service'),
  )!;
  expect(shell).toBe('sh $IMPORT_OPTIONS');
  for (const name of ['a.json', 'b c.zip']) await writeFile(join(folder, name), '');
  const script = words!
    .replace(PROGRAM, "printf '%s|'")
    .replace('/var/lib/public-reviews/inbox', folder)
    .replaceAll('$$', '$');
  const options = ['--source=google', '--verified-by=appointment book'];
  const { stdout } = spawnSync('/bin/sh', ['-c', script, 'sh', ...options], { encoding: 'utf8' });
  const files = ['a.json', 'b c.zip'].map((name) => join(folder, name));
  expect(stdout).toBe(['import', ...options, ...files, ''].join('|'));
});

/** What systemd says about the units; empty if it is not installed. */
async function verify(): Promise<string> {
  for (const unit of UNITS) {
    const text = await readFile(join(DEPLOY, unit), 'utf8');
    // The program need not be installed here.
    await writeFile(join(folder, unit), text.replaceAll(PROGRAM, JSON.stringify(process.execPath)));
  }
  const paths = UNITS.map((unit) => join(folder, unit));
  const { error, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], {
    encoding: 'utf8',
    env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
  });
  return error ? '' : stdout + stderr;
}

test('systemd-analyze, where it is installed, finds nothing wrong with the units', async () => {
  const isOurs = (line: string) => line.includes('public-reviews');
  expect((await verify()).split('\n').filter(isOurs)).toEqual([]);
});

test.each(['compose.yaml', 'compose.sqlite.yaml'])(
  '%s mounts files that exist, and its containers write only to volumes',
  async (name) => {
    const text = read(name);
    await cp(join(DEPLOY, name), join(folder, name));
    for (const [, path] of text.matchAll(/- \.\/([\w./-]+):\/etc/g)) read(path!);
    expect(text).toContain('read_only: true');
    expect(text).toContain('stop_grace_period: 15s');
    expect(text).toMatch(/^ {6}SERVERS: /m);
    const commands = [...text.matchAll(/entrypoint: \[(.*)\]/g)].map(([, command]) => command);
    expect(commands.every((command) => command === 'public-reviews, import')).toBe(true);
  },
);

test('the health check of the image asks a server without Node', async () => {
  const text = readFileSync(join(DEPLOY, '../Dockerfile'), 'utf8');
  const [, command] = /^HEALTHCHECK [^\n]*\n {2}CMD (\[.*\])$/m.exec(text)!;
  const [program, ...args] = JSON.parse(command!) as string[];
  let status = 200;
  const asked: unknown[] = [];
  const server = createServer(({ url, headers }, response) => {
    asked.push([url, headers.host]);
    response.writeHead(status).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const codeOf = () =>
    new Promise((resolve) => {
      const env = { ...process.env, PORT: String(port) };
      spawn(program!, args, { env, stdio: 'ignore' }).once('close', resolve);
    });
  expect(await codeOf()).toBe(0);
  status = 503;
  expect(await codeOf()).toBe(1);
  await new Promise((resolve) => server.close(resolve));
  expect(await codeOf()).toBe(1);
  expect(asked).toEqual([
    ['/readyz', 'localhost'],
    ['/readyz', 'localhost'],
  ]);
});
