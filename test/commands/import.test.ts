// What the command reports of an import: in process with dry runs; spawned commands prove that it is also
// published, and exit codes.

import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runBackup } from '../../src/commands/store/backup.ts';
import { leaveToServer } from '../../src/commands/publish.ts';
import { type ImportFlags, runImport } from '../../src/commands/import/import.ts';
import { runForget } from '../../src/commands/reviews/remove.ts';
import { showStatus } from '../../src/commands/store/status.ts';
import { listAll } from '../../src/commands/subscriptions.ts';
import { parseConfig } from '../../src/config.ts';
import { InputError } from '../../src/errors.ts';
import { Database } from '../../src/store/database.ts';
import { listImports } from '../../src/store/merge/imports.ts';
import { listSources } from '../../src/store/reviews/reviews.ts';
import { createSqliteDatabase } from '../support/databases.ts';
import { Workplace } from '../support/process.ts';
import { publishHere } from '../support/publish.ts';
import { capture } from '../support/run-command.ts';
import { merge, record, storedReviews } from '../support/store.ts';

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open(createSqliteDatabase);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await place.close();
});

const run: Workplace['importHere'] = (...given) => place.importHere(...given);

const WARNING = 'warning: none of these reviews is published, because none is verified\n';
const unverified = (values: object = {}) => record({ verified: undefined, ...values });
const createStore = () => place.look(() => Promise.resolve());

describe('a dry run', () => {
  const dryRun = (file: string, flags: ImportFlags = {}) => run([file], { ...flags, dryRun: true });

  test('names the rows that would not be published, after all that is known of them', async () => {
    await place.look((database) =>
      merge(database, [record({ source_id: 'a' }), unverified({ source_id: 'b' })]),
    );
    const rows = [
      // Known as verified, and nothing else is said.
      unverified({ source_id: 'a', rating: 1 }),
      unverified({ source_id: 'b' }),
      record({ source_id: 'c' }),
      // Superseded by the last row.
      unverified({ source_id: 'd' }),
      record({ rating: 9 }),
      unverified({ source_id: 'e', verified: false }),
      record({ source_id: 'd' }),
    ];
    const file = await place.write('a.ndjson', rows.map((row) => JSON.stringify(row)).join('\n'));
    const { stdout, stderr } = await dryRun(file);
    expect(stderr).toContain('2 of these reviews are not published, because they are not verified');
    expect(stdout.split('\n').filter((line) => line.startsWith(file))).toEqual([
      `${file}:5: refused: rating: expected an integer from 1 to 5, got 9`,
      `${file}:2: would not be published: not verified`,
      `${file}:6: would not be published: not verified`,
    ]);
    expect(stdout).toContain('3 of 5 reviews would be published; the others are not verified');
    expect(await place.look(storedReviews)).toHaveLength(2);
  });

  test('names the rows of several files', async () => {
    await createStore();
    const rows = ['a', 'b'].map((id) => record({ source_id: id }));
    const first = await place.write('a.json', [...rows, unverified({ source_id: 'c' })]);
    const second = await place.write(
      'b.ndjson',
      `\n${JSON.stringify(unverified({ source_id: 'd' }))}`,
    );
    const { stdout } = await run([first, second], { dryRun: true });
    expect(stdout).toContain(
      `${first}:1: would not be published: not verified\n` +
        `${second}:2: would not be published: not verified\n`,
    );
  });

  test('says that all would be published', async () => {
    await createStore();
    const file = await place.write('a.json', [
      record(),
      record({ source_id: 'b', text: 'Quick.' }),
    ]);
    const { stdout, stderr } = await dryRun(file);
    expect(stdout).toMatch(/^2 of 2 reviews would be published$/m);
    expect(stderr).toBe('');
  });

  test('warns if nothing would be published, unless --verified-by says how it is known', async () => {
    await createStore();
    const file = await place.write('a.json', [
      unverified(),
      unverified({ source_id: 'b', text: 'Quick.' }),
    ]);
    const without = await dryRun(file);
    expect(without.stdout).toMatch(/^0 of 2 reviews would be published; the others are not /m);
    expect(without.stderr.startsWith(WARNING)).toBe(true);
    const proven = await dryRun(file, { verifiedBy: 'invoice number' });
    expect(proven.stdout).toMatch(/^2 of 2 reviews would be published$/m);
    expect(proven.stderr).toBe('');
  });
});

