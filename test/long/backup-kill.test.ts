// Backups killed at any time leave the earlier backup or a whole new one, never half of one.

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { digestOf } from '../../src/store/backup/backup.ts';
import { checkBackup } from '../../src/store/backup/backup-check.ts';
import { createSqliteDatabase } from '../support/databases.ts';
import { until } from '../support/patience.ts';
import { finish, Workplace } from '../support/process.ts';
import { merge, record } from '../support/store.ts';

const KILLS = 12;

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open(createSqliteDatabase);
});
afterEach(() => place.close());

test('killed backups leave no half file', async () => {
  const file = join(place.folder, 'backups', 'backup.db');
  const folders = async () =>
    (await readdir(join(place.folder, 'backups'))).filter((name) =>
      name.startsWith('public-reviews-backup-'),
    );
  let kills = 0;
  const add = (turn: number) =>
    place.look((database) =>
      merge(
        database,
        Array.from({ length: 3_000 }, (_, index) => record({ source_id: `${turn}-${index}` })),
      ),
    );
  await add(0);
  expect(await place.run('backup', file)).toMatchObject({ code: 0 });
  for (let turn = 1; turn <= KILLS; turn++) {
    const before = digestOf(checkBackup(file));
    await add(turn);
    const known = await folders();
    // What the last one left is there until this one begins.
    expect(known.length).toBeLessThanOrEqual(1);
    const child = place.start(['backup', file]);
    const ended = finish(child);
    let isOver = false;
    void ended.then(() => (isOver = true));
    const isNew = (name: string) => !known.includes(name);
    await until(async () => isOver || (await folders()).some(isNew));
    await sleep((turn / KILLS) * 300);
    child.kill('SIGKILL');
    const { code } = await ended;
    if (code === null) kills += 1;
    const after = digestOf(checkBackup(file));
    if (code === 0) expect(after).not.toBe(before);
    expect(existsSync(file)).toBe(true);
  }
  expect(kills).toBeGreaterThan(0);
  expect(await place.run('backup', file)).toMatchObject({ code: 0 });
  expect(await folders()).toEqual([]);
});
