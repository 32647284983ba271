// `import --map`: the mapping that it writes reads the file that it looked at.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runImportMap } from '../../src/commands/import/import-map.ts';
import { mappingSchema } from '../../src/intake/mapping/mapping.ts';
import { chooseBySample, parseFormatChoice } from '../../src/intake/formats/recognise.ts';
import { parseSample } from '../../src/intake/formats/sample.ts';
import { readFormat } from '../support/formats.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Maps a file with these answers, or without a terminal. */
async function map(
  name: string,
  content: string | Uint8Array,
  answers: readonly string[] | null,
  given: { source?: string; verifiedBy?: string } = {},
): Promise<{ said: string; mapping: unknown; rows: unknown }> {
  const file = join(folder, name);
  await writeFile(file, content);
  const output = new PassThrough();
  const said = text(output);
  const input = Readable.from((answers ?? []).map((answer) => `${answer}\n`));
  try {
    const isTerminal = answers !== null;
    await runImportMap({ files: [file], folder, input, output, isTerminal, ...given });
  } finally {
    output.end();
  }
  const path = file.replace(/\.\w+$/, '.mapping.json');
  const { rows } = await readFormat(file, await parseFormatChoice(path));
  return { said: await said, mapping: JSON.parse(await readFile(path, 'utf8')), rows };
}

const BOOKINGS = `Nº;Gast;Bewertung;Datum;Kommentar;Status
1;Jürgen;4,5;03.02.2024;"Sehr schön; gerne wieder";veröffentlicht
2;Anne;2;28.02.2024;Laut;abgelehnt
3;Zoë;5;01.03.2024;;veröffentlicht
`;

test('a German export of a booking system is mapped with three answers', async () => {
  const { said, mapping, rows } = await map('Export Februar.csv', Buffer.from(BOOKINGS, 'latin1'), [
    'unknown',
    'veröffentlicht',
    'our booking system',
    'stay in our books',
  ]);
  expect(mapping).toEqual({
    columns: { rating: 'Bewertung', date: 'Datum', text: 'Kommentar', author: 'Gast' },
    date_format: 'dd.MM.yyyy',
    decimal: ',',
    only: { Status: ['veröffentlicht'] },
    constants: { source: 'our booking system', verified_by: 'stay in our books' },
  });
  expect(rows).toMatchObject([
    {
      line: 2,
      record: { author: 'Jürgen', rating: 5, date: '2024-02-03', source: 'our booking system' },
    },
    { line: 3, leftOut: 'Status is "abgelehnt"' },
    { line: 4, record: { author: 'Zoë', rating: 5, text: null } },
  ]);
  expect(said).toContain('rating             Bewertung  4,5 | 2 | 5');
  expect(said).toContain('expected some of these values, got "unknown"');
  expect(said).toContain('--dry-run');
});

test('nested JSON is mapped by paths; words and days that are unclear are asked', async () => {
  const review = (name: string, mark: string, when: string) => ({
    guest: { name },
    mark: { rating: mark },
    when: { date: when },
    comment: 'Nice',
    source: 'phone',
  });
  const content = {
    page: 1,
    result: { items: [review('A', 'good', '02/03/2024'), review('B', 'bad', '04/03/2024')] },
  };
  const { mapping, rows } = await map('stays.json', JSON.stringify(content), ['1', '5', '2', '']);
  expect(mapping).toEqual({
    list: 'result.items',
    columns: {
      rating: 'mark.rating',
      date: 'when.date',
      text: 'comment',
      author: 'guest.name',
      source: 'source',
    },
    date_format: 'dd/MM/yyyy',
    rating_values: { good: 5, bad: 2 },
  });
  expect(rows).toMatchObject([
    { record: { author: 'A', rating: 5, date: '2024-03-02', source: 'phone' } },
    { record: { author: 'B', rating: 2, date: '2024-03-04' } },
  ]);
});

