// The picture at the top of the first page, from a file beside the business file to the pages that show it.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runExport } from '../../src/commands/export.ts';
import { parseConfig } from '../../src/config.ts';
import { loadHeader } from '../../src/store/business.ts';
import { LOSSY_PICTURE, pngOf, webpOf } from '../support/logos.ts';
import { Workplace } from '../support/process.ts';
import { capture } from '../support/run-command.ts';
import type { RunningServer } from '../support/running-server.ts';
import { record } from '../support/store.ts';

const PICTURE = webpOf(LOSSY_PICTURE);

let place: Workplace;
let server: RunningServer;
let reviews: string;
beforeAll(async () => {
  place = await Workplace.open();
  reviews = await place.write('reviews.json', [record()]);
  await place.write('header.webp', PICTURE);
  await place.write('other.png', pngOf(30, 10));
  server = await place.serveHere();
});
afterAll(() => place.close());

/** Imports the business with a picture; returns what is published of it. */
async function publish(header: string | null): Promise<{ url: string; width: number }> {
  const site = { color: '#1f5c4d', ...(header !== null && { header }) };
  const business = await place.write('business.json', { name: `Harbor ${header}`, site });
  await place.importHere(reviews, { business });
  const dataset = await server.until(
    '/reviews.json',
    (one) => one.business.name === `Harbor ${header}`,
  );
  return dataset.business.site.header;
}

const pageOf = async () => (await server.get('/', { Accept: 'text/html' })).text();

test('is served under a hash of its content, and shown with its size', async () => {
  const { url, ...size } = await publish('header.webp');
  expect(url).toMatch(new RegExp(`^${server.url}/header/[0-9a-f]{16}\\.webp$`));
  expect(size).toEqual({ width: 24, height: 10 });
  const path = new URL(url).pathname;
  const answer = await server.get(path);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(answer.headers.get('content-encoding')).toBeNull();
  expect(Buffer.from(await answer.arrayBuffer()).equals(PICTURE)).toBe(true);
  const page = await pageOf();
  expect(page).toContain(`<img class="banner" src="${path}" width="24" height="10" alt`);
  expect(await (await server.get('/reviews', { Accept: 'text/html' })).text()).not.toContain(path);

  const folder = join(place.folder, 'export');
  const config = parseConfig(place.environment);
  await capture(() => runExport(config, folder));
  expect((await readFile(join(folder, path))).equals(PICTURE)).toBe(true);
});

test('stays when a copy of what is published is imported', async () => {
  const published = await publish('header.webp');
  const copy = await place.write('copy.json', await server.json('/reviews.json'));
  await place.importHere(copy);
  await place.look(async ({ read }) => expect(await loadHeader(read)).not.toBeNull());
  expect(await publish('header.webp')).toEqual(published);
});

test('is gone once it is replaced or removed', async () => {
  const before = new URL((await publish('header.webp')).url).pathname;
  const after = new URL((await publish('other.png')).url).pathname;
  expect([(await server.get(before)).status, (await server.get(after)).status]).toEqual([404, 200]);
  expect(await publish(null)).toBeUndefined();
  expect((await server.get(after)).status).toBe(404);
  expect(await pageOf()).not.toContain('class="banner"');
});
