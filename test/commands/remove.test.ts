// Reviews go on a customer's request: from readers, from subscribers, and from the files of the store. And
// disputed reviews are hidden.

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSnapshot } from '../../src/publishing/load.ts';
import { runBackup } from '../../src/commands/store/backup.ts';
import { runExport } from '../../src/commands/export.ts';
import { runHide, runShow } from '../../src/commands/reviews/hide.ts';
import type { ImportFlags } from '../../src/commands/import/import.ts';
import { runForget, runRemove } from '../../src/commands/reviews/remove.ts';
import { recordSettings } from '../../src/commands/publish.ts';
import { originOf } from '../../src/commands/operator.ts';
import { parseConfig } from '../../src/config.ts';
import { importFiles, PLAIN_IMPORT, prepareImport, SILENT } from '../../src/intake/import.ts';
import { parseMapping } from '../../src/intake/mapping/mapping.ts';
import { Snapshot } from '../../src/snapshot/snapshot.ts';
import { verificationCounts } from '../../src/snapshot/verification.ts';
import { Database } from '../../src/store/database.ts';
import { listImports } from '../../src/store/merge/imports.ts';
import { loadLogReviews } from '../../src/store/log/log.ts';
import { countSubscriptions } from '../../src/store/hub/subscriptions.ts';
import { createSqliteDatabase } from '../support/databases.ts';
import { Workplace } from '../support/process.ts';
import { publishHere } from '../support/publish.ts';
import { capture } from '../support/run-command.ts';
import { record, storedReviews } from '../support/store.ts';
import { subscribe } from '../support/subscriptions.ts';

const WORDS = 'Quixotic plumbers flooded the conservatory';
const EDITED = 'Zephyr boilers hum in the pantry';
/** Of a version that an import replaced. */
const OLDER = 'Vexing valves drip upon the piano';
const AUTHOR = 'Xanthippe Vandersloot';
const OTHERS = [
  record({ source_id: 'b', text: 'A good job.' }),
  record({ source_id: 'c', author: 'Lee' }),
];
const GONE = record({ source_id: 'a', author: AUTHOR, text: `${WORDS}. ${EDITED}.`, rating: 1 });

let place: Workplace;
let file: string;
beforeEach(async () => {
  place = await Workplace.open(createSqliteDatabase);
  file = await place.write('reviews.json', [GONE, ...OTHERS]);
});
afterEach(() => place.close());

const config = () => parseConfig(place.environment);
const path = () => place.databaseUrl.slice('sqlite:'.length);
const remove = (...ids: string[]) =>
  capture(() => runRemove(config(), ids, { reason: 'customer_request' }, publishHere, null));
const forget = (author: string, flags = {}, ask: Parameters<typeof runForget>[3] = null) =>
  capture(() => runForget(config(), { author, ...flags }, publishHere, ask));

/** The id of the stored review by `AUTHOR`. */
const idOfGone = async () =>
  (await place.look(storedReviews)).find(({ author }) => author === AUTHOR)!.id;

/** Published reviews, as readers get them. */
async function published(): Promise<string> {
  const snapshot = await loadSnapshot(place.databaseUrl);
  return Buffer.from(snapshot!.bodies.get('/reviews.json')!).toString();
}

/** The bytes of the files of the database. */
async function bytesOfStore(): Promise<Buffer> {
  const files = [path(), `${path()}-wal`].filter(existsSync);
  return Buffer.concat(await Promise.all(files.map((name) => readFile(name))));
}

