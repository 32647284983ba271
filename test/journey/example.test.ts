// The example business, which is served until the first real import.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { fingerprint } from '../support/fingerprint.ts';
import { Workplace } from '../support/process.ts';
import { record } from '../support/store.ts';

const ORIGIN = { BASE_URL: 'https://reviews.example' };

/** A store with the example imported and published; tests use copies of it. */
let prepared: Workplace;
let prints: Record<string, string>;
let place: Workplace;
beforeAll(async () => {
  prepared = await Workplace.open();
  const server = await prepared.serveHere(ORIGIN, { example: true });
  const body = await server.json('/reviews.json');
  expect(body.business.name).not.toBe('Unnamed business');
  expect(body.reviews.length).toBeGreaterThan(200);
  prints = await fingerprint(server.url);
  await server.close();
});
beforeEach(async () => {
  place = await Workplace.open((folder) => prepared.database.copy(folder));
});
afterEach(() => place.close());
afterAll(() => prepared.close());

const serveExample = (at = place) => at.serveHere(ORIGIN, { example: true });

test('serve --example again does not add the example twice', async () => {
  const again = await serveExample();
  expect(await fingerprint(again.url)).toEqual(prints);
});

test('the first real import replaces the whole example, which is not imported again', async () => {
  const first = await serveExample();
  const file = await place.write('real.json', [record({ author: 'A real person' })]);
  await place.importHere(file);
  const body = await first.until('/reviews.json', ({ reviews }) => reviews.length === 1);
  expect(body.reviews[0].author).toBe('A real person');
  expect(body.business.name).toBe('Unnamed business');
  expect(body.aggregate_rating.review_count).toBe(1);
  expect(await first.json('/api/reviews/search')).toMatchObject({ matched: 1 });
  const before = await fingerprint(first.url);
  await first.close();
  const second = await serveExample();
  expect(await fingerprint(second.url)).toEqual(before);
});

test('serve without --example removes the example', async () => {
  const server = await place.serveHere(ORIGIN);
  expect(await server.json('/reviews.json')).toMatchObject({
    business: { name: 'Unnamed business' },
    aggregate_rating: { review_count: 0, rating_value: null },
    reviews: [],
  });
});

test('an import without reviews keeps the example', async () => {
  const file = await place.write('empty.json', []);
  await place.importHere(file);
  const server = await serveExample();
  expect(await fingerprint(server.url)).toEqual(prints);
});

test('an import at the same time as the first start is never mixed with the example', async () => {
  const fresh = await Workplace.open();
  const file = await fresh.write('real.json', [record({ author: 'A real person' })]);
  const [server, ended] = await Promise.all([
    fresh.serve(ORIGIN, '--example'),
    fresh.run('import', file),
  ]);
  expect(ended).toMatchObject({ code: 0 });
  const body = await server.until('/reviews.json', ({ reviews }) => reviews.length === 1);
  expect(body.reviews[0].author).toBe('A real person');
  await fresh.close();
});