test('without a terminal a clear file is mapped, and an unclear one is refused', async () => {
  const clear = 'Reviewer,Stars,Created,Body,Platform\nA,4,2024-03-25,Hi,google\n';
  const { mapping } = await map('clear.csv', clear, null);
  expect(mapping).toEqual({
    columns: {
      rating: 'Stars',
      date: 'Created',
      text: 'Body',
      author: 'Reviewer',
      source: 'Platform',
    },
    date_format: 'yyyy-MM-dd',
  });
  await expect(map('unclear.csv', clear.replace('2024-03-25', '03/04/2024'), null)).rejects.toThrow(
    'expected answers in a terminal. It is unclear: how is the date "03/04/2024" written ' +
      '(dd/MM/yyyy, MM/dd/yyyy). Nothing was written',
  );
  await expect(map('clear.csv', clear, null)).rejects.toThrow(
    /clear\.mapping\.json: expected no such file\. Nothing was written/,
  );
  await expect(map('text.csv', 'hello\n', null)).rejects.toThrow(
    'expected CSV, JSON or NDJSON with at least three columns',
  );
});

test('a scale of ten is asked, and answers that end early write nothing', async () => {
  const content = 'name,score,date,text\nA,9,2024-03-25,Hi\nB,3,2024-03-26,Ho\n';
  const { mapping } = await map('ten.csv', content, ['x', '1', '10', 'surveys', 'invoice']);
  expect(mapping).toMatchObject({
    rating_scale: { min: 1, max: 10 },
    constants: { source: 'surveys', verified_by: 'invoice' },
  });
  await expect(map('early.csv', content, ['1'])).rejects.toThrow('the questions ended early');
});

const SURVEY = `Wann,Wer,Punkte,Was,Noch etwas
2024-03-25,Ada Lang,5,"Sehr freundlich, und gut erklärt.",nein
2024-03-26,Bo,4,Gut.,nein
2024-03-27,Cy,5,Wir kommen gerne wieder.,ja
2024-03-28,Di,5,Alles bestens gelaufen.,ja
`;

test('the words are asked for if no column is named after them, and may be none', async () => {
  const { said, mapping, rows } = await map('survey.csv', SURVEY, ['1', '1', '1', 'survey', '']);
  expect(said).toContain('which column has the words of the review, 1 to 2: ');
  expect(said).toContain('  2 none: these reviews have no words\n');
  expect(mapping).toMatchObject({
    columns: { author: 'Wer', rating: 'Punkte', date: 'Wann', text: 'Was' },
  });
  expect(rows).toMatchObject([
    { record: { text: 'Sehr freundlich, und gut erklärt.' } },
    {},
    {},
    { record: { text: 'Alles bestens gelaufen.' } },
  ]);
});

test('without a terminal all open questions are named at once, and options answer theirs', async () => {
  await expect(map('survey.csv', SURVEY, null)).rejects.toThrow(
    /It is unclear: which column has the reviewer's name \(.*\); which column has the rating \(.*\); which column has the words of the review \(Was: .*\); where were these reviews written, such as google or our own site \(--source answers it\)\. Nothing was written/,
  );
  const clear = 'Name,Stars,Date,Review\nA,4,2024-03-25,Hi\n';
  const { mapping } = await map('site.csv', clear, null, { source: 'site', verifiedBy: 'invoice' });
  expect(mapping).toMatchObject({ constants: { source: 'site', verified_by: 'invoice' } });
  await expect(map('site.csv', clear, null, { source: ' ' })).rejects.toThrow('--source');
});

test('scores and kinds named "Response" are no replies, and a column holds one field', async () => {
  const content = `Name,Date,Response,Response Type,Feedback
A,2024-03-25,5,completed,Very good work
B,2024-03-26,4,partial,Good work
C,2024-03-27,5,completed,Very fine work
D,2024-03-28,5,completed,They came at once
`;
  const { said, mapping } = await map('hubspot.csv', content, ['1', 'survey', '']);
  expect(said).toContain('  1 Response: 5\n');
  expect(mapping).toMatchObject({
    columns: { author: 'Name', date: 'Date', rating: 'Response', text: 'Feedback' },
  });
  expect(Object.keys((mapping as { columns: object }).columns)).toHaveLength(4);
});

test('an import by a mapping without the words names the columns that look like them', () => {
  const remarkOn = (columns: object) =>
    chooseBySample('survey.csv', parseSample(SURVEY), {
      kind: 'mapping',
      mapping: mappingSchema.parse({ columns }),
    }).remark;
  const columns = { author: 'Wer', rating: 'Punkte', date: 'Wann' };
  expect(remarkOn(columns)).toBe(
    'the mapping has no "text", so these reviews have no words; if they are in "Was", ' +
      'add it to "columns" as "text" and import again',
  );
  expect(remarkOn({ ...columns, text: 'Was' })).toBe(null);
});