test('no byte of a removed review is left in the database, its log, a backup or an export', async () => {
  const older = [
    { ...GONE, text: `${OLDER}.` },
    { ...GONE, source_id: 'd', text: `${OLDER}!` },
  ];
  await place.importHere(await place.write('older.json', older));
  await place.importHere(file, { prune: true });
  await place.importHere(await place.write('others.json', OTHERS));
  const server = await Database.open(place.databaseUrl, 'server');
  // As earlier versions did: they left replaced texts and documents in free pages.
  const careless = new DatabaseSync(path());
  careless.exec('pragma secure_delete = off');
  careless.exec(`update reviews set text = replace(text, '${EDITED}', '') where rating = 1`);
  // More pages than a publish uses again.
  careless.exec(`create table scratch as with recursive n (i) as
    (select 1 union all select i + 1 from n where i < 1000)
    select '${EDITED} ' || hex(zeroblob(2000)) as text from n`);
  careless.exec('pragma wal_checkpoint(truncate); drop table scratch');
  const parts = careless.prepare('select name, bytes from snapshot_parts').all();
  careless.close();
  for (const text of [WORDS, OLDER]) expect((await bytesOfStore()).includes(text)).toBe(true);

  const id = await idOfGone();
  expect(await remove(id)).toEqual({
    stdout:
      'removed 1 review; no later import brings them back\n' +
      `what was removed, now or before, is still in: ${file}, ${join(place.folder, 'older.json')}, other backups; delete the files, or from a table of your own the rows, then back up again\n`,
    stderr: '',
  });
  const { stdout } = await place.importHere(file);
  expect(stdout).toMatch(/^suppressed 1: removed for good before, so left out$/m);
  const backup = join(place.folder, 'copy.db');
  await capture(() => runBackup(config(), backup));
  const folder = join(place.folder, 'public');
  await capture(() => runExport(config(), folder));

  const bytes = await bytesOfStore();
  const copied = await readFile(backup);
  for (const text of [WORDS, EDITED, OLDER, AUTHOR, id]) {
    expect([text, bytes.includes(text), copied.includes(text)]).toEqual([text, false, false]);
  }
  // Documents are compressed: look for the bytes of those that are no longer used.
  const left = new DatabaseSync(path(), { readOnly: true });
  const used = new Set(
    left
      .prepare('select name from snapshot_parts')
      .all()
      .map(({ name }) => name),
  );
  left.close();
  const replaced = parts.filter(({ name }) => !used.has(name));
  expect(replaced.length).toBeGreaterThan(1);
  for (const { name, bytes: part } of replaced) {
    const middle = Buffer.from((part as Uint8Array).subarray(-100, -60));
    expect([name, bytes.includes(middle)]).toEqual([name, false]);
  }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const exported = await readFile(join(entry.parentPath, entry.name));
    expect([entry.name, exported.includes('Quixotic')]).toEqual([entry.name, false]);
  }
  await server.close();
});

test('a removal and a hidden review reach readers and subscribers at once', async () => {
  await place.importHere(file);
  await place.look((database) => subscribe(database, [{ lease_seconds: 100_000 }], Date.now()));
  const pending = () =>
    place.look(async ({ read }) => (await countSubscriptions(read, Date.now()))[0]!.pending);
  expect([await pending(), await published()]).toEqual([0, expect.stringContaining('A good job.')]);

  const [other] = (await place.look(storedReviews)).filter(({ text }) => text === 'A good job.');
  const hidden = await capture(() =>
    runHide(
      config(),
      [`https://reviews.example/reviews/${other!.id.toLowerCase()}`],
      { reason: 'failed_verification' },
      publishHere,
    ),
  );
  expect(hidden.stdout).toBe(
    `hides 1 review\nto show again: npx public-reviews show ${other!.id}\n`,
  );
  expect((await capture(() => runShow(config(), [], {}))).stdout).toMatch(
    new RegExp(`^ID .*\n${other!.id} +2024-05-17 .* A good job\\.\n$`),
  );
  expect(await pending()).toBe(1);
  expect(await published()).not.toContain('A good job.');
  const { stdout } = await place.importHere(file);
  expect(stdout).toContain('2 of 3 reviews are published; hidden: 1\n');
  expect(await published()).not.toContain('A good job.');

  const no = () => Promise.resolve(false);
  const removal = { reason: 'customer_request' } as const;
  const ids = [await idOfGone()];
  const asked = await capture(() => runRemove(config(), ids, removal, publishHere, no));
  expect(asked.stdout).toMatch(new RegExp(`^ID .*\n${ids[0]} .*\nnothing was removed\n$`));
  expect(await published()).toContain(WORDS);
  await remove(...ids);
  expect(await published()).not.toContain(WORDS);
  await place.look((database) =>
    recordSettings(database, { ...config(), baseUrl: 'https://reviews.example' }),
  );
  const shown = await capture(() => runShow(config(), [other!.id, other!.id], {}, publishHere));
  expect(shown.stdout).toBe(
    'shows 1 review\n' +
      'files on a web space: "npx public-reviews export public" again, empty the folder there, and upload; ' +
      'at Netlify and Cloudflare delete older deploys, which still have what was taken away\n',
  );
  expect((await capture(() => runShow(config(), [], {}))).stdout).toBe('no review is hidden\n');
  // Readers reach a server behind a proxy, which has the change.
  const proxied = { ...config(), trustProxy: 1 };
  const again = await capture(() => runShow(proxied, [other!.id], {}, publishHere));
  expect(again.stdout).toBe('shows 0 reviews; 1 review already as wanted\n');
  expect(await published()).toContain('A good job.');
  const records = await place.look(({ read }) => listImports(read, 4));
  expect(records.map(({ command, outcome }) => [command, outcome])).toEqual([
    ['show', 'published'],
    ['remove', 'published'],
    ['import', 'unchanged'],
    ['hide', 'published'],
  ]);
});

