// Imports with the command line, observed through a running server. Most run in the process of the test;
// spawned commands prove that options arrive, and that a server elsewhere notices an import.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReviewRow } from '../../src/store/reviews/review-rows.ts';
import { DOCUMENTS, fingerprint } from '../support/fingerprint.ts';
import { finish, Workplace } from '../support/process.ts';
import { BUSINESS } from '../support/reviews.ts';
import { merge, record } from '../support/store.ts';

const OF_REFUSED =
  'correct what the refused rows lack, and import the file again: what is stored is not added twice';

const ORIGIN = { BASE_URL: 'https://reviews.example' };

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open();
  // The commands find a store, and do not report that they created it.
  await place.look(() => Promise.resolve());
});
afterEach(() => place.close());

/** The report of an import: one count per line, then remarks. */
function report(counts: Partial<Record<string, number>>, ...remarks: string[]): string {
  const names = ['rows', 'added', 'updated', 'unchanged', 'duplicate', 'removed', 'refused'];
  const lines = names.map((name) => `${name.padEnd(10)} ${counts[name] ?? 0}`);
  return `${[...lines, ...remarks].join('\n')}\n`;
}

const NO_BUSINESS =
  'there is no business yet, so pages say "Unnamed business" and insights look only for what reviews of any ' +
  'business speak of: write its file with "npx public-reviews init", which asks for its kind, then run ' +
  '"npx public-reviews business set business.json"';

const SEE_SERVED =
  'See it: open http://localhost:8080/, and https://reviews.example/ once it is there; files on a web space: "npx public-reviews export public" and upload them first';
const SEE = 'See it: npx public-reviews serve, then open http://localhost:8080/';

function stored(): Promise<ReviewRow[]> {
  return place.look((database) =>
    database.read.selectFrom('reviews').selectAll().orderBy('identity').execute(),
  );
}

/** Fills the store. */
const stores = (records: readonly Record<string, unknown>[]) =>
  place.look((database) => merge(database, records));

const lines = (...records: unknown[]) => records.map((each) => JSON.stringify(each)).join('\n');

describe('an import while a server runs', () => {
  test('is served without a restart', async () => {
    const server = await place.serve(ORIGIN);
    const before = await server.json('/readyz');
    const file = await place.write('a.json', { reviews: [record({ text: 'New words.' })] });
    // Hints name the command as it was called.
    const hint = NO_BUSINESS.replaceAll('npx public-reviews', 'node src/main.ts');
    expect(await place.run('import', file)).toEqual({
      code: 0,
      stdout: report(
        { rows: 1, added: 1 },
        hint,
        SEE_SERVED.replaceAll('npx public-reviews', 'node src/main.ts'),
      ),
      stderr: '',
    });
    const isServed = ({ reviews }: { reviews: { text: string }[] }) =>
      reviews[0]?.text === 'New words.';
    await server.until('/reviews.json', isServed);
    expect(await server.json('/api/reviews/search?query=new+words')).toMatchObject({ matched: 1 });
    expect(await server.json('/readyz')).toMatchObject({ snapshot: before.snapshot + 1 });
  });

  test('of the same file twice leaves every answer byte-identical', async () => {
    const records = Array.from({ length: 60 }, (_, number) =>
      record({ author: `Reviewer ${number}`, date: `2024-0${1 + (number % 6)}-17` }),
    );
    const file = await place.write('a.ndjson', lines(...records));
    const server = await place.serveHere(ORIGIN);
    await place.importHere(file);
    await server.until('/reviews.json', ({ reviews }) => reviews.length === 60);
    const [before, readiness] = [await fingerprint(server.url), await server.json('/readyz')];
    const again = await place.importHere(file);
    expect(again.stdout).toBe(report({ rows: 60, unchanged: 60 }, NO_BUSINESS, SEE_SERVED));
    // When a later change is served, the server has also checked the store after the import above.
    expect(await fingerprint(server.url)).toEqual(before);
    const other = await place.write('b.ndjson', lines(record({ date: '2020-01-01' })));
    await place.importHere(other);
    await server.until('/reviews.json', ({ reviews }) => reviews.length === 61);
    expect(await server.json('/readyz')).toMatchObject({ snapshot: readiness.snapshot + 1 });
    const after = await fingerprint(server.url);
    const since = '/api/reviews/since/2024-03-01 as identity';
    expect(after[since]).toBe(before[since]);
    expect(after['/feed.xml as identity']).toBe(before['/feed.xml as identity']);
  });
});

