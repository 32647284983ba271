// The path of an operator, in process: init, import, serve, doctor, backup, and a restore into a second
// folder, which serves the same ETags.

import { spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runBackup } from '../../src/commands/store/backup.ts';
import { diagnose } from '../../src/commands/doctor/doctor.ts';
import { runImport } from '../../src/commands/import/import.ts';
import { runInit } from '../../src/commands/init.ts';
import { runRestore } from '../../src/commands/store/restore.ts';
import { showStatus } from '../../src/commands/store/status.ts';
import { type Config, loadConfig, parseConfig } from '../../src/config.ts';
import { serve } from '../../src/serving/serve.ts';
import { DOCUMENT_PATHS } from '../../src/snapshot/documents.ts';
import { freePort } from '../support/free-port.ts';
import { finish } from '../support/process.ts';
import { capture } from '../support/run-command.ts';
import { record } from '../support/store.ts';
import { typedLines } from '../support/typed-lines.ts';
import { workbook, zip } from '../support/zip.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-operator-'));
});
afterEach(() => rm(folder, { recursive: true }));

const within = (name: string) => join(folder, name);

/** The settings that `init` wrote, with a store of a folder. */
function configOf(store: string, port: number): Config {
  return loadConfig({
    PUBLIC_REVIEWS_CONFIG: within('public-reviews.config.json'),
    DATABASE_URL: `sqlite:${within(store)}`,
    PORT: String(port),
  });
}

/** Serves a store for the time of a callback. */
async function whileServing<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const logger = pino({ level: 'silent' });
  const server = await serve(config, logger, { example: false, group: null });
  try {
    return await work(server.url);
  } finally {
    await server.close();
  }
}

/** The validators of every document and of the first page. */
async function validatorsOf(url: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const path of [...DOCUMENT_PATHS, '/']) {
    const { headers, status } = await fetch(url + path);
    found[path] = [status, headers.get('etag'), headers.get('last-modified')];
  }
  return found;
}

test('from init to a restore that serves the same ETags', async () => {
  const port = await freePort();
  const answers = ['Harbor Heating', '1', ...Array.from({ length: 13 }, () => '')];
  const input = new PassThrough();
  input.end([...answers, `http://localhost:${port}`, '', ''].join('\n'));
  const output = new PassThrough();
  output.resume();
  await runInit({ folder, force: false, input, output, isTerminal: true });

  const config = configOf('first/reviews.db', port);
  const rows = Array.from({ length: 30 }, (_, turn) => record({ source_id: `${turn}` }));
  await writeFile(within('reviews.json'), JSON.stringify(rows));
  const flags = { business: within('business.json') };
  const imported = await capture(() => runImport(config, [within('reviews.json')], flags));
  expect(imported.stdout).toMatch(/^added +30$/m);
  expect(imported.stderr).toContain(`created a new store: ${within('first/reviews.db')}\n`);

  const validators = await whileServing(config, async (url) => {
    await capture(() => runBackup(config, within('backup.db')));
    const findings = await diagnose(() => config, Date.now());
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(['MCP', 'port']));
    return validatorsOf(url);
  });
  expect(validators['/reviews.json']).toEqual([200, expect.any(String), expect.any(String)]);

  const second = configOf('second/reviews.db', port);
  // The new machine of a move: its server ran once.
  await whileServing(second, validatorsOf);
  await expect(runRestore(second, within('backup.db'), {})).rejects.toThrow('add --replace');
  await capture(() => runRestore(second, within('backup.db'), { replace: true }));
  expect(await whileServing(second, validatorsOf)).toEqual(validators);
  const { stdout } = await capture(() => showStatus(second, { json: true }));
  expect(JSON.parse(stdout)).toMatchObject({
    business: 'Harbor Heating',
    reviews: { stored: 30, verified: 30 },
    // Whether a larger log was signed is not known, which a server says from its start on.
    publishing: { status: 'pending' },
    imports: [{ outcome: 'published' }],
  });
  // Without a proxy that overwrites it, a client chooses what is trusted.
  const trusting: Config = { ...second, trustProxy: 1 };
  await whileServing(trusting, async () => {
    const findings = await diagnose(() => trusting, Date.now());
    expect(findings.filter(({ status }) => status !== 'ok')).toMatchObject([
      { check: 'published' },
      { check: 'transparency log', action: expect.stringContaining('log continue') },
      { check: 'proxy headers', message: expect.stringContaining('can choose their address') },
    ]);
  });
  // The backup is what it was.
  const before = await readFile(within('backup.db'));
  await capture(() => runRestore(second, within('backup.db'), { replace: true }));
  expect((await readFile(within('backup.db'))).equals(before)).toBe(true);
});

