// With AUTHORS=initials no byte that is published has the surname of an author.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runExport } from '../../src/commands/export.ts';
import { parseConfig } from '../../src/config.ts';
import { createSqliteDatabase } from '../support/databases.ts';
import { Workplace } from '../support/process.ts';
import { confirmedNames, type Published, storeGuessableIds } from '../support/guesser.ts';
import { capture } from '../support/run-command.ts';
import { record } from '../support/store.ts';

const SURNAME = 'Vandersloot';
const SURNAMES = ['Quagmire', SURNAME, 'Weaver'];
const INITIALS = { AUTHORS: 'initials' };

let place: Workplace;
let file: string;
beforeAll(async () => {
  place = await Workplace.open(createSqliteDatabase);
  const named = {
    author: `Xanthippe ${SURNAME}`,
    author_avatar_url: `https://pictures.example/?name=Xanthippe+${SURNAME}`,
    source_url: `https://site.example/${SURNAME.toLowerCase()}/1`,
    title: 'Warm again',
    text: 'Mike fixed the boiler quickly and was friendly.',
  };
  const others = Array.from({ length: 30 }, (_, index) => ({
    ...named,
    source_id: `other ${index}`,
    author: `Lee ${SURNAME} ${index}`,
    text: `The boiler broke again after ${index} days, but the price was fair.`,
  }));
  file = await place.write('reviews.json', [record(named), ...others.map(record)]);
});
afterAll(() => place.close());

const has = (bytes: string | Buffer) =>
  bytes
    .toString('latin1' as never)
    .toLowerCase()
    .includes(SURNAME.toLowerCase());

test('a change of the setting changes everything at once, ids that confirm a guess included', async () => {
  await place.importHere(file);
  await place.look(storeGuessableIds);
  const full = await place.serveHere();
  const tag = (await full.get('/reviews.json')).headers.get('etag');
  const published = (await full.json('/reviews.json')) as { reviews: Published[] };
  expect(has(JSON.stringify(published))).toBe(true);
  const guessable = published.reviews.find(({ author }) => author.startsWith('Xanthippe'))!;
  expect(confirmedNames({ ...guessable, author: 'Xanthippe V.' }, SURNAMES)).toEqual([
    `Xanthippe ${SURNAME}`,
  ]);
  await place.stop();

  const server = await place.serveHere(INITIALS);
  const dataset = await server.get('/reviews.json');
  expect(dataset.headers.get('etag')).not.toBe(tag);
  const { reviews } = (await dataset.json()) as { reviews: Published[] };
  expect(reviews.flatMap((review) => confirmedNames(review, SURNAMES))).toEqual([]);
  for (const path of ['/api/reviews/', '/reviews/']) {
    const [old, unknown] = await Promise.all(
      [guessable.id, `${guessable.id.slice(0, -1)}0`].map(async (id) => {
        const answer = await server.get(path + id);
        return [answer.status, (await answer.text()).replaceAll(id, 'ID')];
      }),
    );
    expect(old).toEqual(unknown);
    expect(old![0]).toBe(404);
  }
  expect(new Set(reviews.map(({ author }) => author))).toContain('Xanthippe V.');
  const { id } = reviews.find(({ author }) => author === 'Xanthippe V.')!;
  const live = [
    `/api/reviews/search?query=${SURNAME}`,
    `/api/reviews/search?words=${SURNAME}`,
    `/api/reviews/search?words=boiler&facets=month,source&highlight=true`,
    '/api/reviews/since/2020-01-01',
    `/api/reviews/${id}`,
    `/api/reviews/${id}/verification`,
    `/api/reviews/${id}/proof`,
    `/reviews?words=boiler`,
    `/reviews/${id}`,
  ];
  for (const path of live) {
    const text = await (await server.get(path)).text();
    // A search repeats what was searched for.
    expect([
      path,
      has(text.replaceAll(new RegExp(`"(query|words)":"${SURNAME}"`, 'g'), '')),
    ]).toEqual([path, false]);
  }
  expect((await server.json(`/api/reviews/search?query=${SURNAME}`)).matched).toBe(0);
  expect((await server.json(`/api/reviews/search?words=${SURNAME}`)).matched).toBe(0);
  expect((await server.json(`/api/reviews/${id}/proof`)).entry).toContain('"type":"edited"');
});

test('a server and commands without the setting keep what was set, as after a move', async () => {
  await place.stop();
  const moved = await place.serveHere();
  expect(has(await (await moved.get('/reviews.json')).text())).toBe(false);
  await place.importHere(await place.write('more.json', [record({ author: `Ann ${SURNAME}` })]));
  const folder = join(place.folder, 'export');
  await capture(() => runExport(parseConfig(place.environment), folder));
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(50);
  for (const { name, parentPath } of files) {
    expect([name, has(await readFile(join(parentPath, name)))]).toEqual([name, false]);
  }
  expect(await readFile(join(folder, 'reviews.json'), 'utf8')).toContain('"Ann V."');
});

test('a command with the setting changes what an earlier one had recorded', async () => {
  const authorsWith = async (authors: string) => {
    const folder = join(place.folder, authors);
    await capture(() => runExport(parseConfig({ ...place.environment, AUTHORS: authors }), folder));
    return readFile(join(folder, 'reviews.json'), 'utf8');
  };
  await place.stop();
  expect(has(await authorsWith('full'))).toBe(true);
  expect(has(await authorsWith('initials'))).toBe(false);
});
