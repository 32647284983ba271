// Many businesses behind one server: an agency adds sites, imports, backs up, moves and removes them; the fault of one is
// nobody else's.

import { request } from 'node:http';
import { cp, mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { SitesServer } from '../../src/serving/sites/sites.ts';
import { createLogger } from '../../src/commands/terminal/logger.ts';
import { rawGet, type RawAnswer } from '../support/fingerprint.ts';
import { until } from '../support/patience.ts';
import { finish, type Finished, type Server, Workplace } from '../support/process.ts';
import { record } from '../support/store.ts';
import { Subscriber } from '../support/subscriber.ts';
import { Certificate } from '../support/tls.ts';

const HOSTS = ['a.example', 'b.example', 'c.example'];

let place: Workplace;
let sites: string;
let server: Server;
let certificate: Certificate;
beforeAll(async () => {
  place = await Workplace.open();
  certificate = await Certificate.create();
  sites = join(place.folder, 'sites');
  for (const host of HOSTS) {
    const business = await place.write(`${host}.json`, {
      id: host.replace('.', '-'),
      name: `The ${host}`,
      vertical: 'home_services',
      // A chain.
      ...(host === 'c.example' && { locations: [{ name: 'Bath' }, { name: 'Camden' }] }),
    });
    const reviews = await place.write(`${host}-reviews.json`, [
      record({
        id: `${host}-1`,
        author: `Ann of ${host}`,
        text: 'They fixed our boiler the same day.',
        ...(host === 'c.example' && { location: 'bath' }),
      }),
      record({
        id: `${host}-2`,
        author: `Ben of ${host}`,
        text: 'Too late, and too dear.',
        rating: 2,
      }),
    ]);
    await command('sites', 'add', host, '--business', business, '--from', reviews);
  }
  await writeFile(
    join(sites, 'public-reviews.config.json'),
    '{ "hub_allow_networks": "127.0.0.0/8", "hub_coalesce_seconds": 0 }',
  );
  server = await serveSites();
});
afterAll(async () => {
  await place.close();
  await certificate.close();
});

/** Runs a command on the sites; fails unless it succeeds. */
async function command(...args: string[]): Promise<Finished> {
  const finished = await place.run('--sites', sites, ...args);
  if (finished.code !== 0) throw new Error(JSON.stringify({ args, ...finished }));
  return finished;
}

const serveSites = () =>
  place.serve({ LOG_LEVEL: 'info', NODE_EXTRA_CA_CERTS: certificate.path }, '--sites', sites);

const ask = (host: string, path: string, headers = {}): Promise<RawAnswer> =>
  rawGet(server.url + path, { host, ...headers });

async function json(host: string, path: string): Promise<any> {
  return JSON.parse((await ask(host, path)).body.toString());
}

const served = (host: string, text: string) =>
  until(async () => (await ask(host, '/reviews.json')).body.includes(text));

async function add(host: string, text: string): Promise<void> {
  const file = await place.write('more.json', [
    record({ id: `${host} ${text}`, author: 'Cy', text }),
  ]);
  await command('--site', host, 'import', file);
}

test('each host has its own business, and others learn nothing', async () => {
  for (const host of HOSTS) {
    const { business, reviews } = await json(host, '/reviews.json');
    expect(business.name).toBe(`The ${host}`);
    expect(reviews.map(({ author }: { author: string }) => author).toSorted()).toEqual([
      `Ann of ${host}`,
      `Ben of ${host}`,
    ]);
    const feed = await json(host, '/api/feed.json');
    expect(feed.feed_url).toBe(`https://${host}/api/feed.json`);
    expect((await ask(host, '/')).body.toString()).toContain(`The ${host}`);
  }
  expect((await ask('c.example', '/locations/bath')).body.toString()).toContain('Ann of c.example');
  expect((await ask('a.example', '/locations/bath')).status).toBe(404);
  for (const host of ['d.example', 'a.example.evil.example', '127.0.0.1', '']) {
    const { status, body } = await ask(host, '/reviews.json');
    expect(status).toBe(421);
    expect(body.toString()).not.toContain('a.example');
  }
  // Nobody who is not a trusted proxy chooses a site by this header.
  const forwarded = await ask('d.example', '/', { 'x-forwarded-host': 'a.example' });
  expect(forwarded.status).toBe(421);
});

test('a site from a table that needs a mapping is not added, and the next command adds it', async () => {
  const table = await place.write('guests.csv', 'Gast;Sterne;Datum\nAnna;5;1.2.2024\n');
  const given = ['sites', 'add', 'g.example', '--from', table];
  const { stderr, code } = await place.run('--sites', sites, ...given);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^next: .* import .*guests\.csv.* --map > guests\.mapping\.json$/m);
  expect(stderr).toMatch(
    /^then: .* sites add g\.example --from .*guests\.csv --map guests\.mapping\.json/m,
  );
  expect(await readdir(sites)).not.toContain('g.example');
});