test('of an import with hidden reviews those are published whose authors agreed', async () => {
  await place.importHere(await place.write('first.json', [OTHERS[0]]));
  for (const added of [2, 0]) {
    const { stdout } = await place.importHere(file, { hidden: true });
    expect(stdout).toContain(`added      ${added}\n`);
    expect(stdout).toContain('\n"npx public-reviews show" lists hidden');
  }
  expect(await published()).not.toContain(WORDS);
  await expect(runShow(config(), ['Xanthippe', 'Lee'], {})).rejects.toThrow(
    `no stored review is by "Xanthippe"; it may stand for 1: "${AUTHOR}"; nothing was changed`,
  );
  const shown = await capture(() => runShow(config(), [AUTHOR.toLowerCase()], {}, publishHere));
  expect(shown.stdout).toMatch(/^shows 1 review\n/);
  expect(await published()).toContain(WORDS);
  expect(await published()).not.toContain('"Lee"');
  // The log says of none that it was taken down.
  const { openings, reasons } = await place.look(({ read }) => loadLogReviews(read));
  expect([openings.size, reasons.size]).toEqual([2, 0]);
  // Only businesses of health stay at it.
  await place.importHere(await place.write('new.json', [record({ author: 'Newcomer' })]));
  expect(await published()).toContain('"Newcomer"');
});

test('after an import with --hidden, new reviews of patients stay hidden until it is taken back', async () => {
  const business = await place.write('clinic.json', { name: 'Clinic', vertical: 'dentist' });
  const names = ['Ada', 'Bea', 'Cy', 'Dan', 'Eve'];
  const step = async (
    count: number,
    { verified = true, ...flags }: ImportFlags & { verified?: boolean },
  ) => {
    const rows = names
      .slice(0, count)
      .map((author) => record({ source_id: author, author, verified }));
    const { stdout } = await place.importHere(await place.write('rows.json', rows), flags);
    const dataset = JSON.parse(await published()) as { reviews: { author: string }[] };
    return {
      authors: dataset.reviews.map(({ author }) => author).toSorted(),
      isTold: stdout.includes('reviews of patients are shown'),
      known: /known before, so still published: (\d+)/.exec(stdout)?.[1],
    };
  };
  // Of none that is shown there is nothing to tell.
  expect(await step(1, { business, verified: false })).toEqual({ authors: [], isTold: false });
  expect(await step(1, {})).toEqual({ authors: ['Ada'], isTold: true });
  const hidden = { authors: ['Ada'], isTold: false, known: '1' };
  expect(await step(2, { hidden: true })).toEqual(hidden);
  expect(await step(3, {})).toEqual(hidden);
  const shown = { authors: ['Ada', 'Dan'], isTold: true };
  expect(await step(4, { hidden: false })).toEqual(shown);
  expect(await step(5, {})).toEqual({ ...shown, authors: ['Ada', 'Dan', 'Eve'] });
});

test('who has only hidden reviews is told so by the log, and by the page on their own machine', async () => {
  await place.importHere(file, { hidden: true });
  const server = await place.serveHere({ LOG_LEVEL: 'info' });
  expect(server.log).toContain('npx public-reviews show, which lists the 3 hidden ones');
  const told = 'Hidden: 3 reviews. To list them, type &quot;npx public-reviews show&quot;.';
  expect(await (await server.get('/')).text()).toContain(told);
  await place.stop();
  const open = await place.serveHere({ BASE_URL: 'https://reviews.example' });
  expect(await (await open.get('/')).text()).toContain('No reviews yet.');
});

test('of tables of their own, forget names those that have the author, and what cannot be searched', async () => {
  await place.importHere(file);
  const prepared = await prepareImport({ ...PLAIN_IMPORT, origin: originOf('import') });
  const columns = { author: ['Given name', 'Family name'], rating: 'Stars', date: 'Date' };
  const mapping = parseMapping('', JSON.stringify({ columns, constants: { source: 'paper' } }));
  for (const [name, row] of [
    ['without.csv', 'Lang,Ada'],
    ['with.csv', 'VANDERSLOOT,Xanthippe'],
    ['garbled.csv', 'L\ufffdng,Ada'],
  ] as const) {
    const table = `Family name,Given name,Stars,Date\n${row},3,2024-03-25\n`;
    const sheet = await place.write(name, table);
    const choices = new Map([[sheet, { kind: 'mapping', mapping } as const]]);
    const given = { ...prepared, choices };
    await place.look((database) => importFiles(database, [sheet], given, SILENT));
  }
  const { stdout } = await forget(AUTHOR, { yes: true });
  const at = (name: string) => join(place.folder, name);
  expect(stdout).toContain(
    `what was removed, now or before, is still in: ${at('with.csv')}, ${file}, other backups`,
  );
  expect(stdout).toContain(`\ncould not be searched, so look into: ${at('garbled.csv')}\n`);
});

