// Input that cannot be used: exit code 2, a message that names file, line and what was expected, and
// nothing stored.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadState } from '../../src/store/snapshots.ts';
import { finish, Workplace } from '../support/process.ts';
import { record } from '../support/store.ts';

let place: Workplace;
let good: string;
beforeEach(async () => {
  place = await Workplace.open();
  good = await place.write('good.json', [record()]);
});
afterEach(() => place.close());

/** What the store holds, and how often it changed. */
function stored(): Promise<unknown> {
  return place.look(async ({ read }) => ({
    reviews: (await read.selectFrom('reviews').select('id').execute()).length,
    businesses: (await read.selectFrom('business').select('id').execute()).length,
    contentVersion: (await loadState(read)).contentVersion,
  }));
}

const NOTHING = { reviews: 0, businesses: 0, contentVersion: 1 };
const LINE = JSON.stringify(record());
const HUGE = 'x'.repeat(40 * 1024 * 1024);

/** Name, content and what the message says after the file's path. */
const BAD_FILES: readonly [string, string, string | Uint8Array, string | RegExp][] = [
  ['an empty JSON file', 'a.json', '', ': expected reviews, got an empty file\n'],
  ['an empty NDJSON file', 'a.ndjson', '', ': expected reviews, got an empty file\n'],
  ['an empty CSV file', 'a.csv', '', ': expected reviews, got an empty file\n'],
  ['truncated JSON', 'a.json', `[\n${LINE},\n{"source_id":"b",`, /^:3: expected JSON, but .+\n$/],
  ['JSON of something else', 'a.json', '{"name":"x"}', /^:1: expected a list of reviews, or .+\n$/],
  ['a number as JSON', 'a.json', '42', /^:1: expected .+\n$/],
  ['NDJSON with half a line', 'a.ndjson', `${LINE}\n{"a":`, /^:2: expected one review as a line /],
  ['JSON as NDJSON', 'a.ndjson', `[\n${LINE}\n]`, /^:1: expected one review as a line of JSON/],
  ['CSV without a column', 'a.csv', 'author,date\nA,2024-01-01\n', /^:1: expected the column "rat/],
  [
    'CSV that ends inside quotes',
    'a.csv',
    'author,rating,date\n"A,1,2',
    /^:\d: expected CSV, but /,
  ],
  [
    'Latin-1',
    'a.csv',
    Buffer.from('author,rating,date\nZo\xeb,5,2024-01-01\n', 'latin1'),
    /^:2: expected text in UTF-8, got bytes that are not\n$/,
  ],
  [
    'UTF-16',
    'a.csv',
    Buffer.from('\ufeffauthor,rating,date\n', 'utf16le'),
    ':1: expected text in UTF-8, got UTF-16\n',
  ],
  [
    'bytes that are no text',
    'a.json',
    Uint8Array.of(91, 10, 255, 254, 93),
    /^:2: expected text in UTF-8/,
  ],
  [
    'NDJSON with a line of 40 MB',
    'a.ndjson',
    `${LINE}\n{"text":"${HUGE}"}\n`,
    ':2: expected a review of at most 1 MiB, got a longer one\n',
  ],
  [
    'JSON with a review of 40 MB',
    'a.json',
    `[${LINE},\n{"text":"${HUGE}"}]`,
    ':2: expected a review of at most 1 MiB, got a longer one\n',
  ],
  [
    'CSV with a line of 40 MB',
    'a.csv',
    `author,rating,date,text\nA,5,2024-01-01,${HUGE}\n`,
    ':2: expected a review of at most 1 MiB, got a longer one\n',
  ],
  [
    'a name that says no format',
    'a.txt',
    LINE,
    /^: expected a name that ends in \.json, \.ndjson, \.jsonl, \.csv; /,
  ],
];

describe('a file that cannot be read stores nothing, not even of the good file before it', () => {
  test.each(BAD_FILES)('%s', async (_, name, content, message) => {
    const file = await place.write(name, content);
    const ended = await place.run('import', good, file);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr.startsWith(file)).toBe(true);
    const said = ended.stderr.slice(file.length);
    if (typeof message === 'string') expect(said).toBe(message);
    else expect(said).toMatch(message);
    expect(said.trimEnd().split('\n')).toHaveLength(1);
    expect(said.length).toBeLessThan(400);
    expect(await stored()).toEqual(NOTHING);
  });

  test('a file that does not exist', async () => {
    const file = `${place.folder}/nowhere.json`;
    expect(await place.run('import', good, file)).toEqual({
      code: 2,
      stdout: '',
      stderr: `${file}: expected a file that can be read, but there is none\n`,
    });
    expect(await stored()).toEqual(NOTHING);
  });

  test('a folder', async () => {
    const ended = await place.run('import', good, place.folder, '--format', 'json');
    expect(ended).toEqual({
      code: 2,
      stdout: '',
      stderr: `${place.folder}: expected a file that can be read, but it is a folder\n`,
    });
    expect(await stored()).toEqual(NOTHING);
  });

  test('a business inside it that is none', async () => {
    const file = await place.write('a.json', {
      business: { name: '', colour: 'red' },
      reviews: [record()],
    });
    const ended = await place.run('import', file);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(`${file}: business.name: `);
    expect(ended.stderr).toContain('colour');
    expect(await stored()).toEqual(NOTHING);
  });
});

describe('a bad file of an option stores nothing', () => {
  test.each([
    ['--business', 'not JSON', '{"name":', /: expected a business in JSON: /],
    [
      '--business',
      'no business',
      '{"url":"here"}',
      /: business\.url: expected an http or https URL, got "here"/,
    ],
    ['--format', 'not JSON', '{', /: expected a mapping file in JSON: /],
    ['--format', 'no mapping', '{"colums":{}}', /: .*colums/],
  ])('%s %s', async (option, _, content, message) => {
    const file = await place.write('option.json', content);
    const ended = await place.run('import', good, option, file);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr.startsWith(file)).toBe(true);
    expect(ended.stderr).toMatch(message);
    expect(await stored()).toEqual(NOTHING);
  });

  test.each(['--business', '--format'])('%s that does not exist', async (option) => {
    const ended = await place.run('import', good, option, 'nowhere.json');
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(new RegExp(`^${option}: expected a file .*got "nowhere.json"\n$`));
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
  ])('%j exits with 0 and says what there is', async (args, words) => {
    const ended = await place.run(...args);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    for (const word of words) expect(ended.stdout).toContain(word);
  });

  test.each([
    [[], 'Usage: public-reviews'],
    [['publish'], "unknown command 'publish'"],
    [['import'], "missing required argument 'file'"],
    [['import', 'a.json', '--pune'], "unknown option '--pune'"],
    [['import', 'a.json', '--verified-by', ''], '--verified-by: expected text, got ""'],
    [['import', 'a.json', '--source', ' '], '--source: expected text, got " "'],
    [['import', 'a.json', '--source'], "option '--source <source>' argument missing"],
    [['serve', 'now'], 'too many arguments'],
  ])('%j exits with 2 and says why on stderr', async (args, message) => {
    const ended = await place.run(...args);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(message);
  });

  test('import with a bad variable exits with 2 and names it', async () => {
    const ended = await finish(place.start(['import', good], { BASE_URL: 'reviews.example' }));
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/^BASE_URL: expected an origin .*, got "reviews\.example"\n$/);
  });
});
