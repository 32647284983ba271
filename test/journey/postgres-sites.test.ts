// Two servers of many businesses on one PostgreSQL: each business has a schema of its own, and both servers serve all.

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawGet } from '../support/fingerprint.ts';
import { until } from '../support/patience.ts';
import { type Server, Workplace } from '../support/process.ts';
import { record } from '../support/store.ts';

const HOSTS = ['a.example', 'b.example'];

let place: Workplace;
let sites: string;
let servers: Server[];
beforeAll(async () => {
  place = await Workplace.open();
  sites = join(place.folder, 'sites');
  for (const host of HOSTS) {
    const business = await place.write(`${host}.json`, { id: 'one', name: `The ${host}` });
    await command('sites', 'add', host, '--business', business);
    await add(host, `The first of ${host}.`);
  }
  servers = [await place.serve({}, '--sites', sites), await place.serve({}, '--sites', sites)];
});
afterAll(() => place.close());

async function command(...args: string[]): Promise<string> {
  const finished = await place.run('--sites', sites, ...args);
  if (finished.code !== 0) throw new Error(JSON.stringify({ args, ...finished }));
  return finished.stdout;
}

async function add(host: string, text: string): Promise<void> {
  const file = await place.write('reviews.json', [record({ id: text, text })]);
  await command('--site', host, 'import', file);
}

const textOf = async (server: Server, host: string) =>
  (await rawGet(`${server.url}/reviews.json`, { host })).body.toString();

test('both serve what is imported into a business, and nothing of another', async () => {
  for (const host of HOSTS) {
    await add(host, `The second of ${host}.`);
    for (const server of servers) {
      await until(async () => (await textOf(server, host)).includes(`The second of ${host}.`));
      expect(JSON.parse(await textOf(server, host)).reviews).toHaveLength(2);
    }
  }
});

test('a business keeps its reviews under another host, on both servers', async () => {
  const before = JSON.parse(await textOf(servers[0]!, 'a.example')).reviews;
  await command('sites', 'move', 'a.example', 'c.example');
  for (const server of servers) {
    await until(async () => (await textOf(server, 'c.example')).includes('The second of a.'));
    expect(JSON.parse(await textOf(server, 'c.example')).reviews).toEqual(before);
  }
  await command('sites', 'move', 'c.example', 'a.example');
  for (const server of servers)
    await until(async () => (await textOf(server, 'a.example')).includes('The second of a.'));
  const found = JSON.parse(
    (await place.run('--sites', sites, '--site', 'all', 'doctor', '--json')).stdout,
  );
  expect(found['a.example'].map(({ check }: { check: string }) => check)).not.toContain('database');
  const metrics = (await rawGet(`${servers[0]!.url}/metrics`)).body.toString();
  expect(metrics).toMatch(/store_bytes\{site="b\.example"\} [1-9]/);
});

test('a business that is removed leaves the other', async () => {
  await command('sites', 'remove', 'a.example', '--yes');
  for (const server of servers) {
    await until(async () => (await textOf(server, 'a.example')).includes('no site of this host'));
    expect(JSON.parse(await textOf(server, 'b.example')).reviews).toHaveLength(2);
  }
  expect(JSON.parse(await command('sites', 'list', '--json'))).toMatchObject([
    { site: 'b.example', reviews: 2, needs: ['backup: none was made of this store'] },
  ]);
});