test('of one review in several files the version that was changed last is stored', async () => {
  const version = (comment: string, updateTime: string) => {
    const createTime = '2024-03-01T00:00:00Z';
    const reviewer = { displayName: 'Ada Lang' };
    const review = {
      name: 'x/reviews/r1',
      reviewer,
      starRating: 'FOUR',
      createTime,
      updateTime,
      comment,
    };
    return JSON.stringify({ reviews: [review] });
  };
  const files = [
    await place.write('a.json', version('Good. Later: still good', '2024-05-01T00:00:00Z')),
    await place.write('b.json', version('Good.', '2024-03-01T00:00:00Z')),
  ];
  const { stdout } = await run(files);
  expect(stdout).toContain('left out: an older version of a review that another row has (1)');
  const [stored] = await place.look(storedReviews);
  expect(stored).toMatchObject({ text: 'Good. Later: still good' });
});

test('an import of files without reviews says so', async () => {
  await createStore();
  const file = await place.write('a.json', []);
  expect((await run([file], { dryRun: true })).stderr).toBe(
    'warning: there are no reviews in these files\n',
  );
});

test('what is new and not shown, doubles or is mistyped is named with what to do', async () => {
  const words = { source_id: 'b', text: 'Came on time and fixed the old boiler.' };
  const file = await place.write('a.json', [record(words), unverified({ source_id: 'c' })]);
  expect((await run([file])).stderr).toContain(
    'warning: 1 of these reviews are not published, because they are not verified\n',
  );
  expect((await run([file])).stderr).toBe('');

  const copy = { source: 'paper', text: 'Came on time and fixed the boiler!' };
  const copies = await place.write('b.json', [record({ ...words, ...copy })]);
  const { stdout } = await run([copies], { dryRun: true, verifiedBy: 'invoice 2026' });
  expect(stdout).toMatch(
    /^ {2}new \w{26} \(paper, Karen W\., "Came on time and fixed the boiler!"\) is like stored \w{26} \(google, "Came on time and fixed the old boiler\."\)$/m,
  );
  expect(stdout).toContain('--verified-by is published as "invoice …"');

  await expect(run([file, 'book”'], { verifiedBy: '“appointment' })).rejects.toThrow(
    'expected files, got "book”"; put straight quotes around words with spaces: --verified-by "appointment book"',
  );
  const spaced = await place.write('guest book.xlsx', '');
  for (const others of [[], ['our', 'bookings'], [file]])
    await expect(run([...others, ...spaced.split(' ')], { verifiedBy: 'name in' })).rejects.toThrow(
      `put straight quotes around a name with spaces: npx public-reviews import "${spaced}"`,
    );
});

test('before it prunes, it says what of which source; all or most of one needs a yes', async () => {
  const rows = (count: number, source: string) =>
    Array.from({ length: count }, (_, index) => record({ source, source_id: `${index}` }));
  await run(await place.write('all.json', [...rows(30, 'google'), ...rows(2, 'paper')]));
  const prune = async (google: number, paper: string, flags: ImportFlags = {}, yes = true) => {
    const paperRows = [record({ source: 'paper', source_id: paper })];
    const file = await place.write('some.json', [...rows(google, 'google'), ...paperRows]);
    const asked: string[] = [];
    const ask = (question: string) => {
      asked.push(question);
      return Promise.resolve(yes);
    };
    const config = parseConfig(place.environment);
    const terminal = flags.yes === true || !yes ? ask : null;
    const importing = runImport(config, [file], { prune: true, ...flags }, publishHere, terminal);
    const failed = await capture(() => importing).then(
      () => null,
      (error: InputError) => error.message,
    );
    return { failed, asked, stored: (await place.look(storedReviews)).length };
  };
  const asked = ['Remove 2 of the 2 reviews of "paper" that these files lack? [y/N] '];
  const failed = 'nothing was imported: without --prune, nothing is removed';
  expect(await prune(30, 'new', {}, false)).toEqual({ failed, asked, stored: 32 });
  expect(await prune(30, 'new')).toEqual({
    failed: expect.stringContaining('expected most of the 2 stored reviews of "paper", got 0'),
    asked: [],
    stored: 32,
  });
  expect(await prune(14, '0')).toMatchObject({
    failed: expect.stringContaining('got 14, so "prune" would remove 16; if that is right'),
    stored: 32,
  });
  expect(await prune(15, '0')).toEqual({ failed: null, asked: [], stored: 16 });
  expect(await prune(1, 'new', { yes: true })).toEqual({ failed: null, asked: [], stored: 2 });
});