test('refused rows are named by line on stdout, the rest is stored, and the counts add up', async () => {
  const file = await place.write(
    'a.ndjson',
    lines(
      record({ source_id: 'a' }),
      record({ rating: 9 }),
      record({ source_id: 'b', verified: undefined }),
      record({ date: '2024-02-30', author: '' }),
      record({ source_id: 'a', text: 'Later words.' }),
      'not an object',
    ),
  );
  const { stdout, stderr } = await place.importHere(file);
  expect(stderr).toContain('warning: 1 of these reviews are not published');
  const printed = stdout.split('\n');
  expect(printed[0]).toMatch(`${file}:2: refused: rating: expected an integer from 1 to 5, got 9`);
  expect(printed[1]).toMatch(`${file}:4: refused: `);
  expect(printed[1]).toContain("author: expected the reviewer's name");
  expect(printed[1]).toContain('date: expected ');
  expect(printed[1]).toContain('got "2024-02-30"');
  expect(printed[2]).toMatch(`${file}:6: refused: expected a review as an object`);
  expect(printed.slice(3).join('\n')).toBe(
    report(
      { rows: 6, added: 2, duplicate: 1, refused: 3 },
      OF_REFUSED,
      '1 of 2 reviews are published; the others are not verified, so they are only stored',
      NO_BUSINESS,
      SEE,
    ),
  );
  expect(await stored()).toMatchObject([
    { identity: 'source:["google","a"]', text: 'Later words.', verified: 1 },
    { identity: 'source:["google","b"]', verified: 0 },
  ]);
});

test('closing the pipe of the report does not stop the import', async () => {
  const rows = Array.from({ length: 3_000 }, () => ({ rating: 9 }));
  const file = await place.write('a.json', [record(), ...rows]);
  const child = place.start(['import', file]);
  child.stdout?.destroy();
  expect(await finish(child)).toMatchObject({ code: 0, stderr: '' });
  expect(await stored()).toHaveLength(1);
});

test('unverified reviews are in no answer', async () => {
  const secret = {
    author: 'Ursula Zebra',
    text: 'Zebra crossing.',
    source: 'zebrabook',
    owner_reply: { text: 'Thank you, zebra.', date: '2024-06-01' },
  };
  const file = await place.write('a.json', [
    record(),
    record({ ...secret, verified: undefined }),
    record({ ...secret, text: 'More zebra.', source_id: 'z', verified: false }),
  ]);
  await place.importHere(file);
  const server = await place.serveHere(ORIGIN);
  const paths = [
    ...DOCUMENTS,
    '/api/reviews/since/1970-01-01',
    '/api/reviews/search?limit=100',
    '/api/reviews/search?query=crossing',
    '/metrics',
  ];
  for (const path of paths) {
    const response = await server.get(path);
    expect(response.status).toBe(200);
    expect((await response.text()).toLowerCase()).not.toContain('zebra');
  }
  expect(await server.json('/reviews.json')).toMatchObject({
    aggregate_rating: { review_count: 1 },
  });
  expect(await server.json('/api/reviews/search?source=zebrabook')).toMatchObject({ matched: 0 });
  const hidden = (await stored()).filter(({ verified }) => verified === 0);
  expect(hidden).toHaveLength(2);
  for (const { id } of hidden) {
    expect((await server.get(`/api/reviews/${id}`)).status).toBe(404);
  }
});

