// Several servers on one PostgreSQL: one is killed and restarted while reviews are imported, and one never publishes.

import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { HubProcess } from '../support/hub.ts';
import { Workplace } from '../support/process.ts';
import { importBesideKills, openReplicatedHub } from '../support/replicas.ts';
import { record } from '../support/store.ts';

let open: HubProcess | Workplace;
afterEach(() => open.close());

test('4 imports reach all readers and subscribers while one of three servers is killed and restarted', async () => {
  const hub = await openReplicatedHub();
  open = hub;
  await importBesideKills(hub, { imports: 4, killEvery: 2, subscribers: 8 });
});

test('a machine that never publishes remembers beside its copy of the keys what the others signed', async () => {
  const place = await Workplace.open();
  open = place;
  const machine = (name: string) => ({
    BASE_URL: 'https://reviews.example',
    LOG_KEY_FILE: join(place.folder, name),
  });
  const importOne = async (id: string) =>
    place.importHere(
      await place.write(`${id}.json`, [record({ source_id: id })]),
      {},
      machine('a'),
    );
  await importOne('1');
  await copyFile(join(place.folder, 'a'), join(place.folder, 'b'));
  await importOne('2');
  await place.serveHere(machine('b'));
  const [a, b] = await Promise.all(
    ['a', 'b'].map((name) => readFile(join(place.folder, `${name}-signed`), 'utf8')),
  );
  expect(JSON.parse(a!)).toMatchObject({ size: 4 });
  expect(b).toBe(a);
});