test('a review is hidden as soon as its row no longer agrees, and others of the sheet stay', async () => {
  const sheet = (xanthippe: string) =>
    place.write(
      'sheet.csv',
      `Name,Stars,Date,Words,Website\n${AUTHOR},1,2024-03-25,${WORDS},${xanthippe}\nLee,5,2024-03-26,A good job,Yes\n`,
    );
  const map = await place.write('mapping.json', {
    columns: { author: 'Name', rating: 'Stars', date: 'Date', text: 'Words' },
    constants: { source: 'paper', verified_by: 'book' },
    agreed: { Website: ['yes'] },
  });
  await place.importHere(await sheet('Yes'), { map });
  expect(await published()).toContain(WORDS);
  const taken = 'published before and no longer agreed to, so hidden: 1\n';
  const dry = await place.importHere(await sheet('No'), { map, dryRun: true });
  expect(dry.stdout).toContain(taken);
  expect(await published()).toContain(WORDS);
  const { stdout } = await place.importHere(await sheet('No'), { map });
  expect(stdout).toContain('rows       1\n');
  expect(stdout).toContain(taken);
  expect(stdout).not.toContain('--prune');
  expect(await published()).not.toContain(WORDS);
  expect(await published()).toContain('"Lee"');
  const again = await place.importHere(await sheet('No'), { map });
  expect(again.stdout).not.toContain('so hidden');
  const snapshot = new Snapshot((await loadSnapshot(place.databaseUrl))!);
  expect(verificationCounts(snapshot)).toMatchObject({
    withheld: { total: 1, by_reason: { not_agreed: 1 } },
    removed: { total: 1, by_reason: { customer_request: 1 } },
  });
});

test('an id that is not stored changes nothing', async () => {
  await place.importHere(file);
  const id = await idOfGone();
  for (const unknown of ['01HY2K3M4N5P6Q7R8S9T0VWXYZ', '1x']) {
    const message = `expected the id of a stored review, or the address of its page, got "${unknown}"`;
    await expect(remove(id, unknown)).rejects.toThrow(message);
    await expect(runHide(config(), [id, unknown], { reason: 'error' })).rejects.toThrow(message);
    await expect(runShow(config(), [unknown], {})).rejects.toThrow(message);
  }
  expect(await published()).toContain(WORDS);
});

test('a removal whose publish failed is recorded, and completed by the same command', async () => {
  await place.importHere(file);
  const id = await idOfGone();
  const broken = () => Promise.reject(new Error('no sum'));
  await expect(
    capture(() => runRemove(config(), [id], { reason: 'customer_request' }, broken)),
  ).rejects.toThrow('Stored, not published: no sum\nReaders get what was published before.');
  expect(await place.look(({ read }) => listImports(read, 1))).toMatchObject([
    { command: 'remove', outcome: 'publish failed', error: 'no sum' },
  ]);
  expect((await remove(id)).stdout).toContain(
    'removed 0 reviews; no later import brings them back\nremoved before: 1\n',
  );
  expect(await published()).not.toContain(WORDS);
  expect((await bytesOfStore()).includes(WORDS)).toBe(false);
  // As a publish leaves it that is killed before it has deleted what it replaced.
  await place.look(({ read }) => {
    const part = { name: 'replaced', sequence: 0, bytes: Buffer.from(WORDS), hash: null };
    return read.insertInto('snapshot_parts').values(part).execute();
  });
  await remove(id);
  expect((await bytesOfStore()).includes(WORDS)).toBe(false);
});

