// Input that cannot be used: exit code 2, a message that names file, line and what was expected, and
// nothing stored. Messages are tested in process; spawned commands prove exit code and streams.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import {
  type ImportOptions,
  importFiles,
  PLAIN_IMPORT,
  prepareImport,
  SILENT,
} from '../../src/intake/import.ts';
import { RECORD_LIMIT } from '../../src/intake/text/text.ts';
import { Database } from '../../src/store/database.ts';
import { loadState } from '../../src/store/state.ts';
import { finish, Workplace } from '../support/process.ts';
import { record } from '../support/store.ts';

// One store for all tests: none of them may change it.
let place: Workplace;
let database: Database;
let good: string;
beforeAll(async () => {
  place = await Workplace.open();
  database = await Database.open(place.databaseUrl);
  good = await place.write('good.json', [record()]);
});
afterAll(async () => {
  await database.close();
  await place.close();
});

/** The stored business and reviews, and the content version. */
async function stored(): Promise<unknown> {
  const { read } = database;
  return {
    reviews: (await read.selectFrom('reviews').select('id').execute()).length,
    businesses: (await read.selectFrom('business').select('id').execute()).length,
    contentVersion: (await loadState(read)).contentVersion,
  };
}

const NOTHING = { reviews: 0, businesses: 0, contentVersion: 1 };
const LINE = JSON.stringify(record());
const HUGE = 'x'.repeat(8 * RECORD_LIMIT);

/** Imports in process; returns the error message and the number of bytes read before it. */
async function importError(
  files: readonly string[],
  options: Partial<ImportOptions> = {},
): Promise<{ message: string; bytesRead: number }> {
  let bytesRead = 0;
  const listener = { ...SILENT, onProgress: (bytes: number) => (bytesRead = bytes) };
  const imported = prepareImport({ ...PLAIN_IMPORT, ...options }).then((prepared) =>
    importFiles(database, files, prepared, listener),
  );
  const error = await imported.then(
    () => new Error('the import succeeded'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof InputError)) throw error;
  expect(await stored()).toEqual(NOTHING);
  return { message: error.message, bytesRead };
}

/** File name, content, and the message after the path of the file. */
const BAD_FILES: readonly [string, string, string | Uint8Array, string | RegExp][] = [
  ['an empty JSON file', 'a.json', '', ': expected reviews, got an empty file; export it again'],
  [
    'an empty NDJSON file',
    'a.ndjson',
    '',
    ': expected reviews, got an empty file; export it again',
  ],
  ['an empty CSV file', 'a.csv', '', ': expected reviews, got an empty file; export it again'],
  [
    'truncated JSON',
    'a.json',
    `[\n${LINE},\n{"source_id":"b",`,
    /^:3: expected complete JSON, got text that is cut off; export it again$/,
  ],
  ['JSON of something else', 'a.json', '{"name":"x"}', /^:1: expected a list of reviews, or .+$/],
  ['a number as JSON', 'a.json', '42', /^:1: expected .+$/],
  [
    'CSV without a column',
    'a.csv',
    'author,date\nA,2024-01-01\n',
    /^: expected a format that is known, .* import FILE --map" proposes how to read it$/,
  ],
  [
    'CSV that ends inside quotes',
    'a.csv',
    'author,rating,date\n"A,1,2',
    /^:2: expected CSV: a closing quote for /,
  ],
  [
    'damaged UTF-8',
    'a.csv',
    Buffer.concat([
      Buffer.from('author,rating,date\nZoë,5,2024-01-01\n'),
      Buffer.from('Zo\xeb,5,2024-01-01\n', 'latin1'),
    ]),
    /^:3: expected text in UTF-8, got other bytes; export it again, /,
  ],
  [
    'damaged UTF-16',
    'a.csv',
    Buffer.from('\ufeffauthor,rating,date\nA,5,\ud83d\n', 'utf16le'),
    /^:1: expected text in UTF-16, got other bytes; /,
  ],
  [
    'bytes that are not text',
    'a.json',
    Uint8Array.of(91, 10, 255, 254, 93),
    /^:2: expected text in UTF-8/,
  ],
  [
    'NDJSON with a line of 8 MiB',
    'a.ndjson',
    `${LINE}\n{"text":"${HUGE}"}\n`,
    ':2: expected a review of at most 1 MiB, got a longer one; shorten it in the file',
  ],
  [
    'JSON with a review of 8 MiB',
    'a.json',
    `[${LINE},\n{"text":"${HUGE}"}]`,
    ':2: expected a review of at most 1 MiB, got a longer one; shorten it in the file',
  ],
  [
    'CSV with a line of 8 MiB',
    'a.csv',
    `author,rating,date,text\nA,5,2024-01-01,${HUGE}\n`,
    ':2: expected a review of at most 1 MiB, got a longer one; shorten it in the file',
  ],
  [
    'a name without a known extension',
    'a.txt',
    LINE,
    /^: expected reviews as a table, a list in JSON, or .*; export them as /,
  ],
];