test('sources are named in the order in which they were first published', async () => {
  const rows = (source: string, ids: string[]) =>
    ids.map((id) => record({ source, source_id: id }));
  await run(await place.write('a.json', rows('paper', ['a'])));
  await run(await place.write('b.json', rows('booking', ['a', 'b'])));
  const sources = () => place.look(({ read }) => listSources(read));
  expect(await sources()).toEqual(['paper', 'booking']);
  await run(await place.write('c.json', [unverified({ source: 'a', source_id: 'c' })]));
  await run(await place.write('d.json', rows('paper', ['b', 'c', 'd'])));
  expect(await sources()).toEqual(['paper', 'booking', 'a']);
});

test('a proof is taken without the quotes of an editor of texts, and an answer is none', async () => {
  const file = await place.write('a.json', [unverified()]);
  for (const answer of ['y', 'No']) {
    await expect(run([file], { verifiedBy: answer })).rejects.toThrow(
      `--verified-by: expected how you know it, such as "receipt", got "${answer}"`,
    );
  }
  await run([file], { verifiedBy: '“receipt”' });
  expect(await place.look(storedReviews)).toMatchObject([{ verified_by: 'receipt' }]);
  expect((await run([file])).stdout).not.toContain('newest');
  const terminal = Object.defineProperty(process.stdout, 'isTTY', {
    value: true,
    configurable: true,
  });
  const { stdout } = await run([file]).finally(() => Reflect.deleteProperty(terminal, 'isTTY'));
  expect(stdout).toContain('\nno new reviews: is this the newest file?\n');
});

test('an import of unverified reviews stores them, exits with 0 and warns', async () => {
  await createStore();
  const file = await place.write('a.json', [
    unverified(),
    unverified({ source_id: 'b', text: 'Quick.' }),
  ]);
  const { code, stdout, stderr } = await place.run('import', file);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^0 of 2 reviews are published; the others are not verified/m);
  expect(stderr.startsWith(WARNING)).toBe(true);
  expect(stderr).toContain('--verified-by "invoice number"');
  expect(stderr).toContain('a proof that they are by customers');
  expect(await place.look(storedReviews)).toMatchObject([{ verified: 0 }, { verified: 0 }]);
  expect(await place.run('import', file, '--verified-by', 'invoice number')).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect(await place.look(storedReviews)).toMatchObject([{ verified: 1 }, { verified: 1 }]);
});

test('a command gives a server the time to publish, and then publishes itself', async () => {
  const database = await Database.open(place.databaseUrl);
  try {
    await merge(database, [record()]);
    await leaveToServer(database, 0);
    const publishing = { publisherId: 'server', defaultOrigin: 'https://reviews.example' };
    const left = leaveToServer(database, Infinity);
    expect(await publishHere(database, place.databaseUrl, publishing)).toBe(true);
    await left;
  } finally {
    await database.close();
  }
});

