// `import` of an unknown table: a terminal asks for a yes; a script gets the next command, and that command imports.

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settleFormat, settleTable, shellArgument } from '../../src/commands/import/proposal.ts';
import { Questions } from '../../src/commands/terminal/questions.ts';
import { InputError } from '../../src/errors.ts';
import { Undecided, UnknownTable } from '../../src/intake/formats/recognise.ts';
import { parseSample } from '../../src/intake/formats/sample.ts';
import { createSqliteDatabase } from '../support/databases.ts';
import { Workplace } from '../support/process.ts';
import { storedReviews } from '../support/store.ts';
import { workbook } from '../support/zip.ts';

const STAYS = `Guest,Score,Date,Liked,Disliked
Ada Lang,9,13/04/2024,The breakfast on the terrace,The noise at night
Bo Zed,4,03/04/2024,,Nobody at the desk until noon
`;

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open(createSqliteDatabase);
});
afterEach(() => place.close());

const settle = async (
  answer: string,
  content = STAYS,
  flags: { name?: string; source?: string; sources?: string[]; shortens?: boolean } = {
    source: 'guestbook',
  },
) => {
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  input.end(`${answer}\n`);
  const said = Promise.all([output, errors].map((stream) => text(stream)));
  const table = new UnknownTable(
    { name: flags.name ?? 'my stays.csv', unread: [] },
    parseSample(content),
  );
  const questions = answer === '' ? null : new Questions(input, output);
  const settled = settleTable(table, { isMap: false, ...flags }, { output, errors, questions });
  const outcome = await settled.catch((error: unknown) => error);
  output.end();
  errors.end();
  const [stdout = '', stderr = ''] = await said;
  return { outcome, stdout, stderr };
};

test('a terminal shows three rows as they would be shown, and takes a yes or a no', async () => {
  const { outcome, stdout } = await settle('y\nyes\nfront desk');
  expect(outcome).toMatchObject({
    columns: { text: { Liked: 'Liked', Disliked: 'Disliked' } },
    constants: { source: 'guestbook', verified_by: 'front desk' },
  });
  expect(stdout).toContain('  expected how you know it, such as "receipt", got "yes"\n');
  expect(stdout).toContain(`  ★★★★★ 2024-04-13 Ada Lang
    Liked: The breakfast on the terrace
    Disliked: The noise at night
    score_of_10: 9
  ★★☆☆☆ 2024-04-03 Bo Zed
    Disliked: Nobody at the desk until noon
    score_of_10: 4
`);
  const short = await settle('n', STAYS, { source: 'guestbook', shortens: true });
  expect(short.stdout).toContain('  ★★★★★ 2024-04-13 Ada L.\n');
  const no = (await settle('n')).outcome as InputError;
  expect(no).toBeInstanceOf(InputError);
  expect(no.message).toContain('rename the headings (Name, Stars, Date, Text)');
  expect(no.message).toContain(
    'import "my stays.csv" --source guestbook --map > "my stays.mapping.json"',
  );
});

test('a terminal takes a yes for what a platform leaves to a person', async () => {
  const remark = 'read as recommendations of a Facebook page (facebook)';
  const chosen = {
    name: 'facebook',
    remark,
    page: null,
    asks: 'no stars',
    read: async function* () {},
  };
  const answer = async (given: string) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    input.end(`${given}\n`);
    const terminal = { output, errors: output, questions: new Questions(input, output) };
    const undecided = new Undecided('all.zip/ratings.json', chosen);
    return settleFormat(undecided, { isMap: false, business: 'b.json' }, terminal);
  };
  expect(await answer('y')).toMatchObject({ kind: 'reader', reader: { name: 'facebook' } });
  await expect(answer('n')).rejects.toThrow(
    'Nothing was imported.\nfirst: unzip all.zip -d all\n' +
      'next: npx public-reviews import all/ratings.json --format facebook --business b.json',
  );
});

test('a terminal asks what the file leaves open, until it has an answer', async () => {
  const open = STAYS.replace('13/04', '04/04');
  const { outcome, stdout } = await settle('maybe\nmonth\n\ny\nguestbook\nn', open, {});
  expect(stdout).toMatch(
    /^Say whether "04\/04\/2024" begins with the day or with the month \(day\/month\): {3}type an answer \(day\/month\), not "maybe"\n/,
  );
  expect(stdout).toContain('Say where these reviews were written, such as google or paper: ');
  expect(stdout).toContain('2024-03-04 Bo Zed');
  expect((outcome as InputError).message).toContain(
    ' --source guestbook --dates month-first --map',
  );
});