describe('an unreadable file stores nothing, not even from the readable file before it', () => {
  test.each(BAD_FILES)('%s', async (_, name, content, expected) => {
    const file = await place.write(name, content);
    const { message, bytesRead } = await importError([good, file]);
    expect(message.startsWith(file)).toBe(true);
    const said = message.slice(file.length);
    if (typeof expected === 'string') expect(said).toBe(expected);
    else expect(said).toMatch(expected);
    expect(said.split('\n')).toHaveLength(1);
    expect(said.length).toBeLessThan(400);
    // A review over the size limit is not read to its end.
    expect(bytesRead).toBeLessThan(3 * RECORD_LIMIT);
  });

  test('an invalid business in it', async () => {
    const file = await place.write('a.json', {
      business: { name: '', colour: 'red' },
      reviews: [record()],
    });
    const { message } = await importError([file]);
    expect(message).toContain(`${file}: business.name: `);
    expect(message).toContain('colour');
  });

  test('a missing file', async () => {
    const missing = `${place.folder}/nowhere.json`;
    expect((await importError([good, missing])).message).toBe(
      `${missing}: expected a file that can be read, got one that does not exist; here are: a.csv`,
    );
  });

  test('the command exits with 2 and writes the message to stderr', async () => {
    const truncated = await place.write('truncated.json', `[\n${LINE},\n{"source_id":"b",`);
    expect(await place.run('import', good, truncated)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^[^\n]+truncated\.json:3: expected complete JSON, [^\n]+\n$/),
    });
    expect(await stored()).toEqual(NOTHING);
  });
});

const HINT =
  'Correct what the rows lack; or "import FILE --map" proposes how to read other columns, scales and dates';

describe('an import whose rows are all refused stores nothing, not even the business', () => {
  const bad = (rating: number) => record({ rating });

  test('of one row', async () => {
    const business = await place.write('business.json', { name: 'Harbor' });
    const file = await place.write('a.json', [bad(9)]);
    const { message } = await importError([file], { business });
    expect(message).toBe(
      'nothing was imported: the only row was refused\n' +
        `${file}:1: rating: expected an integer from 1 to 5, got 9\n${HINT}`,
    );
  });

  test('of many rows in two files names the first ones', async () => {
    const file = await place.write(
      'a.ndjson',
      [0, 7].map((n) => JSON.stringify(bad(n))).join('\n'),
    );
    const other = await place.write('b.csv', 'author,rating,date\nA,8,x\nB,9\nC,0,2024-01-01\n');
    const { message } = await importError([file, other], { source: 'google' });
    expect(message.split('\n')).toEqual([
      'nothing was imported: all 5 rows were refused',
      `${file}:1: rating: expected an integer from 1 to 5, got 0`,
      `${file}:2: rating: expected an integer from 1 to 5, got 7`,
      expect.stringMatching(
        `${other}:2: rating: expected a number from 1 to 5, got "8"; add .*; date: `,
      ),
      'and 2 more',
      HINT,
    ]);
  });

  test('because of their dates names the lines and the limits', async () => {
    const file = await place.write('a.ndjson', JSON.stringify(record({ date: '9999-12-31' })));
    const dates = { earliest: '1995-01-01', latest: '2026-11-23' };
    const { message } = await importError([file], { dates, dryRun: true });
    expect(message).toContain(
      `${file}:1: date: expected a date not after tomorrow, 2026-11-23, got "9999-12-31"`,
    );
  });

  test('the command exits with 2, and names every row on stdout', async () => {
    const reason = 'rating: expected an integer from 1 to 5, got 9';
    const file = await place.write('a.json', [bad(9), record({ date: '1994-12-31' })]);
    const early =
      'date: expected a date not before 1995-01-01 (REVIEW_DATE_EARLIEST), got "1994-12-31"';
    expect(await place.run('import', file)).toEqual({
      code: 2,
      stdout: `${file}:1: refused: ${reason}\n${file}:1: refused: ${early}\n`,
      stderr: `nothing was imported: all 2 rows were refused\n${HINT}\n`,
    });
    expect(await stored()).toEqual(NOTHING);
  });
});