test('operators ask the process: health, metrics of all sites, and which hosts may have a certificate', async () => {
  expect((await ask('localhost', '/healthz')).status).toBe(200);
  expect((await ask('localhost', '/readyz')).status).toBe(200);
  // The address of a site that is not served is not ready.
  expect((await ask('gone.example', '/readyz')).status).toBe(421);
  const metrics = (await ask('localhost', '/metrics')).body.toString();
  for (const host of HOSTS)
    expect(metrics).toContain(`public_reviews_published_reviews{site="${host}"} 2`);
  const tls = (domain: string, headers = {}) =>
    ask('localhost', `/.well-known/public-reviews/tls-ask?domain=${domain}`, headers);
  expect((await tls('b.example')).status).toBe(200);
  expect((await tls('d.example')).status).toBe(404);
  expect((await tls('b.example', { 'x-forwarded-for': '198.51.100.1' })).status).toBe(403);
});

test('an import into one site is served by it alone', async () => {
  const before = await ask('a.example', '/reviews.json');
  await add('b.example', 'A new one for b.');
  await served('b.example', 'A new one for b.');
  const after = await ask('a.example', '/reviews.json');
  expect(after.headers['etag']).toBe(before.headers['etag']);
});

test('a change of a site that sleeps is pushed to its subscribers', async () => {
  const subscriber = await Subscriber.open(certificate);
  const topic = 'https://c.example/reviews.json';
  const form = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.topic': topic,
    'hub.callback': subscriber.url('/'),
  });
  const accepted = await post('c.example', '/api/websub/hub', form.toString());
  expect(accepted).toBe(202);
  await until(async () =>
    (await command('--site', 'c.example', 'subscriptions', 'list')).stdout.includes(
      subscriber.url('/'),
    ),
  );
  // After a start all sites sleep.
  await server.stop();
  server = await serveSites();
  await add('c.example', 'A new one for c.');
  const [delivery] = await subscriber.waitFor('POST', 1);
  expect(delivery?.body.toString()).toContain('A new one for c.');
  await subscriber.close();
});

test('a source of a site that sleeps is read', async () => {
  const path = join(sites, 'b.example', 'public-reviews.config.json');
  await mkdir(join(sites, 'b.example', 'inbox'));
  const more = [record({ id: 'b inbox', author: 'Dee', text: 'From the inbox of b.' })];
  await writeFile(join(sites, 'b.example', 'inbox', 'more.json'), JSON.stringify(more));
  const source = { name: 'inbox', directory: 'inbox' };
  await writeFile(path, JSON.stringify({ base_url: 'https://b.example', sources: [source] }));
  await until(async () => {
    const { stdout } = await command('--site', 'b.example', 'imports', 'list');
    return stdout.includes('sync inbox');
  });
  await served('b.example', 'From the inbox of b.');
  await writeFile(join(sites, 'b.example', 'inbox', 'table.csv'), 'No,Said\n1,Good\n2,Bad\n');
  await utimes(join(sites, 'b.example', 'inbox', 'table.csv'), 1, 1);
  expect((await place.run('--sites', sites, '--site', 'b.example', 'sync')).code).toBe(2);
  const found = JSON.parse(
    (await place.run('--sites', sites, '--site', 'all', 'doctor', '--json')).stdout,
  );
  const notes = (found['b.example'] as { check: string; message: string; action: string }[]).find(
    ({ check }) => check === 'source inbox',
  );
  expect(notes?.message).toContain('--site b.example import FILE --map');
  expect(notes?.action).toContain('--site b.example sync inbox');
  await rm(join(sites, 'b.example', 'inbox', 'table.csv'));
});