describe('the option', () => {
  test('--dry-run reports what would happen and changes nothing', async () => {
    await stores([record({ source_id: 'a' })]);
    const server = await place.serveHere(ORIGIN);
    const [before, rows] = [await fingerprint(server.url), await stored()];
    const second = await place.write('b.json', [
      record({ source_id: 'a', rating: 1 }),
      record({ source_id: 'b', text: 'Our tap is quiet again.' }),
      record({ source_id: 'c', text: 'Nobody came.', verified: undefined }),
    ]);
    const business = await place.write('business.json', BUSINESS);
    const flags = ['--dry-run', '--prune', '--business', business];
    expect(await place.run('import', second, ...flags)).toEqual({
      code: 0,
      stdout:
        `${second}:1: would not be published: not verified\n` +
        report(
          { rows: 3, added: 2, updated: 1 },
          'of the updated, changed: stars 1',
          'business: now "Harbor Heating"',
          '2 of 3 reviews would be published; the others are not verified, so they would be only stored',
          'this was a dry run: nothing was changed',
        ),
      stderr: expect.stringMatching(/^warning: 1 of these reviews are not published/),
    });
    expect(await stored()).toEqual(rows);
    await server.close();
    const again = await place.serveHere(ORIGIN);
    expect(await fingerprint(again.url)).toEqual(before);
  });

  test("--prune removes missing reviews of the file's own sources, unless a row was refused", async () => {
    const [a, b] = [record({ source_id: 'a' }), record({ source_id: 'b' })];
    const yelp = record({ source_id: 'y', source: 'yelp' });
    await stores([a, b, yelp]);
    const broken = await place.write('broken.json', [a, record({ rating: 0 })]);
    const refused = await place.importHere(broken, { prune: true });
    expect(refused.stdout).toContain(
      report(
        { rows: 2, unchanged: 1, refused: 1 },
        OF_REFUSED,
        'nothing was pruned, because rows were refused',
      ),
    );
    expect(await stored()).toHaveLength(3);
    const clean = await place.write('clean.json', [a]);
    const pruned = await place.importHere(clean, { prune: true });
    expect(pruned.stdout).toBe(report({ rows: 1, unchanged: 1, removed: 1 }, NO_BUSINESS, SEE));
    expect((await stored()).map(({ identity }) => identity)).toEqual([
      'source:["google","a"]',
      'source:["yelp","y"]',
    ]);
  });

  test('--source and --verified-by apply to rows without values of their own', async () => {
    const file = await place.write(
      'a.csv',
      'author,rating,date,text,source,verified\n' +
        'Ann,5,2024-01-01,Good.,,\nBob,4,2024-01-02,Fine.,yelp,\nCid,3,2024-01-03,Hm.,,no\n',
    );
    const without = await place.importHere(file);
    expect(without.stdout).toContain('a.csv:2: refused: source: expected where');
    await place.importHere(file, { source: 'google', verifiedBy: 'invoice number' });
    const rows = (await stored()).map(({ author, source, verified, verified_by: how }) => [
      author,
      source,
      verified,
      how,
    ]);
    expect(rows).toHaveLength(3);
    expect(rows).toContainEqual(['Ann', 'google', 1, 'invoice number']);
    expect(rows).toContainEqual(['Bob', 'yelp', 1, 'invoice number']);
    expect(rows).toContainEqual(['Cid', 'google', 0, null]);
  });

  test('--business sets the business, and an import without it keeps it', async () => {
    const business = await place.write('business.json', { name: 'Harbor Heating' });
    const file = await place.write('a.json', [record()]);
    await place.importHere(file, { business });
    const server = await place.serveHere(ORIGIN);
    expect(await server.json('/reviews.json')).toMatchObject({
      business: { id: 'business', name: 'Harbor Heating', services: [] },
    });
    await place.importHere(await place.write('b.json', [record({ author: 'Another' })]));
    const body = await server.until('/reviews.json', ({ reviews }) => reviews.length === 2);
    expect(body.business.name).toBe('Harbor Heating');
  });

  test('--format takes a mapping file', async () => {
    const mapping = await place.write('mapping.json', {
      columns: { author: 'Who', rating: 'Points', date: 'When', text: 'What' },
      constants: { source: 'forum', verified_by: 'member number' },
      date_format: 'do MMMM yyyy',
      rating_scale: { min: 1, max: 10 },
    });
    const file = await place.write(
      'a.txt',
      'Who,Points,When,What\nAnn,10,19th November 2023,Good.\n',
    );
    const { stdout } = await place.importHere(file, { format: mapping });
    expect(stdout).toBe(report({ rows: 1, added: 1 }, NO_BUSINESS, SEE));
    expect(await stored()).toMatchObject([
      { author: 'Ann', rating: 5, date: '2023-11-19', source: 'forum', verified: 1 },
    ]);
  });
});

test('one instance mirrors another through its /reviews.json, ids and business included', async () => {
  const file = await place.write('a.json', {
    business: BUSINESS,
    reviews: [
      record({ source_id: 'a', owner_reply: { text: 'Thank you.', date: '2024-06-01' } }),
      record({
        text: 'Our tap is quiet again.',
        source_url: 'https://maps.example/1',
        author_avatar_url: 'https://a.example/b.png',
      }),
      record({ text: null, rating: 1, source: 'yelp' }),
    ],
  });
  await place.importHere(file);
  const original = await (await place.serveHere(ORIGIN)).json('/reviews.json');
  const mirror = await Workplace.open();
  try {
    const copy = await mirror.write('reviews.json', original);
    const { stdout } = await mirror.importHere(copy);
    expect(stdout).toContain(report({ rows: 3, added: 3 }));
    const server = await mirror.serveHere({ BASE_URL: 'https://mirror.example' });
    const mirrored = await server.json('/reviews.json');
    expect(mirrored).toEqual({ ...original, updated_at: mirrored.updated_at });
    expect(original.reviews).toHaveLength(3);
    const before = await fingerprint(server.url);
    await mirror.importHere(file);
    expect(await fingerprint(server.url)).toEqual(before);
  } finally {
    await mirror.close();
  }
});
