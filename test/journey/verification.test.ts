// How reviews were verified, and their titles: from the file of an import to everything that is published.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHide } from '../../src/commands/reviews/hide.ts';
import { runRemove } from '../../src/commands/reviews/remove.ts';
import { parseConfig } from '../../src/config.ts';
import type { ReviewJson } from '../../src/model/review.ts';
import { createSqliteDatabase } from '../support/databases.ts';
import { jsonLdOf } from '../support/site.ts';
import type { LocalServer } from '../support/local-server.ts';
import { Workplace } from '../support/process.ts';
import { publishHere } from '../support/publish.ts';
import { capture } from '../support/run-command.ts';
import { record } from '../support/store.ts';

const TITLED = {
  source_id: 'titled',
  author: 'Ann Titled',
  title: 'A  warm\nhouse again',
  text: 'They fixed the boiler <in> an hour.',
  verified_by: 'order 4711 of the shop, mail ann@example.com',
  verified_level: 'Verified buyer',
  verified_at: '2024-05-18T23:30:00-02:00',
};

let place: Workplace;
let server: LocalServer;
let reviews: ReviewJson[];
const config = () => parseConfig(place.environment);
const byAuthor = (author: string) => reviews.find((review) => review.author === author)!;

beforeAll(async () => {
  place = await Workplace.open(createSqliteDatabase);
  const rows = [
    TITLED,
    { source_id: 'same', author: 'Bob', verified_by: 'order 12 of the shop, mail bob@example.com' },
    { source_id: 'declared', author: 'Cy' },
    { source_id: 'gone', author: 'Dee', rating: 1 },
    { source_id: 'hidden', author: 'Eve', rating: 2 },
    { source_id: 'unverified', author: 'Flo', verified: false, verified_by: 'a guess' },
    { source_id: 'alone', author: 'Gil', title: 'Lovely', text: null },
    { source_id: 'twice', author: 'Hal', title: 'Came on…', text: 'Came on time.' },
  ];
  const file = await place.write('reviews.json', rows.map(record));
  await place.importHere(file);
  const stored = await place.look(async ({ read }) =>
    read.selectFrom('reviews').select(['id', 'author']).execute(),
  );
  const idOf = (author: string) => stored.find((row) => row.author === author)!.id;
  await capture(() =>
    runRemove(config(), [idOf('Dee')], { reason: 'customer_request' }, publishHere),
  );
  await capture(() => runHide(config(), [idOf('Eve')], { reason: 'court_or_law' }, publishHere));
  server = await place.serveHere();
  ({ reviews } = await server.json('/reviews.json'));
});
afterAll(() => place.close());

describe('/api/reviews/{id}/verification', () => {
  test('says how a review was verified, without numbers and addresses', async () => {
    const { id } = byAuthor('Ann Titled');
    const { published_since, ...answer } = await server.json(`/api/reviews/${id}/verification`);
    expect(answer).toEqual({
      id,
      verified: true,
      method: 'order … of the shop, mail …',
      source: 'google',
      source_level: 'Verified buyer',
      verified_at: '2024-05-19',
    });
    expect(Date.parse(published_since)).toBeLessThan(Date.now() + 60_000);
  });

  test('says that the business only declares it', async () => {
    const { id } = byAuthor('Cy');
    const answer = await server.json(`/api/reviews/${id}/verification`);
    expect(answer).toMatchObject({ method: null, source_level: null, verified_at: null });
  });

  test('is 404 for a review that is not published', async () => {
    const response = await server.get('/api/reviews/01HZZZZZZZZZZZZZZZZZZZZZZZ/verification');
    expect(response.status).toBe(404);
  });
});

const COUNTS = {
  version: 1,
  methods: [
    { method: null, count: 3 },
    { method: 'order … of the shop, mail …', count: 2 },
  ],
  published: 5,
  withheld: { total: 2, by_reason: { not_verified: 1, court_or_law: 1 } },
  removed: {
    total: 2,
    by_reason: { customer_request: 1, court_or_law: 1 },
    by_rating: { 1: 1, 2: 1, 3: 0, 4: 0, 5: 0 },
  },
  edited: { total: 0, stars: [] },
};

test('/verification.json counts methods, and what is left out and why', async () => {
  const { updated_at, ...counts } = await server.json('/verification.json');
  expect(counts).toEqual(COUNTS);
  expect(Date.parse(updated_at)).toBeLessThan(Date.now() + 60_000);
});

test('the page of a review says how it was verified', async () => {
  const text = await (await server.get(`/reviews/${byAuthor('Ann Titled').id}`)).text();
  const line = /<p class="aside verification">(.*?)<\/p>/s.exec(text)![1]!;
  expect(line.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ')).toMatch(
    /Verified by the business on May 19, 2024: order … of the shop, mail …. Google says: Verified buyer. Published here since/,
  );
});

test('the verification page shows the same counts, and the transparency page leads to it', async () => {
  const text = await (await server.get('/verification')).text();
  expect(text).toContain('order … of the shop, mail …');
  expect(text).toMatch(/not verified:\s+1 review/);
  expect(text).toContain('href="/verification.json"');
  const transparency = await (await server.get('/transparency')).text();
  const main = transparency.slice(0, transparency.indexOf('<footer'));
  expect(main).toContain('href="/verification"');
});

describe('a title', () => {
  test('is the first line of the text, once', () => {
    expect(byAuthor('Ann Titled').text).toBe(
      'A warm house again\n\nThey fixed the boiler <in> an hour.',
    );
    expect(byAuthor('Gil').text).toBe('Lovely');
    expect(byAuthor('Hal').text).toBe('Came on time.');
  });

  test('is a heading on pages, and the name in their data', async () => {
    const page = await (await server.get(`/reviews/${byAuthor('Ann Titled').id}`)).text();
    expect(page).toContain('<h2 class="title">A warm house again</h2>');
    expect(page).toContain('<p>They fixed the boiler &lt;in> an hour.</p>');
    expect(jsonLdOf(page)[0]).toMatchObject({
      name: 'A warm house again',
      reviewBody: 'They fixed the boiler <in> an hour.',
    });
    const list = await (await server.get('/reviews?words=warm+boiler')).text();
    expect(list).toContain('<h4 class="title">A <mark>warm</mark> house again</h4>');
    expect(list).toContain('<p>They fixed the <mark>boiler</mark> &lt;in> an hour.</p>');
    const alone = await (await server.get(`/reviews/${byAuthor('Gil').id}`)).text();
    expect(alone).toContain('<h2 class="title">Lovely</h2>');
  });

  test('is found by a search and in the feed', async () => {
    const found = await server.json('/api/reviews/search?query=warm+house');
    expect(found.matched).toBe(1);
    const feed = await server.json('/api/feed.json');
    const titles = feed.items.map(({ title }: { title: string }) => title);
    expect(titles).toContain('Five stars from Ann Titled: A warm house again');
  });

  test('stays when the export of this server is imported, and the verification too', async () => {
    const file = await place.write('export.json', await server.json('/reviews.json'));
    const { stdout } = await place.importHere(file);
    expect(stdout).toMatch(/^updated +0$/m);
    expect(stdout).toMatch(/^unchanged +5$/m);
  });
});
