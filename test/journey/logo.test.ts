// The logo of a business, from a file beside the business file to everything that shows it.

import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runExport } from '../../src/commands/export.ts';
import { parseConfig } from '../../src/config.ts';
import { cleanPng } from '../../src/intake/logo/png.ts';
import { loadLogo } from '../../src/store/business.ts';
import { loadBusiness } from '../../src/store/reviews/reviews.ts';
import { jpegOf, pngOf, SVG_LOGO } from '../support/logos.ts';
import { Workplace } from '../support/process.ts';
import { capture } from '../support/run-command.ts';
import type { RunningServer } from '../support/running-server.ts';
import { record } from '../support/store.ts';

let place: Workplace;
let server: RunningServer;
let reviews: string;
beforeAll(async () => {
  place = await Workplace.open();
  reviews = await place.write('reviews.json', [record()]);
  await place.write('logo.svg', SVG_LOGO.replace('<rect', '<text y="9">H</text><rect'));
  await place.write('logo.jpg', jpegOf());
  await place.write('wide.png', pngOf(90, 30));
  await place.write('logo.gif', 'GIF89a');
  server = await place.serveHere();
});
afterAll(async () => {
  await place.close();
});

/** Imports the business with a logo; returns the address under which it is published. */
async function publish(logo: string | null): Promise<string | null> {
  const business = await place.write('business.json', { name: 'Harbor Heating', logo_url: logo });
  await place.importHere(reviews, { business });
  const isShown = ({ name, logo_url: url }: { name: string; logo_url: string | null }) => {
    if (name !== 'Harbor Heating') return false;
    if (logo === null || logo.startsWith('https:')) return url === logo;
    return (
      url?.startsWith(`${server.url}/logo/`) === true &&
      url.endsWith(extname(logo).replace('svg', 'png'))
    );
  };
  const published = await server.until('/reviews.json', (dataset) => isShown(dataset.business));
  return published.business.logo_url;
}

const pageOf = async () => (await server.get('/', { Accept: 'text/html' })).text();

test('is cleaned, served from our own origin, and shown by all that shows the business', async () => {
  const business = await place.write('business.json', { name: 'Harbor', logo_url: 'logo.svg' });
  const { stderr } = await place.importHere(reviews, { business });
  expect(stderr).toContain('note: logo.svg: its text is drawn in a plain font');
  const url = await publish('logo.svg');
  expect(url).toMatch(new RegExp(`^${server.url}/logo/[0-9a-f]{16}\\.png$`));
  const path = new URL(url!).pathname;

  const logo = await server.get(path);
  expect(Object.fromEntries(logo.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
  const bytes = Buffer.from(await logo.arrayBuffer());
  expect(cleanPng(bytes)).toMatchObject({ width: 1024, height: 683 });
  const again = await server.get(path, { 'If-None-Match': logo.headers.get('etag')! });
  expect([again.status, await again.text()]).toEqual([304, '']);

  const page = await pageOf();
  expect(page).toContain(`<img src="${path}" alt height="40" class="light-ground"`);
  expect(page).toContain(`"logo":"${url}"`);
  const icon = /<link rel="icon" href="(\/favicon\.ico\?v=[^"]+)"/.exec(page)![1]!;
  const ico = Buffer.from(await (await server.get(icon)).arrayBuffer());
  // Two pictures, the first of 32 by 32 pixels.
  expect(ico.subarray(0, 8).toString('hex')).toBe('0000010002002020');
  expect((await server.json('/api/feed.json')).icon).toBe(url);
  expect(await (await server.get('/feed.xml')).text()).toContain(`<logo>${url}</logo>`);
  const { paths } = await server.json('/openapi.json');
  expect(paths['/logo/{name}'].get.responses['200'].content).toHaveProperty('image/png');

  const folder = join(place.folder, 'export');
  const config = parseConfig(place.environment);
  await capture(() => runExport(config, folder));
  expect(bytes.equals(await readFile(join(folder, path)))).toBe(true);
});

test('keeps its address when it is imported again, and from a copy of what is published', async () => {
  const url = await publish('logo.svg');
  const etag = (await server.get('/reviews.json')).headers.get('etag');
  const copy = await place.write('copy.json', await server.json('/reviews.json'));
  const { stdout } = await place.importHere(copy);
  expect(stdout).toContain('unchanged  1\n');
  await place.look(async ({ read }) => {
    expect(await loadLogo(read)).not.toBeNull();
    expect((await loadBusiness(read)).logo_url).toBeNull();
  });
  expect(await publish('logo.svg')).toBe(url);
  const answer = await server.get('/reviews.json');
  expect(answer.headers.get('etag')).toBe(etag);
});

test('is gone once it is replaced or removed, and its icon with it', async () => {
  const paths = [];
  for (const logo of ['logo.svg', 'logo.jpg', 'wide.png']) {
    paths.push(new URL((await publish(logo))!).pathname);
    const statuses = await Promise.all(paths.map(async (path) => (await server.get(path)).status));
    expect(statuses).toEqual(paths.map((_, index) => (index === paths.length - 1 ? 200 : 404)));
  }
  const png = await server.get(paths[2]!, { 'Accept-Encoding': 'br' });
  expect(png.headers.get('content-type')).toBe('image/png');
  expect(png.headers.get('content-encoding')).toBeNull();
  // Too wide for an icon.
  expect(await pageOf()).toContain('<link rel="icon" type="image/svg+xml" href="/assets/icon.');
  expect(await publish('https://harbor.example/logo.png')).toBe('https://harbor.example/logo.png');
  expect((await server.get(paths[2]!)).status).toBe(404);
  expect(await pageOf()).toContain('<img src="https://harbor.example/logo.png"');
  await publish(null);
  expect(await pageOf()).not.toContain('height="40"');
  await place.look(async ({ read }) => expect(await loadLogo(read)).toBeNull());
});

test('that cannot be used changes nothing', async () => {
  await publish('logo.svg');
  const business = await place.write('business.json', { name: 'Other', logo_url: 'logo.gif' });
  await expect(place.importHere(reviews, { business })).rejects.toThrow(
    `${business}: logo_url: expected a PNG, JPEG or SVG file of at most 1 MB, got "logo.gif", a GIF picture`,
  );
  await place.look(async ({ read }) => {
    expect((await loadBusiness(read)).name).toBe('Harbor Heating');
    expect(await loadLogo(read)).not.toBeNull();
  });
});

test('of a file with reviews is an address: files are read only beside a business file', async () => {
  const dataset = await place.write('dataset.json', {
    business: { name: 'Harbor', logo_url: 'logo.svg' },
    reviews: [record()],
  });
  await expect(place.importHere(dataset)).rejects.toThrow(
    `${dataset}: business.logo_url: expected an http or https URL, got "logo.svg"`,
  );
});