test('hide and show list the reviews of an author who has several, and ask', async () => {
  const twin = record({
    source_id: 'd',
    author: AUTHOR,
    source: 'paper',
    text: 'Again, and well.',
  });
  await place.importHere(await place.write('twins.json', [GONE, twin, ...OTHERS]));
  const hide = (given: string, yes: boolean, answer: boolean | null) => {
    const asked: string[] = [];
    const ask = (question: string) => Promise.resolve((asked.push(question), answer === true));
    const flags = { reason: 'error', yes } as const;
    return capture(() =>
      runHide(config(), [given], flags, publishHere, answer === null ? null : ask),
    ).then(({ stdout }) => ({ stdout, asked }));
  };
  const asked = ['Hide 2 reviews? [y/N] '];
  const no = await hide(AUTHOR, false, false);
  expect(no).toMatchObject({
    asked,
    stdout: expect.stringMatching(/ paper .* Again, and well\.\n/),
  });
  expect(no.stdout).toContain('\nnothing was hidden; for only one: npx public-reviews hide ID');
  await expect(hide(AUTHOR, false, null)).rejects.toThrow(
    'expected --yes, or a terminal to ask whether to hide these',
  );
  expect(await published()).toContain(WORDS);
  expect((await hide('Lee', false, null)).stdout).toMatch(/^hides 1 review\n/);
  expect(await hide(AUTHOR, false, true)).toMatchObject({ asked });
  expect(await published()).not.toContain(WORDS);
  expect((await hide(AUTHOR, true, null)).stdout).toContain('hides 0 reviews; 2 reviews already');

  // As does show: one of two namesakes may not have agreed.
  const show = (yes: boolean, answer: boolean | null) => {
    const ask = (question: string) => Promise.resolve((asked.push(question), answer === true));
    return capture(() =>
      runShow(config(), [AUTHOR], { yes }, publishHere, answer === null ? null : ask),
    );
  };
  expect((await show(false, false)).stdout).toMatch(
    / Again, and well\.\n(?:.*\n)?nothing was shown; for only one: npx public-reviews show ID\n$/,
  );
  expect(asked.at(-1)).toBe('Show 2 reviews? [y/N] ');
  await expect(show(false, null)).rejects.toThrow('to ask whether to show these');
  expect(await published()).not.toContain(WORDS);
  expect((await show(true, null)).stdout).toContain('\nshows 2 reviews\n');
  expect(await published()).toContain(WORDS);
});

test('forget lists the reviews of an author and asks', async () => {
  await place.importHere(file);
  const questions: string[] = [];
  const answer = (yes: boolean) => (question: string) => {
    questions.push(question);
    return Promise.resolve(yes);
  };
  const listed = new RegExp(`^ID +DATE .*\n${await idOfGone()} .* ${AUTHOR} +${WORDS}`);
  const no = await forget(AUTHOR, {}, answer(false));
  expect(no.stdout).toMatch(listed);
  expect(no.stdout).toMatch(/\nnothing was removed\n$/);
  await expect(forget(AUTHOR)).rejects.toThrow('expected --yes, or a terminal to ask');
  await expect(forget('Nobody', { yes: true })).rejects.toThrow(
    'no stored review is by "Nobody"; nothing was changed',
  );
  // By what the page shows first, and never by the middle of a word.
  const others = ['Ann', 'Helga Brandt', 'A. Bell'].map((author) =>
    record({ author, source_id: author }),
  );
  await place.importHere(await place.write('others.json', others));
  for (const [name, whom] of [
    ['a B.', '1: "A. Bell"; nothing'],
    ['hel', '1: "Helga Brandt"; nothing'],
    ['b', '2: "'],
  ] as const) {
    await expect(forget(name, { yes: true })).rejects.toThrow(`; it may stand for ${whom}`);
  }
  await expect(forget('andt', { yes: true })).rejects.toThrow('by "andt"; nothing was changed');
  await expect(forget('xanthippe V.', { yes: true })).rejects.toThrow(
    `no stored review is by "xanthippe V."; it may stand for 1: "${AUTHOR}"; nothing was changed`,
  );
  expect(await published()).toContain(AUTHOR);
  const yes = await forget(AUTHOR.toUpperCase(), {}, answer(true));
  expect(yes.stdout).toMatch(
    /\nremoved 1 review; no later import brings them back\nwhat was removed, now or before, is still in: .*\n$/,
  );
  expect(questions).toEqual(Array(2).fill('Remove 1 review for good? [y/N] '));
  expect(await published()).not.toContain(AUTHOR);
  const [recorded] = await place.look(({ read }) => listImports(read, 1));
  expect(recorded).toMatchObject({
    command: 'forget',
    report: { options: { reason: 'customer_request' } },
  });
  expect(JSON.stringify(recorded)).not.toContain('Xanthippe');
  await expect(forget(AUTHOR, { yes: true })).rejects.toThrow('no stored review is by');
  expect((await bytesOfStore()).includes(AUTHOR)).toBe(false);
});