test('settings and folders are taken up without a restart', async () => {
  const path = join(sites, 'a.example', 'public-reviews.config.json');
  await writeFile(path, '{ "base_url": "https://a.example", "aliases": ["www.a.example"] }');
  await until(async () => (await ask('www.a.example', '/faq?x=1')).status === 308);
  expect((await ask('www.a.example', '/faq?x=1')).headers['location']).toBe(
    'https://a.example/faq?x=1',
  );
  await writeFile(path, '{ "base_url": 7 }');
  await until(() => server.log.includes('a.example goes on with its old settings: '));
  await writeFile(path, '{ "base_url": "https://b.example" }');
  await until(() => server.log.includes('expected a host of its own, got b.example'));
  expect((await ask('www.a.example', '/faq')).status).toBe(308);
  await writeFile(path, '{ "base_url": "https://a.example" }');
  await until(async () => (await ask('www.a.example', '/')).status === 421);
  await until(async () => (await ask('a.example', '/')).status === 200);
});

test('a damaged store is the 503 of its site, and is restored alone', async () => {
  const backups = join(place.folder, 'backups');
  await command('--site', 'all', 'backup', backups, '--keep', '2');
  await server.stop();
  const file = join(sites, 'b.example', 'data', 'public-reviews.db');
  await writeFile(file, 'no database '.repeat(5_000));
  server = await serveSites();
  expect((await ask('b.example', '/reviews.json')).status).toBe(503);
  for (const host of ['a.example', 'c.example'])
    expect((await ask(host, '/reviews.json')).status).toBe(200);
  // Sites that nobody asked are asleep.
  const metrics = async () => (await rawGet(`${server.url}/metrics`)).body.toString();
  await until(async () => (await metrics()).includes('store_reachable{site="b.example"} 0'));
  await until(async () => (await metrics()).includes('last_backup_timestamp_seconds{site="c.'));
  expect(await metrics()).toContain('store_reachable{site="c.example"} 1');
  expect(await metrics()).not.toMatch(/^public_reviews_(?:snapshot_number|published_reviews) /m);
  const overview = JSON.parse((await command('sites', 'list', '--json')).stdout);
  expect(overview[1]).toMatchObject({
    site: 'b.example',
    needs: [
      expect.stringMatching(
        /touch public-reviews\.config\.json.* --site b\.example restore --force BACKUP/,
      ),
    ],
  });
  expect(overview[2]).toMatchObject({ site: 'c.example', reviews: 3, rating: 4, needs: [] });
  await rename(file, `${file}.damaged`);
  const [backup = ''] = await readdir(join(backups, 'b.example'));
  await command('--site', 'b.example', 'restore', join(backups, 'b.example', backup));
  await served('b.example', 'A new one for b.');
  await until(async () => (await metrics()).includes('store_reachable{site="b.example"} 1'));
  await rm(join(backups, 'c.example'), { recursive: true });
  const [, , c] = JSON.parse((await command('sites', 'list', '--json')).stdout);
  expect(c.needs).toEqual([expect.stringMatching(/^backup: .* which is gone$/)]);
});

test('one site is restored while the server runs', async () => {
  const path = join(place.folder, 'b.db');
  await command('--site', 'b.example', 'backup', path);
  await add('b.example', 'After the backup.');
  await served('b.example', 'After the backup.');
  const args = ['--site', 'b.example', 'restore', '--replace', path];
  const refused = await place.run('--sites', sites, ...args);
  const [, settings = ''] = /run: touch (\S+)\./.exec(refused.stderr) ?? [];
  expect(settings).toBe(join(sites, 'b.example', 'public-reviews.config.json'));
  await command(...args, '--force');
  await utimes(settings, new Date(), new Date());
  await until(async () => !(await ask('b.example', '/reviews.json')).body.includes('After the b'));
});

test('doctor in a folder with sites names the command for them', async () => {
  const doctor = place.start(
    ['doctor', '--json'],
    { DATABASE_URL: 'sqlite:none.db' },
    place.folder,
  );
  const found = JSON.parse((await finish(doctor)).stdout);
  expect(found.at(-1)).toMatchObject({
    check: 'sites',
    action: expect.stringContaining('--site all doctor'),
  });
});