/** Lines of the pages that run the program to an end. Servers are started by tests of their own, synopses have brackets. */
const COMMANDS = [
  ...new Set(
    typedLines().flatMap(({ line, isMarked }) => {
      const [, typed] = /^(?:npx )?public-reviews (.+)$/.exec(line) ?? [];
      return isMarked || typed === undefined || /\[|^serve\b/.test(typed) ? [] : [typed];
    }),
  ),
];
/** Those that do not do it without an answer or a choice, and what they say then. */
const ASKING: Readonly<Record<string, string>> = {
  'import stays.csv': '--map',
  'import "guest book.xlsx" --source "guest book" --verified-by "name in our bookings"': '--map',
  'forget --author "Jane Doe"': '--yes',
  'sites remove reviews.cafe.example': '--yes',
};

/** A folder with the files and the store that the pages speak of, and the program in the folder `bin`. */
async function prepare(): Promise<void> {
  const review = { ...record({ author: 'Jane Doe' }), id: '01HY2K3M4N5P6Q7R8S9T0VWXYZ' };
  await mkdir(within('bin'));
  await mkdir(within('all'));
  const main = join(import.meta.dirname, '../../src/main.ts');
  const script = `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`;
  await writeFile(within('bin/public-reviews'), script);
  await chmod(within('bin/public-reviews'), 0o755);
  await writeFile(within('all/reviews.json'), JSON.stringify({ reviews: [review, record()] }));
  await cp(join(import.meta.dirname, '../../examples/business.json'), within('all/business.json'));
  const stays = 'guest,score,day,words\nAnna,9,2024-05-17,Quiet rooms.\nBen,3,2024-06-02,Cold.\n';
  await writeFile(within('all/stays.csv'), stays);
  const guests = [
    ['Guest', 'Stars', 'Date', 'Words'],
    ['Anna Lang', 5, '2024-05-17', 'Quiet rooms and a good breakfast.'],
  ];
  await writeFile(within('all/guest book.xlsx'), workbook(guests));
  const rows = {
    reviews: [
      {
        name: 'reviews/1',
        reviewer: { displayName: 'Karen W.' },
        starRating: 'FIVE',
        createTime: '2024-05-17T10:00:00Z',
      },
    ],
  };
  const content = JSON.stringify(rows);
  await writeFile(within('all/takeout.zip'), zip([{ name: 'Takeout/reviews.json', content }]));
  for (const name of ['plumber.json', 'clinic.json'])
    await cp(within('all/business.json'), within(`all/${name}`));
  const cafe = 'author,rating,date,text,source\nAnna,5,2024-05-17,Good coffee.,counter\n';
  for (const name of ['cafe.csv', 'clinic.csv']) await writeFile(within(`all/${name}`), cafe);
  await mkdir(within('all/sites/reviews.cafe.example/data'), { recursive: true });
  const config = parseConfig({ DATABASE_URL: `sqlite:${within('all/data/public-reviews.db')}` });
  await capture(() => runImport(config, [within('all/reviews.json')], {}));
  await mkdir(within('all/backups'));
  await capture(() => runBackup(config, within('all/backups/2026-11-22.db')));
  const site = within('all/sites/reviews.cafe.example/data/public-reviews.db');
  const ofSite = parseConfig({ DATABASE_URL: `sqlite:${site}` });
  await capture(() => runImport(ofSite, [within('all/reviews.json')], {}));
}

test('each command of the pages runs as it is typed', async () => {
  await prepare();
  const results: [string, number | null, string][] = [];
  for (const [turn, typed] of COMMANDS.entries()) {
    // A mapping that the line before has written.
    const continues = typed.includes('--map stays.mapping.json');
    const cwd = within(String(continues ? turn - 1 : turn));
    if (typed.startsWith('init')) await mkdir(cwd);
    else if (!continues) await cp(within('all'), cwd, { recursive: true });
    if (typed.startsWith('sites add')) await rm(join(cwd, 'sites'), { recursive: true });
    if (typed.startsWith('restore')) await rm(join(cwd, 'data'), { recursive: true });
    const PATH = [within('bin'), process.env['PATH']].join(delimiter);
    const child = spawn('sh', ['-c', `public-reviews ${typed}`], {
      cwd,
      env: { PATH, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '', PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { code, stdout, stderr } = await finish(child);
    const needs = ASKING[typed];
    const isRight =
      needs === undefined ? code === 0 : code === 2 && (stdout + stderr).includes(needs);
    if (!isRight) results.push([typed, code, stdout + stderr]);
  }
  expect(results).toEqual([]);
  expect(COMMANDS.length).toBeGreaterThan(15);
});
