// What operators meet only on SQLite.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { finish, Workplace } from '../support/process.ts';

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open();
});
afterEach(() => place.close());

test('a start on a file that is no database ends with 2 and names it', async () => {
  const path = await place.write('notes.txt', 'These are my notes.\n'.repeat(100));
  const ended = await finish(place.start(['serve'], { DATABASE_URL: `sqlite:${path}` }));
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toBe(
    `DATABASE_URL: the database ${path} cannot be opened: file is not a database\n`,
  );
});