test('a terminal offers the sources of the store by number', async () => {
  const sources = ['google', 'feedback forms'];
  const { outcome, stdout } = await settle('\n9\n2\ny\n', STAYS, { sources });
  expect(stdout).toContain(
    'Say where these reviews were written; a new name, or the number of one that is there: 1 "google", 2 "feedback forms": ',
  );
  expect(stdout).toContain('2 "feedback forms", not "9"\n');
  expect(stdout).toContain('it would be read like this, as reviews of "feedback forms":\n');
  expect(stdout).toContain('Import it like this, as reviews of "feedback forms"? (y/n): ');
  expect(outcome).toMatchObject({ constants: { source: 'feedback forms' } });
});

test('a table in a ZIP file is unpacked first', async () => {
  const { outcome } = await settle('', STAYS, {
    source: 'guestbook',
    name: 'exports/all.zip/2024/stays.csv',
  });
  expect((outcome as InputError).message).toContain(
    'first: unzip exports/all.zip -d all\n' +
      'next: npx public-reviews import all/2024/stays.csv --source guestbook --map > stays.mapping.json\n',
  );
});

test('a table without stars or a date says so first, and no command that would fail', async () => {
  const { outcome } = await settle('', 'Guest,Liked\nAda Lang,The breakfast on the terrace\n');
  const { message } = outcome as InputError;
  expect(message.split('\n').slice(1, 3)).toEqual([
    '  no column has stars',
    '  no column has a date',
  ]);
  expect(message).toMatch(
    /next: a review needs stars and a date: copy the table into a spreadsheet/,
  );
  expect(message).not.toContain('then:');
});

test('a script gets the next commands, and these import; before, there is no store', async () => {
  const file = await place.write(
    'stays.xlsx',
    workbook([
      ['Guest', 'Score', 'Date', 'Liked', 'Disliked'],
      ['Ada Lang', 9, '03/04/2024', 'The breakfast on the terrace', 'The noise at night'],
      ['Bo Zed', 4, '05/04/2024', null, 'Nobody at the desk until noon'],
    ]),
  );
  const refused = await place.run('import', file);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(
    /next: .* import \S+stays\.xlsx --dates ORDER --source NAME --map > stays\.mapping\.json\nthen: .* import \S+stays\.xlsx --map stays\.mapping\.json --verified-by "/,
  );
  const settled = ['--dates', 'day-first', '--source', 'guestbook', '--scale', '0-10'];
  const { code, stdout } = await place.run('import', file, ...settled, '--map');
  expect(code).toBe(0);
  expect(existsSync(place.databaseUrl.slice('sqlite:'.length))).toBe(false);
  const mapping = join(place.folder, 'stays.mapping.json');
  // As a shell of Windows writes it.
  await writeFile(mapping, Buffer.from(`\ufeff${stdout}`, 'utf16le'));
  expect(await place.run('import', file, '--map', mapping, '--verified-by', 'stay')).toMatchObject({
    code: 0,
  });
  expect(await place.look(storedReviews)).toMatchObject([
    { author: 'Ada Lang', rating: 5, date: '2024-04-03', source: 'guestbook', verified: 1 },
    { author: 'Bo Zed', rating: 3, text: 'Disliked: Nobody at the desk until noon' },
  ]);
  expect(await readFile(file)).not.toHaveLength(0);
});

test('"import --map FILE" asks for a proposal too, and a known format needs none', async () => {
  const file = await place.write('own.csv', 'author,rating,date\nAda,5,2024-01-02\n');
  expect(await place.run('import', '--map', file)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(
      `${file}: no mapping is needed: csv; if its rows are refused, correct them, or write`,
    ),
  });
});

test('a name is quoted for a shell if it has to be', () => {
  expect(shellArgument('stays-2024/a.csv')).toBe('stays-2024/a.csv');
  expect(shellArgument('a "b" $c.csv')).toBe('"a \\"b\\" \\$c.csv"');
});
