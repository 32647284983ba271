// The transparency log from outside: a server, `verify`, a rotation of its key, and a static copy.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runExport } from '../../src/commands/export.ts';
import { runVerify } from '../../src/commands/log/verify.ts';
import { parseConfig } from '../../src/config.ts';
import { InputError } from '../../src/errors.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { type Server, Workplace } from '../support/process.ts';
import { capture } from '../support/run-command.ts';
import { StaticHost } from '../support/static-host.ts';
import { record } from '../support/store.ts';

const ORIGIN = 'https://reviews.example';

let place: Workplace;
let server: Server;
beforeAll(async () => {
  place = await Workplace.open();
  await place.publishFor(ORIGIN);
  server = await place.serve({ BASE_URL: ORIGIN });
});
afterAll(() => place.close());

async function importAll(texts: readonly string[]): Promise<void> {
  const file = join(place.folder, 'reviews.ndjson');
  const rows = texts.map((text, number) =>
    JSON.stringify(record({ source_id: String(number), rating: 1 + number, text })),
  );
  await writeFile(file, `${rows.join('\n')}\n`);
  await place.importHere(file, { prune: true });
  await server.until('/reviews.json', ({ reviews }) => reviews.length === texts.length);
}

/** Verifies in the process of the test a log that holds, and returns the output. */
async function verifyHere(url: string, folder = place.folder): Promise<string> {
  const { stdout } = await capture(() => runVerify(url, { seen: join(folder, 'seen.json') }));
  expect(stdout).not.toContain('does NOT hold');
  return stdout;
}

/** Verifies and returns the exit code and the output. */
async function verify(url: string, seen = 'seen.json'): Promise<[number | null, string]> {
  const { code, stdout, stderr } = await place.run(
    'verify',
    url,
    '--seen',
    join(place.folder, seen),
  );
  return [code, stdout + stderr];
}

test('verify holds, tells what was removed, and finds a log that began anew', async () => {
  await importAll(['Awful.', 'Fine.', 'Good.']);
  const [first, told] = await verify(server.url);
  expect([first, told]).toEqual([0, expect.stringContaining('published: 3, each as the log says')]);

  await importAll(['Awful, still.', 'Fine.']);
  const changes = await verifyHere(server.url);
  expect(changes).toMatch(/^edited {3}1 \(1 star: 1\)$/m);
  expect(changes).toMatch(/^removed {2}1 \(3 stars: 1\)\n.* 3 stars, .* removed at source/m);

  const copy = join(place.folder, 'copy');
  await mkdir(copy);
  const config = parseConfig(place.environment);
  await capture(() => runExport(config, copy));
  const host = await StaticHost.open(copy);
  await verifyHere(host.url);
  await host.close();

  const { stdout } = await place.run('log', 'rotate');
  expect(stdout.trim().split('\n')).toHaveLength(2);
  const both = async () => (await (await server.get('/log/key')).text()).trim().split('\n').length;
  await expect.poll(both, { timeout: PATIENCE_MS }).toBe(2);
  await verifyHere(server.url);

  const seen = join(place.folder, 'seen.json');
  const known = await readFile(seen, 'utf8');
  expect((await place.run('log', 'replace')).code).toBe(0);
  await expect.poll(both, { timeout: PATIENCE_MS }).toBe(1);
  expect(await verify(server.url)).toEqual([
    1,
    expect.stringContaining('signed with another key than the one that was seen before'),
  ]);
  // What was seen is not overwritten.
  expect(await readFile(seen, 'utf8')).toBe(known);
});

test('a bad review that is imported again as a better one is told everywhere', async () => {
  const own = await Workplace.open();
  try {
    const bad = (id: string) =>
      record({ source_id: id, rating: 1, author: 'Al', text: 'Never again.' });
    await own.importHere(await own.write('a.json', [bad('edited'), bad('laundered')]));
    const running = await own.serveHere({ BASE_URL: ORIGIN });
    await verifyHere(running.url, own.folder);
    const later = [
      { ...bad('edited'), rating: 5, text: 'Never again. Update: they made it good.' },
      { ...bad('laundered'), rating: 5, author: 'Happy Hannah', text: 'Wonderful people!' },
    ];
    await own.importHere(await own.write('b.json', later));
    await running.until(
      '/reviews.json',
      ({ aggregate_rating: { rating_value } }) => rating_value === 5,
    );

    const told = await verifyHere(running.url, own.folder);
    expect(told).toMatch(
      /^edited {3}1 \(5 stars: 1\)\n {2}entry \d: 1 star became 5, 2024-05-17, google/m,
    );
    expect(told).toMatch(/^removed {2}1 \(1 star: 1\)\n.* 1 star, .* google: replaced/m);
    expect(await running.json('/verification.json')).toMatchObject({
      removed: { total: 1, by_reason: { replaced: 1 }, by_rating: { 1: 1 } },
      edited: { total: 1, stars: [{ count: 1, from: 1, to: 5 }] },
    });
    const page = await (await running.get('/transparency')).text();
    expect(page).toMatch(/Stars that an edit changed.*1 star became 5: 1 review/s);
    expect(await (await running.get('/verification')).text()).toContain(
      'replaced by another review under the same id',
    );
  } finally {
    await own.close();
  }
});

test('after forget the log still holds, and has no byte of the author or the text', async () => {
  const own = await Workplace.open();
  try {
    const rows = [
      record({ source_id: 'a', author: 'Xanthippe Vandersloot', text: 'Quixotic plumbers.' }),
      record({ source_id: 'b' }),
    ];
    await own.importHere(await own.write('a.json', rows));
    const running = await own.serveHere({ BASE_URL: ORIGIN });
    await verifyHere(running.url, own.folder);
    const forgotten = await own.run('forget', '--author', 'xanthippe vandersloot', '--yes');
    expect(forgotten.code).toBe(0);
    await running.until('/reviews.json', ({ reviews }) => reviews.length === 1);
    expect(await verifyHere(running.url, own.folder)).toMatch(
      /^removed {2}1 \(5 stars: 1\)\n.* customer request/m,
    );
    const size = Number((await (await running.get('/log/checkpoint')).text()).split('\n')[1]);
    const files = ['checkpoint', 'key', 'salts.json', `tile/entries/000.p/${size}`];
    for (const name of files) {
      const answer = await running.get(`/log/${name}`);
      expect([name, answer.status]).toEqual([name, 200]);
      expect(await answer.text()).not.toMatch(/Xanthippe|Quixotic/i);
    }
  } finally {
    await own.close();
  }
});

test('verify says what is wrong with its input, and exits with 2', async () => {
  expect(await verify('reviews.example')).toEqual([
    2,
    expect.stringContaining('such as "https://reviews.'),
  ]);
  const path = `${server.url}/reviews.json`;
  expect(await verify(path)).toEqual([2, expect.stringContaining(`such as "${server.url}"`)]);
  // The program ends with 2 after an InputError.
  const refusal = async (url: string, seen: string) => {
    const flags = { seen: join(place.folder, seen) };
    const error: unknown = await capture(() => runVerify(url, flags)).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    return String(error);
  };
  expect(await refusal('http://127.0.0.1:1', 'none.json')).toContain(
    'cannot verify: http://127.0.0.1:1/log/checkpoint',
  );
  await writeFile(join(place.folder, 'broken.json'), '{}');
  expect(await refusal(server.url, 'broken.json')).toContain('expected a file that verify wrote');
});