test('a publish that fails, a file that is refused and a flood of one site are nobody else’s', async () => {
  const path = join(sites, 'b.example', 'public-reviews.config.json');
  await writeFile(join(sites, 'b.example', 'bad.key'), 'no key');
  await writeFile(path, '{ "log_key_file": "bad.key" }');
  const isFailing = async () =>
    (await ask('b.example', '/readyz')).body.includes('"status":"failing"');
  await until(isFailing);
  const hostile = await place.write('hostile.json', '['.repeat(50_000));
  const refused = await place.run('--sites', sites, '--site', 'c.example', 'import', hostile);
  expect(refused.code).not.toBe(0);
  const flooding = new AbortController();
  const flood = Array.from({ length: 50 }, async (_, client) => {
    for (let at = 0; !flooding.signal.aborted; at++) {
      await ask('c.example', `/api/reviews/search?words=late${client}+${at}&facets=source`);
    }
  });
  const statuses = new Set<number>();
  await add('a.example', 'During the flood.');
  await until(async () => {
    const { status, body } = await ask('a.example', '/api/reviews/search?words=flood');
    statuses.add(status);
    return body.includes('During the flood.');
  });
  flooding.abort();
  await Promise.all(flood);
  expect([...statuses]).toEqual([200]);
  await writeFile(path, '{}');
  await until(async () => !(await isFailing()));
});

test('a site moves to a server of its own with its ids, bytes and log', async () => {
  const paths = [
    '/locations/bath',
    '/reviews.json',
    '/insights.json',
    '/feed.xml',
    '/log/checkpoint',
  ];
  const before = await Promise.all(paths.map((path) => ask('c.example', path)));
  const alone = join(place.folder, 'alone');
  await rename(join(sites, 'c.example'), alone);
  await until(async () => (await ask('c.example', '/')).status === 421);
  const own = await place.serve({
    DATABASE_URL: `sqlite:${join(alone, 'data', 'public-reviews.db')}`,
    BASE_URL: 'https://c.example',
  });
  const after = await Promise.all(paths.map((path) => rawGet(own.url + path)));
  expect(after.map(({ body }) => body.toString())).toEqual(
    before.map(({ body }) => body.toString()),
  );
  expect(after.map(({ headers }) => headers['etag'])).toEqual(
    before.map(({ headers }) => headers['etag']),
  );
  await own.stop();
  await cp(alone, join(sites, 'c.example'), { recursive: true });
  await served('c.example', 'A new one for c.');
});

test('a site gets another host, one is added with the options of an import, and both are removed', async () => {
  await command('sites', 'move', 'a.example', 'new.example');
  await until(async () => (await ask('new.example', '/')).status === 200);
  expect((await ask('a.example', '/faq')).headers['location']).toBe('https://new.example/faq');
  const refused = await place.run('--sites', sites, 'sites', 'remove', 'new.example');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  await command('sites', 'remove', 'new.example', '--yes');
  await until(async () => (await ask('new.example', '/')).status === 421);
  const table = await place.write(
    'clinic.csv',
    'author,rating,date,text\nAnn,5,2024-03-04,Kind.\n',
  );
  const from = ['--from', table, '--source', 'google', '--verified-by', 'appointment'];
  const options = ['--format', 'csv', '--hidden'];
  const added = await command('sites', 'add', 'clinic.example', ...from, ...options);
  expect(added.stdout).toContain('0 of 1 reviews are published; hidden: 1');
  await command('sites', 'remove', 'clinic.example', '--yes');
});

test('sites that nobody asks leave the memory to others', async () => {
  const config = { ...parseConfig({ PORT: '0', LOG_LEVEL: 'silent' }), sitesMemory: 1 };
  const local = await SitesServer.start(sites, config, createLogger(config));
  const awake = async () => {
    const metrics = (await rawGet(`${local.url}/metrics`)).body.toString();
    return [...metrics.matchAll(/published_reviews\{site="(.*?)"/g)].map(([, name]) => name);
  };
  for (const host of ['b.example', 'c.example', 'b.example']) {
    expect((await rawGet(`${local.url}/faq`, { host })).status).toBe(200);
    await until(async () => (await awake()).join() === host);
  }
  await local.close();
});

async function post(host: string, path: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/x-www-form-urlencoded' };
    request(server.url + path, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end(body);
  });
}
