// The example business: shown while nothing real was imported.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { fingerprint } from '../support/fingerprint.ts';
import { type Server, Workplace } from '../support/process.ts';
import { record } from '../support/store.ts';

const ORIGIN = { BASE_URL: 'https://reviews.example' };

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open();
});
afterEach(() => place.close());

const serveExample = () => place.serve(ORIGIN, '--example');
const hasExample = async (server: Server) =>
  (await server.json('/reviews.json')).reviews.length > 100;

test('serve --example serves the example business, again without adding it twice', async () => {
  const first = await serveExample();
  const body = await first.json('/reviews.json');
  expect(body.business.name).not.toBe('Unnamed business');
  expect(body.reviews.length).toBeGreaterThan(200);
  const before = await fingerprint(first.url);
  expect(await first.stop()).toBe(0);
  const second = await serveExample();
  expect(await fingerprint(second.url)).toEqual(before);
});

test('the first real import replaces the example whole, and it does not come back', async () => {
  const first = await serveExample();
  expect(await hasExample(first)).toBe(true);
  const file = await place.write('real.json', [record({ author: 'A real person' })]);
  expect(await place.run('import', file)).toMatchObject({ code: 0 });
  const body = await first.until('/reviews.json', ({ reviews }) => reviews.length === 1);
  expect(body.reviews[0].author).toBe('A real person');
  expect(body.business.name).toBe('Unnamed business');
  expect(body.aggregate_rating.review_count).toBe(1);
  expect(await first.json('/api/reviews/search')).toMatchObject({ matched: 1 });
  const before = await fingerprint(first.url);
  expect(await first.stop()).toBe(0);
  const second = await serveExample();
  expect(await fingerprint(second.url)).toEqual(before);
});

test('serve without --example has nothing of it any more', async () => {
  const first = await serveExample();
  expect(await hasExample(first)).toBe(true);
  expect(await first.stop()).toBe(0);
  const second = await place.serve(ORIGIN);
  expect(await second.json('/reviews.json')).toMatchObject({
    business: { name: 'Unnamed business' },
    aggregate_rating: { review_count: 0, rating_value: null },
    reviews: [],
  });
});

test('an import that brings nothing leaves the example', async () => {
  const server = await serveExample();
  const file = await place.write('empty.json', []);
  expect(await place.run('import', file)).toMatchObject({ code: 0 });
  expect(await server.stop()).toBe(0);
  expect(await hasExample(await serveExample())).toBe(true);
});

test('an import at the same time as the first start is never mixed with the example', async () => {
  const file = await place.write('real.json', [record({ author: 'A real person' })]);
  const [server, ended] = await Promise.all([serveExample(), place.run('import', file)]);
  expect(ended).toMatchObject({ code: 0 });
  const body = await server.until('/reviews.json', ({ reviews }) => reviews.length === 1);
  expect(body.reviews[0].author).toBe('A real person');
});

test('serve without --example serves an empty set', async () => {
  const server = await place.serve(ORIGIN);
  expect(await server.json('/reviews.json')).toMatchObject({ reviews: [] });
});