describe('an invalid file of an option stores nothing', () => {
  test.each([
    ['business', 'not JSON', '{"name":', /: expected a business in JSON: /],
    [
      'business',
      'no business',
      '{"url":"here"}',
      /: url: expected an http or https URL, got "here"/,
    ],
    ['format', 'not JSON', '{', /: expected a mapping file in JSON: /],
    ['format', 'no mapping', '{"colums":{}}', /: .*colums/],
  ])('--%s %s', async (option, _, content, expected) => {
    const file = await place.write('option.json', content);
    const { message } = await importError([good], { [option]: file });
    expect(message.startsWith(file)).toBe(true);
    expect(message).toMatch(expected);
  });

  test.each(['business', 'format'])('--%s that does not exist', async (option) => {
    const { message } = await importError([good], { [option]: 'nowhere.json' });
    expect(message).toMatch(
      new RegExp(`^--${option}.*: expected .*file.*, got ".*nowhere.json", which does not exist$`),
    );
  });

  test.each([
    ['--verified-by', { verifiedBy: '' }, 'got ""'],
    ['--source', { source: ' ' }, 'got " "'],
  ])('%s without text', async (option, options, got) => {
    const { message } = await importError([good], options);
    expect(message).toBe(`${option}: expected text, ${got}`);
  });

  test('the command passes on every option, and exits with 2', async () => {
    const { folder } = place;
    const bad = await place.write('bad-option.json', '{');
    const ended = await Promise.all([
      place.run('import', good, '--business', bad),
      place.run('import', good, '--format', bad),
      place.run('import', good, '--verified-by', ''),
      place.run('import', good, '--source', ' '),
    ]);
    const told = ended.map(({ code, stdout, stderr }) => [
      code,
      stdout,
      stderr.replace(folder, ''),
    ]);
    expect(told).toEqual([
      [2, '', expect.stringMatching(/^\/bad-option\.json: expected a business in JSON: .*\n$/)],
      [2, '', expect.stringMatching(/^\/bad-option\.json: expected a mapping file in JSON: .*\n$/)],
      [2, '', '--verified-by: expected text, got ""\n'],
      [2, '', '--source: expected text, got " "\n'],
    ]);
    expect(await stored()).toEqual(NOTHING);
  });
});

describe('the command line', () => {
  test.each([
    [['--help'], ['serve', 'import']],
    [['serve', '--help'], ['--example']],
    [
      ['import', '--help'],
      ['--format', '--source', '--business', '--verified-by', '--dry-run', '--prune'],
    ],
    [['--version'], ['0.']],
  ])('%j exits with 0 and prints help', async (args, words) => {
    const ended = await place.run(...args);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    for (const word of words) expect(ended.stdout).toContain(word);
  });

  test.each([
    [[], 'Usage: public-reviews'],
    [['publish'], "unknown command 'publish'"],
    [['import'], 'expected a file to import, got none'],
    [['import', 'a.json', '--pune'], "unknown option '--pune'"],
    [['import', 'a.json', '--source'], "option '--source <source>' argument missing"],
    [['serve', 'now'], 'too many arguments'],
    [['hide', 'Jane Doe'], 'expected one of not_agreed, removed_at_source, customer_request, '],
    [['remove', 'ID'], 'expected one of removed_at_source, customer_request, '],
  ])('%j exits with 2 and says why on stderr', async (args, message) => {
    const ended = await place.run(...args);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(message);
  });

  test('import with a bad variable exits with 2 and names it', async () => {
    const ended = await finish(
      place.start(['import', good], { BASE_URL: 'ftp://reviews.example' }),
    );
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(
      /^BASE_URL: expected an address .*, got "ftp:\/\/reviews\.example"\n$/,
    );
  });
});