describe('where there is no store', () => {
  const folder = () => join(place.folder, 'deep', 'data');
  const path = () => join(folder(), 'reviews.db');
  const elsewhere = () => parseConfig({ ...place.environment, DATABASE_URL: `sqlite:${path()}` });
  const importThere = (files: string[], flags: ImportFlags = {}) =>
    capture(() => runImport(elsewhere(), files, flags, publishHere));

  const leftovers = async () =>
    (await readdir(folder())).filter((name) => name.startsWith('public-reviews-'));

  test('an import that brings something creates it and says so, and another uses it', async () => {
    const file = await place.write('a.json', [record()]);
    const { stdout, stderr } = await importThere([file]);
    expect(stderr).toBe(`created a new store: ${path()}\n`);
    expect(stdout).toMatch(/^added +1$/m);
    expect(await leftovers()).toEqual([]);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect((await importThere([file])).stderr).toBe('');
    const { stdout: status } = await capture(() => showStatus(elsewhere(), {}));
    expect(status).toMatch(/^published +snapshot 1,/m);
    expect(status).toMatch(/^1 .* import .* published/m);
  });

  test.each<[string, unknown, ImportFlags, string | null]>([
    ['of a file that does not exist', null, {}, 'none.json: '],
    ['of which all rows are refused', [record({ rating: 9 })], {}, 'nothing was imported'],
    ['of a file without reviews', [], {}, null],
    ['that is a dry run', [record()], { dryRun: true }, null],
  ])('an import %s creates neither it nor its folder', async (_, rows, flags, message) => {
    const file =
      rows === null ? join(place.folder, 'none.json') : await place.write('a.json', rows);
    const ended = importThere([file], flags);
    if (message === null) expect((await ended).stderr).not.toContain('created');
    else await expect(ended).rejects.toThrow(message);
    expect(existsSync(join(place.folder, 'deep'))).toBe(false);
  });

  test('other commands say so and end with 2', async () => {
    const commands = [
      () => showStatus(elsewhere(), {}),
      () => listAll(elsewhere()),
      () => runForget(elsewhere(), { author: 'A', yes: true }),
      () => runBackup(elsewhere(), join(place.folder, 'b.db')),
    ];
    for (const command of commands) {
      await expect(capture(command)).rejects.toThrow(
        new InputError(
          `there is no store at ${path()}: run the command in the folder of the store or set ` +
            'DATABASE_URL; for a new store run import or serve',
        ),
      );
    }
    expect(existsSync(join(place.folder, 'deep'))).toBe(false);
  });

  test('an import adds to the store that another has created meanwhile', async () => {
    await importThere([await place.write('a.json', [record({ source_id: 'a' })])]);
    vi.spyOn(Database, 'exists').mockResolvedValueOnce(false);
    const file = await place.write('b.json', [record({ source_id: 'b' })]);
    expect((await importThere([file])).stderr).toBe('');
    const database = await Database.open(`sqlite:${path()}`);
    expect(await storedReviews(database)).toHaveLength(2);
    await database.close();
    expect(await leftovers()).toEqual([]);
  });
});

test.each<[string, ImportFlags, string]>([
  ['a business file', { business: 'business.json' }, 'name: expected'],
  ['a business file that does not exist', { business: 'none.json' }, '--business: expected'],
  ['a format', { format: 'nosuch' }, '--format or --map: expected auto, '],
  ['an empty source', { source: '' }, '--source: expected text'],
])('an import that refuses %s creates no store', async (_, given, message) => {
  const file = await place.write('a.json', [record()]);
  await place.write('business.json', {});
  const { business } = given;
  const flags = business === undefined ? given : { business: join(place.folder, business) };
  await expect(run([file], flags)).rejects.toThrow(message);
  expect(existsSync(place.databaseUrl.slice('sqlite:'.length))).toBe(false);
});

test('the bounds of dates follow the setting and the clock', async () => {
  await createStore();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const rows = ['1994-12-31', '1995-01-01', tomorrow, '9999-12-31'].map((date) =>
    JSON.stringify(record({ date })),
  );
  const file = await place.write('a.ndjson', rows.join('\n'));
  const refused = (stdout: string) =>
    stdout.split('\n').flatMap((line) => /:(\d): refused: date/.exec(line)?.[1] ?? []);
  expect(refused((await run([file], { dryRun: true })).stdout)).toEqual(['1', '4']);
  const earlier = await run([file], { dryRun: true }, { REVIEW_DATE_EARLIEST: '1900-01-01' });
  expect(refused(earlier.stdout)).toEqual(['4']);
});

test('the first 20 rows with the same fault end an import, which names the fault and what to do', async () => {
  await createStore();
  const rows = Array.from({ length: 20 }, (_, index) =>
    record({ source_id: `${index}`, date: `19${70 + index}-01-01` }),
  );
  const file = await place.write('a.json', [...rows, record()]);
  await expect(run([file])).rejects.toThrow(
    'nothing was imported: the first 20 rows were refused for the same reason\n' +
      'Correct what the rows lack',
  );
  expect(await place.look(storedReviews)).toEqual([]);
  expect(await place.look(({ read }) => listImports(read, 1))).toMatchObject([
    { outcome: 'failed', report: { rows: 20, refused: 20 } },
  ]);
});

test('a table that needs a mapping is recorded as a failed import, for those who watch an inbox', async () => {
  await createStore();
  const file = await place.write(
    'gaeste.csv',
    'Gast;Sterne;Datum;Kommentar\nAnna;5;1.2.2024;Sehr gut\n',
  );
  await expect(run([file], { source: 'own' })).rejects.toThrow('Nothing was imported.');
  expect(await place.look(({ read }) => listImports(read, 1))).toMatchObject([
    { outcome: 'failed' },
  ]);
  expect(await place.look(storedReviews)).toEqual([]);
});

test('a mapping leaves an export of a platform beside its tables to the format of that', async () => {
  await createStore();
  const table = await place.write('gaeste.csv', 'Gast;Sterne;Datum\nAnna;5;1.2.2024\n');
  const columns = { author: 'Gast', rating: 'Sterne', date: 'Datum' };
  const map = await place.write('map.json', { columns, date_format: 'd.M.yyyy' });
  const reviewer = { displayName: 'Pia' };
  const review = { name: 'a/1', reviewer, starRating: 'FOUR', createTime: '2024-05-01T10:00:00Z' };
  const takeout = await place.write('reviews.json', { reviews: [review] });
  await run([table, takeout], { format: map, verifiedBy: 'receipt', source: 'own' });
  const stored = await place.look(storedReviews);
  expect(stored.map(({ author, source }) => [author, source]).toSorted()).toEqual([
    ['Anna', 'own'],
    ['Pia', 'google'],
  ]);
});

test('20 rows with different faults, or one good row before them, do not end an import', async () => {
  await createStore();
  const bad = Array.from({ length: 20 }, () => record({ date: '1970-01-01' }));
  const different = await place.write('a.json', [
    ...bad.slice(1),
    record({ author: '' }),
    record(),
  ]);
  expect((await run([different], { dryRun: true })).stdout).toMatch(/^refused +20$/m);
  const late = await place.write('b.json', [record(), ...bad]);
  expect((await run([late], { dryRun: true })).stdout).toMatch(/^refused +20$/m);
});

test('an import without a business says that pages name none, and how to write its file', async () => {
  await createStore();
  const file = await place.write('a.json', [record()]);
  const business = await place.write('business.json', { name: 'Harbor' });
  const hint =
    'there is no business yet, so pages say "Unnamed business" and insights look only for what reviews of any ' +
    'business speak of: write its file with "npx public-reviews init", which asks for its kind';
  expect((await run([file])).stdout).toContain(hint);
  const { stdout } = await run([file], { business });
  expect(stdout).not.toContain('no business');
  expect(stdout).toMatch(
    /^See it: npx public-reviews serve, then open http:\/\/localhost:\d+\/\n$/m,
  );
  const proxied = parseConfig({
    ...place.environment,
    BASE_URL: 'https://reviews.example',
    TRUST_PROXY: '1',
  });
  const served = await capture(() => runImport(proxied, [file], {}, publishHere));
  expect(served.stdout).toMatch(/^See it: .* then open https:\/\/reviews\.example\/\n$/m);
});
